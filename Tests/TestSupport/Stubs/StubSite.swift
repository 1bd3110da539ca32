package import OpenSSL
internal import PushSamples
internal import SystemSupport
internal import TLSSamples

/// The certificate that a stub site presents in a handshake, by the samples' authority.
package enum StubCertificate: Sendable, Hashable {
    case good
    case daysLeft(Int)
    case expired, notYetValid
    /// For `other.example.net`.
    case otherName
    case withoutIntermediate
    case selfSigned
    /// A certificate of an authority that nobody trusts.
    case otherAuthority

    package func identity(_ names: [String]) throws -> ServerCertificate {
        switch self {
        case .good: try SampleSite.identity(SampleSite.leaf(names))
        case .daysLeft(let days):
            // Of those that are valid for 90 days.
            try SampleSite.identity(SampleSite.leaf(names, notBefore: min(Int64(days) - 90, -1), notAfter: Int64(days)))
        case .expired: try SampleSite.identity(SampleSite.leaf(names, notBefore: -60, notAfter: -3))
        case .notYetValid: try SampleSite.identity(SampleSite.leaf(names, notBefore: 3))
        case .otherName: try SampleSite.identity(SampleSite.leaf(["other.example.net"]))
        case .withoutIntermediate: try SampleSite.identity(SampleSite.leaf(names), chain: [])
        case .selfSigned: try SampleSite.identity(SampleSite.leaf(names, issuer: nil), chain: [])
        case .otherAuthority:
            try SampleSite.identity(
                SampleSite.leaf(names, issuer: SampleSite.otherRoot), chain: [SampleSite.otherRoot])
        }
    }
}

/// The treatment of a connection by one address of a stub site before there is a request.
package enum StubFront: Sendable {
    case tls(StubCertificate)
    /// TLS 1.3 only.
    case tls13
    /// No TLS, and requests are answered; for the services.
    case clear
    /// Answers a handshake in plain HTTP, as a server whose port is not one for TLS.
    case httpOnTLSPort
    case garbage
    /// Resets the connection in the middle of the handshake.
    case reset
    /// Says nothing.
    case silence
    /// No server listens there.
    case refused
}

/// A host with one or more addresses of this machine, at one port of its own, that answers as a test says; unless it
/// says so, with 404.
package final class StubSite: Sendable {
    /// The first of its names.
    package let host: String
    package let port: Int
    package let addresses: [String]
    private let origins: [StubOrigin]
    /// Keeps the port from others where no server listens.
    private let reservation: BoundSocket?
    private let book: Book

    private struct Rule: Sendable {
        let path: String?
        let agent: String?
        let address: String?
        let answer: StubAnswer

        func applies(to request: StubRequest) -> Bool {
            (path.map { $0 == request.decodedTarget } ?? true) && (agent.map(request.userAgent.contains) ?? true)
                && (address.map { $0 == request.address } ?? true)
        }
    }

    /// The record that its servers share.
    private final class Book: Sendable {
        let rules = Locked<[Rule]>([])
        let requests = Locked<[StubRequest]>([])

        func serve(_ connection: StubConnection, _ address: String) {
            guard let text = connection.request(), let request = StubRequest(text, address: address) else { return }
            requests.withLock { $0.append(request) }
            let rule = rules.withLock { $0.last { $0.applies(to: request) } }
            (rule?.answer ?? .status(404, ["Content-Type: text/html"], "<p>not found\n")).send(connection)
        }
    }

    /// - Parameters:
    ///   - hosts: for which its certificate is; `*.example.com` among them covers many.
    ///   - fronts: by address, such as `127.0.0.1`, `127.0.0.2` or `::1`; the first one decides about the port.
    package init(_ hosts: [String], _ fronts: [(address: String, front: StubFront)]) throws {
        let book = Book()
        var (port, reservation): (Int, BoundSocket?) = (0, nil)
        var origins: [StubOrigin] = []
        // The port that the first address has got may be another's at the next one.
        for attempt in 1... {
            do {
                (port, reservation, origins) = (0, nil, [])
                for (address, front) in fronts {
                    if let origin = try Self.origin(hosts, address, port, front, book) {
                        origins.append(origin)
                        port = origin.port
                    } else if port == 0 {
                        let bound = try BoundSocket(ipv6: address.contains(":"), isListening: false)
                        (port, reservation) = (bound.port, bound)
                    }
                }
                break
            } catch  where attempt < 20 {
                continue
            }
        }
        host = hosts.first ?? ""
        addresses = fronts.map(\.address)
        (self.book, self.port, self.reservation, self.origins) = (book, port, reservation, origins)
    }

    private static func origin(
        _ hosts: [String], _ address: String, _ port: Int, _ front: StubFront, _ book: Book
    ) throws -> StubOrigin? {
        let serve: @Sendable (StubConnection) -> Void = { book.serve($0, address) }
        switch front {
        case .tls(let certificate):
            return try StubOrigin(certificate.identity(hosts), address: address, port: port, serve)
        case .tls13:
            return try StubOrigin(
                StubCertificate.good.identity(hosts), address: address, port: port, minimumVersion: .tls13, serve)
        case .clear: return try StubOrigin(address: address, port: port, serve)
        case .httpOnTLSPort:
            return try StubOrigin(address: address, port: port) { connection in
                _ = connection.receiveRaw()
                connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
                connection.waitForEnd()
            }
        case .garbage:
            return try StubOrigin(address: address, port: port) { connection in
                _ = connection.receiveRaw()
                connection.send("220 mail.example.com ESMTP\r\n")
                connection.waitForEnd()
            }
        case .reset:
            return try StubOrigin(address: address, port: port) { connection in
                _ = connection.receiveRaw()
                connection.resetAtEnd()
            }
        case .silence: return try StubOrigin(address: address, port: port) { while $0.receiveRaw() != nil {} }
        case .refused: return nil
        }
    }

    /// Sets what is answered from now on; the latest word that applies to a request counts.
    ///
    /// - Parameters:
    ///   - path: with the query, and without percent-encoding; nil for all.
    ///   - agent: a part of `User-Agent`; nil for all.
    ///   - address: of the server; nil for all.
    package func answer(
        _ path: String? = nil, agent: String? = nil, address: String? = nil, with answer: StubAnswer
    ) {
        book.rules.withLock { $0.append(Rule(path: path, agent: agent, address: address, answer: answer)) }
    }

    /// All requests so far.
    package var requests: [StubRequest] { book.requests.withLock { $0 } }

    /// The number of connections so far, with or without a request.
    package var connections: Int { origins.reduce(0) { $0 + $1.connections } }

    /// `HOST:PORT`, as a target has it.
    package var authority: String { authority(host) }

    /// The same for another one of its names.
    package func authority(_ host: String) -> String { "\(host):\(port)" }

    /// The value of `--resolve`: its addresses.
    package var override: String { override(host) }

    package func override(_ host: String) -> String {
        "\(host):\(port):" + addresses.map { $0.contains(":") ? "[\($0)]" : $0 }.joined(separator: ",")
    }
}
