/// The lines of a text, which end with LF, CR or both.
struct TextLines {
    private var rest: ArraySlice<UInt8>
    /// Of the line that was read last, from 1.
    private(set) var number = 0
    /// Where the line that was read last begins.
    private(set) var start: Int

    /// - Parameter text: A byte order mark at its beginning is left out.
    init(_ text: ArraySlice<UInt8>) {
        rest = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text
        start = rest.startIndex
    }

    /// Where the next line begins.
    var place: Int { rest.startIndex }

    /// Without its end.
    mutating func next() -> ArraySlice<UInt8>? {
        guard !rest.isEmpty else { return nil }
        number += 1
        start = rest.startIndex
        guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
            defer { rest = rest[rest.endIndex...] }
            return rest
        }
        let line = rest[..<end]
        let isPair = rest[end] == UInt8(ascii: "\r") && rest[end...].dropFirst().first == UInt8(ascii: "\n")
        rest = rest[(end + (isPair ? 2 : 1))...]
        return line
    }
}
