/// The findings about one file, with the fixes that were applied.
public struct FileReport: Sendable {
    /// A finding that is ignored on request.
    public struct Suppressed: Sendable {
        public var diagnostic: Diagnostic
        /// The reason that was given.
        public var reason: String

        public init(_ diagnostic: Diagnostic, reason: String) {
            self.diagnostic = diagnostic
            self.reason = reason
        }
    }

    /// A finding that a fix has removed, where it was in the text that the fix was applied to.
    public struct Fixed: Sendable {
        public var diagnostic: Diagnostic
        public var start: SourcePosition
        public var end: SourcePosition
        /// The fix that was applied.
        public var fixIt: FixIt

        public init(_ diagnostic: Diagnostic, start: SourcePosition, end: SourcePosition, fixIt: FixIt) {
            self.diagnostic = diagnostic
            self.start = start
            self.end = end
            self.fixIt = fixIt
        }
    }

    /// The text that all ranges refer to.
    public var source: SourceText
    /// The findings, by start, end and code.
    public var diagnostics: [Diagnostic]
    public var suppressed: [Suppressed]
    public var fixed: [Fixed]
    /// Whether the text was made from the file, by unwrapping or converting it: then offsets say nothing about the file's own
    /// bytes, and fixes cannot be applied to it.
    public var isConverted: Bool
    /// Whether it is a configuration, which is not one of the files that were to be checked.
    public var isConfiguration: Bool

    public init(
        _ source: SourceText, _ diagnostics: [Diagnostic], suppressed: [Suppressed] = [], fixed: [Fixed] = [],
        isConverted: Bool = false, isConfiguration: Bool = false
    ) {
        self.source = source
        self.diagnostics = diagnostics
        self.suppressed = suppressed
        self.fixed = fixed
        self.isConverted = isConverted
        self.isConfiguration = isConfiguration
    }
}

/// The findings of a run, file by file.
public struct Report: Sendable {
    /// Something about a file that is worth knowing, and neither an error nor a warning.
    public struct Note: Hashable, Sendable {
        public var path: String
        /// One clause, lower case, without a final period.
        public var message: String

        public init(path: String, message: String) {
            self.path = path
            self.message = message
        }
    }

    public var files: [FileReport]
    /// The number of files that were to be checked; a configuration is not one.
    public var fileCount: Int
    public var notes: [Note]

    public init(_ files: [FileReport], fileCount: Int, notes: [Note] = []) {
        self.files = files
        self.fileCount = fileCount
        self.notes = notes
    }

    /// The findings that are errors or worse.
    public var errorCount: Int { count(where: { $0 >= .error }) }
    public var warningCount: Int { count(where: { $0 == .warning }) }
    /// The findings that are ignored on request.
    public var suppressedCount: Int { files.reduce(0) { $0 + $1.suppressed.count } }
    /// The findings that fixes have removed.
    public var fixedCount: Int { files.reduce(0) { $0 + $1.fixed.count } }

    /// The findings whose first fix is of a kind, and can be applied to their file.
    public func fixableCount(_ applicability: FixIt.Applicability) -> Int {
        files.reduce(0) { $0 + ($1.isConverted || $1.isConfiguration ? 0 : $1.fixableCount(applicability)) }
    }

    private func count(where isCounted: (Severity) -> Bool) -> Int {
        files.reduce(0) { $0 + $1.diagnostics.count { isCounted($0.severity) } }
    }
}

extension FileReport {
    fileprivate func fixableCount(_ applicability: FixIt.Applicability) -> Int {
        diagnostics.count { $0.fix(upTo: applicability)?.applicability == applicability }
    }
}
