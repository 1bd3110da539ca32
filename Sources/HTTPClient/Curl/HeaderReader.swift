/// Reads the lines of headers as they come: of interim answers, of the final one, and of trailers.
package struct HeaderReader {
    package enum Problem: Error, Equatable {
        case tooLarge, malformed
    }

    private let limit: Int
    package private(set) var bytes = 0
    /// The last header that is complete, if it is not of an interim answer.
    package private(set) var head: ResponseHead?
    private var status = 0
    private var statusLine: [UInt8]?
    private var fields: [HeaderField] = []

    package init(limit: Int) { self.limit = limit }

    /// Takes one line with its end.
    package mutating func read(_ line: UnsafeBufferPointer<UInt8>) throws(Problem) {
        bytes += line.count
        guard bytes <= limit else { throw .tooLarge }
        // Trailers are counted and otherwise left alone (RFC 9110, section 6.5.1).
        guard head == nil else { return }
        let content = Self.withoutEnd(line)
        guard statusLine != nil else {
            try begin(content)
            return
        }
        if content.isEmpty {
            complete()
        } else if content.first == 0x20 || content.first == 0x09 {
            try fold(content)
        } else {
            guard let colon = content.firstIndex(of: UInt8(ascii: ":")), colon > content.startIndex,
                !content[..<colon].contains(where: { $0 <= 0x20 || $0 == 0x7F })
            else { throw .malformed }
            fields.append(
                HeaderField(
                    name: Array(content[..<colon]), value: Array(Self.trimmed(content[(colon + 1)...]))))
        }
    }

    /// HTTP/1.1 200 OK
    private mutating func begin(_ line: Slice<UnsafeBufferPointer<UInt8>>) throws(Problem) {
        let digits = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix { 0x30...0x39 ~= $0 }
        guard line.starts(with: "HTTP/".utf8), digits.count == 3 else { throw .malformed }
        status = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        statusLine = Array(line)
    }

    private mutating func complete() {
        // 101 ends it: nobody asked for another protocol, and what follows is not HTTP.
        if status >= 200 || status == 101 {
            head = ResponseHead(status: status, statusLine: statusLine ?? [], fields: fields)
        }
        (statusLine, fields) = (nil, [])
    }

    /// A line that continues the value before it (RFC 9112, section 5.2).
    private mutating func fold(_ line: Slice<UnsafeBufferPointer<UInt8>>) throws(Problem) {
        guard let last = fields.popLast() else { throw .malformed }
        let rest = Self.trimmed(line)
        // The white space around the whole value is no part of it.
        let gap: [UInt8] = last.value.isEmpty || rest.isEmpty ? [] : [0x20]
        fields.append(HeaderField(name: last.name, value: last.value + gap + rest))
    }

    private static func withoutEnd(_ line: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>> {
        var content = line[...]
        if content.last == 0x0A { content.removeLast() }
        if content.last == 0x0D { content.removeLast() }
        return content
    }

    private static func trimmed(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
        var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes
    }
}
