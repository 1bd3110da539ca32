internal import Diagnostics

/// Fixes of a text that can be applied together: none that overlap.
struct FixChoice {
    typealias Fix = (diagnostic: Diagnostic, fixIt: FixIt)

    /// A kind of finding at an offset.
    struct Location: Hashable {
        let code: DiagnosticCode
        let start: Int
    }

    /// By the places of their findings.
    private(set) var fixes: [Fix]
    /// The edits of all of them, in the order of the text.
    private(set) var edits: [Edit] = []

    /// One edit of one of the fixes.
    struct Edit {
        let range: SourceRange
        let replacement: String
        /// The index of the fix.
        let fix: Int
    }

    /// - Parameters:
    ///   - diagnostics: In the order of the text.
    ///   - applicability: `.automatic`, or `.suggested` for suggested fixes only.
    init(_ diagnostics: [Diagnostic], _ applicability: FixIt.Applicability = .automatic) {
        self.init(diagnostics) { diagnostic in
            diagnostic.fix(upTo: applicability).flatMap { $0.applicability == applicability ? $0 : nil }
        }
    }

    /// - Parameters:
    ///   - diagnostics: In the order of the text.
    ///   - applicability: `.suggested` for suggested fixes and automatic ones.
    init(_ diagnostics: [Diagnostic], upTo applicability: FixIt.Applicability) {
        self.init(diagnostics) { $0.fix(upTo: applicability) }
    }

    init(_ diagnostics: [Diagnostic], fix: (Diagnostic) -> FixIt?) {
        fixes = []
        for diagnostic in diagnostics {
            guard let fixIt = fix(diagnostic) else { continue }
            var gaps: [Int] = []
            for edit in fixIt.edits {
                guard let gap = gap(for: edit, by: fixIt) else { break }
                gaps.append(gap)
            }
            guard gaps.count == fixIt.edits.count else { continue }
            for (gap, edit) in zip(gaps, fixIt.edits).reversed() {
                edits.insert(Edit(range: edit.range, replacement: edit.replacement, fix: fixes.count), at: gap)
            }
            fixes.append((diagnostic, fixIt))
        }
    }

    /// Some of the fixes of another choice, in the same order.
    init(_ fixes: [Fix]) {
        self.fixes = fixes
        let all = fixes.enumerated().flatMap { number, fix in
            fix.fixIt.edits.map { Edit(range: $0.range, replacement: $0.replacement, fix: number) }
        }
        edits = all.sorted { ($0.range.start, $0.range.end, $0.fix) < ($1.range.start, $1.range.end, $1.fix) }
    }

    /// Where among the edits there is room for one more; nil if it would touch another one.
    private func gap(for edit: TextEdit, by fixIt: FixIt) -> Int? {
        let gap = edits.partitioningIndex { ($0.range.start, $0.range.end) > (edit.range.start, edit.range.end) }
        if gap > 0, !Self.areCompatible(edits[gap - 1], edit, fixIt) { return nil }
        if gap < edits.count {
            let next = edits[gap]
            let isFree =
                next.range.start > edit.range.end
                || next.range.start == edit.range.end && next.replacement.isEmpty && edit.replacement.isEmpty
            if !isFree { return nil }
        }
        return gap
    }

    private static func areCompatible(_ earlier: Edit, _ edit: TextEdit, _ fixIt: FixIt) -> Bool {
        if earlier.range.end < edit.range.start { return true }
        guard earlier.range.end == edit.range.start else { return false }
        // Of commas in a row one must not stay: it would take the place of the last one.
        if earlier.replacement.isEmpty, edit.replacement.isEmpty { return true }
        // What is moved to the same place comes there one after the other; a check follows.
        return fixIt.applicability == .suggested && earlier.range.length == 0 && edit.range.length == 0
            && earlier.range.start == edit.range.start
    }

    func applied(to text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var offset = 0
        for edit in edits {
            result += text[offset..<max(offset, min(edit.range.start, text.count))]
            result += edit.replacement.utf8
            offset = max(offset, min(edit.range.end, text.count))
        }
        return result + text[offset...]
    }

    func records(in source: SourceText) -> [FileReport.Fixed] {
        fixes.map { diagnostic, fixIt in
            FileReport.Fixed(
                diagnostic, start: source.position(at: diagnostic.range.start),
                end: source.position(at: diagnostic.range.end), fixIt: fixIt)
        }
    }

    /// Where, in the text with the fixes, the findings would begin if the fixes had not removed them; those whose bytes are
    /// gone are left out, as others may take their place.
    var locationsToBeFree: [(fix: Int, location: Location)] {
        var (next, shift) = (0, 0)
        return fixes.enumerated().compactMap { number, fix in
            let (range, fixIt) = (fix.diagnostic.range, fix.fixIt)
            while next < edits.count, edits[next].range.start < range.start, edits[next].range.end <= range.start {
                shift += edits[next].replacement.utf8.count - edits[next].range.length
                next += 1
            }
            return fixIt.deletes(range)
                ? nil : (number, Location(code: fix.diagnostic.code, start: range.start + shift))
        }
    }
}

extension FixChoice.Location {
    init(_ diagnostic: Diagnostic) {
        self.init(code: diagnostic.code, start: diagnostic.range.start)
    }
}

/// Where things are in a text after fixes.
struct FixedPositions {
    /// The text that an edit has written, in the new text; a gap where it has only deleted.
    private struct Region {
        let fix: Int
        let old: SourceRange
        let new: SourceRange
    }

    /// In the order of the text.
    private var regions: [Region] = []

    init(_ choice: FixChoice) {
        var shift = 0
        for edit in choice.edits {
            let (start, length) = (edit.range.start + shift, edit.replacement.utf8.count)
            regions.append(
                Region(fix: edit.fix, old: edit.range, new: SourceRange(start: start, end: start + length)))
            shift += length - edit.range.length
        }
    }

    /// The fixes that have written something in a range of the new text, or deleted something there.
    func fixes(in range: SourceRange) -> [Int] {
        var found: [Int] = []
        var index = regions.partitioningIndex { $0.new.end >= range.start }
        while index < regions.count, regions[index].new.start <= range.end {
            if found.last != regions[index].fix { found.append(regions[index].fix) }
            index += 1
        }
        return found
    }

    /// Where a byte of the old text is in the new one; inside of an edit, where what is written begins.
    func shifted(_ offset: Int) -> Int {
        let next = regions.partitioningIndex { $0.old.end > offset || $0.old.start >= offset }
        if next < regions.count, regions[next].old.start <= offset, offset < regions[next].old.end {
            return regions[next].new.start
        }
        guard next > 0 else { return offset }
        return offset + regions[next - 1].new.end - regions[next - 1].old.end
    }
}

extension FixIt {
    /// Whether all bytes of a range go, and nothing takes their place.
    func deletes(_ bytes: SourceRange) -> Bool {
        bytes.length > 0
            && edits.contains {
                $0.replacement.isEmpty && $0.range.start <= bytes.start && bytes.end <= $0.range.end
            }
    }
}
