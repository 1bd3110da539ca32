import BoundedText
import Diagnostics

/// Collects what is wrong with a file: no more than a limit, each code at most once per offset.
struct SyntaxFindings {
    let source: SourceText
    private let limit: Int
    /// Whether what follows is part of something that is reported already.
    var isQuiet = false
    /// The inside of the latest string that is reported as unclosed.
    private(set) var claimed = 0..<0

    private(set) var keepsTree = true
    private(set) var isTolerable = true
    private var diagnostics: [Diagnostic] = []
    /// Where each rule was broken: as many bits as the text has bytes, while each number would take 40 bytes.
    private var reported: [ObjectIdentifier: OffsetSet] = [:]
    private var omitted = 0

    init(_ source: SourceText, limit: Int) {
        self.source = source
        self.limit = limit
    }

    /// Whether further findings are only counted, so that their texts and fixes are not needed.
    var isFull: Bool { diagnostics.count >= limit }

    /// Reports a finding, unless it was reported before or its cause was.
    ///
    /// - Returns: What ``amend(_:with:)`` takes; nil if the finding is not kept.
    @discardableResult
    mutating func report(_ rule: RuleDescription, _ range: Range<Int>, _ wording: (SyntaxFindings) -> Wording) -> Int? {
        guard !isQuiet, !claimed.contains(range.lowerBound) else { return nil }
        keepsTree = keepsTree && rule.keepsTree
        isTolerable = isTolerable && rule.isTolerable
        guard reported[ObjectIdentifier(rule), default: OffsetSet()].insert(range.lowerBound) else { return nil }
        guard !isFull else {
            omitted += 1
            return nil
        }
        let wording = wording(self)
        diagnostics.append(
            Diagnostic(
                rule, wording.message, range: SourceRange(range), advice: wording.advice, notes: wording.notes,
                fixIts: wording.fixIts, label: wording.label, labels: wording.labels))
        return diagnostics.count - 1
    }

    /// Gives a finding a fix that was not known when it was reported.
    mutating func amend(_ index: Int, with fixIt: FixIt) {
        diagnostics[index].fixIts.append(fixIt)
    }

    /// Keeps quiet about everything that begins inside.
    mutating func claim(_ range: Range<Int>) {
        if !isQuiet { claimed = range }
    }

    /// Forgets everything that is not about the file as a whole.
    mutating func forgetSyntax() {
        let kept: [RuleDescription] = [.fileTooLarge, .fileNearLimit, .utf16Text, .byteOrderMark]
        diagnostics.removeAll { diagnostic in !kept.contains(where: diagnostic.is) }
        omitted = 0
    }

    /// All findings in the order of the text.
    func sorted() -> [Diagnostic] {
        var result = diagnostics.sorted { left, right in
            (left.range.start, left.range.end, left.code.rawValue)
                < (right.range.start, right.range.end, right.code.rawValue)
        }
        if omitted > 0, let last = result.indices.last {
            result[last].notes.append(
                "\(counted(omitted, "more syntax finding is", "more syntax findings are")) not shown")
        }
        return result
    }
}

extension SyntaxFindings {
    func text(_ range: Range<Int>) -> String {
        // No more than what a message can show.
        let end = min(range.upperBound, range.lowerBound + 256)
        return quoted(String(text: source.bytes[range.lowerBound..<max(end, range.lowerBound)]))
    }

    /// The beginning of a text as messages show it, up to the end of its line.
    func firstLine(_ range: Range<Int>) -> String {
        let line = source.bytes[range].prefix(256).prefix { $0 != 0x0A && $0 != 0x0D }
        guard line.endIndex < range.upperBound, line.count <= 59 else { return text(range) }
        return quoted(String(text: line) + "…", limit: 61)
    }
}

extension SourceRange {
    init(_ range: Range<Int>) {
        self.init(start: range.lowerBound, end: range.upperBound)
    }
}

extension FixIt {
    init(_ applicability: Applicability, _ title: String, replacing range: Range<Int>, with replacement: String) {
        self.init(
            title: title, applicability: applicability,
            edits: [TextEdit(range: SourceRange(range), replacement: replacement)])
    }
}

/// The texts of a finding, made only if it is kept.
struct Wording {
    let message: String
    var advice: String?
    var notes: [String] = []
    var fixIts: [FixIt] = []
    var label: String?
    var labels: [Diagnostic.Label] = []

    init(
        _ message: String, advice: String? = nil, notes: [String] = [], fixIts: [FixIt] = [], label: String? = nil,
        labels: [Diagnostic.Label] = []
    ) {
        self.message = message
        self.advice = advice
        self.notes = notes
        self.fixIts = fixIts
        self.label = label
        self.labels = labels
    }
}
