internal import BoundedText
package import DomainNames

/// The first part of an answer.
package struct ResponseHead: Equatable, Sendable {
    package let status: Int
    /// The status line without its line end, byte for byte.
    package let statusLine: [UInt8]
    /// The fields in the order in which they came. A folded line is part of the value before it.
    package let fields: [HeaderField]

    package init(status: Int, statusLine: [UInt8], fields: [HeaderField]) {
        (self.status, self.statusLine, self.fields) = (status, statusLine, fields)
    }

    /// The value of the first field of a name.
    package subscript(_ name: String) -> [UInt8]? { fields.first { $0.isNamed(name) }?.value }

    /// The values of all fields of a name.
    package func values(_ name: String) -> [[UInt8]] { fields.filter { $0.isNamed(name) }.map(\.value) }
}

/// When a transfer got where, from the moment at which it began to connect.
package struct TransferTimes: Equatable, Sendable {
    /// When the last line of the header was there.
    package var header: Duration?
    package var total: Duration

    package init(header: Duration? = nil, total: Duration = .zero) { (self.header, self.total) = (header, total) }
}

/// An answer that is complete, or whose body goes on after the request's limit.
package struct Response: Equatable, Sendable {
    package let head: ResponseHead
    /// Decoded, if it came in a coding.
    package let body: [UInt8]
    /// Whether there was more of the body than the limit allows.
    package let isTruncated: Bool
    /// To which the connection went; that of a proxy, if there is one.
    package let address: IPAddress
    package let times: TransferTimes

    package init(
        head: ResponseHead, body: [UInt8] = [], isTruncated: Bool = false, address: IPAddress,
        times: TransferTimes = TransferTimes()
    ) {
        (self.head, self.body, self.isTruncated, self.address, self.times) = (head, body, isTruncated, address, times)
    }

    package var status: Int { head.status }
}

extension ResponseHead {
    /// The elements of `Content-Encoding` in the order in which they were applied, in lower case, without `identity`.
    package var contentCodings: [String] {
        values("Content-Encoding").flatMap { value in
            String(text: value).split(separator: ",").map { element in
                String(element.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
                    .lowercased()
            }
        }
        .filter { !$0.isEmpty && $0 != "identity" }
    }
}

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
    /// The limit from connecting to the end of the handshake.
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

/// The certificates that a server has presented in a handshake. Nothing about them is believed; verdicts are made
/// elsewhere.
package struct Chain: Equatable, Sendable {
    /// All certificates that were sent, leaf first, in PEM form.
    package let certificates: [UInt8]
    package let address: IPAddress

    package init(certificates: [UInt8], address: IPAddress) {
        (self.certificates, self.address) = (certificates, address)
    }
}
