internal import BoundedText
internal import URLPatterns

/// The fingerprint of a signing certificate, as it is and as it should be written.
package struct CertificateFingerprint {
    /// As it should be written: 32 pairs of uppercase hexadecimal digits, with colons between them; nil if these are
    /// not its digits.
    package let written: String?
    /// Whether only its case is wrong.
    package let isOnlyLowercase: Bool
    /// The fault, as the end of a sentence; nil if there is none.
    package let problem: String?

    package static let expected = "expected 32 pairs of uppercase hexadecimal digits separated by ':'"

    package init(_ text: String) {
        let uppercased = text.utf8.count > 200 ? "" : text.uppercased()
        var digits = Array(uppercased.utf8.filter { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: " ") })
        // As the tools that print them say.
        for name in ["SHA256FINGERPRINT=", "SHA-256", "SHA256"] where digits.starts(with: name.utf8) {
            digits.removeFirst(name.utf8.count)
        }
        let isHexadecimal = !digits.isEmpty && digits.allSatisfy(\.isHexDigit)
        guard isHexadecimal, digits.count == 64 else {
            written = nil
            isOnlyLowercase = false
            let isSHA1 = isHexadecimal && digits.count == 40
            problem = isSHA1 ? "is a SHA-1 fingerprint; expected SHA-256" : "is not valid; \(Self.expected)"
            return
        }
        let pairs = stride(from: 0, to: 64, by: 2).map { String(text: digits[$0..<$0 + 2]) }
        let written = pairs.joined(separator: ":")
        self.written = written
        isOnlyLowercase = uppercased == written && text != written
        problem =
            text == written
            ? nil
            : isOnlyLowercase
                ? "is in lowercase; Google's documentation asks for uppercase"
                : "is not in the required form; \(Self.expected)"
    }
}
