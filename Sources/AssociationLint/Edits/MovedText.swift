internal import Diagnostics
internal import JSONSyntax

/// The value of a member, indented as a member of another object.
struct MovedText {
    let text: String

    init(_ member: JSONMember, to target: JSONObject, _ source: SourceText) {
        let here = Self.indentation(of: member, source)
        let there = target.members.first.map { Self.indentation(of: $0, source) } ?? []
        let excess = max(here.count - there.count, 0)
        var result: [UInt8] = []
        var skipped = excess
        // No string has a line end in it, so every line begins between tokens.
        for byte in source.text(member.value.range).utf8 {
            let isLineEnd = byte == 0x0A || byte == 0x0D
            if !isLineEnd, skipped < excess, byte == 0x20 || byte == 0x09 {
                skipped += 1
            } else {
                skipped = isLineEnd ? 0 : excess
                result.append(byte)
            }
        }
        text = String(decoding: result, as: UTF8.self)
    }

    /// The white space in front of a member that is the first of its line.
    private static func indentation(of member: JSONMember, _ source: SourceText) -> ArraySlice<UInt8> {
        let place = member.keyRange.start
        return source.lineStart(of: place).map { source.bytes[$0..<place] } ?? []
    }
}
