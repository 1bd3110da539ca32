/// Private keys in PEM form (RFC 7468), of any kind.
///
/// Whoever may write into the folder of a site need not be allowed to read keys; the server is. A link to one must not
/// have it served.
enum PrivateKeyText {
    private static let mark = Array("PRIVATE KEY-----".utf8)

    static func isIn(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "P")) {
            rest = rest[start...]
            if rest.starts(with: mark) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
