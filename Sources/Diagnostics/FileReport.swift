/// What was found in one file.
public struct FileReport: Sendable {
    /// A finding that somebody has asked not to be told about.
    public struct Suppressed: Sendable {
        public var diagnostic: Diagnostic
        /// The reason that was given.
        public var reason: String

        public init(_ diagnostic: Diagnostic, reason: String) {
            self.diagnostic = diagnostic
            self.reason = reason
        }
    }

    /// A finding that a fix has removed, where it stood in the text that the fix was applied to.
    public struct Fixed: Sendable {
        public var diagnostic: Diagnostic
        public var start: SourcePosition
        public var end: SourcePosition
        /// The title of the fix that was applied.
        public var title: String

        public init(_ diagnostic: Diagnostic, start: SourcePosition, end: SourcePosition, title: String) {
            self.diagnostic = diagnostic
            self.start = start
            self.end = end
            self.title = title
        }
    }

    /// The text that all ranges refer to.
    public var source: SourceText
    /// What is wrong, by start, end and code.
    public var diagnostics: [Diagnostic]
    public var suppressed: [Suppressed]
    public var fixed: [Fixed]
    /// Whether the text was made from the file, by unwrapping or converting it: then offsets say nothing about the file's own
    /// bytes, and fixes cannot be applied to it.
    public var isConverted: Bool

    public init(
        _ source: SourceText, _ diagnostics: [Diagnostic], suppressed: [Suppressed] = [], fixed: [Fixed] = [],
        isConverted: Bool = false
    ) {
        self.source = source
        self.diagnostics = diagnostics
        self.suppressed = suppressed
        self.fixed = fixed
        self.isConverted = isConverted
    }
}

/// What a run has found, file by file.
public struct Report: Sendable {
    public var files: [FileReport]
    /// How many association files were checked; a report of a configuration's own errors is not one.
    public var fileCount: Int

    public init(_ files: [FileReport], fileCount: Int) {
        self.files = files
        self.fileCount = fileCount
    }

    public var errorCount: Int { count(.error) }
    public var warningCount: Int { count(.warning) }

    private func count(_ severity: Severity) -> Int {
        files.reduce(0) { $0 + $1.diagnostics.count { $0.severity == severity } }
    }
}
