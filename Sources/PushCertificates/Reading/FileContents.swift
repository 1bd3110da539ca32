internal import OpenSSL

/// What a reader found in a file, before anything is made of it.
struct FileContents {
    enum Container {
        case der, pem, pkcs12
    }

    struct Certificate {
        let certificate: X509Certificate
        var localKeyID: [UInt8]?
    }

    struct Key {
        /// Nil if it could not be decrypted or is of an unknown kind.
        let key: PrivateKey?
        var localKeyID: [UInt8]?
        /// Whether it stands there without encryption, or opens with the empty password.
        var isUnprotected = false
        /// Why there is none: a clause, like `the password does not open it`.
        var obstacle: String?
    }

    /// What is to be said of a file as a whole.
    enum Note: Equatable {
        case base64Text
        /// The number of bytes behind the end.
        case trailingBytes(Int)
        case noMAC
        /// What was skipped, like `a CRL` or `3 secrets`.
        case bagSkipped(String)
    }

    var container: Container
    var certificates: [Certificate] = []
    var keys: [Key] = []
    /// The file is a token key (`.p8`) and nothing else.
    var isTokenKey = false
    var notes: [Note] = []
    /// The container itself opens with the empty password or with none, whether there are keys in it or not.
    var isUnprotected = false
    /// A key is encrypted, and no password was given.
    var wantsPassword = false
}
