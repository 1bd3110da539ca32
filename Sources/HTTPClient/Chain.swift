package import ProxySupport

/// A version of TLS, the oldest one first.
package enum TLSVersion: Int, Comparable, Sendable, CaseIterable {
    case tls10, tls11, tls12, tls13

    package static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.rawValue < right.rawValue }

    /// Like `1.2`.
    package var text: String { "1.\(rawValue)" }
}

/// A TLS handshake without a request, to see what a server presents: whatever it is, it is accepted.
package struct ChainProbe: Sendable {
    /// A name is sent as the server name (SNI); an address is not.
    package var host: String
    package var port: Int
    package var address: IPAddress
    /// Those that are offered. The two oldest are offered with all the algorithms that they need and that are refused
    /// otherwise.
    package var versions: ClosedRange<TLSVersion>
    /// From connecting to the end of the handshake.
    package var timeLimit: Duration
    /// Sets up the `SSL_CTX` of this handshake further, which it is given a pointer to, and says whether that was done.
    /// With it, no application protocols (ALPN) are offered but those that it adds.
    package var prepareTLS: (@Sendable (UnsafeMutableRawPointer) -> Bool)?

    package init(
        host: String, port: Int = 443, address: IPAddress, versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        timeLimit: Duration, prepareTLS: (@Sendable (UnsafeMutableRawPointer) -> Bool)? = nil
    ) {
        (self.host, self.port, self.address, self.versions) = (host, port, address, versions)
        self.timeLimit = timeLimit
        self.prepareTLS = prepareTLS
    }
}

/// What a server has presented in a handshake. Nothing about it is believed; verdicts are made elsewhere.
package struct Chain: Equatable, Sendable {
    /// All certificates that were sent, leaf first, in PEM form.
    package let certificates: [UInt8]
    package let address: IPAddress
    package let times: TransferTimes

    package init(certificates: [UInt8], address: IPAddress, times: TransferTimes = TransferTimes()) {
        (self.certificates, self.address, self.times) = (certificates, address, times)
    }
}
