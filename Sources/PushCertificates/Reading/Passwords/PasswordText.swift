internal import OpenSSL
@_spi(_Unicode) internal import Swift

/// A password that is text beyond ASCII, in the forms that one text has.
struct PasswordText {
    let asGiven: PasswordCandidate
    /// In NFC, as most systems take it from the keyboard.
    let composed: PasswordCandidate
    /// In NFD.
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

    /// As PKCS #12 wants it (RFC 7292, appendix B.1), each byte taken as a character.
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
