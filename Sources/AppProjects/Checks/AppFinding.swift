package import Diagnostics

/// A finding about the app's side, with the text that its range is in.
package struct AppFinding: Sendable {
    package let diagnostic: Diagnostic
    /// Nil for a finding about a file as a whole, whose path is the subject.
    package let source: SourceText?

    /// What the finding is about, as the first line of its report names it.
    package var path: String { source?.path ?? diagnostic.path ?? "" }

    /// The first line of its report.
    package var line: String { source.map { diagnostic.line(in: $0) } ?? diagnostic.line }
}

/// The codes of the findings about the app's side; what they mean is in `RuleRegistry`.
package enum AppCode: String, CaseIterable, Sendable {
    case entitlementService = "entitlement-service"
    case entitlementScheme = "entitlement-scheme"
    case entitlementPath = "entitlement-path"
    case entitlementDomain = "entitlement-domain"
    case entitlementPort = "entitlement-port"
    case entitlementMode = "entitlement-mode"
    case entitlementDuplicate = "entitlement-duplicate"
    case developerModeOnly = "developer-mode-only"
    case noAssociatedDomains = "no-associated-domains"
    case profileExpired = "profile-expired"
    case appIdentityConflict = "app-identity-conflict"
    case entitlementMissing = "entitlement-missing"
    case appNotInFile = "app-not-in-file"
    case appPrefixMismatch = "app-prefix-mismatch"
    case serviceNotInEntitlements = "service-not-in-entitlements"
    case appIDUnknown = "app-id-unknown"
    case buildSettingUnknown = "build-setting-unknown"
    case wildcardApex = "wildcard-apex"
    case manifestHostMissing = "manifest-host-missing"
    case manifestLinkMissing = "manifest-link-missing"
    case manifestAutoVerify = "manifest-auto-verify"

    /// Unless it is changed, or a finding says otherwise.
    package var severity: Severity {
        switch self {
        case .entitlementPort, .entitlementMode, .entitlementDuplicate, .developerModeOnly, .serviceNotInEntitlements,
            .manifestAutoVerify:
            .warning
        case .appIDUnknown, .buildSettingUnknown, .wildcardApex: .note
        default: .error
        }
    }
}

extension AppFinding {
    /// - Parameters:
    ///   - path: The file, for a finding that has no range in a text.
    ///   - severity: Nil for that of the code.
    init(
        _ code: AppCode, _ message: String, path: String, source: SourceText? = nil, range: SourceRange? = nil,
        pointer: String? = nil, severity: Severity? = nil, advice: String? = nil, notes: [String] = [],
        fixIts: [FixIt] = [], label: String? = nil, labels: [Diagnostic.Label] = []
    ) {
        let isInText = source != nil && range != nil
        self.source = isInText ? source : nil
        diagnostic = Diagnostic(
            code: DiagnosticCode(rawValue: code.rawValue), severity: severity ?? code.severity, message: message,
            subject: isInText
                ? .text(range ?? SourceRange(start: 0, end: 0), pointer: pointer) : .file(source?.path ?? path),
            advice: advice, notes: notes, fixIts: isInText ? fixIts : [], label: isInText ? label : nil,
            labels: isInText ? labels : [])
    }

    /// A finding about an entry.
    init(
        _ code: AppCode, _ message: String, _ entry: DomainEntry, in list: AssociatedDomains,
        severity: Severity? = nil, advice: String? = nil, notes: [String] = [], fixIts: [FixIt] = [],
        labels: [Diagnostic.Label] = []
    ) {
        self.init(
            code, message, path: list.path, source: list.source, range: entry.range, pointer: entry.pointer,
            severity: severity, advice: advice, notes: notes, fixIts: fixIts, labels: labels)
    }
}
