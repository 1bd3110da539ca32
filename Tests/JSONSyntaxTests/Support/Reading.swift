import Diagnostics
import JSONSyntax

func read(_ text: String, limits: ReadingLimits = .associationFile) -> JSONDocument {
    read(Array(text.utf8), limits: limits)
}

func read(_ bytes: [UInt8], limits: ReadingLimits = .associationFile) -> JSONDocument {
    JSONReader.read(bytes, path: "file", limits: limits)
}

extension JSONDocument {
    /// The findings as `code line:column`.
    var summary: [String] {
        findings.map { finding in
            let position = source.position(at: finding.range.start)
            return "\(finding.code) \(position.line):\(position.column)"
        }
    }

    var codes: [String] { findings.map(\.code.rawValue) }

    func text(_ range: SourceRange) -> String { String(decoding: source.bytes[range.start..<range.end], as: UTF8.self) }
}

extension FixIt {
    func applied(to bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for edit in edits.reversed() {
            result.replaceSubrange(edit.range.start..<edit.range.end, with: Array(edit.replacement.utf8))
        }
        return result
    }
}

/// Applies the first automatic fix of every finding, from the end to the start, none that overlap.
func applyingAutomaticFixIts(of document: JSONDocument) -> [UInt8]? {
    var result = document.source.bytes
    var limit = Int.max
    let fixIts = document.findings.compactMap { finding in finding.fixIts.first { $0.applicability == .automatic } }
    guard !fixIts.isEmpty else { return nil }
    let sorted = fixIts.sorted { left, right in
        (left.edits.first?.range.start ?? 0) < (right.edits.first?.range.start ?? 0)
    }
    for fixIt in sorted.reversed() {
        guard let start = fixIt.edits.first?.range.start, let end = fixIt.edits.last?.range.end, end <= limit else {
            continue
        }
        result = fixIt.applied(to: result)
        limit = start
    }
    return result
}

extension JSONNode {
    /// The value without its place.
    var outline: String {
        switch value {
        case .null: "null"
        case .boolean(let boolean): "\(boolean)"
        case .number(let text): text
        case .string(let string): string.text.debugDescription
        case .array(let elements): "[" + elements.map(\.outline).joined(separator: ",") + "]"
        case .object(let object):
            "{" + object.members.map { "\($0.key.text.debugDescription):\($0.value.outline)" }.joined(separator: ",")
                + "}"
        }
    }
}
