/// A URL with scheme and host, as statements have it.
struct AssetLinksURL {
    let isHTTPS: Bool
    /// Scheme, host and port.
    let origin: String
    /// What stands behind them.
    let rest: String
    /// Whether there is something with an `@` before the host.
    let hasUser: Bool

    /// - Returns: nil for another scheme than `http` and `https`, and for what has no valid host or port.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            bytes[colon...].starts(with: "://".utf8)
        else { return nil }
        let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let end = bytes[(colon + 3)...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
        var authority = bytes[(colon + 3)..<end]
        isHTTPS = scheme == "https"
        origin = String(decoding: bytes[..<end], as: UTF8.self)
        rest = String(decoding: bytes[end...], as: UTF8.self)
        let user = authority.lastIndex(of: UInt8(ascii: "@"))
        hasUser = user != nil
        if let user { authority = authority[(user + 1)...] }
        let parts = authority.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard let host = parts.first, !host.isEmpty, host.allSatisfy(Self.isInHost), parts.count <= 2 else {
            return nil
        }
        guard parts.count == 2 else { return }
        guard (1...5).contains(parts[1].count), let port = Int(String(decoding: parts[1], as: UTF8.self)),
            (1...65_535).contains(port)
        else { return nil }
    }

    private static func isInHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
