package import OpenSSL
@_spi(_Unicode) internal import Swift

/// The forms that a password may have had when a file was made, as programs do not agree about the bytes of one
/// (push-certificates.md, section 5).
struct PasswordCandidates: Sendable {
    /// The password as given, in NFC, in NFD and with each UTF-8 byte as a character; then the empty one, and none.
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
            guard !seen.contains(bytes) else { return false }
            seen.append(bytes)
            return true
        }
    }
}

/// One reading of what was given as a password.
struct PasswordCandidate: Sendable {
    /// The form for PKCS #12 itself: UTF-16, big endian, with two zero bytes at the end; empty without a password.
    let utf16: SecretBytes
    /// The form for PBES1, PBES2 and PEM.
    let utf8: SecretBytes

    /// The empty password.
    static let empty = PasswordCandidate(utf16: SecretBytes([0, 0]), utf8: SecretBytes([]))
    /// No password at all, which PKCS #12 tells from the empty one.
    static let none = PasswordCandidate(utf16: SecretBytes([]), utf8: SecretBytes([]))

    /// No secret is needed to open what this one opens.
    var isOpen: Bool { utf8.count == 0 }

    /// The bytes that go into the derivation of a key.
    func bytes(_ form: PasswordForm) -> SecretBytes {
        switch form {
        case .utf16: utf16
        case .utf8: utf8
        }
    }
}

/// The form in which a derivation takes a password.
enum PasswordForm: Sendable {
    case utf16
    case utf8
}

/// A password that is text beyond ASCII, in the forms that one text has.
struct PasswordText {
    let asGiven: PasswordCandidate
    /// The password in NFC, as most systems take it from the keyboard.
    let composed: PasswordCandidate
    /// The password in NFD.
    let decomposed: PasswordCandidate

    /// Nil if the bytes are not UTF-8.
    init?(_ utf8: SecretBytes) {
        // Only strings can be normalized. The buffers that are used for it on the way are out of reach.
        let forms = utf8.withText { text in
            (Self.utf8(text._nfc, of: utf8.count), Self.utf8(text._nfd, of: utf8.count))
        }
        guard let asGiven = utf8.withBytes(Self.candidate),
            let composed = forms.0?.withBytes(Self.candidate),
            let decomposed = forms.1?.withBytes(Self.candidate)
        else { return nil }
        self.asGiven = asGiven
        self.composed = composed
        self.decomposed = decomposed
    }

    /// The form for PKCS #12 (RFC 7292, appendix B.1), with each byte taken as a character.
    static func utf16(bytewise bytes: [UInt8]) -> SecretBytes? {
        SecretBytes(capacity: 2 * bytes.count + 2) { buffer in
            for (index, byte) in bytes.enumerated() { buffer[2 * index + 1] = byte }
            return buffer.count
        }
    }

    private static func candidate(_ utf8: [UInt8]) -> PasswordCandidate? {
        // No character has more units in UTF-16 than bytes in UTF-8.
        let utf16 = SecretBytes(capacity: 2 * utf8.count + 2) { buffer in
            var count = 0
            let hasFailed = transcode(utf8.makeIterator(), from: UTF8.self, to: UTF16.self, stoppingOnError: true) {
                buffer[count] = UInt8($0 >> 8)
                buffer[count + 1] = UInt8($0 & 0xFF)
                count += 2
            }
            return hasFailed ? nil : count + 2
        }
        return utf16.map { PasswordCandidate(utf16: $0, utf8: SecretBytes(utf8)) }
    }

    private static func utf8(_ scalars: some Sequence<Unicode.Scalar>, of count: Int) -> SecretBytes? {
        // No text grows to more than thrice its length by normalization (UAX #15, section 14).
        SecretBytes(capacity: 3 * count) { buffer in
            var end = 0
            for scalar in scalars {
                guard let bytes = UTF8.encode(scalar), end + bytes.count <= buffer.count else { return nil }
                for byte in bytes {
                    buffer[end] = byte
                    end += 1
                }
            }
            return end
        }
    }
}

/// A password; its memory is wiped when the last one forgets it.
public struct Password: Sendable {
    package let bytes: SecretBytes

    package init(_ bytes: SecretBytes) {
        self.bytes = bytes
    }

    /// - Parameter utf8: Copied; the caller's own copy is the caller's to wipe.
    public init(utf8: some Sequence<UInt8>) {
        bytes = SecretBytes(utf8)
    }
}

extension Password {
    /// Checks that something can be encrypted with it which other programs open too.
    ///
    /// - Throws: `RenewalError.Code.invalidPassword` if it is empty, has a zero byte, or is not UTF-8.
    public func checkForNewFile() throws(RenewalError) {
        guard bytes.count > 0 else {
            throw RenewalError(
                .invalidPassword, "the password is empty; a file with a private key needs a password")
        }
        guard bytes.withBytes({ !$0.contains(0) }) else {
            throw RenewalError(.invalidPassword, "the password contains a NUL byte, which other programs do not accept")
        }
        // Each program would make something else of it.
        guard PasswordText(bytes) != nil else {
            throw RenewalError(.invalidPassword, "the password is not UTF-8; write it in UTF-8 or ASCII")
        }
    }
}
