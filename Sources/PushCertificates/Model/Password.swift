package import OpenSSL

/// A password; its memory is wiped when the last one forgets it.
public struct Password: Sendable {
    package let bytes: SecretBytes

    package init(_ bytes: SecretBytes) {
        self.bytes = bytes
    }

    /// - Parameter utf8: Copied; the caller's own copy is the caller's to wipe.
    public init(utf8: some Sequence<UInt8>) {
        bytes = SecretBytes(utf8)
    }
}
