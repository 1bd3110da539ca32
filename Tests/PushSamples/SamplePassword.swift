package import OpenSSL

/// A password as it goes into the derivation of keys.
public enum SamplePassword: Sendable, ExpressibleByStringLiteral {
    /// No bytes at all, which in PKCS #12 is not the same as the empty text.
    case none
    case text(String)
    /// Each byte of the UTF-8 taken as a character of its own, as OpenSSL 1.0 did.
    case bytesAsCharacters(String)

    public init(stringLiteral text: String) {
        self = .text(text)
    }

    /// UTF-16, big endian, with two zero bytes at the end (RFC 7292, appendix B.1).
    package var pkcs12: SecretBytes {
        let units: [UInt16]
        switch self {
        case .none: return SecretBytes([])
        case .text(let text): units = Array(text.utf16)
        case .bytesAsCharacters(let text): units = text.utf8.map(UInt16.init)
        }
        return SecretBytes((units + [0]).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
    }

    /// UTF-8, as PBES2 and PEM want it.
    package var utf8: SecretBytes {
        switch self {
        case .none: SecretBytes([])
        case .text(let text), .bytesAsCharacters(let text): SecretBytes(text.utf8)
        }
    }
}
