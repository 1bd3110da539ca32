import AssociationLint
public import Diagnostics
import JSONSyntax
public import Testing

extension RuleDescription: CustomTestStringConvertible {
    public var testDescription: String { code.rawValue }
}

struct RuleExampleTests {
    static let aboutAssociationFiles = RuleRegistry.catalogue.rules.filter {
        $0.subject == .associationFile && !["signed-file", "unreadable-signature"].contains($0.code.rawValue)
    }

    @Test("A bad example yields its code at the marked place, and nothing else", arguments: aboutAssociationFiles)
    func bad(rule: RuleDescription) {
        let marked = MarkedText(rule.bad)
        let found = rule.check(marked.bytes)
        #expect(found.diagnostics.map(\.code) == [rule.code], "\(found.diagnostics.map { $0.line(in: found.source) })")
        let diagnostic = found.diagnostics.first
        #expect(diagnostic?.range == marked.range ?? SourceRange(start: 0, end: 0))
        #expect(diagnostic?.severity == rule.severity)
        #expect(diagnostic?.fixIts.first?.applicability == rule.fix)
        let isSyntax = SyntaxRules.all.contains { $0 === rule }
        #expect((diagnostic?.pointer == nil) == isSyntax)
    }

    @Test("A good example yields nothing", arguments: aboutAssociationFiles)
    func good(rule: RuleDescription) {
        let found = rule.check(Array(rule.good.utf8))
        #expect(found.diagnostics.isEmpty, "\(found.diagnostics.map { $0.line(in: found.source) })")
    }

    @Test("The first fix of a bad example leaves nothing of the finding", arguments: aboutAssociationFiles)
    func fixes(rule: RuleDescription) {
        let marked = MarkedText(rule.bad)
        guard let fixIt = rule.check(marked.bytes).diagnostics.first?.fixIts.first, !fixIt.edits.isEmpty else { return }
        let fixed = TextEdit.applied(fixIt.edits, to: marked.bytes)
        let left = rule.check(fixed).diagnostics
        if fixIt.applicability == .displayOnly {
            #expect(!left.contains { $0.code == rule.code })
        } else if rule.code.rawValue == "empty-component" {
            // A component that is meant to match every URL leaves nothing to those after it, and that is reported then.
            #expect(left.map(\.code.rawValue) == ["unreachable-rule"])
        } else {
            #expect(left.isEmpty, "\(left)\n\(String(decoding: fixed, as: UTF8.self))")
        }
    }

    @Test("Messages and titles are one clause, in lower case, without a full stop", arguments: aboutAssociationFiles)
    func wordings(rule: RuleDescription) {
        let found = rule.check(MarkedText(rule.bad).bytes).diagnostics
        let texts = found.flatMap { [$0.message] + $0.notes + $0.fixIts.map(\.title) } + [rule.summary]
        for text in texts {
            #expect(text.first?.isUppercase == false, "\(text)")
            #expect(!text.hasSuffix("."), "\(text)")
            #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 })
        }
        #expect(rule.reason.hasSuffix("."))
    }
}

extension TextEdit {
    static func applied(_ edits: [TextEdit], to bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for edit in edits.reversed() {
            bytes.replaceSubrange(edit.range.start..<edit.range.end, with: Array(edit.replacement.utf8))
        }
        return bytes
    }
}
