import Diagnostics
import JSONSyntax
import Testing

struct BadExampleTests {
    @Test("A mistake is reported where it is, and nothing else", arguments: BadExample.all)
    func findings(example: BadExample) throws {
        let marked = MarkedText(example.marked)
        let document = read(marked.bytes)
        #expect(document.summary.sorted() == (example.others + ["\(example.rule.code) \(example.place)"]).sorted())
        let finding = try #require(document.findings.first { $0.is(example.rule) })
        #expect(finding.range == marked.range ?? SourceRange(start: 0, end: 0))
        #expect(finding.severity == example.rule.severity)
        #expect(finding.pointer == nil)
        #expect(
            document.isTreeReliable == (document.root != nil && example.rule.hasSafeRepair) || !example.others.isEmpty)
        let tolerable: [RuleDescription] = [.byteOrderMark, .duplicateKey]
        #expect(document.isUsableWithoutRepairs == tolerable.contains { $0 === example.rule })
    }

    @Test("A fix does what it says", arguments: BadExample.all)
    func fixIts(example: BadExample) throws {
        let document = read(MarkedText(example.marked).bytes)
        let finding = try #require(document.findings.first { $0.is(example.rule) })
        #expect(finding.fixIts.first?.applicability == example.applicability)
        let fixed = finding.fixIts.first.map { String(decoding: $0.applied(to: document.source.bytes), as: UTF8.self) }
        #expect(fixed == example.fixed)
    }

    @Test("A safe repair gives the tree of the corrected text", arguments: BadExample.all)
    func repairs(example: BadExample) {
        guard example.rule.hasSafeRepair, example.others.isEmpty, let fixed = example.fixed else { return }
        let document = read(MarkedText(example.marked).bytes)
        let corrected = read(fixed)
        #expect(corrected.findings == [])
        #expect(document.root?.outline == corrected.root?.outline)
    }

    @Test("A message is one clause, in lower case, without a full stop", arguments: BadExample.all)
    func messages(example: BadExample) {
        for finding in read(MarkedText(example.marked).bytes).findings {
            let texts = [finding.message] + finding.notes + finding.fixIts.map(\.title)
            for text in texts {
                #expect(text.first?.isUppercase == false)
                #expect(!text.hasSuffix("."))
                #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 })
            }
        }
    }

    @Test("Every code has an example", arguments: SyntaxRules.all.map(\.code))
    func completeness(code: DiagnosticCode) {
        let elsewhere: [RuleDescription] = [.fileTooLarge, .fileNearLimit, .utf16Text, .invalidUTF8]
        #expect((elsewhere + BadExample.all.map(\.rule)).contains { $0.code == code })
    }

    @Test("The codes with a safe repair are those of the specification")
    func safeRepairs() {
        let safe = SyntaxRules.all.filter(\.hasSafeRepair).map(\.code.rawValue)
        #expect(
            Set(safe) == [
                "byte-order-mark", "utf-16-text", "front-matter", "trailing-comma", "extra-comma", "missing-comma",
                "json-comment", "curly-quote", "single-quoted-string", "unquoted-key", "non-ascii-space",
                "control-character", "duplicate-key",
            ])
        #expect(
            SyntaxRules.all.filter { $0.severity == .warning }.map(\.code.rawValue) == [
                "file-near-limit", "byte-order-mark",
            ])
    }
}
