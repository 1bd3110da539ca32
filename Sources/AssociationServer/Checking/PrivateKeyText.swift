package import Diagnostics

/// Private keys in PEM form (RFC 7468), of any kind.
///
/// Whoever may write into the folder of a site need not be allowed to read keys; the server is. A link to one must not
/// have it served.
package enum PrivateKeyText {
    private static let mark = Array("PRIVATE KEY-----".utf8)

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
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "P")) {
            rest = rest[start...]
            if rest.starts(with: mark) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
