import Foundation
import FuzzingSupport
import Glibc
import OpenSSL
import SystemSupport
import TestSupport
import Testing

/// Servers that are killed while they get certificates, with an authority that knows of each order (acme.md, principle 4
/// and section 3).
@Suite("aasa serve with acme: kills", .waitingForSeconds, .needs(.pebble))
struct IssuanceKillTests {
    /// A server with an authority of its own, in place of pebble.
    private struct World {
        let authority: StubAuthority
        let setup: IssuanceSetup
        let names: [String]

        init(_ count: Int) throws {
            let setup = try IssuanceSetup()
            let port = setup.authority.httpsPort
            authority = try StubAuthority(
                StubAuthority.Settings { [address = setup.address] in
                    ($0.address, $0.tlsPort, $0.rejectedNonces) = (address, port, 10)
                })
            setup.acme["directory"] = authority.directory
            setup.acme["caFile"] = authority.caFile
            setup.acme["challenges"] = ["tls-alpn-01"]
            self.setup = setup
            names = (0..<count).map { "n\($0).\(setup.domain)" }
            for name in names { try setup.write(site: name) }
        }

        var account: String { "certs/acme-account/localhost_\(authority.port)" }

        func start() throws -> IssuingServer { try setup.start(.https) }

        /// The URLs of the orders that go on after the next start: those whose URL and key are stored.
        func storedOrders() throws -> [String: String] {
            guard let data = FileManager.default.contents(atPath: setup.path("\(account)/state.json")) else {
                return [:]
            }
            let state = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            var orders: [String: String] = [:]
            for record in state["domains"] as? [[String: Any]] ?? [] {
                guard let domain = record["domain"] as? String, let url = record["order"] as? String,
                    FileManager.default.fileExists(atPath: setup.path("\(account)/orders/\(domain).key"))
                else { continue }
                orders[domain] = url
            }
            return orders
        }

        /// The leaves on disk. Whatever has the name of a domain has all of a certificate of that domain.
        func installed() throws -> [String: [UInt8]] {
            var leaves: [String: [UInt8]] = [:]
            for name in names where FileManager.default.fileExists(atPath: setup.path("certs/\(name)")) {
                let leaf = try TestPEM.leaf(setup.text("certs/\(name)/fullchain.pem"))
                #expect(authority.certificates.contains { $0.domain == name && $0.der == leaf }, "\(name)")
                #expect(try setup.text("certs/\(name)/privkey.pem").hasSuffix("-----END PRIVATE KEY-----\n"))
                #expect(try setup.text("certs/\(name)/acme.json").contains(#""domain":"\#(name)""#))
                leaves[name] = leaf
            }
            return leaves
        }

        /// Files and folders that only something unfinished has.
        func leftovers() throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: setup.path("certs")).filter { path in
                let name = path.split(separator: "/").last.map(String.init) ?? path
                let isCurrent = name == "..data" || name.hasPrefix("..2")
                return name.hasPrefix(".") && !isCurrent || name.hasSuffix(".new")
                    || path.hasPrefix(account.dropFirst("certs/".count) + "/orders/")
            }
        }
    }

    @Test(
        "a server that is killed in the middle of an order goes on with it, and makes one more if it knows of none",
        arguments: [
            ("/order-plz", .answer, 2), ("/authZ/", .answer, 1), ("/chalZ/", .request, 1),
            ("/finalize-order/", .request, 1), ("/finalize-order/", .answer, 1), ("/certZ/", .answer, 1),
        ] as [(String, AuthorityGate.Stop, Int)])
    func killed(path: String, stop: AuthorityGate.Stop, orders: Int) throws {
        let gate = try AuthorityGate(.shared)
        let setup = try IssuanceSetup(gate: gate)
        let name = try setup.addSite("www")
        gate.stop(path, at: stop)
        let first = try setup.start()
        #expect(gate.waitUntilStopped(), "\(first.log)")
        first.kill()
        let key = try setup.text("certs/acme-account/\(gate.folderName)/orders/\(name).key")
        gate.open()
        let second = try setup.start()
        #expect(second.hasIssued(name), "\(second.log)")
        if orders == 1 { #expect(try setup.text("certs/\(name)/privkey.pem") == key) }
        second.kill()
        let third = try setup.start()
        #expect(third.reaches("valid", name), "\(third.log)")
        #expect(gate.orders == orders)
    }

    @Test("killed at any moments, a server gets one certificate for each site in the end", arguments: [1, 2, 3, 4])
    func anyMoment(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let world = try World(10)
        let (authority, names) = (world.authority, world.names)
        var stored: [String: String] = [:]
        var kills = 0
        while try world.installed().count < names.count, kills < 40 {
            let made = authority.newOrders
            let certificates = try world.installed()
            let server = try world.start()
            for (name, leaf) in certificates {
                #expect(try server.presented(name).der == leaf, "seed \(seed), \(name)")
            }
            // Certificates are written in the milliseconds after they were downloaded.
            let isAboutFiles = random.number(below: 2) == 0
            let resource: StubAuthority.Resource? = isAboutFiles ? .certificate : nil
            func count() -> Int { resource.map { authority.requests($0).count } ?? authority.requests.count }
            let goal = count() + 1 + random.number(below: isAboutFiles ? 2 : 24)
            let pause = UInt32(random.number(below: 12_000))
            _ = try Waiting.until { try count() >= goal || world.installed().count == names.count }
            usleep(pause)
            server.kill()
            kills += 1
            #expect(!server.log.contains("error:"), "seed \(seed): \(server.log)")
            for (name, url) in stored where authority.newOrders[name] != made[name] {
                // Its validation had found nobody.
                #expect(authority.status(ofOrder: url) == "invalid", "seed \(seed), \(name): \(server.log)")
            }
            stored = try world.storedOrders()
        }
        #expect(kills > 3, "seed \(seed)")
        let last = try world.start()
        for name in names { #expect(last.reaches("valid", name), "seed \(seed): \(last.log)") }
        #expect(Waiting.until { (try? world.leftovers()) == [] }, "seed \(seed): \((try? world.leftovers()) ?? [])")
        for (name, leaf) in try world.installed() { #expect(try last.presented(name).der == leaf, "seed \(seed)") }
        #expect(authority.accounts.count == 1 && authority.violations.isEmpty, "\(authority.violations)")
    }
}
