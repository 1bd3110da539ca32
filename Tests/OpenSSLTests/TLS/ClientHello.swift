/// A client hello (RFC 8446, section 4.1.2), byte by byte, for tests of a server without a client.
struct ClientHello {
    var serverName: [UInt8]? = Array("localhost".utf8)
    /// Instead of a well-formed server name extension.
    var rawServerName: [UInt8]?
    var protocols: [String] = []
    /// Instead of a well-formed extension with protocols.
    var rawProtocols: [UInt8]?

    private func vector(_ bytes: [UInt8], lengthBytes: Int) -> [UInt8] {
        (0..<lengthBytes).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) } + bytes
    }

    private func field(_ type: UInt16, _ data: [UInt8]) -> [UInt8] {
        [UInt8(type >> 8), UInt8(type & 0xFF)] + vector(data, lengthBytes: 2)
    }

    /// One record.
    var bytes: [UInt8] {
        var extensions: [UInt8] = []
        if let rawServerName {
            extensions += field(0, rawServerName)
        } else if let serverName {
            extensions += field(0, vector([0] + vector(serverName, lengthBytes: 2), lengthBytes: 2))
        }
        extensions += field(10, vector([0x00, 0x17], lengthBytes: 2))
        extensions += field(13, vector([0x04, 0x03, 0x08, 0x04], lengthBytes: 2))
        extensions += field(43, vector([0x03, 0x04], lengthBytes: 1))
        if let rawProtocols {
            extensions += field(16, rawProtocols)
        } else if !protocols.isEmpty {
            let list = protocols.flatMap { vector(Array($0.utf8), lengthBytes: 1) }
            extensions += field(16, vector(list, lengthBytes: 2))
        }
        // The generator of P-256 is a public key like any other.
        let point: [UInt8] = [
            0x04, 0x6B, 0x17, 0xD1, 0xF2, 0xE1, 0x2C, 0x42, 0x47, 0xF8, 0xBC, 0xE6, 0xE5, 0x63, 0xA4, 0x40, 0xF2,
            0x77, 0x03, 0x7D, 0x81, 0x2D, 0xEB, 0x33, 0xA0, 0xF4, 0xA1, 0x39, 0x45, 0xD8, 0x98, 0xC2, 0x96, 0x4F,
            0xE3, 0x42, 0xE2, 0xFE, 0x1A, 0x7F, 0x9B, 0x8E, 0xE7, 0xEB, 0x4A, 0x7C, 0x0F, 0x9E, 0x16, 0x2B, 0xCE,
            0x33, 0x57, 0x6B, 0x31, 0x5E, 0xCE, 0xCB, 0xB6, 0x40, 0x68, 0x37, 0xBF, 0x51, 0xF5,
        ]
        extensions += field(51, vector([0x00, 0x17] + vector(point, lengthBytes: 2), lengthBytes: 2))
        var body: [UInt8] = [0x03, 0x03] + (0..<32).map { $0 }
        body += vector([UInt8](repeating: 7, count: 32), lengthBytes: 1)
        body += vector([0x13, 0x01], lengthBytes: 2) + [1, 0]
        body += vector(extensions, lengthBytes: 2)
        return [22, 3, 1] + vector([1] + vector(body, lengthBytes: 3), lengthBytes: 2)
    }
}
