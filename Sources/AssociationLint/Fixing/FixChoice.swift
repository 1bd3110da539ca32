internal import Diagnostics

/// Fixes of a text that can be applied together: none that overlap.
struct FixChoice {
    /// A kind of finding at an offset.
    struct Location: Hashable {
        let code: DiagnosticCode
        let start: Int
    }

    /// In the order of the text.
    private(set) var fixes: [(diagnostic: Diagnostic, fixIt: FixIt)] = []

    /// - Parameters:
    ///   - diagnostics: In the order of the text.
    ///   - applicability: `.automatic`, or `.suggested` for suggested fixes only.
    init(_ diagnostics: [Diagnostic], _ applicability: FixIt.Applicability = .automatic) {
        var taken: [TextEdit] = []
        for diagnostic in diagnostics {
            guard let fixIt = diagnostic.fix(upTo: applicability), fixIt.applicability == applicability else {
                continue
            }
            // Only the latest edits can be in the way.
            let isFree = fixIt.edits.allSatisfy { edit in
                edit.range.start >= (taken.last?.range.end ?? 0)
                    && taken.suffix(8).allSatisfy { !Self.touch($0, edit) || Self.areDeletions($0, edit) }
            }
            guard isFree else { continue }
            taken += fixIt.edits
            fixes.append((diagnostic, fixIt))
        }
    }

    /// Some of the fixes of another choice, in the order of the text.
    init(_ fixes: [(diagnostic: Diagnostic, fixIt: FixIt)]) {
        self.fixes = fixes
    }

    private static func touch(_ left: TextEdit, _ right: TextEdit) -> Bool {
        left.range.end >= right.range.start && right.range.end >= left.range.start
    }

    /// Of commas in a row one must not stay: it would take the place of the last one.
    private static func areDeletions(_ left: TextEdit, _ right: TextEdit) -> Bool {
        left.replacement.isEmpty && right.replacement.isEmpty && left.range.end <= right.range.start
    }

    func applied(to text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var offset = 0
        for edit in fixes.flatMap(\.fixIt.edits) {
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
                end: source.position(at: diagnostic.range.end), title: fixIt.title)
        }
    }

    /// Where, in the text with the fixes, the findings would begin if the fixes had not removed them; those whose bytes are
    /// gone are left out, as others may take their place.
    var locationsToBeFree: [Location] {
        let edits = fixes.flatMap(\.fixIt.edits)
        var (next, shift) = (0, 0)
        return fixes.compactMap { diagnostic, fixIt in
            let range = diagnostic.range
            while next < edits.count, edits[next].range.start < range.start, edits[next].range.end <= range.start {
                shift += edits[next].replacement.utf8.count - edits[next].range.length
                next += 1
            }
            return fixIt.deletes(range) ? nil : Location(code: diagnostic.code, start: range.start + shift)
        }
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
