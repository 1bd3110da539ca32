internal import Diagnostics

/// A finding as a report lists it, with what it is about.
struct ReportItem {
    let severity: Severity
    let code: String
    let statement: String
    /// What to do; nil where there is nothing to do.
    let advice: String?
    /// A path, with a certificate if it is about one.
    let label: String

    /// - Parameter label: Nothing in it talks to the terminal.
    init(_ finding: Diagnostic, label: String) {
        severity = finding.severity
        code = finding.code.rawValue
        statement = VisibleText.escaped(
            finding.severity == .error ? (finding.path.map { "\($0): " } ?? "") + finding.message : finding.message)
        advice = finding.advice.map(VisibleText.escaped)
        self.label = label
    }

    /// About a certificate, which is named unless the statement has the name already.
    init(_ finding: Diagnostic, about entry: ReportEntry) {
        let title = entry.check.flatMap { finding.message.contains($0.certificate.title) ? nil : " (\($0.title))" }
        self.init(finding, label: entry.label + (title ?? ""))
    }
}

/// Findings with the same thing to do; or, where there is nothing to do, of the same code.
struct ActionGroup {
    struct Statement {
        let severity: Severity
        let code: String
        let text: String
        /// What it is about, the most urgent first.
        var labels: [String]
    }

    let advice: String?
    /// Each once, the most urgent first.
    private(set) var statements: [Statement] = []
    private var numbers: [StatementKey: Int] = [:]

    private struct StatementKey: Hashable {
        let severity: Severity
        let code: String
        let text: [UInt8]
    }

    private struct GroupKey: Hashable {
        let code: String?
        let advice: [UInt8]?
    }

    private init(advice: String?) {
        self.advice = advice
    }

    /// The groups of a report, each where the most urgent of its items is.
    static func all(_ items: [ReportItem]) -> [ActionGroup] {
        var groups: [ActionGroup] = []
        var numbers: [GroupKey: Int] = [:]
        for item in items {
            // Notes stay below what is more important, whatever they advise.
            let isOfCode = item.advice == nil || item.severity == .note
            let key = GroupKey(code: isOfCode ? item.code : nil, advice: item.advice.map { Array($0.utf8) })
            let number = numbers[key] ?? groups.count
            if number == groups.count {
                numbers[key] = number
                groups.append(ActionGroup(advice: item.advice))
            }
            groups[number].add(item)
        }
        return groups
    }

    private mutating func add(_ item: ReportItem) {
        let key = StatementKey(severity: item.severity, code: item.code, text: Array(item.statement.utf8))
        if let number = numbers[key] {
            statements[number].labels.append(item.label)
        } else {
            numbers[key] = statements.count
            statements.append(
                Statement(severity: item.severity, code: item.code, text: item.statement, labels: [item.label]))
        }
    }
}
