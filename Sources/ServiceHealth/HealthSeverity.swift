/// The urgency of a problem, and the exit codes that follow from it (server.md, section 1).
package enum HealthSeverity: Int, Comparable, CaseIterable, Sendable {
    case ok
    /// To be looked at: nothing is broken yet, or the server repairs it by itself.
    case warning
    /// To be acted on now.
    case critical

    package static func < (left: HealthSeverity, right: HealthSeverity) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The word in JSON.
    package var word: String {
        switch self {
        case .ok: "ok"
        case .warning: "warning"
        case .critical: "critical"
        }
    }

    /// - Returns: nil for another word than those of `word`.
    init?(word: String?) {
        guard let severity = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = severity
    }

    /// The exit code of commands.
    ///
    /// - Parameter isStrict: whether warnings count as errors.
    package func exitCode(isStrict: Bool) -> Int32 {
        switch self {
        case .ok: 0
        case .warning: isStrict ? 1 : 0
        case .critical: 1
        }
    }

    /// The exit code of monitoring plugins: 0 OK, 1 WARNING, 2 CRITICAL.
    package func pluginCode(isStrict: Bool) -> Int32 {
        switch self {
        case .ok: 0
        case .warning: isStrict ? 2 : 1
        case .critical: 2
        }
    }
}
