extension DER {
    /// The same elements with indefinite lengths, as some browsers write them, and long octet strings in pieces.
    ///
    /// - Parameters:
    ///   - der: Elements in DER.
    ///   - pieces: Of so many bytes an octet string is made that is longer; nil leaves all whole.
    public static func indefinite(_ der: [UInt8], pieces: Int? = 500) -> [UInt8] {
        var result: [UInt8] = []
        var rest = der[...]
        while let tag = rest.first, let (header, count) = header(rest), rest.count >= header + count {
            let content = Array(rest.dropFirst(header).prefix(count))
            if tag & 0x20 != 0 {
                result += [tag, 0x80] + indefinite(content, pieces: pieces) + [0, 0]
            } else if tag == 0x04, let pieces, pieces > 0, content.count > pieces {
                result += [0x24, 0x80]
                for start in stride(from: 0, to: content.count, by: pieces) {
                    result += octets(Array(content[start..<min(content.count, start + pieces)]))
                }
                result += [0, 0]
            } else {
                result += rest.prefix(header + count)
            }
            rest = rest.dropFirst(header + count)
        }
        return result + rest
    }

    /// The content of an element that stands at the start of the bytes; nil if it is none.
    public static func content(of element: [UInt8]) -> [UInt8]? {
        guard let (header, count) = header(element[...]), element.count >= header + count else { return nil }
        return Array(element[header..<header + count])
    }

    /// The elements one behind the other.
    public static func elements(of bytes: [UInt8]) -> [[UInt8]] {
        var elements: [[UInt8]] = []
        var rest = bytes[...]
        while let (header, count) = header(rest), rest.count >= header + count {
            elements.append(Array(rest.prefix(header + count)))
            rest = rest.dropFirst(header + count)
        }
        return elements
    }

    /// The number of bytes before the content, and of those in it; tags of one octet and definite lengths only.
    public static func header(_ bytes: ArraySlice<UInt8>) -> (header: Int, count: Int)? {
        guard bytes.count >= 2 else { return nil }
        let first = bytes[bytes.startIndex + 1]
        guard first & 0x80 != 0 else { return (2, Int(first)) }
        let octets = Int(first & 0x7F)
        guard octets > 0, octets <= 4, bytes.count >= 2 + octets else { return nil }
        let count = bytes.dropFirst(2).prefix(octets).reduce(0) { $0 << 8 | Int($1) }
        return (2 + octets, count)
    }
}
