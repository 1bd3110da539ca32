internal import Diagnostics

extension LocatedDiagnostic {
    /// A finding about the app's side.
    ///
    /// - Parameters:
    ///   - path: The file, for a finding that has no range in a text.
    ///   - severity: Nil for that of the rule.
    init(
        _ rule: RuleDescription, _ message: String, path: String, source: SourceText? = nil, range: SourceRange? = nil,
        pointer: String? = nil, severity: Severity? = nil, advice: String? = nil, notes: [String] = [],
        fixIts: [FixIt] = [], labels: [Diagnostic.Label] = []
    ) {
        if let source, let range {
            self.init(
                Diagnostic(
                    rule, as: severity, message, range: range, pointer: pointer, advice: advice, notes: notes,
                    fixIts: fixIts, labels: labels),
                in: source, largestSource: .max)
        } else {
            let path = source?.path ?? path
            self.init(
                Diagnostic(rule, as: severity, message, subject: .file(path), advice: advice, notes: notes), at: path)
        }
    }

    /// A finding about an entry.
    init(
        _ rule: RuleDescription, _ message: String, _ entry: DomainEntry, in list: AssociatedDomains,
        severity: Severity? = nil, advice: String? = nil, notes: [String] = [], fixIts: [FixIt] = [],
        labels: [Diagnostic.Label] = []
    ) {
        self.init(
            rule, message, path: list.path, source: list.source, range: entry.range, pointer: entry.pointer,
            severity: severity, advice: advice, notes: notes, fixIts: fixIts, labels: labels)
    }
}
