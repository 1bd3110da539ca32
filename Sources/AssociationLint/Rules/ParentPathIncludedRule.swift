internal import Diagnostics

/// `/*` at the end, which matches more than it seems to.
enum ParentPathIncludedRule: FileRule {
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

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        guard diagnostics.isEnabled(description.code) else { return }
        for pattern in context.patterns where pattern.isPath {
            let path = pattern.parsed.bytes[pattern.parsed.examined]
            guard path.suffix(2).elementsEqual("/*".utf8), !path.dropLast(2).allSatisfy({ $0 == UInt8(ascii: "/") })
            else { continue }
            let tail = path.endIndex - 2..<path.endIndex
            let parent = quoted(pattern.parsed.string(path.startIndex..<tail.lowerBound))
            diagnostics.report(
                description.code, pattern.part(tail, in: context.source), pattern.pointer,
                "the pattern also matches \(parent), without '/*'")
        }
    }
}
