/// An HTTP/1 answer with a `Content-Length`, as all of ours have it.
package struct HTTPAnswer: Equatable, Sendable {
    package let status: Int
    /// The status line and the fields.
    package let lines: [String]
    package let body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }
    /// Whether it says that it is the connection's last.
    package var closes: Bool { self["Connection"] == "close" }

    /// The value of the first field of that name.
    package subscript(name: String) -> String? {
        lines.dropFirst().first { $0.lowercased().hasPrefix("\(name.lowercased()): ") }
            .map { String($0.dropFirst(name.utf8.count + 2)) }
    }

    /// The answer that begins at `start`, and how many bytes it has; `nil` if it is not whole.
    package static func read(_ bytes: [UInt8], from start: Int = 0, isHead: Bool) -> (HTTPAnswer, Int)? {
        let end = Array("\r\n\r\n".utf8)
        guard let first = bytes.indices[start...].first(where: { bytes[$0] == 13 && bytes[$0...].starts(with: end) })
        else { return nil }
        let lines = String(decoding: bytes[start..<first], as: UTF8.self).split(separator: "\r\n").map(String.init)
        guard let line = lines.first, line.hasPrefix("HTTP/1.1 "), let status = Int(line.dropFirst(9).prefix(3)) else {
            return nil
        }
        let head = HTTPAnswer(status: status, lines: lines, body: [])
        let hasBody = !isHead && status != 304
        let count = hasBody ? head["Content-Length"].flatMap { Int($0) } ?? 0 : 0
        let body = first + end.count
        guard bytes.count >= body + count else { return nil }
        return (HTTPAnswer(status: status, lines: lines, body: Array(bytes[body..<body + count])), body + count - start)
    }
}
