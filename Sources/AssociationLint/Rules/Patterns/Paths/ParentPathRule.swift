internal import Diagnostics

/// `/*` at the end, which matches more than one may think.
enum ParentPathRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "parent-path-included", .warning, isOnByDefault: false,
            summary: "a path pattern that ends in '/*' also matches without that tail",
            reason: """
                Apple's documentation and recorded output of its swcutil show that '/buy/*' matches '/buy' and '/buy/' too. \
                Only '/buy/?*' asks for something behind the slash.
                """,
            basis: [.apple, .recorded],
            bad: PatternExample.components(#"{ "/": "/buy⟦/*⟧" }"#),
            good: PatternExample.components(#"{ "/": "/buy/?*" }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        guard findings.isWanted("parent-path-included") else { return }
        for place in file.patterns where place.isPath {
            let path = place.anatomy.bytes[place.anatomy.examined]
            guard path.suffix(2).elementsEqual("/*".utf8), !path.dropLast(2).allSatisfy({ $0 == UInt8(ascii: "/") })
            else { continue }
            let tail = path.endIndex - 2..<path.endIndex
            let parent = quoted(place.anatomy.string(path.startIndex..<tail.lowerBound))
            findings.report(
                "parent-path-included", place.part(tail, in: file.source), place.pointer,
                "the pattern also matches \(parent), without '/*'")
        }
    }
}
