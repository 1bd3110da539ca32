package import AssociationFiles
package import AssociationLint
package import Diagnostics

/// The choice of the findings to report, and their severity: `--severity`, `--disable` and `.aasa.json`, for every
/// kind.
package struct FindingSettings: Sendable {
    /// The severities that are not those of the codes.
    private let settings: [DiagnosticCode: LintOptions.Setting]
    private let configuration: WorkingConfiguration?

    /// - Parameter settings: What wins over those of the configuration.
    package init(
        _ settings: [DiagnosticCode: LintOptions.Setting] = [:], configuration: WorkingConfiguration? = nil
    ) {
        self.settings = (configuration?.configuration.settings ?? [:]).merging(settings) { _, option in option }
        self.configuration = configuration
    }

    /// The options for the linter, which needs none of the ignores: they are applied here.
    ///
    /// - Parameter minimumIOS: What wins over that of the configuration.
    package func lintOptions(minimumIOS: SystemVersion?) -> LintOptions {
        LintOptions(settings: settings, minimumIOS: minimumIOS ?? configuration?.configuration.minimumIOS)
    }

    /// The findings that are reported, with their severities, and those that are ignored.
    package func apply(to findings: [StepFinding]) -> (reported: [StepFinding], ignored: [IgnoredFinding]) {
        if settings.isEmpty, configuration == nil { return (findings, []) }
        var reported: [StepFinding] = []
        var ignored: [IgnoredFinding] = []
        for var finding in findings {
            if !RuleRegistry.isUnchangeable(finding.diagnostic.code) {
                switch settings[finding.diagnostic.code] {
                case .off: continue
                case .error: finding.diagnostic.severity = .error
                case .warning: finding.diagnostic.severity = .warning
                case nil: break
                }
            }
            if let ignore = ignores(of: finding).first(where: { $0.covers(finding.diagnostic) }) {
                ignored.append(IgnoredFinding(finding: finding, reason: ignore.reason))
            } else {
                reported.append(finding)
            }
        }
        return (reported, ignored)
    }

    private func ignores(of finding: StepFinding) -> [Ignore] {
        guard let configuration else { return [] }
        return finding.isAboutFile
            ? configuration.ignores(forFileAt: finding.located.path)
            : configuration.ignores(forHostPath: finding.hostPath)
    }
}

/// A finding that an entry of `.aasa.json` takes out of the reports.
package struct IgnoredFinding: Sendable {
    package let finding: StepFinding
    /// Why, as the entry says.
    package let reason: String
}

extension StepFinding {
    /// Whether the subject is a file on disk, and not a host or a URL.
    package var isAboutFile: Bool {
        if case .item = diagnostic.subject { return false }
        return !located.path.hasPrefix("https://")
    }

    /// The subject as a URL, if it is not a file on disk.
    package var subjectURL: String { located.path.contains("://") ? located.path : "https://\(located.path)/" }

    /// `HOST`, or `HOST/PATH` of a URL.
    fileprivate var hostPath: String {
        let path = located.path
        let start = path.firstRange(of: "://")?.upperBound ?? path.startIndex
        return String(path[start...].prefix { $0 != "?" && $0 != "#" })
    }
}
