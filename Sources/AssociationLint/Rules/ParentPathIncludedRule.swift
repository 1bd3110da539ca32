internal import Diagnostics

/// `/*` at the end, which matches more than it seems to.
enum ParentPathIncludedRule: PatternRule {
    static let description = RuleDescription(
        "parent-path-included", .warning, isOnByDefault: false,
        summary: "a path pattern that ends in '/*' also matches the path without it",
        reason: """
            Apple's documentation and recorded output of its swcutil show that '/buy/*' matches '/buy' and '/buy/' too. \
            Only '/buy/?*' requires something after the slash.
            """,
        basis: [.apple, .recorded],
        bad: ExampleFile.components(#"{ "/": "/buy⟦/*⟧" }"#),
        good: ExampleFile.components(#"{ "/": "/buy/?*" }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        let path = pattern.parsed.bytes[pattern.parsed.examined]
        guard pattern.isPath, diagnostics.isEnabled(description), path.suffix(2).elementsEqual("/*".utf8),
            !path.dropLast(2).allSatisfy({ $0 == UInt8(ascii: "/") })
        else { return }
        let tail = path.endIndex - 2..<path.endIndex
        let parent = quoted(pattern.parsed.string(path.startIndex..<tail.lowerBound))
        diagnostics.report(
            description, pattern, at: tail, "the pattern also matches \(parent), without '/*'")
    }
}
