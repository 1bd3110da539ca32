internal import OpenSSL

/// One reading of what was given as a password.
struct PasswordCandidate: Sendable {
    /// As PKCS #12 itself wants it: UTF-16, big endian, with two zero bytes at the end; no bytes for no password.
    let utf16: SecretBytes
    /// As PBES1, PBES2 and PEM want it.
    let utf8: SecretBytes

    /// The empty password.
    static let empty = PasswordCandidate(utf16: SecretBytes([0, 0]), utf8: SecretBytes([]))
    /// No password at all, which PKCS #12 tells from the empty one.
    static let none = PasswordCandidate(utf16: SecretBytes([]), utf8: SecretBytes([]))

    /// Nobody needs to know anything to open what this one opens.
    var isOpen: Bool { utf8.count == 0 }

    /// What goes into the derivation of a key.
    func bytes(_ form: PasswordForm) -> SecretBytes {
        switch form {
        case .utf16: utf16
        case .utf8: utf8
        }
    }
}
