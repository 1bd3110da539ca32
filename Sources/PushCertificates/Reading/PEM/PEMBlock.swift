internal import OpenSSL

/// A block of PEM (RFC 7468), and its headers if it is one of old (RFC 1421).
struct PEMBlock {
    /// Like `RSA PRIVATE KEY`.
    let label: String
    /// Of its first line, from 1.
    let line: Int
    /// `Proc-Type` says that it is encrypted.
    let isEncrypted: Bool
    /// The value of `DEK-Info`: a cipher and a vector.
    let cipherInformation: String?
    /// In base64.
    private let text: ArraySlice<UInt8>

    var isCertificate: Bool { ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"].contains(label) }
    var isPrivateKey: Bool { label == "PRIVATE KEY" || label.hasSuffix(" PRIVATE KEY") }

    /// - Parameter body: All between the first line and the last.
    init(label: String, line: Int, body: ArraySlice<UInt8>) {
        self.label = label
        self.line = line
        var lines = TextLines(body)
        var isEncrypted = false
        var cipherInformation: String?
        var text = body
        while let line = lines.next() {
            // Base64 has no colon. A line that begins with white space goes on with the one before it.
            let isContinued = text.startIndex != body.startIndex && line.first == UInt8(ascii: " ")
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? (isContinued ? line.startIndex : nil) else {
                break
            }
            text = body[lines.place...]
            let value = String(decoding: line[colon...].dropFirst().prefix(100), as: UTF8.self).filter { $0 != " " }
            switch String(decoding: line[..<colon].prefix(20), as: UTF8.self) {
            case "Proc-Type": isEncrypted = value.hasSuffix(",ENCRYPTED")
            case "DEK-Info": cipherInformation = value
            default: break
            }
        }
        self.text = text
        self.isEncrypted = isEncrypted
        self.cipherInformation = cipherInformation
    }

    /// Nil if it is no base64, or nothing at all.
    func decoded() -> SecretBytes? {
        guard let bytes = Base64.decode(text), bytes.count > 0 else { return nil }
        return bytes
    }
}
