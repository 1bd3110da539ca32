package import Diagnostics

/// The codes of findings about live domains; each is of one kind, and has one severity unless somebody changes it.
package enum DoctorCodes {
    package static let all: [RuleDescription] = HostCodes.all + CopyCodes.all

    private static let severities = Dictionary(all.map { ($0.code, $0.severity) }) { first, _ in first }

    static func severity(of code: DiagnosticCode) -> Severity { severities[code] ?? .error }
}
