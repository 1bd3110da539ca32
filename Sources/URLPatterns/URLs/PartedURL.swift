internal import BoundedText

/// A web URL and where its parts are, found once for all that read it.
package struct PartedURL: Sendable {
    package let bytes: [UInt8]
    package let parts: URLParts

    /// Nil if it is not an `http` or `https` URL with a host.
    package init?(_ text: some Sequence<UInt8>) {
        let bytes = Array(text)
        guard let parts = bytes.withUnsafeBytes({ URLParts($0) }) else { return nil }
        self.bytes = bytes
        self.parts = parts
    }

    /// The host; nil if it is neither a name nor an address.
    package var host: HostName? { HostName(String(text: bytes[parts.host])) }

    /// Whether there is a `?` before the fragment.
    package var hasQuery: Bool { parts.path.upperBound < parts.query.lowerBound }

    /// Whether there is a `#`.
    package var hasFragment: Bool { parts.query.upperBound < bytes.count }
}
