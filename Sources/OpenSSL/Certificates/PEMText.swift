internal import COpenSSL

/// Writes PEM (RFC 7468).
package enum PEMText {
    /// A block with lines of 64 characters; nil only if memory is lacking.
    ///
    /// - Parameter label: Like `CERTIFICATE REQUEST`.
    package static func block(_ label: String, _ content: SecretBytes) -> SecretBytes? {
        content.withBytes { block(label, $0) }
    }

    /// The same for content that is no secret.
    package static func block(_ label: String, _ content: [UInt8]) -> SecretBytes? {
        let header = Array("-----BEGIN \(label)-----\n".utf8)
        let footer = Array("-----END \(label)-----\n".utf8)
        let lines = (content.count + bytesPerLine - 1) / bytesPerLine
        // With room for the zero byte that the library writes behind each line.
        let capacity = header.count + lines * (charactersPerLine + 1) + footer.count + 1
        return SecretBytes(capacity: capacity) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            var count = 0
            func append(_ bytes: [UInt8]) {
                for byte in bytes {
                    buffer[count] = byte
                    count += 1
                }
            }
            append(header)
            content.withUnsafeBufferPointer { content in
                for line in 0..<lines {
                    let place = line * bytesPerLine
                    let size = min(bytesPerLine, content.count - place)
                    count += Int(EVP_EncodeBlock(start + count, content.baseAddress.map { $0 + place }, Int32(size)))
                    append([UInt8(ascii: "\n")])
                }
            }
            append(footer)
            return count
        }
    }

    private static let bytesPerLine = 48
    private static let charactersPerLine = 64
}
