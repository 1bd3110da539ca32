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
    /// The bytes of errors that are not listed, because there are so many of their code.
    private(set) var unlistedErrors: [SourceRange] = []
    /// How many findings of one code are listed.
    private let limit: Int
    private var counts: [DiagnosticCode: Int] = [:]

    /// As many findings of one code as people are shown: a file of 128 KiB can have one in every third byte.
    package static let shownLimit = 1_000

    /// - Parameters:
    ///   - limit: How many findings of one code are listed; the others are only counted.
    ///   - blamed: The bytes that are blamed already.
    package init(
        _ source: SourceText, severities: [DiagnosticCode: Severity], limit: Int = Findings.shownLimit,
        blamed: [SourceRange] = []
    ) {
        self.source = source
        self.severities = severities
        self.limit = limit
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
        let severity = severity ?? usual
        let count = counts[code, default: 0] + 1
        counts[code] = count
        guard count <= limit else {
            if blamed.insert(range).inserted, severity == .error { unlistedErrors.append(range) }
            return
        }
        let diagnostic = Diagnostic(
            code: code, severity: severity, message: message(), range: range, pointer: pointer.description,
            notes: notes(), fixIts: fixIts())
        if blamed.insert(range).inserted { all.append(diagnostic) } else { hidden.append(diagnostic) }
    }

    /// Says of the codes of which not all findings are listed how many more there are, at the last that is.
    mutating func endLists() {
        for (code, count) in counts where count > limit {
            guard let last = all.lastIndex(where: { $0.code == code }) else { continue }
            let others = count - limit
            all[last].notes.append(
                "\(others) more \(others == 1 ? "finding" : "findings") like this \(others == 1 ? "is" : "are") not listed"
            )
        }
    }
}
