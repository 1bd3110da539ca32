/// A web URL, cut into its parts: bytes as given, nothing decoded and nothing normalised.
package struct WebURL: Sendable {
    package let host: [UInt8]
    /// The path as it stands; `/` if it is empty.
    package let path: [UInt8]
    package let query: [UInt8]
    package let fragment: [UInt8]

    /// Nil if it is no `http` or `https` URL with a host.
    package init?(_ text: some Sequence<UInt8>) {
        let bytes = Array(text)
        guard let parts = bytes.withUnsafeBytes({ URLParts($0) }) else { return nil }
        host = Array(bytes[parts.host])
        path = parts.path.isEmpty ? [UInt8(ascii: "/")] : Array(bytes[parts.path])
        query = Array(bytes[parts.query])
        fragment = Array(bytes[parts.fragment])
    }

    /// Whether the host is a domain, without regard to case, each in its ASCII form.
    package func isHost(_ domain: String) -> Bool {
        guard let domain = Punycode.ascii(domain) else { return false }
        guard let host = Punycode.ascii(String(decoding: host, as: UTF8.self)) else { return false }
        return host.utf8.elementsEqual(domain.utf8)
    }
}
