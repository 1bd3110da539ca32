package import DomainNames
package import HTTPClient
package import OpenSSL

/// All that was seen of a domain, without a judgement.
package struct Observation: Sendable {
    /// The result of resolving a name, per family: the addresses, or why there are none.
    package struct Names: Sendable {
        package var a: Result<[IPAddress], ResolutionFailure>
        package var aaaa: Result<[IPAddress], ResolutionFailure>

        package init(a: Result<[IPAddress], ResolutionFailure>, aaaa: Result<[IPAddress], ResolutionFailure>) {
            (self.a, self.aaaa) = (a, aaaa)
        }
    }

    /// A handshake with one address, without a request.
    package struct Handshake: Sendable {
        package let address: IPAddress
        package let result: Result<Judged, Failure>

        package init(_ address: IPAddress, _ result: Result<Judged, Failure>) {
            (self.address, self.result) = (address, result)
        }
    }

    /// The chain that a server has presented, as OpenSSL judges it at the time of the check.
    package struct Judged: Sendable {
        package let verdict: ChainVerdict
        package let leaf: PresentedChain.LeafFacts

        package init(_ verdict: ChainVerdict, _ leaf: PresentedChain.LeafFacts) {
            (self.verdict, self.leaf) = (verdict, leaf)
        }
    }

    /// Which versions of TLS the first usable address accepts; nil for what was not tried.
    package struct Versions: Sendable {
        package var tls12: Bool?
        package var tls13: Bool?
        /// The newest version before 1.2 that it accepts.
        package var older: TLSVersion?

        package init(tls12: Bool? = nil, tls13: Bool? = nil, older: TLSVersion? = nil) {
            (self.tls12, self.tls13, self.older) = (tls12, tls13, older)
        }
    }

    /// A request that was sent, and what came of it.
    package typealias Exchange = Result<Response, Failure>

    /// Why there is no answer of a service that has copies: Apple's CDN, or Google's. Its name may have no address
    /// that may be contacted, so that there is not even a connection that has failed.
    package enum CopyFailure: Error, Equatable, Sendable, CustomStringConvertible {
        case request(Failure)
        /// The name could not be resolved; the text is the name of the service.
        case notResolved(String, ResolutionFailure)
        /// Its addresses are not public; none was contacted.
        case notPublic([IPAddress])

        /// A short clause without received bytes.
        package var description: String {
            switch self {
            case .request(let failure): failure.description
            case .notResolved(let host, .noSuchName): "the name '\(host)' does not exist"
            case .notResolved(let host, .noAddress): "the name '\(host)' has no address"
            case .notResolved(let host, .timedOut): "the name '\(host)' was not resolved in time"
            case .notResolved(let host, .cancelled), .notResolved(let host, .failed):
                "the name '\(host)' could not be resolved"
            case .notPublic(let addresses):
                "not a public address: \(addresses.map(\.description).joined(separator: ", "))"
            }
        }
    }

    package var target: Target
    /// Seconds since 1970.
    package var checkedAt: Int64
    /// Nil for a target that is an address.
    package var names: Names?
    /// The addresses that may be contacted, in the order in which they are tried; at most 4 of each family.
    package var addresses: [IPAddress] = []
    /// The addresses that are not public.
    package var refused: [IPAddress] = []
    package var handshakes: [Handshake] = []
    package var versions = Versions()
    /// Connections to usable addresses that failed before a request was sent, or in a handshake that succeeded when it was
    /// tried once more. Each of the requests was sent once more, too.
    package var failedConnections: [Failure] = []
    /// The association file, as AASA-Bot gets it.
    package var wellKnown: Exchange?
    /// The same at the root path.
    package var root: Exchange?
    /// The association file, as a CFNetwork client and as a browser get it.
    package var device: Exchange?
    package var browser: Exchange?
    /// The association file of the other usable addresses.
    package var others: [(address: IPAddress, exchange: Exchange)] = []
    /// Apple's copy; nil if it was not asked for.
    package var appleCopy: Result<Response, CopyFailure>?
    /// Where it was asked for.
    package var appleCopyURL: String?
    package var assetLinks: Exchange?
    /// Google's view; nil if it was not asked for.
    package var googleView: Result<Response, CopyFailure>?
    /// Where it was asked for.
    package var googleURL: String?
    /// The steps that were not finished when the time was over.
    package var unfinished: [Step.ID] = []
    /// The time that the domain was given.
    package var timeLimit: Duration

    package init(_ target: Target, checkedAt: Int64, timeLimit: Duration) {
        (self.target, self.checkedAt, self.timeLimit) = (target, checkedAt, timeLimit)
    }
}
