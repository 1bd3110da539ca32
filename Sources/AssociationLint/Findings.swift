package import Diagnostics
package import JSONSyntax

/// Collects what rules find, in the order of the rules.
///
/// One cause, one finding: of several about the same bytes the first counts (validation.md, 3).
package struct Findings {
    package let source: SourceText
    /// The severities of this run; codes that are off are missing.
    private let severities: [DiagnosticCode: Severity]
    /// Everything, in the order of reporting.
    package private(set) var all: [Diagnostic] = []
    private var blamed = Set<SourceRange>()
    /// Findings that are not shown, because another one blames the same bytes.
    package private(set) var hidden: [Diagnostic] = []

    /// - Parameter blamed: The bytes that are blamed already.
    package init(_ source: SourceText, severities: [DiagnosticCode: Severity], blamed: [SourceRange] = []) {
        self.source = source
        self.severities = severities
        self.blamed = Set(blamed)
    }

    /// Whether anybody wants to know: lets a rule save the work.
    package func isWanted(_ code: String) -> Bool { severities[DiagnosticCode(rawValue: code)] != nil }

    /// Lets the rules to come blame what is blamed already: theirs are other causes.
    mutating func forgive() { blamed = [] }

    /// Whether exactly these bytes are blamed already.
    package func isBlamed(_ range: SourceRange) -> Bool { blamed.contains(range) }

    /// Reports a finding, unless the same bytes are blamed already or the rule is off.
    ///
    /// - Parameters:
    ///   - severity: How bad this finding is, if that is not the same for all of the code; the options win over it.
    ///   - message: One clause, lower case, without a final period; is only asked if it is needed.
    package mutating func report(
        _ code: String, severity: Severity? = nil, _ range: SourceRange, _ pointer: JSONPointer,
        _ message: @autoclosure () -> String, notes: @autoclosure () -> [String] = [],
        fixIts: @autoclosure () -> [FixIt] = []
    ) {
        let code = DiagnosticCode(rawValue: code)
        guard let usual = severities[code] else { return }
        let diagnostic = Diagnostic(
            code: code, severity: severity ?? usual, message: message(), range: range, pointer: pointer.description,
            notes: notes(), fixIts: fixIts())
        if blamed.insert(range).inserted { all.append(diagnostic) } else { hidden.append(diagnostic) }
    }
}
