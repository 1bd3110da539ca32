/// Decodes header blocks (HPACK, RFC 7541), for whoever looks at what a server sends.
package struct HeaderDecoder {
    package struct Malformed: Error {}

    private var table: [(name: String, value: String)] = []
    private var largest = 4_096

    package init() {}

    /// - Throws: `Malformed` for a block that breaks the rules.
    package mutating func decode(_ block: [UInt8]) throws -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        var rest = block[...]
        while let first = rest.first {
            if first & 0x80 != 0 {
                fields.append(try entry(try Self.integer(&rest, bits: 7)))
            } else if first & 0xE0 == 0x20 {
                largest = try Self.integer(&rest, bits: 5)
                guard largest <= 4_096 else { throw Malformed() }
                evict()
            } else {
                let isIndexed = first & 0x40 != 0
                let index = try Self.integer(&rest, bits: isIndexed ? 6 : 4)
                let name = index > 0 ? try entry(index).name : try Self.text(&rest)
                let field = (name: name, value: try Self.text(&rest))
                fields.append(field)
                if isIndexed {
                    table.insert(field, at: 0)
                    evict()
                }
            }
        }
        return fields
    }

    private mutating func evict() {
        while table.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }) > largest { table.removeLast() }
    }

    private func entry(_ index: Int) throws -> (name: String, value: String) {
        let all = Self.fixed.count
        if 1...all ~= index { return Self.fixed[index - 1] }
        guard index > all, table.indices.contains(index - all - 1) else { throw Malformed() }
        return table[index - all - 1]
    }

    private static func integer(_ rest: inout ArraySlice<UInt8>, bits: Int) throws -> Int {
        guard let first = rest.popFirst() else { throw Malformed() }
        let most = 1 << bits - 1
        var value = Int(first) & most
        guard value == most else { return value }
        var shift = 0
        while let byte = rest.popFirst() {
            guard shift < 28 else { throw Malformed() }
            value += Int(byte & 0x7F) << shift
            shift += 7
            if byte & 0x80 == 0 { return value }
        }
        throw Malformed()
    }

    private static func text(_ rest: inout ArraySlice<UInt8>) throws -> String {
        let isCoded = (rest.first ?? 0) & 0x80 != 0
        let count = try integer(&rest, bits: 7)
        guard count <= rest.count else { throw Malformed() }
        defer { rest = rest.dropFirst(count) }
        let bytes = Array(rest.prefix(count))
        return String(decoding: isCoded ? try HuffmanCode.decode(bytes) : bytes, as: UTF8.self)
    }

    /// RFC 7541, appendix A.
    private static let fixed: [(name: String, value: String)] = [
        (":authority", ""), (":method", "GET"), (":method", "POST"), (":path", "/"), (":path", "/index.html"),
        (":scheme", "http"), (":scheme", "https"), (":status", "200"), (":status", "204"), (":status", "206"),
        (":status", "304"), (":status", "400"), (":status", "404"), (":status", "500"), ("accept-charset", ""),
        ("accept-encoding", "gzip, deflate"), ("accept-language", ""), ("accept-ranges", ""), ("accept", ""),
        ("access-control-allow-origin", ""), ("age", ""), ("allow", ""), ("authorization", ""),
        ("cache-control", ""), ("content-disposition", ""), ("content-encoding", ""), ("content-language", ""),
        ("content-length", ""), ("content-location", ""), ("content-range", ""), ("content-type", ""),
        ("cookie", ""), ("date", ""), ("etag", ""), ("expect", ""), ("expires", ""), ("from", ""), ("host", ""),
        ("if-match", ""), ("if-modified-since", ""), ("if-none-match", ""), ("if-range", ""),
        ("if-unmodified-since", ""), ("last-modified", ""), ("link", ""), ("location", ""), ("max-forwards", ""),
        ("proxy-authenticate", ""), ("proxy-authorization", ""), ("range", ""), ("referer", ""), ("refresh", ""),
        ("retry-after", ""), ("server", ""), ("set-cookie", ""), ("strict-transport-security", ""),
        ("transfer-encoding", ""), ("user-agent", ""), ("vary", ""), ("via", ""), ("www-authenticate", ""),
    ]
}

/// The Huffman code of RFC 7541, appendix B, which is canonical: the lengths say all.
enum HuffmanCode {
    /// Symbols by length and code.
    private static let symbols: [UInt64: UInt16] = {
        var symbols: [UInt64: UInt16] = [:]
        let order = lengths.indices.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
        var (code, length): (UInt64, UInt64) = (0, 0)
        for symbol in order {
            code <<= UInt64(lengths[symbol]) - length
            length = UInt64(lengths[symbol])
            symbols[length << 32 | code] = UInt16(symbol)
            code += 1
        }
        return symbols
    }()

    static func decode(_ bytes: [UInt8]) throws -> [UInt8] {
        var output: [UInt8] = []
        var (code, length): (UInt64, UInt64) = (0, 0)
        for byte in bytes {
            for bit in (0..<8).reversed() {
                code = code << 1 | UInt64(byte >> UInt8(bit) & 1)
                length += 1
                guard let symbol = symbols[length << 32 | code] else { continue }
                guard symbol < 256 else { throw HeaderDecoder.Malformed() }
                output.append(UInt8(symbol))
                (code, length) = (0, 0)
            }
        }
        // Padding: less than a byte of ones.
        guard length < 8, code == 1 << length - 1 else { throw HeaderDecoder.Malformed() }
        return output
    }

    private static let lengths = [
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28,
        28, 28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6,
        6, 6, 7, 8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8,
        7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7,
        7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23,
        24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22,
        23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25,
        26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24,
        20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27,
        27, 27, 27, 26, 30,
    ]
}
