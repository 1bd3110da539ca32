internal import BoundedText

/// The syntax of names in DNS.
package enum DNSName {
    /// The length of the longest name (RFC 1035, section 2.3.4): 255 octets with the length of each label and the root,
    /// which is 253 characters.
    package static let maxLength = 253

    /// Whether a text can be a name in DNS (RFC 1123, section 2.1) in any case: labels of letters, digits and inner
    /// hyphens.
    ///
    /// An IPv4 address looks like one; a name in Unicode, or with a `_`, does not.
    package static func isValid(_ text: some StringProtocol) -> Bool {
        guard text.utf8.count <= maxLength else { return false }
        var length = 0
        var last = hyphen
        for byte in text.utf8 {
            let byte = CaseFolding.ascii(byte)
            if byte == UInt8(ascii: ".") {
                guard length > 0, last != hyphen else { return false }
                length = 0
            } else {
                length += 1
                guard length <= 63, isLetterDigitOrHyphen(byte), length > 1 || byte != hyphen else { return false }
            }
            last = byte
        }
        return length > 0 && last != hyphen
    }

    /// Whether a byte is a lower-case letter, a digit, or a hyphen.
    package static func isLetterDigitOrHyphen(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == hyphen
    }

    private static let hyphen = UInt8(ascii: "-")
}
