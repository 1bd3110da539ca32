import ACME
import AssociationServer
import AutomaticCertificates
import Foundation
import HTTPClient
import PushSamples
import SystemSupport
import TLSSamples
import TestSupport
import Testing

/// The machine that it all happens on: its disk, its clock, its names, and the way to the CA.
@Suite("Issuance and its surroundings", .waiting)
struct DriverSurroundingsTests {
    private static let site = DriverWorld.site

    // MARK: The disk

    @Test("a certificate in memory is written as soon as that is possible")
    func repetition() throws {
        try DriverWorld.run { world in
            let names = [Self.site, "\(Self.site)-acme"]
            for name in names { try world.folder.write("x", to: "certs/\(name)") }
            // From here on pauses of an hour take no time.
            world.authority.script { [clock = world.clock] request in
                if request.resource == .certificate { clock.hurry(by: .seconds(3_600)) }
                return nil
            }
            world.start()
            try world.wait { $0.lastError?.type.rawValue == "storage" }
            for name in names { try FileManager.default.removeItem(atPath: "\(world.certs)/\(name)") }
            let status = try world.wait(for: .valid)
            world.clock.hurry(by: .milliseconds(460))
            #expect(world.authority.newOrders == [Self.site: 1] && world.authority.requests(.certificate).count == 1)
            #expect(try world.presented() == world.authority.certificates.first?.der)
            #expect(status.lastError == nil && world.log.lines(with: "error acme: \(Self.site): storage: ").count > 0)
        }
    }

    @Test("no order is made whose key cannot be stored")
    func unwritable() throws {
        try DriverWorld.run { world in
            let path = "\(world.accountFolder)/orders"
            try FileManager.default.createDirectory(atPath: world.accountFolder, withIntermediateDirectories: true)
            try Data().write(to: URL(fileURLWithPath: path))
            world.start()
            let failure = try world.wait(forFailure: "storage")
            #expect(failure.status.state == .backoff && world.authority.requests(.newOrder).isEmpty)
            try FileManager.default.removeItem(atPath: path)
            world.move(by: 73)
            try world.wait(for: .valid)
        }
    }

    // MARK: The clock

    @Test("a clock that is ten minutes off is mentioned once", arguments: [600, -600, 240])
    func clockOfAuthority(offset: Int64) throws {
        try DriverWorld.run(settings: StubAuthority.Settings { $0.dateOffset = offset }) { world in
            world.start()
            try world.wait(for: .valid)
            let lines = world.log.lines(with: "acme-clock")
            #expect(lines.count == (abs(offset) > 300 ? 1 : 0), "\(lines)")
            #expect(lines.allSatisfy { $0.contains(offset > 0 ? "s behind the CA's" : "s ahead of the CA's") })
        }
    }

    // MARK: Names

    @Test("a name that leads here passes the pre-flight", arguments: ["tls-alpn-01", "http-01"])
    func preflight(challenge: String) throws {
        try DriverWorld.run(acme: ["preflight": true, "challenges": [challenge]]) { world in
            world.start()
            try world.wait(for: .valid)
            try world.requestRenewal()
            try world.wait(forCertificates: 2)
        }
    }

    // MARK: The way to the CA

    @Test("the proxy of the environment is taken, and named when it fails")
    func proxy() throws {
        let identity = try SampleSite.identity(SampleSite.leaf(["ca.example.net"]))
        let root = try SampleSite.root.certificate.pem()
        let proxy = try StubOrigin { connection in
            guard connection.request()?.hasPrefix("CONNECT ca.example.net:443 HTTP/1.1\r\n") == true else { return }
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            guard connection.startTLS(identity), connection.request() != nil else { return }
            connection.send("HTTP/1.1 503 Stub\r\nRetry-After: 400\r\nContent-Length: 0\r\n\r\n")
        }
        try DriverWorld.run { world in
            let roots = try world.folder.write(root, to: "roots.pem")
            try world.reload(["directory": "https://ca.example.net/directory", "caFile": roots])
            world.proxies = ProxyEnvironment(["https_proxy": "http://127.0.0.1:\(proxy.port)"])
            world.start()
            let status = try world.wait { $0.lastError?.type.rawValue == "unavailable" }
            #expect(status.lastError?.message.contains("status 503") == true, "\(status)")
            #expect(try status.pause() > 390)
            #expect(proxy.requests.count == 2)

            world.stopDriver()
            let port = try FreePort.reserve()
            world.proxies = ProxyEnvironment(["https_proxy": "http://user:secret@127.0.0.1:\(port)"])
            world.clock.hurry(by: .seconds(10))
            world.clock.move(by: 500)
            world.start()
            let other = try world.wait { $0.lastError?.message.contains("proxy") == true }
            let message = try #require(other.lastError?.message)
            #expect(
                message.contains("'ca.example.net' cannot be reached through the proxy 'http://127.0.0.1:\(port)'"),
                "\(message)")
            #expect(!message.contains("secret"))
        }
    }
}
