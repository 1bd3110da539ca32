internal import OpenSSL

/// What a password may have been when a file was made, as programs do not agree about the bytes of one
/// (push-certificates.md, section 5).
struct PasswordCandidates: Sendable {
    /// As given, in NFC, in NFD, each byte of the UTF-8 as a character; then the empty one and none at all.
    private let list: [PasswordCandidate]
    /// Whether one was given at all.
    let isGiven: Bool

    /// - Parameter password: Nil if none was given.
    init(_ password: Password?) {
        var list: [PasswordCandidate] = []
        if let given = password?.bytes {
            let isASCII = given.withBytes { $0.allSatisfy { $0 < 0x80 } }
            if !isASCII, let text = PasswordText(given) { list = [text.asGiven, text.composed, text.decomposed] }
            // What OpenSSL 1.0 made of every password, and today's makes of one that is not UTF-8.
            if let utf16 = given.withBytes(PasswordText.utf16(bytewise:)) {
                list.append(PasswordCandidate(utf16: utf16, utf8: given))
            }
        }
        self.list = list + [.empty, .none]
        isGiven = password != nil
    }

    /// Those that are not the same in a form, in their order.
    ///
    /// - Parameter first: Goes before all the others.
    func distinct(_ form: PasswordForm, first: PasswordCandidate? = nil) -> [PasswordCandidate] {
        var seen: [SecretBytes] = []
        return ((first.map { [$0] } ?? []) + list).filter { candidate in
            let bytes = candidate.bytes(form)
            guard !seen.contains(where: { Self.isEqual($0, bytes) }) else { return false }
            seen.append(bytes)
            return true
        }
    }

    private static func isEqual(_ left: SecretBytes, _ right: SecretBytes) -> Bool {
        left.withBytes { left in right.withBytes { MessageAuthentication.isEqual(left, $0) } }
    }
}
