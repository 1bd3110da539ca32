public import Diagnostics

/// Applies fixes until nothing is left that has one: automatic ones, and suggested ones if that is asked for.
public struct Fixer: Sendable {
    private let linter: Linter
    private let kind: FileKind
    private let applicability: FixIt.Applicability
    /// The budget of all checks of a file together, in units of `WorkBudget`.
    private let work: Int

    /// - Parameter applicability: `.automatic`, or `.suggested` for suggested fixes too.
    public init(_ linter: Linter, upTo applicability: FixIt.Applicability = .automatic) {
        self.init(linter, kind: .association, upTo: applicability)
    }

    /// - Parameters:
    ///   - kind: What the file is checked as.
    ///   - applicability: `.automatic`, or `.suggested` for suggested fixes too.
    ///   - work: What all checks of a file may take together, in units of `WorkBudget`; nil for what takes 2 seconds.
    package init(
        _ linter: Linter, kind: FileKind, upTo applicability: FixIt.Applicability = .automatic, work: Int? = nil
    ) {
        self.work = work ?? FixRun.work
        self.linter = linter
        self.kind = kind
        self.applicability = applicability
    }

    /// The result for one file.
    public struct Outcome: Sendable {
        /// The text with the fixes; the file's own if there were none.
        public let bytes: [UInt8]
        /// The findings that the fixes have removed, in the order in which they were applied.
        public let fixed: [FileReport.Fixed]
        /// The findings that are left. Fixes that were refused are not among those that it offers.
        public let result: LintResult
        /// The suggested fixes that were tried and not kept, as they do not work in this file.
        public let refused: [Refused]
        /// The number of fixes that were not tried, because the work for one file was spent.
        public let untriedCount: Int
        /// The URL of a link that opened before the fixes and no longer does; nil if there is none, or that is not known.
        public let closedLink: String?
        /// Examples of links that do something else with the fixes.
        package let changedLinks: ChangedLinks?
        /// Why the file is left unchanged: an automatic fix did not work, which is a bug of this program.
        public let failure: String?
    }

    /// A suggested fix that was not kept.
    public struct Refused: Sendable {
        /// The finding, with positions in the text that is left.
        public let diagnostic: Diagnostic
        /// The title of the fix.
        public let title: String
        /// One clause that says what the result would have been, and what to do where that is plain.
        public let reason: String
    }

    /// Fixes a text. Signed and converted files are never fixed.
    public func fix(_ bytes: [UInt8], path: String) -> Outcome {
        var run = FixRun(linter, kind, bytes, path: path, work: work)
        guard run.result.isAsInFile else { return outcome(of: run, bytes) }
        run.applyAutomatic()
        if applicability != .automatic { run.applySuggested() }
        return outcome(of: run, bytes)
    }

    private func outcome(of run: FixRun, _ bytes: [UInt8]) -> Outcome {
        let isUnchanged = run.failure != nil || run.fixed.isEmpty
        let text = isUnchanged ? bytes : run.text
        // The last check of the run, if people would be shown the same of it.
        let isChecked = run.failure == nil && Linter.isShownWhole(run.result, as: kind)
        var result = isChecked ? run.result : linter.check(text, path: run.result.source.path, as: kind)
        // Beyond the limits some findings are not shown, and what was tried for them is not either.
        let shown = Set(result.diagnostics.map(FixChoice.Location.init))
        let refused = run.failure == nil ? run.refused.filter { shown.contains(FixChoice.Location($0.diagnostic)) } : []
        result.withdraw(refused)
        let left = run.isStopped ? result.diagnostics.count { $0.fix(upTo: applicability) != nil } : 0
        let changed = isUnchanged ? nil : run.changedLinks()
        return Outcome(
            bytes: text, fixed: isUnchanged ? [] : run.fixed, result: result, refused: refused, untriedCount: left,
            closedLink: changed?.links.first { $0.change == .closed }?.url, changedLinks: changed, failure: run.failure)
    }
}

extension LintResult {
    /// Takes the fixes that were refused out of the findings, which keep what they advise.
    fileprivate mutating func withdraw(_ refused: [Fixer.Refused]) {
        guard !refused.isEmpty else { return }
        let titles = Dictionary(
            refused.map { (FixChoice.Location($0.diagnostic), Set([$0.title])) }, uniquingKeysWith: { $0.union($1) })
        for index in diagnostics.indices {
            guard let titles = titles[FixChoice.Location(diagnostics[index])] else { continue }
            let help = diagnostics[index].help
            diagnostics[index].fixIts.removeAll { titles.contains($0.title) }
            diagnostics[index].advice = help
        }
    }
}

extension Fixer.Outcome {
    /// Notes besides what was fixed and what is left: refused fixes with the reason, examples of links that do something
    /// else, and how many fixes were not tried.
    public var notes: [Report.Note] {
        let source = result.source
        var notes = refused.map { refused in
            let position = source.position(at: refused.diagnostic.range.start)
            return Report.Note(
                path: "\(source.path):\(position.line):\(position.column)",
                message: "not fixed: \(refused.reason) [\(refused.diagnostic.code)]")
        }
        notes += changedLinks?.notes(path: source.path) ?? []
        if untriedCount > 0 {
            let count = counted(untriedCount, "fix was not tried", "fixes were not tried")
            let rest = fixed.isEmpty ? "" : "; run it again for the rest"
            notes.append(
                Report.Note(
                    path: source.path, message: "stopped after 2 s, the limit for one file; \(count)\(rest)"))
        }
        return notes
    }
}
