import ACME
import AssociationServer
import Foundation
import PushSamples
import SystemSupport
import TLSSamples
import TestSupport
import Testing

/// The failures that a CA can cause to those who ask it, and how they are handled (acme.md, sections 5, 6 and 8).
@Suite("Failures of a CA", .waiting)
struct DriverFailureTests {
    private static let site = DriverWorld.site

    @Test("a CA whose certificate is not trusted has been reached, and the remedy is named")
    func untrusted() throws {
        try DriverWorld.run { world in
            let other = SampleSite.authority("Another root", key: .p256(299), issuer: nil)
            let path = try world.folder.write(try other.certificate.pem(), to: "other.pem")
            try world.reload(["caFile": path])
            world.clock.stop()
            world.clock.hurry(by: .seconds(10))
            world.start()
            let host = "localhost:\(world.authority.port)"
            let status = try world.wait { $0.state == .backoff }
            #expect(
                status.lastError?.message
                    == "the certificate of '\(host)' is not trusted; name its root with 'acme.caFile'")
            let beginning = "acme: connecting to '\(host)' to order a certificate for \(DriverWorld.site)"
            #expect(world.log.lines(with: beginning).count == 1, "\(world.log.lines)")
        }
    }

    @Test("while nobody answers all domains wait, and none has failed")
    func authorityDown() throws {
        let sites = ["a.example.com", "b.example.com"]
        try DriverWorld.run(sites) { world in
            try world.authority.goDown()
            world.clock.stop()
            world.clock.hurry(by: .seconds(10))
            world.start()
            var pauses: [Int64] = []
            for count in 1...3 {
                for site in sites {
                    let status = try world.wait(site) {
                        $0.state == .backoff && world.report.errors["unavailable"] == UInt64(count)
                    }
                    #expect(
                        status.lastError?.type.rawValue == "unavailable" && status.failures == 0
                            && !status.hasCertificate)
                    #expect(
                        status.lastError?.message.contains("localhost:\(world.authority.port)") == true, "\(status)")
                }
                let pause = try #require(world.status(sites[0])).pause()
                pauses.append(pause)
                if count == 3 { break }
                world.move(by: pause)
            }
            let expected: [ClosedRange<Int64>] = [4...5, 9...10, 19...20]
            #expect(zip(pauses, expected).allSatisfy { $1.contains($0) }, "\(pauses)")
            #expect(world.log.lines(with: "acme: unavailable: ").count == 3, "\(world.log.lines)")
            #expect(world.report.errors["unavailable"] == 3 && world.report.orders.failed == 0)

            world.clock.hurry(by: .milliseconds(460))
            try world.authority.goUp()
            world.clock.go()
            world.move(by: 20)
            for site in sites {
                let status = try world.wait(site, for: .valid)
                #expect(status.lastError == nil)
            }
        }
    }

    @Test("the back-off of a domain goes on after a restart and a reload; other settings end it")
    func backoff() throws {
        try DriverWorld.run { world in
            world.authority.script(.newOrder, .problem("serverInternal", "no luck"))
            world.start()
            let status = try world.wait(forFailure: "serverInternal").status
            world.restart()
            let after = try world.wait(for: .backoff)
            #expect(after == status)
            try world.reload()
            world.look()
            #expect(world.status() == status && world.authority.requests(.newOrder).count == 1)
            try world.reload(["contact": ["ops@example.com", "other@example.com"]])
            try world.wait(for: .valid)
            #expect(world.authority.accounts.values.map(\.count) == [2])
            #expect(world.authority.requests(.newAccount).count == 1 && world.authority.requests(.account).count == 1)
        }
    }

    @Test("what a CA writes does nothing to whoever reads it")
    func controlCharacters() throws {
        try DriverWorld.run { world in
            var problem = StubAuthority.Problem("malformed", "a\nfake: line\u{1B}]0;x\u{7}\u{202E}", status: 400)
            problem.subproblems = [("dns", "b\r\n\u{0}", "shop.example.com")]
            world.authority.script(.newOrder, .problem(problem))
            world.start()
            let message = try world.wait(forFailure: "malformed").message
            func isClean(_ text: String) -> Bool {
                text.unicodeScalars.allSatisfy { 0x20..<0x7F ~= $0.value }
            }
            #expect(isClean(message) && message.contains(#"a\x0A"#), "\(message)")
            #expect(world.log.lines.allSatisfy(isClean))
            #expect(world.log.lines(with: "fake: line").count == 1)
            world.stopDriver()
            let error = try #require(try world.record()["lastError"] as? [String: String])
            #expect(error["message"] == message)
        }
    }

    @Test("a chain that is not what was ordered is not installed, and the old one stays")
    func chains() throws {
        let settings = StubAuthority.Settings {
            $0.hasRenewalInfo = false
            $0.reusesAuthorizations = true
        }
        try DriverWorld.run(settings: settings) { world in
            world.start()
            try world.wait(for: .valid)
            let first = try world.presented()
            let installed = FolderContents("\(world.certs)/\(Self.site)")
            for (index, fault) in StubAuthority.ChainFault.allCases.enumerated() {
                world.authority.script(.certificate, .chain(fault))
                try world.requestRenewal()
                let status = try world.wait { _ in world.report.orders.failed == index + 1 }
                let type = try #require(status.lastError?.type.rawValue, "\(fault)")
                #expect(type == "bad-certificate" || type == "protocol", "\(fault): \(type)")
                #expect(status.hasCertificate && status.failures == 1, "\(fault): \(status)")
            }
            #expect(try world.presented() == first)
            #expect(FolderContents("\(world.certs)/\(Self.site)") == installed)
            #expect(FolderContents("\(world.accountFolder)/orders").entries.isEmpty)
            try world.requestRenewal()
            try world.wait(forCertificates: 2)
        }
    }

    @Test("an answer that breaks the rules is an error of all domains if it is the directory")
    func directories() throws {
        try DriverWorld.run { world in
            let other = try StubAuthority()
            let replies: [(StubAuthority.Reply, type: String, text: String)] = [
                (.large(), "protocol", "larger than 65,536 bytes"),
                (.nested(), "protocol", "not a JSON object"),
                (.redirect(to: other.directory), "protocol", "status 302"),
                (.redirect(to: other.directory, 308), "protocol", "status 308"),
                (
                    .changed { $0.changeObject { $0["newOrder"] = "http://localhost/new-order" } }, "protocol",
                    "newOrder"
                ),
                (.changed { $0.changeObject { $0["newNonce"] = nil } }, "protocol", "newNonce"),
                (.status(200, [], "<html>"), "protocol", "not a JSON object"),
                (.status(200, [], "{}"), "protocol", "newNonce"),
                (.close, "unavailable", "localhost"),
                (.reset, "unavailable", "localhost"),
            ]
            world.clock.hurry(by: .seconds(10))
            let current = Locked(replies[0].0)
            world.authority.script { $0.resource == .directory ? current.withLock { $0 } : nil }
            world.start()
            // On a busy machine an answer can come more than once before the next one is set.
            func count() -> UInt64 { world.report.errors.values.reduce(0, +) }
            var before: UInt64 = 0
            for (index, reply) in replies.enumerated() {
                let status = try world.wait { status in
                    status.state == .backoff && count() > before && status.lastError?.type.rawValue == reply.type
                        && status.lastError?.message.contains(reply.text) == true
                }
                #expect(status.failures == 0, "\(index): \(status)")
                before = count()
                if index + 1 < replies.count { current.withLock { $0 = replies[index + 1].0 } }
                world.move(by: 3_600)
            }
            #expect(other.connections == 0)
            world.clock.hurry(by: .milliseconds(460))
            world.authority.removeScript()
            world.move(by: 3_600)
            try world.wait(for: .valid)
        }
    }
}
