public import Diagnostics

/// What a check has found.
public struct LintResult: Sendable {
    /// The text that all positions refer to: the file's, or what was unwrapped or converted.
    public let source: SourceText
    /// What is wrong, by start, end and code.
    public let diagnostics: [Diagnostic]
    /// What is wrong but was not to be reported, and the ignore that covers it.
    public let ignored: [(diagnostic: Diagnostic, ignore: Ignore)]

    /// All findings, those too that others or an ignore hide.
    package let everything: [Diagnostic]
    /// Whether the rules about meaning could be applied.
    package let isTreeReliable: Bool
    /// Whether positions are those of the file itself.
    package let isAsInFile: Bool

    /// Whether the system refuses or misunderstands something in the file.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}
