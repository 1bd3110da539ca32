internal import Diagnostics
internal import JSONSyntax

/// Collects what rules find, in the order of the rules.
///
/// One cause, one finding: the first finding about a range claims it, and later ones about exactly the same bytes are
/// hidden (validation.md, 3).
package struct DiagnosticCollector {
    let source: SourceText
    /// The severities of this run; codes that are off are missing.
    private let severities: [DiagnosticCode: Severity]
    /// The findings to show, in the order of the rules.
    private(set) var reported: [Diagnostic] = []
    /// The findings that are not shown, because an earlier one has claimed their range.
    private(set) var hidden: [Diagnostic] = []
    /// The ranges of errors that are not listed, because there are so many of their code.
    private(set) var unlistedErrors: [SourceRange] = []
    /// The work that comparing the rules of the file has taken, in units of `WorkBudget`.
    private(set) var work = 0
    private var claimedRanges = Set<SourceRange>()
    /// The number of findings of one code that are listed.
    private let limit: Int
    private var counts: [DiagnosticCode: Int] = [:]

    /// As many findings of one code as people are shown: a file of 128 KiB can have one in every third byte.
    package static let shownLimit = 1_000

    /// - Parameters:
    ///   - limit: How many findings of one code are listed; the others are only counted.
    ///   - claimedRanges: The ranges of findings that were made before.
    init(
        _ source: SourceText, severities: [DiagnosticCode: Severity], limit: Int = DiagnosticCollector.shownLimit,
        claimedRanges: [SourceRange] = []
    ) {
        self.source = source
        self.severities = severities
        self.limit = limit
        self.claimedRanges = Set(claimedRanges)
    }

    /// Whether findings of a rule are reported: lets it save the work.
    func isEnabled(_ rule: RuleDescription) -> Bool { severities[rule.code] != nil }

    /// Whether a finding is about exactly this range.
    func isClaimed(_ range: SourceRange) -> Bool { claimedRanges.contains(range) }

    /// Counts the work of comparing rules.
    mutating func spend(_ units: Int) { work += units }

    /// Begins a group of rules about other causes: they can report ranges that are claimed by the rules before.
    mutating func beginGroup() { claimedRanges = [] }

    /// Reports a finding, unless its rule is off.
    ///
    /// - Parameters:
    ///   - severity: The severity of this finding, where that is not the same for all of the code; options override it.
    ///   - pointer: Where the value is in the JSON.
    ///   - message: One clause, lower case, without a final period. It and the texts after it are only made if they are
    ///     needed.
    ///   - label: A few words about the range.
    ///   - labels: Other ranges that explain the finding.
    ///   - advice: What to do, where the title of the first fix does not say it.
    mutating func report(
        _ rule: RuleDescription, severity: Severity? = nil, _ range: SourceRange, _ pointer: JSONPointer,
        _ message: @autoclosure () -> String, label: @autoclosure () -> String? = nil,
        labels: @autoclosure () -> [Diagnostic.Label] = [], advice: @autoclosure () -> String? = nil,
        notes: @autoclosure () -> [String] = [], fix: @autoclosure () -> FixIt? = nil
    ) {
        guard let usual = severities[rule.code] else { return }
        let severity = severity ?? usual
        let count = counts[rule.code, default: 0] + 1
        counts[rule.code] = count
        guard count <= limit else {
            if claimedRanges.insert(range).inserted, severity == .error { unlistedErrors.append(range) }
            return
        }
        let diagnostic = Diagnostic(
            code: rule.code, severity: severity, message: message(), range: range, pointer: pointer.description,
            advice: advice(), notes: notes(), fixIts: fix().map { [$0] } ?? [], label: label(), labels: labels())
        if claimedRanges.insert(range).inserted { reported.append(diagnostic) } else { hidden.append(diagnostic) }
    }

    /// Reports a finding about a pattern, or a part of its text, unless its rule is off.
    mutating func report(
        _ rule: RuleDescription, severity: Severity? = nil, _ pattern: FilePattern, at part: Range<Int>? = nil,
        _ message: @autoclosure () -> String, label: @autoclosure () -> String? = nil,
        advice: @autoclosure () -> String? = nil, notes: @autoclosure () -> [String] = [],
        fix: @autoclosure () -> FixIt? = nil
    ) {
        report(
            rule, severity: severity, part.map(pattern.part) ?? pattern.range, pattern.pointer, message(),
            label: label(), advice: advice(), notes: notes(), fix: fix())
    }

    /// Adds to the last finding of each code of which not all are listed how many more there are.
    mutating func endLists() {
        for (code, count) in counts where count > limit {
            guard let last = reported.lastIndex(where: { $0.code == code }) else { continue }
            let rest = counted(count - limit, "more finding like this is", "more findings like this are")
            reported[last].notes.append("\(rest) not listed")
        }
    }
}
