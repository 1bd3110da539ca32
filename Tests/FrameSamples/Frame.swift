/// A frame of HTTP/2 (RFC 9113, section 4.1), as it is sent: any field may be wrong.
package struct Frame: Equatable, Sendable, CustomStringConvertible {
    package enum Kind {
        package static let data: UInt8 = 0
        package static let headers: UInt8 = 1
        package static let priority: UInt8 = 2
        package static let resetStream: UInt8 = 3
        package static let settings: UInt8 = 4
        package static let pushPromise: UInt8 = 5
        package static let ping: UInt8 = 6
        package static let goAway: UInt8 = 7
        package static let windowUpdate: UInt8 = 8
        package static let continuation: UInt8 = 9
    }

    package enum Flag {
        package static let endStream: UInt8 = 0x1
        package static let acknowledgement: UInt8 = 0x1
        package static let endHeaders: UInt8 = 0x4
        package static let padded: UInt8 = 0x8
        package static let priority: UInt8 = 0x20
    }

    /// `PRI * HTTP/2.0`, which a client sends first.
    package static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    package var type: UInt8
    package var flags: UInt8
    package var stream: UInt32
    package var payload: [UInt8]

    package init(_ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
        (self.type, self.flags, self.stream, self.payload) = (type, flags, stream, payload)
    }

    package var bytes: [UInt8] {
        Self.number(payload.count, bytes: 3) + [type, flags] + Self.number(Int(stream), bytes: 4) + payload
    }

    package var endsStream: Bool { flags & Flag.endStream != 0 && type <= Kind.headers }

    /// The error code of RST_STREAM and GOAWAY.
    package var errorCode: Int? {
        switch type {
        case Kind.resetStream where payload.count == 4: Self.number(payload)
        case Kind.goAway where payload.count >= 8: Self.number(Array(payload[4..<8]))
        default: nil
        }
    }

    /// The last stream of GOAWAY.
    package var lastStream: Int? {
        type == Kind.goAway && payload.count >= 8 ? Self.number(Array(payload[..<4])) : nil
    }

    package var description: String {
        let names = [
            "DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS", "PUSH_PROMISE", "PING", "GOAWAY", "WINDOW_UPDATE",
            "CONTINUATION",
        ]
        let name = names.indices.contains(Int(type)) ? names[Int(type)] : "type \(type)"
        let code = errorCode.map { " code \($0)" } ?? ""
        return "\(name)(\(flags)) on \(stream)\(code), \(payload.count) bytes"
    }

    /// Takes whole frames off the beginning of what was received.
    package static func take(from bytes: inout [UInt8]) -> [Frame] {
        var frames: [Frame] = []
        var start = 0
        while bytes.count - start >= 9 {
            let count = number(Array(bytes[start..<start + 3]))
            guard bytes.count - start >= 9 + count else { break }
            frames.append(
                Frame(
                    bytes[start + 3], flags: bytes[start + 4],
                    stream: UInt32(number(Array(bytes[start + 5..<start + 9]))),
                    Array(bytes[start + 9..<start + 9 + count])))
            start += 9 + count
        }
        bytes.removeFirst(start)
        return frames
    }

    package static func number(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func number(_ bytes: [UInt8]) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

extension Frame {
    package static func settings(_ values: [(Int, Int)] = []) -> Frame {
        Frame(Kind.settings, values.flatMap { number($0.0, bytes: 2) + number($0.1, bytes: 4) })
    }

    package static let settingsAcknowledgement = Frame(Kind.settings, flags: Flag.acknowledgement)

    /// A request of these fields, none of them compressed.
    package static func request(
        _ fields: [(String, String)], stream: UInt32 = 1, flags: UInt8 = Flag.endStream | Flag.endHeaders
    ) -> Frame {
        Frame(Kind.headers, flags: flags, stream: stream, HeaderEncoder.encode(fields))
    }

    package static func get(
        _ path: String = "/", host: String = "localhost", stream: UInt32 = 1, _ fields: [(String, String)] = []
    ) -> Frame {
        request(HeaderEncoder.pseudo(path: path, host: host) + fields, stream: stream)
    }

    package static func resetStream(_ stream: UInt32, code: Int = 8) -> Frame {
        Frame(Kind.resetStream, stream: stream, number(code, bytes: 4))
    }

    package static func windowUpdate(_ increment: Int, stream: UInt32 = 0) -> Frame {
        Frame(Kind.windowUpdate, stream: stream, number(increment, bytes: 4))
    }

    package static func ping(_ text: String = "12345678", flags: UInt8 = 0) -> Frame {
        Frame(Kind.ping, flags: flags, Array(text.utf8))
    }

    package static func data(_ count: Int, stream: UInt32 = 1, flags: UInt8 = 0) -> Frame {
        Frame(Kind.data, flags: flags, stream: stream, [UInt8](repeating: 0, count: count))
    }
}

/// Writes header blocks: literals without indexing, names and values as they are (RFC 7541, section 6.2.2).
package enum HeaderEncoder {
    package static func encode(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0] + text($0.0) + text($0.1) }
    }

    /// The same, remembered in the dynamic table (section 6.2.1).
    package static func encodeIndexed(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0x40] + text($0.0) + text($0.1) }
    }

    package static func pseudo(
        method: String = "GET", scheme: String = "https", path: String = "/", host: String = "localhost"
    ) -> [(String, String)] {
        [(":method", method), (":scheme", scheme), (":path", path), (":authority", host)]
    }

    package static func text(_ text: String) -> [UInt8] { integer(text.utf8.count, bits: 7) + Array(text.utf8) }

    /// An integer with a prefix of so many bits (section 5.1).
    package static func integer(_ value: Int, bits: Int, first: UInt8 = 0) -> [UInt8] {
        let most = 1 << bits - 1
        guard value >= most else { return [first | UInt8(value)] }
        var output = [first | UInt8(most)]
        var rest = value - most
        while rest >= 128 {
            output.append(UInt8(rest & 0x7F | 0x80))
            rest >>= 7
        }
        return output + [UInt8(rest)]
    }
}
