internal import PushSamples
internal import SystemSupport
internal import TLSSamples

/// A certificate authority for ACME (RFC 8555, RFC 8737, RFC 9773) that is strict with its clients, validates by really
/// connecting, and misbehaves as a test wants it.
///
/// It listens on 127.0.0.1 with a certificate for `localhost` of a root of its own. It ends when the last one forgets it.
package final class StubAuthority: Sendable {
    package let port: Int
    /// A file with the root of its own HTTPS certificate.
    package let caFile: String
    /// The same as text.
    package let caPEM: String
    private let folder: TemporaryFolder
    private let chain: String
    private let key: SampleKey
    private let service: StubAuthorityService
    private let origin = Locked<StubOrigin?>(nil)
    /// The connections of listeners that have ended.
    private let earlierConnections = Locked(0)

    /// Each authority has ten keys.
    private static let next = Locked(700_000)

    package init(_ settings: Settings = Settings()) throws {
        let number = Self.next.withLock { next in
            next += 10
            return next
        }
        // For tests that move the clock.
        let root = SampleSite.authority("Stub HTTPS Root", key: .p256(number + 5), issuer: nil)
        key = .p256(number + 6)
        let leaf = SampleSite.leaf(
            ["localhost"], addresses: [[127, 0, 0, 1]], issuer: root, notBefore: -300, notAfter: 2_000, key: key)
        chain = try leaf.pem()
        caPEM = try root.certificate.pem()
        folder = try TemporaryFolder()
        caFile = try folder.write(caPEM, to: "root.pem")
        let issuer = StubAuthorityIssuer(number: number)

        // Another process may have the port by now.
        var listening: (StubOrigin, StubAuthorityService)?
        for attempt in 1...20 where listening == nil {
            let service = StubAuthorityService(port: try FreePort.reserve(), issuer: issuer, settings: settings)
            do {
                listening = (try Self.listen(service, chain, key), service)
            } catch  where attempt < 20 {
                continue
            }
        }
        guard let (origin, service) = listening else { throw TestFailure("no port is free") }
        (port, self.service) = (service.port, service)
        self.origin.withLock { $0 = origin }
    }

    deinit { stop() }

    private static func listen(
        _ service: StubAuthorityService, _ chain: String, _ key: SampleKey
    ) throws -> StubOrigin {
        try StubOrigin(SampleSite.identity(pem: chain, key: key), port: service.port) { service.serve($0) }
    }

    /// The URL of the directory.
    package var directory: String { "\(service.base)/directory" }
}

// What a test does to it.
extension StubAuthority {
    /// Changes the settings; orders that have begun go on under the new ones.
    package func configure(_ change: (inout Settings) -> Void) { service.settings.withLock { change(&$0) } }

    package var settings: Settings { service.settings.withLock { $0 } }

    /// Has the next requests for a resource answered so, in this order; later ones come behind those that are there.
    package func script(_ resource: Resource, _ replies: Reply...) {
        service.script.withLock { $0.queues[resource, default: []] += replies }
    }

    /// Has requests answered so from now on, unless `script` has something for them.
    ///
    /// - Parameter choose: nil leaves it to earlier rules.
    package func script(_ choose: @escaping @Sendable (Request) -> Reply?) {
        service.script.withLock { $0.rules.append(choose) }
    }

    /// Answers as an authority does.
    package func removeScript() { service.script.withLock { $0 = StubAuthorityScript() } }

    /// Sets the texts of a name in place of a name server.
    package func setRecord(_ name: String, _ texts: [String]) { configure { $0.records[name] = texts } }

    /// Forgets accounts, orders, certificates and nonces, as an authority whose database is new.
    package func forget() { service.database.withLock { $0.forget() } }

    /// Forgets orders, authorizations and certificates.
    package func forgetOrders() { service.database.withLock { $0.forgetOrders() } }

    package func deactivateAccounts() {
        service.database.withLock { database in
            for url in database.accounts.keys { database.accounts[url]?.status = "deactivated" }
        }
    }

    /// Ends all connections and refuses new ones, until ``goUp()``.
    package func goDown() throws {
        stop()
        let port = port
        guard Waiting.until({ (try? RawSocket(port: port)) == nil }) else {
            throw TestFailure("port \(port) still accepts connections")
        }
    }

    /// Listens again, at the same port.
    package func goUp() throws {
        service.open()
        var failure: (any Error)?
        let isListening = Waiting.until {
            do {
                let origin = try Self.listen(service, chain, key)
                self.origin.withLock { $0 = origin }
                return true
            } catch {
                failure = error
                return false
            }
        }
        if !isListening, let failure { throw failure }
    }

    /// Ends all connections and accepts no more.
    package func stop() {
        let origin = origin.withLock { origin in
            defer { origin = nil }
            return origin
        }
        earlierConnections.withLock { $0 += origin?.connections ?? 0 }
        service.closeAll()
    }
}

// What a test wants to know.
extension StubAuthority {
    /// The rules that clients have broken; should be empty.
    package var violations: [String] { service.log.withLock { $0.violations } }

    /// All requests so far, in the order in which they came.
    package var requests: [Request] { service.log.withLock { $0.requests } }

    package func requests(_ resource: Resource) -> [Request] { requests.filter { $0.resource == resource } }

    /// The number of times that each name was ordered.
    package var newOrders: [String: Int] {
        requests(.newOrder).reduce(into: [:]) { counts, request in
            guard request.status == 201, let domain = request.domain else { return }
            counts[domain, default: 0] += 1
        }
    }

    /// The status of an order, as the authority would say it; nil if there is none.
    package func status(ofOrder url: String) -> String? {
        guard let target = StubAuthorityTarget(path: String(url.dropFirst(service.base.count))),
            target.resource == .order
        else { return nil }
        return service.database.withLock { $0.orders[target.number]?.status }
    }

    /// TCP connections, with or without a handshake.
    package var connections: Int {
        origin.withLock { $0?.connections ?? 0 } + earlierConnections.withLock { $0 }
    }

    /// All that were issued, also those that were forgotten.
    package var certificates: [Certificate] { service.log.withLock { $0.certificates } }

    /// All validations that have begun.
    package var attempts: [Attempt] { service.log.withLock { $0.attempts } }

    /// The URLs of the accounts, with their contact.
    package var accounts: [String: [String]] { service.database.withLock { $0.accounts.mapValues(\.contact) } }

    /// - Returns: whether there were as many requests for a resource within twenty seconds.
    package func waitForRequests(_ resource: Resource, count: Int = 1) -> Bool {
        Waiting.until { requests(resource).count >= count }
    }
}
