/// The offer of a client of TLS. The standard values are those of a client of today.
public struct SampleOffer: Sendable {
    public enum Version: Sendable {
        case tls10, tls12, tls13
    }

    public var oldest = Version.tls12
    public var newest = Version.tls13
    /// `nil` sends no server name.
    public var serverName: String? = "localhost"
    /// The protocols of ALPN; none leaves the extension out.
    public var protocols: [String] = []
    /// The ciphers of TLS 1.2, as OpenSSL writes lists of them; `nil` is its standard list.
    public var ciphers: String?
    /// The ciphers of TLS 1.3.
    public var suites: String?
    public var groups: String?
    public var signatureAlgorithms: String?
    /// Says that an attempt with a newer version has failed (RFC 7507).
    public var isFallback = false
    /// Refuses a certificate that nobody it knows has signed, as ours.
    public var verifies = false

    public init(_ change: (inout SampleOffer) -> Void = { _ in }) { change(&self) }
}
