internal import Diagnostics
internal import URLPatterns

/// An app ID from documentation.
enum ExampleAppIDRule: AppIDRule {
    static let description = RuleDescription(
        "example-app-id", .warning, summary: "an app ID is an example from documentation",
        reason: """
            Prefixes like 'ABCDE12345' and bundle IDs like 'com.example.app' are from Apple's documentation and from \
            tutorials, older ones have 'com.apple.wwdc'. No app of yours has such an ID.
            """,
        basis: [.lint], bad: ExampleFile.appID(#"⟦"ABCDE12345.com.shop.app"⟧"#), good: ExampleFile.goodAppID)

    private static let prefixes = ["ABCDE12345", "12345ABCDE", "ABCDEFGHIJ", "1234567890", "0123456789"].map {
        ArraySlice($0.utf8)
    }

    static func check(_ id: AppID, _ diagnostics: inout DiagnosticCollector) -> Bool {
        guard isExample(id) else { return false }
        diagnostics.report(
            description, id.range, id.pointer,
            "app ID \(id.quotedText) looks like an example from documentation")
        return true
    }

    static func isExample(_ id: AppID) -> Bool {
        id.bundle.map { isExample(id.bytes[id.prefix]) || isExampleBundle(id.bytes[$0]) } ?? false
    }

    static func isExample(_ prefix: ArraySlice<UInt8>) -> Bool {
        prefixes.contains(prefix) || prefix.count == 10 && prefix.allSatisfy { $0 == prefix.first }
    }

    private static func isExampleBundle(_ bundle: ArraySlice<UInt8>) -> Bool {
        bundle.starts(with: "com.example.".utf8) || bundle.elementsEqual("com.apple.wwdc".utf8)
            || bundle.split(separator: UInt8(ascii: ".")).contains { label in
                let label = label.lazy.map(\.lowercased)
                return label.elementsEqual("yourcompany".utf8) || label.elementsEqual("mycompany".utf8)
            }
    }
}
