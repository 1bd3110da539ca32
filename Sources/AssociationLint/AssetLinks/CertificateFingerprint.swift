/// The fingerprint of a signing certificate, as it is and as it is to be written.
struct CertificateFingerprint {
    /// As it is to be written: 32 pairs of hexadecimal digits in capitals, with colons between them; nil if these are
    /// not its digits.
    let written: String?
    /// Whether that is the only thing against it.
    let isInSmallLetters: Bool
    /// What is the matter with it, as the end of a sentence; nil if nothing is.
    let problem: String?

    private static let expected = "expected 32 pairs of uppercase hexadecimal digits with ':' between them"

    init(_ text: String) {
        let capitals = text.utf8.count > 200 ? "" : text.uppercased()
        var digits = Array(capitals.utf8.filter { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: " ") })
        // As the tools that print them say.
        for name in ["SHA256FINGERPRINT=", "SHA-256", "SHA256"] where digits.starts(with: name.utf8) {
            digits.removeFirst(name.utf8.count)
        }
        let isHexadecimal = !digits.isEmpty && digits.allSatisfy(Self.isDigit)
        guard isHexadecimal, digits.count == 64 else {
            written = nil
            isInSmallLetters = false
            let isSHA1 = isHexadecimal && digits.count == 40
            problem = isSHA1 ? "is a SHA-1 fingerprint; expected SHA-256" : "is not valid; \(Self.expected)"
            return
        }
        let pairs = stride(from: 0, to: 64, by: 2).map { String(decoding: digits[$0..<$0 + 2], as: UTF8.self) }
        let written = pairs.joined(separator: ":")
        self.written = written
        isInSmallLetters = capitals == written && text != written
        problem =
            text == written
            ? nil
            : isInSmallLetters
                ? "is in lowercase, which Google's service does not accept"
                : "is not in the required form; \(Self.expected)"
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"): true
        default: false
        }
    }
}
