internal import Diagnostics

/// Findings with the same thing to do; or, where there is nothing to do, of the same code.
struct ActionGroup {
    struct Statement {
        let severity: Severity
        let code: String
        let text: String
        /// The names of the certificates that it is about, the most urgent first.
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

    /// The groups of a report, each where the most urgent of its findings is.
    ///
    /// - Parameter findings: Each with what it is about in place of a path; nothing in that talks to the terminal.
    static func all(_ findings: [LocatedDiagnostic]) -> [ActionGroup] {
        var groups: [ActionGroup] = []
        var numbers: [GroupKey: Int] = [:]
        for finding in findings {
            let advice = finding.diagnostic.advice.map(VisibleText.escaped)
            // Notes stay below what is more important, whatever they advise.
            let isOfCode = advice == nil || finding.severity == .note
            let key = GroupKey(
                code: isOfCode ? finding.diagnostic.code.rawValue : nil, advice: advice.map { Array($0.utf8) })
            let number = numbers[key] ?? groups.count
            if number == groups.count {
                numbers[key] = number
                groups.append(ActionGroup(advice: advice))
            }
            groups[number].add(finding)
        }
        return groups
    }

    private mutating func add(_ finding: LocatedDiagnostic) {
        let code = finding.diagnostic.code.rawValue
        let path = finding.severity == .error ? finding.diagnostic.path.map { "\($0): " } : nil
        let text = VisibleText.escaped((path ?? "") + finding.message)
        let key = StatementKey(severity: finding.severity, code: code, text: Array(text.utf8))
        if let number = numbers[key] {
            statements[number].labels.append(finding.path)
        } else {
            numbers[key] = statements.count
            statements.append(Statement(severity: finding.severity, code: code, text: text, labels: [finding.path]))
        }
    }
}
