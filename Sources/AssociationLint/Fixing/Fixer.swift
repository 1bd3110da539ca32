public import Diagnostics

/// Applies automatic fixes until nothing is left that has one (validation.md, 5).
public struct Fixer: Sendable {
    private let linter: Linter
    private let kind: FileKind
    /// Fixes can bring others into reach; a text that still changes after so many rounds is left as it is then.
    private static let rounds = 10

    public init(_ linter: Linter) { self.init(linter, kind: .association) }

    /// - Parameter kind: What the file is checked as.
    package init(_ linter: Linter, kind: FileKind) {
        self.linter = linter
        self.kind = kind
    }

    /// What came of a file.
    public struct Outcome: Sendable {
        /// The text with the fixes; the file's own if there were none.
        public let bytes: [UInt8]
        /// What the fixes have removed, in the order in which they were applied.
        public let fixed: [FileReport.Fixed]
        /// What is left.
        public let result: LintResult
        /// Why the file has to be left alone: a fix has not done what it should, which is a bug of this program.
        public let failure: String?
    }

    /// Fixes a text. Signed and converted files are never fixed.
    public func fix(_ bytes: [UInt8], path: String) -> Outcome {
        let first = linter.check(bytes, path: path, as: kind)
        var text = bytes
        var fixed: [FileReport.Fixed] = []
        var before = linter.checkAll(bytes, path: path, as: kind)
        guard before.isAsInFile else { return Outcome(bytes: bytes, fixed: [], result: first, failure: nil) }
        for _ in 0..<Self.rounds {
            let choice = FixChoice(before.diagnostics)
            guard !choice.fixes.isEmpty else { break }
            let next = choice.applied(to: text)
            let after = linter.checkAll(next, path: path, as: kind)
            // Zero bytes among what is left can make another encoding of it: such a file is for a person.
            guard after.isAsInFile else { break }
            if let complaint = FixProof.complaint(before: before, after: after, choice) {
                // In a text that nobody can be sure about, two sound fixes can make something else together: `{,,{`.
                guard before.isTreeReliable else { break }
                return Outcome(bytes: bytes, fixed: [], result: first, failure: complaint)
            }
            fixed += choice.records(in: before.source)
            text = next
            before = after
        }
        let result = fixed.isEmpty ? first : linter.check(text, path: path, as: kind)
        return Outcome(bytes: text, fixed: fixed, result: result, failure: nil)
    }
}
