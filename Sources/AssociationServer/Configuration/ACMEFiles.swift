internal import Diagnostics
internal import OpenSSL
internal import SystemSupport

// The files that `acme` names: what is in them is a part of the configuration, so that a reload notices another content.
extension ServerConfiguration {
    private static let largestRootsFile = 1_048_576
    private static let largestKeyFile = 65_536

    /// - Throws: `ServerError`: `unreadable` for a file that is missing or cannot be read, or else `configuration` for one
    ///   that holds something else.
    mutating func readACMEFiles() throws(ServerError) {
        guard acme.isOn else { return }
        var code = ServerError.Code.configuration
        var findings: [LocatedDiagnostic] = []
        func read(_ path: String, _ key: String, limit: Int) -> [UInt8]? {
            do throws(SystemError) {
                let contents = try FileReader.readSettled(path, limit: limit)
                if contents.bytes.count <= limit { return contents.bytes }
                findings.append(.error(path, "the file of '\(key)' is larger than \(limit) bytes"))
            } catch {
                code = .unreadable
                findings.append(.error(path, "the file of '\(key)' cannot be read: \(error.reason)"))
            }
            return nil
        }
        if let path = acme.rootsFile, let bytes = read(path, "acme.caFile", limit: Self.largestRootsFile) {
            do throws(OpenSSLError) {
                _ = try TrustStore(includesSystem: false, additional: bytes)
                acme.roots = bytes
            } catch {
                findings.append(
                    .error(
                        path, "the file of 'acme.caFile' cannot be used: \(error.description)",
                        help: "put the CA's root certificates into it, as PEM"))
            }
        }
        if let path = acme.externalAccount?.hmacKeyFile,
            let bytes = read(path, "acme.eab.hmacKeyFile", limit: Self.largestKeyFile)
        {
            if let key = Base64URL.decoded(bytes) {
                acme.externalAccount?.hmacKey = HMACKey(key)
            } else {
                findings.append(
                    .error(
                        path, "the file of 'acme.eab.hmacKeyFile' does not contain a key in base64url",
                        help: "copy the HMAC key from the CA into it: letters, digits, '-' and '_'"))
            }
        }
        guard findings.isEmpty else { throw ServerError(code, findings: findings, usableConfiguration: self) }
    }
}

/// Base64 for URLs (RFC 4648, section 5).
private enum Base64URL {
    /// - Parameter text: with white space around it; `=` at its end is accepted.
    /// - Returns: `nil` for nothing, and for what is not base64url.
    static func decoded(_ text: [UInt8]) -> SecretBytes? {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        var digits = text[...]
        while let last = digits.last, isSpace(last) { digits.removeLast() }
        digits = digits.drop(while: isSpace)
        let count = digits.count
        while digits.last == UInt8(ascii: "="), count - digits.count < 2 { digits.removeLast() }
        let padding = count - digits.count
        // A digit alone is less than a byte.
        guard !digits.isEmpty, digits.count % 4 != 1, padding == 0 || count % 4 == 0 else { return nil }
        return SecretBytes(capacity: digits.count * 3 / 4) { output in
            var (bits, bitCount, filled) = (UInt32(0), 0, 0)
            for digit in digits {
                guard let value = value(of: digit) else { return nil }
                bits = bits << 6 | value
                bitCount += 6
                if bitCount >= 8 {
                    bitCount -= 8
                    output[filled] = UInt8(truncatingIfNeeded: bits >> UInt32(bitCount))
                    filled += 1
                }
            }
            return bits & ((1 << UInt32(bitCount)) - 1) == 0 ? filled : nil
        }
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
