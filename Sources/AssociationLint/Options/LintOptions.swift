public import Diagnostics

/// What a check is to find, and how bad it is.
public struct LintOptions: Sendable {
    /// How bad the findings of a code are.
    public enum Setting: String, Sendable, CaseIterable {
        case error, warning, off

        public init(_ severity: Severity) {
            self = severity == .error ? .error : .warning
        }
    }

    /// What differs from the defaults. Errors of the syntax stay errors whatever is said here.
    public var settings: [DiagnosticCode: Setting]
    /// The oldest system that the file is for.
    public var minimumIOS: SystemVersion?
    /// Findings that are known and not to be reported.
    public var ignores: [Ignore]

    public init(
        settings: [DiagnosticCode: Setting] = [:], minimumIOS: SystemVersion? = nil, ignores: [Ignore] = []
    ) {
        self.settings = settings
        self.minimumIOS = minimumIOS
        self.ignores = ignores
    }
}

extension LintOptions {
    /// What a finding of a code counts as; nil if it is off.
    func severity(of description: RuleDescription) -> Severity? {
        if RuleRegistry.isUnchangeable(description.code) { return description.severity }
        switch settings[description.code] {
        case .error: return .error
        case .warning: return .warning
        case .off: return nil
        case nil: return description.isOnByDefault ? description.severity : nil
        }
    }

    /// The severities of all codes that are not off.
    var severities: [DiagnosticCode: Severity] {
        guard !settings.isEmpty else { return RuleRegistry.severities }
        var result = RuleRegistry.severities
        for description in RuleRegistry.all where settings[description.code] != nil {
            result[description.code] = severity(of: description)
        }
        return result
    }
}
