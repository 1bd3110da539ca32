internal import OpenSSL

/// What is in a file, before it is known what it is for.
struct ParsedFile {
    enum Container {
        case der, pem, pkcs12
    }

    /// A remark about a file as a whole.
    enum Note: Equatable {
        case base64Text
        /// The number of bytes after the end.
        case trailingBytes(Int)
        case noMAC
        /// What was skipped, like `a CRL` or `3 secrets`.
        case bagSkipped(String)
    }

    var container: Container
    var certificates: [ParsedCertificate] = []
    var keys: [ParsedKey] = []
    /// The file is a token key (`.p8`) and nothing else.
    var isTokenKey = false
    var notes: [Note] = []
    /// The container itself opens with the empty password or with none, whether there are keys in it or not.
    var isUnprotected = false
    /// A key is encrypted, and no password was given.
    var wantsPassword = false
}

/// A private key of a file, readable or not.
struct ParsedKey {
    /// Nil if it could not be decrypted or is of an unknown kind.
    let key: PrivateKey?
    var localKeyID: [UInt8]?
    /// Whether it is not encrypted, or opens with the empty password.
    var isUnprotected = false
    /// Why there is none: a clause, like `the password does not open it`.
    var obstacle: String?
    /// It is encrypted, and nothing that was tried opens it.
    var isLocked = false

    /// One that no password can open; the certificates are read all the same.
    static func unreadable(_ obstacle: String) -> ParsedKey { ParsedKey(key: nil, obstacle: obstacle) }
}
