import AssociationLint
import Diagnostics
import FuzzingSupport

/// Checks mutated association files, and what the validator says about them.
package struct LintFuzzer {
    private var random: SplitMix64
    private var documents: RandomDocuments
    private let mutator: JSONMutator
    private let linter: Linter
    /// The latest file.
    package private(set) var text: [UInt8] = []
    /// The number of findings.
    package private(set) var findings = 0

    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        documents = RandomDocuments(seed: seed)
        let examples = RuleRegistry.catalogue.rules.flatMap { [$0.badBytes, Array($0.good.utf8)] }
        mutator = JSONMutator(
            seeds: examples.filter { $0.count < 4_096 }, pieces: Self.pieces + HostileText.kinds.map { $0.text(400) })
        var options = LintOptions(minimumIOS: SystemVersion(12))
        for rule in RuleRegistry.catalogue.rules where !rule.isOnByDefault { options.settings[rule.code] = .warning }
        linter = Linter(options)
    }

    /// Checks one more file; returns what is wrong with the answer.
    package mutating func round() -> String? {
        text = random.chance(5) ? Array(documents.document().json.utf8) : random.pick(mutator.seeds)
        if text.count > 8_192 { text = random.pick(mutator.seeds) }
        for _ in 0..<random.number(0...4) { mutator.mutate(&text, &random) }
        let result = linter.check(text)
        findings += result.diagnostics.count
        if let violation = LintInvariants.violation(in: result) { return violation }
        if random.chance(5) {
            findings += LintConfiguration(text, path: ".aasa.json").diagnostics.count
            findings += CaseList.read(text, path: "cases.json").diagnostics.count
            let asked = CaseList.read(text, path: "cases", .asking) { _ in true }
            findings += asked.diagnostics.count
            if let seen = asked.text(seeing: { $0 % 3 == 0 ? nil : $0 % 3 == 1 ? [] : ["7K3QWZ9PLM.com.shop.app"] }),
                asked.diagnostics.isEmpty, seen.isEmpty
            {
                return "the list is lost"
            }
        }
        if random.chance(20), let violation = LintInvariants.violation(inFixesOf: text, linter) { return violation }
        return nil
    }

    private static let pieces = [
        "\"", "'", ",", ",,", ":", "{", "}", "[", "]", "{}", "[]", "\\", "\\u", "\\ud83d", "\\u0000", "\\/", "//", "/*",
        "#",
        "\n", "\r\n", "\t", " ", "\u{A0}", "\u{FEFF}", "“", "”", "é", "日本", "\u{1F600}", "e\u{301}", "\0",
        "null", "true", "false", "1", "-", "0.5", "1e9", "NaN", "<<<<<<<", "=======", "{{ x }}", "<%", "${", "---\n",
        "\"applinks\"", "\"details\"", "\"appID\"", "\"appIDs\"", "\"appId\"", "\"components\"", "\"component\"",
        "\"paths\"", "\"path\"", "\"apps\"", "\"defaults\"", "\"substitutionVariables\"", "\"exclude\"", "\"/\"",
        "\"?\"",
        "\"#\"", "\"caseSensitive\"", "\"percentEncoded\"", "\"comment\"", "\"webcredentials\"", "\"appclips\"",
        "/buy/*", "/buy/?id=*", "/*", "*", "**", "?*", "NOT /x", "NOT  /x", "not /x", "/a b", " /x ", "/%c3%A9", "/%zz",
        "/%",
        "$(", "$(lang)", "$(x)", "$()", "/$(a)/$(b)/*", "{id}", ":id", "^/x$", "/.*", "//x//", "/../x",
        "https://x.example/a",
        "www.x.example", "#top", "?a=1&b=2", "com.example.app", "7K3QWZ9PLM.com.shop.app", "ABCDE12345.com.example.app",
        "TEAMID.com.x", " 7K3QWZ9PLM.com.shop.app", "7k3qwz9plm.com.shop.app", "7K3QWZ9PLM.*", ".", "..", "",
    ]
}

/// The rules that hold for every answer of the validator.
enum LintInvariants {
    static func violation(in result: LintResult) -> String? {
        let count = result.source.bytes.count
        var previous: Diagnostic?
        for finding in result.diagnostics {
            let name = "\(finding.code) at \(finding.range.start)"
            guard 0 <= finding.range.start, finding.range.start <= finding.range.end, finding.range.end <= count else {
                return "\(name): the range is not in the file"
            }
            if let previous, isBefore(finding, previous) { return "\(name): not in order" }
            if let previous, previous.code == finding.code, previous.range.start == finding.range.start {
                return "\(name): said twice"
            }
            previous = finding
            if RuleRegistry.catalogue[finding.code.rawValue] == nil { return "\(name): no such code" }
            let texts = [finding.message] + finding.notes + finding.fixIts.map(\.title)
            if texts.contains(where: { $0.isEmpty || $0.unicodeScalars.contains { $0.value < 0x20 } }) {
                return "\(name): not a clause"
            }
            if let violation = violation(in: finding.fixIts, count) { return "\(name): \(violation)" }
        }
        return nil
    }

    /// Fixing is never a bug of ours, takes nothing away but findings, and is done with one run.
    static func violation(inFixesOf text: [UInt8], _ linter: Linter) -> String? {
        let outcome = Fixer(linter).fix(text, path: "file")
        if let failure = outcome.failure { return "fix: \(failure)" }
        let again = Fixer(linter).fix(outcome.bytes, path: "file")
        if let failure = again.failure { return "second fix: \(failure)" }
        if again.bytes != outcome.bytes { return "fixing twice is not fixing once" }
        if outcome.fixed.isEmpty != (outcome.bytes == text) { return "the fixes are not what has changed" }
        return violation(inSuggestedFixesOf: text, linter)
    }

    /// Suggested fixes are no bug of ours, what is refused is left and not offered, and small files are tried to the end.
    private static func violation(inSuggestedFixesOf text: [UInt8], _ linter: Linter) -> String? {
        let outcome = Fixer(linter, upTo: .suggested).fix(text, path: "file")
        if let failure = outcome.failure { return "suggested fix: \(failure)" }
        if outcome.untriedCount > 0 { return "\(outcome.untriedCount) fixes of a small file are not tried" }
        if outcome.fixed.isEmpty, outcome.bytes != text { return "something has changed without a fix" }
        for refused in outcome.refused {
            let left = outcome.result.diagnostics.filter {
                $0.code == refused.diagnostic.code && $0.range == refused.diagnostic.range
            }
            if left.isEmpty { return "\(refused.diagnostic.code) is refused, and gone" }
            if left.contains(where: { $0.fixIts.contains { $0.title == refused.title } }) {
                return "\(refused.diagnostic.code) is refused, and offered"
            }
        }
        return nil
    }

    private static func isBefore(_ left: Diagnostic, _ right: Diagnostic) -> Bool {
        (left.range.start, left.range.end, left.code.rawValue)
            < (right.range.start, right.range.end, right.code.rawValue)
    }

    private static func violation(in fixIts: [FixIt], _ count: Int) -> String? {
        for fixIt in fixIts {
            var end = 0
            for edit in fixIt.edits {
                guard edit.range.start >= end, edit.range.end >= edit.range.start, edit.range.end <= count else {
                    return "the edits of '\(fixIt.title)' overlap or are not in the file"
                }
                end = edit.range.end
            }
        }
        return nil
    }
}
