package import Diagnostics

/// Private keys in the encodings that key files have: PEM (RFC 7468) and the like, DER of any kind, the same in Base64
/// without a frame, and JWK (RFC 7517).
///
/// Whoever may write into the folder of a site need not be allowed to read keys; the server is. A link to one must not
/// have it served.
package enum PrivateKeyText {
    private static let marks = ["PRIVATE KEY-----", "PRIVATE KEY BLOCK-----", "PuTTY-User-Key-File-"].map {
        Array($0.utf8)
    }

    /// What there is to say about a file that holds one; nil if it holds none.
    package static func finding(in bytes: [UInt8]) -> Diagnostic? {
        guard isIn(bytes) else { return nil }
        return Diagnostic(
            code: DiagnosticCode(rawValue: "private-key"), severity: .error,
            message: "the file holds a private key, which nobody but the server may read",
            range: SourceRange(start: 0, end: 0),
            notes: ["if it is a link, somebody wants the server to give away what it leads to"])
    }

    private static func isIn(_ bytes: [UInt8]) -> Bool {
        // UTF-16 is the same text with zeros in it.
        let text = bytes.contains(0) ? bytes.filter { $0 != 0 } : bytes
        return hasMark(text) || PrivateKeyDER.isKey(bytes[...]) || PrivateKeyDER.isKeyInBase64(text)
            || PrivateKeyJWK.isIn(text)
    }

    private static func hasMark(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "P")) {
            rest = rest[start...]
            if marks.contains(where: { rest.starts(with: $0) }) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
