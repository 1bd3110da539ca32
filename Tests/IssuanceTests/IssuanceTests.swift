import Foundation
import OpenSSL
import TestSupport
import Testing

/// `aasa serve` with `acme` and a real authority that rejects half of all nonces (acme.md, sections 4, 5 and 9).
@Suite("aasa serve with acme: issuance", .waitingForSeconds, .needs(.pebble))
struct IssuanceTests {
    @Test("a fresh machine gets a certificate by TLS-ALPN-01, and says so everywhere")
    func byTLS() throws {
        let setup = try IssuanceSetup()
        let name = try setup.addSite("www")
        let lost = try setup.addSite("lost", at: "127.77.255.254")
        let server = try setup.start()
        #expect(server.hasIssued(name), "\(server.log)")
        #expect(server.process.waitForLog("acme: \(lost): no certificate: "), "\(server.log)")
        #expect(server.reaches("valid", name) && server.reaches("backoff", lost), "\(server.log)")
        let leaf = try server.presented(name)
        let length = UInt8(name.utf8.count)
        #expect(leaf.extension("2.5.29.17") == [0x30, length + 2, 0x82, length] + Array(name.utf8))
        #expect(try server.connect(name).get(host: name).text == RunningServer.document)

        // One line each when it begins and when it ends, with cause and time.
        let lines = server.log.split(separator: "\n").filter { $0.contains(" acme: ") }
        #expect(lines.count { $0.contains(" info: acme: connecting to 'localhost:") } == 1, "\(lines)")
        #expect(lines.count { $0.contains(": ordering from 'localhost:") } == 2, "\(lines)")
        #expect(lines.count == 5, "\(lines)")
        let issued =
            #/ info: acme: \S+: issued by 'Pebble [^']+', valid until [-0-9]{10}, next renewal [-0-9]{10}$/#
        #expect(lines.contains { $0.contains(issued) }, "\(lines)")
        let failed = #/ warning: acme: \S+: no certificate: unauthorized: .+; next attempt in [0-9]+ s$/#
        #expect(lines.contains { $0.contains(failed) }, "\(lines)")

        let site = try server.site(name)
        #expect((site["certificate"] as? [String: Any])?["source"] as? String == "acme")
        let status = try server.status(name)
        #expect(
            Set(status.keys) == [
                "state", "directory", "nextRenewal", "nextAttempt", "lastAttempt", "failures", "lastError",
            ])
        #expect(status["state"] as? String == "valid" && status["failures"] as? Int == 0)
        #expect(status["directory"] as? String == setup.authority.pebble.directory)
        #expect(status["lastError"] is NSNull && status["nextAttempt"] is NSNull)
        let failure = try server.status(lost)
        #expect(failure["state"] as? String == "backoff" && failure["failures"] as? Int == 1)
        #expect(failure["nextAttempt"] is String && failure["nextRenewal"] is NSNull)
        #expect(try server.errorType(lost) == "unauthorized")

        let text = try server.ask("/metrics")
        let metrics = Set(text.split(separator: "\n").filter { $0.hasPrefix("aasa_acme_") }.map(String.init))
        let renewal = try ISO8601DateFormatter().date(from: #require(status["nextRenewal"] as? String))
        for line in [
            #"aasa_acme_orders_total{result="issued"} 1"#, #"aasa_acme_orders_total{result="renewed"} 0"#,
            #"aasa_acme_orders_total{result="failed"} 1"#, #"aasa_acme_errors_total{type="unauthorized"} 1"#,
            #"aasa_acme_domains{state="valid"} 1"#, #"aasa_acme_domains{state="backoff"} 1"#,
            #"aasa_acme_domains{state="ordering"} 0"#, "aasa_acme_holder 1",
            #"aasa_acme_next_renewal_seconds{name="\#(name)"} \#(Int(renewal?.timeIntervalSince1970 ?? 0))"#,
            // Pebble looks three times.
            #"aasa_acme_challenges_total{type="tls-alpn-01",result="answered"} 3"#,
            #"aasa_acme_challenges_total{type="http-01",result="answered"} 0"#,
        ] {
            #expect(metrics.contains(line), "\(line) in \(text)")
        }
        #expect(metrics.count { $0.hasPrefix("aasa_acme_next_renewal_seconds{") } == 1)
        #expect(try server.ask("/readyz") == "ready\ncertificates: 1 of 2\n")

        // Only this user can read what is secret.
        let account = "certs/acme-account/localhost_\(setup.authority.pebble.port)_dir"
        for file in ["\(account)/account.key", "\(account)/account.json", "\(account)/state.json"]
            + ["fullchain.pem", "privkey.pem", "acme.json"].map({ "certs/\(name)/..data/\($0)" })
        {
            #expect(try setup.permissions(file) == 0o600, "\(file)")
        }
        for path in ["certs/acme-account", account, "\(account)/orders", "certs/\(name)"] {
            #expect(try setup.permissions(path) == 0o700, "\(path)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: setup.path("\(account)/orders")).isEmpty)
    }

    @Test("by HTTP-01 without a listener for HTTPS, or because it is wanted", arguments: [true, false])
    func byHTTP(hasHTTPS: Bool) throws {
        let setup = try IssuanceSetup()
        let name = try setup.addSite("www")
        if hasHTTPS { setup.acme["challenges"] = ["http-01"] }
        let server = try setup.start(hasHTTPS ? .both : .http)
        #expect(server.hasIssued(name), "\(server.log)")
        #expect(try setup.text("certs/\(name)/fullchain.pem").hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        #expect(try server.metric(#"aasa_acme_challenges_total{type="http-01",result="answered"}"#) == "3")
        #expect(try server.metric(#"aasa_acme_challenges_total{type="tls-alpn-01",result="answered"}"#) == "0")
        if hasHTTPS { #expect(try server.presented(name).publicKey?.bits == 256) }
    }

    @Test("a pre-flight over loopback sees this server")
    func preflight() throws {
        let setup = try IssuanceSetup()
        setup.acme["preflight"] = true
        // It is the only name that leads somewhere without a name server; the authority finds it at 127.0.0.1.
        try setup.write(site: "localhost")
        let server = try setup.start(at: "127.0.0.1")
        #expect(server.hasIssued("localhost"), "\(server.log)")
        // Pebble looks three times, the server itself once.
        #expect(try server.metric(#"aasa_acme_challenges_total{type="tls-alpn-01",result="answered"}"#) == "4")
    }

    @Test("without room to write no order is made", .enabled(if: Patience.allowsFileLimits))
    func fullDisk() throws {
        let gate = try AuthorityGate(.shared)
        let setup = try IssuanceSetup(gate: gate)
        let first = try setup.addSite("first")
        let before = try setup.start()
        #expect(before.hasIssued(first), "\(before.log)")
        let leaf = try before.presented(first).der
        before.kill()
        let second = try setup.addSite("second")
        let server = try setup.start(launcher: ["sh", "-c", #"ulimit -f 0; exec "$@""#, "sh"])
        #expect(Waiting.until { (try? server.errorType(second)) == "storage" }, "\(server.log)")
        #expect(try server.presented(first).der == leaf)
        #expect(gate.orders == 1)
        #expect(server.process.isRunning)
    }
}
