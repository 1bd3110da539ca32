import ACME
import AutomaticCertificates
import Foundation
import PushSamples
import SystemSupport
import TLSSamples
import TestSupport
import Testing

/// `aasa certificates` from outside (acme.md, section 9).
@Suite("aasa certificates", .waiting)
struct CertificatesTests {
    @Test("a table of the certificates by name, and below it what is to be said about sites")
    func table() throws {
        let site = try CertificateSite(
            acme: #""agreeToTerms": true, "exclude": ["out.example.com"]"#,
            sites: [
                "shop.example.com", "www.example.com", "old.example.com", "fail.example.com", "name.test",
                "out.example.com",
            ])
        try site.install("shop.example.com")
        try site.add(
            "own", ["www.example.com", "cdn.example.com", "www.example.net"], notBefore: -80, notAfter: 12)
        try site.add("old", ["old.example.com"], notBefore: -90, notAfter: -3)
        try site.add("later", ["later.example.com"], notBefore: 2)
        try site.remember(CertificateSite.failure("fail.example.com", message: "203.0.113.9: 404"))
        let outcome = try site.run()
        #expect(outcome.status == 1 && outcome.errors.isEmpty, "\(outcome.errors)")
        let next = InternetDate.string(CertificateSite.now - 60 + 3_600)
        #expect(
            outcome.text == """
                  NAMES               ISSUER               DAYS  SOURCE  RENEWAL  PROBLEM
                  later.example.com   Sample Intermediate    59  folder  -        not used
                x old.example.com     Sample Intermediate    -4  folder  -        expired on \(CertificateSite.date(days: -3))
                  shop.example.com    Sample Intermediate    59  acme    -
                ! www.example.com +2  Sample Intermediate    11  folder  -        expires in 11 days \
                (\(CertificateSite.date(days: 12)))

                x fail.example.com: no certificate (backoff): unauthorized: 203.0.113.9: 404; next attempt at \(next)
                x name.test: no certificate (blocked): acme-name: 'name.test' is not a name in the public DNS, and this \
                CA issues for no other
                x out.example.com: no certificate (excluded): put one into the folder of certificates, or remove the \
                site from 'acme.exclude'
                help: old.example.com: renew it now, and find out why it was not renewed automatically
                help: www.example.com: renew it; if nobody does, the server orders one of its own before it expires
                4 certificates, 6 sites: 1 expired, 3 sites without a certificate, 1 certificate expires soon

                """)
    }

    @Test("when a certificate is renewed, and why it was not")
    func renewal() throws {
        let site = try CertificateSite(sites: ["shop.example.com", "late.example.com"])
        try site.install("shop.example.com")
        try site.install("late.example.com", key: 302, notBefore: -80, notAfter: 10)
        let certificates = try site.run("--format", "json").object()["certificates"] as? [[String: Any]]
        let fingerprints = try #require(certificates).compactMap { $0["sha256"] as? String }
        func record(_ name: String, _ fingerprint: String, _ days: Int64, _ more: String = "") -> String {
            let time = InternetDate.string(CertificateSite.now + days * 86_400)
            return """
                {"domain":"\(name)","failures":1\(more),"renewal":{"certificate":"\(fingerprint)","time":"\(time)",\
                "nextQuestion":"\(time)"}}
                """
        }
        let end = InternetDate.string(CertificateSite.now + 1_800)
        let failure = #"{"at":"2026-01-01T00:00:00Z","type":"caa","message":"CAA forbids it"}"#
        try site.remember(
            [
                record(
                    "late.example.com", fingerprints[0], -20,
                    #","notBefore":"\#(end)","pause":3600,"lastError":\#(failure)"#),
                record("shop.example.com", fingerprints[1], 20),
            ].joined(separator: ","))
        let outcome = try site.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.text == """
                  NAMES             ISSUER               DAYS  SOURCE  RENEWAL     PROBLEM
                ! late.example.com  Sample Intermediate     9  acme    now         was not renewed: caa
                  shop.example.com  Sample Intermediate    59  acme    \(CertificateSite.date(days: 20))

                ! late.example.com: not renewed (backoff): caa: CAA forbids it; next attempt at \(end)
                2 certificates, 2 sites: 1 not renewed

                """)
        let object = try site.run("--format", "json").object()
        let domains = try #require(object["domains"] as? [[String: Any]])
        #expect(domains.map { $0["state"] as? String } == ["backoff", "valid"])
        #expect(domains[0]["nextAttempt"] as? String == end && domains[1]["nextAttempt"] is NSNull)
        #expect(domains[1]["nextRenewal"] as? String == InternetDate.string(CertificateSite.now + 20 * 86_400))
    }

    @Test("the members of the JSON")
    func json() throws {
        let site = try CertificateSite(sites: ["shop.example.com", "fail.example.com", "_wildcard.example.org"])
        try site.install("shop.example.com")
        try site.remember(CertificateSite.failure("fail.example.com", message: "because"))
        let outcome = try site.run("--format", "json")
        #expect(outcome.status == 1 && outcome.errors.isEmpty)
        let object = try outcome.object()
        #expect(Set(object.keys) == ["version", "certificates", "domains"] && object["version"] as? Int == 1)
        let certificate = try #require((object["certificates"] as? [[String: Any]])?.first)
        let path = "\(site.issuance.path)/shop.example.com/fullchain.pem"
        let facts = try Shell.run(
            ["openssl", "x509", "-in", path, "-noout", "-serial", "-fingerprint", "-sha256"]
        ).text.split(separator: "\n").compactMap { $0.split(separator: "=").last.map(String.init) }
        #expect(certificate["names"] as? [String] == ["shop.example.com"])
        #expect(certificate["issuer"] as? String == "Sample Intermediate")
        #expect(certificate["serial"] as? String == facts[0])
        #expect((certificate["sha256"] as? String)?.uppercased() == facts[1].replacingOccurrences(of: ":", with: ""))
        #expect(certificate["keyType"] as? String == "ECDSA" && certificate["source"] as? String == "acme")
        #expect(certificate["notAfter"] as? String == InternetDate.string(CertificateSite.now + 60 * 86_400))
        #expect(certificate["daysLeft"] as? Int == 59 && certificate["folder"] as? String == "certs/shop.example.com")
        #expect(certificate["nextRenewal"] is NSNull && certificate.count == 12)
        #expect(certificate["notBefore"] as? String == InternetDate.string(CertificateSite.now - 30 * 86_400))
        let domains = try #require(object["domains"] as? [[String: Any]])
        #expect(
            domains.map { $0["domain"] as? String } == ["*.example.org", "fail.example.com", "shop.example.com"])
        #expect(domains.map { $0["state"] as? String } == ["waiting", "backoff", "valid"])
        #expect(domains[0]["certificate"] is NSNull)
        #expect(domains[2]["certificate"] as? String == "certs/shop.example.com")
        let failed = domains[1]
        #expect(failed["failures"] as? Int == 3 && failed.count == 9)
        #expect(failed["nextAttempt"] as? String == InternetDate.string(CertificateSite.now - 60 + 3_600))
        #expect(failed["lastAttempt"] as? String == InternetDate.string(CertificateSite.now - 65))
        let error = failed["lastError"] as? [String: String]
        #expect(
            error == [
                "at": InternetDate.string(CertificateSite.now - 60), "type": "unauthorized", "message": "because",
            ])
    }

    @Test("without acme a site is covered or not; with a certificate for each all is well")
    func withoutACME() throws {
        let site = try CertificateSite(acme: nil, sites: ["www.example.com", "b.example.com"])
        try site.add("own", ["*.example.com"])
        let sound = try site.run()
        #expect(sound.status == 0 && sound.text.hasSuffix("1 certificate, 2 sites: all is well\n"), "\(sound.text)")
        try site.tool.write(BuiltTool.sound, to: "sites/other.example/apple-app-site-association")
        let outcome = try site.run()
        #expect(outcome.status == 1)
        #expect(
            outcome.text.contains(
                "x other.example: no certificate: put one into the folder of certificates, or add 'acme' to server.json\n"
            ))
        let domains = try site.run("--format", "json").object()["domains"] as? [[String: Any]]
        #expect(try #require(domains).map { $0["state"] as? String } == ["covered", nil, "covered"])
    }

    @Test("nothing is written, and nothing is needed but the folders")
    func readOnly() throws {
        let site = try CertificateSite(sites: ["shop.example.com", "b.example.com"])
        // Both are still to come, when the server runs.
        #expect(try site.run().status == 0)
        #expect(try site.run("--strict").status == 1)
        try site.install()
        try site.remember(CertificateSite.failure("b.example.com"))
        let before = try site.listing()
        #expect(try site.run("--format", "json").status == 1)
        _ = try site.run()
        let after = try site.listing().split(separator: "\n").filter { !$0.hasPrefix(". ") }
        #expect(after == before.split(separator: "\n").filter { !$0.hasPrefix(". ") })
    }

    @Test("an order in progress shows while a process holds the lock, and waits without")
    func ordering() throws {
        let site = try CertificateSite()
        try site.remember(#"{"domain":"shop.example.com","state":"ordering","failures":0}"#)
        let lock = try site.issuance.lock()
        #expect(lock != nil)
        let running = try site.run()
        #expect(running.text.contains("! shop.example.com: no certificate (ordering): it is being ordered\n"))
        try site.remember("")
        #expect(try site.run().text.contains("(waiting): it is ordered soon\n"))
        withExtendedLifetime(lock) {}
    }

    @Test("a failure that concerns all domains is the error of each that waits")
    func authority() throws {
        let site = try CertificateSite()
        let end = InternetDate.string(CertificateSite.now + 600)
        try site.remember(
            "",
            authority: """
                {"failures":2,"notBefore":"\(end)","pause":3600,"lastError":{"at":"2026-01-01T00:00:00Z",\
                "type":"unavailable","message":"the CA cannot be reached"}}
                """)
        let text = try site.run().text
        #expect(
            text.contains(
                "shop.example.com: no certificate (backoff): unavailable: the CA cannot be reached; next attempt at \(end)"
            ), "\(text)")
    }

    @Test("what certificates and files say does not reach the terminal as it is")
    func hostile() throws {
        let site = try CertificateSite()
        let authority = SampleSite.authority("E\u{1B}[31mvil\u{202E}", key: .p256(205), issuer: nil)
        try site.add("evil", ["shop.example.com"], issuer: authority)
        let outcome = try site.run("--color", "never")
        #expect(!outcome.text.contains("\u{1B}") && !outcome.text.contains("\u{202E}"))
        #expect(outcome.text.contains(#"E\x1b[31mvil\u{202e}"#), "\(outcome.text)")
        try FileManager.default.removeItem(atPath: "\(site.issuance.path)/evil")
        try site.remember(CertificateSite.failure("shop.example.com", message: #"a\u001b[2Jb"#))
        #expect(try site.run().text.contains(#"unauthorized: a\x1b[2Jb"#))
    }

    @Test("a state that cannot be read is said, and left out; so is a certificate")
    func damaged() throws {
        let site = try CertificateSite()
        try site.tool.write("{", to: "certs/acme-account/acme-v02.api.letsencrypt.org/state.json")
        try site.tool.write("x", to: "certs/broken/fullchain.pem")
        let outcome = try site.run()
        #expect(outcome.status == 1 && outcome.text.contains("shop.example.com: no certificate (waiting)"))
        #expect(outcome.errors.contains("acme-v02.api.letsencrypt.org/state.json': "), "\(outcome.errors)")
        #expect(outcome.errors.contains("certs/broken/privkey.pem: error: the private key cannot be read"))
    }

    @Test(
        "what is wrong has its exit code",
        arguments: [
            (["--renew", "a.example", "--record", "a.example"], 64), (["--wait", "3"], 64),
            (["--renew", "shop.example.com", "--wait", "-1"], 64), (["--format", "xml"], 64),
            (["--sites", "nothing"], 66), (["--config", "nothing.json"], 66), (["--config", "bad.json"], 65),
            (["--certs", "sites/shop.example.com/apple-app-site-association"], 66),
        ] as [([String], Int32)])
    func exits(arguments: [String], status: Int32) throws {
        let site = try CertificateSite()
        try site.tool.write(#"{"acme": {}}"#, to: "bad.json")
        let outcome = try Shell.run(
            [site.tool.executable, "certificates"]
                + (arguments.contains("--config") ? [] : ["--config", "server.json"]) + arguments,
            in: site.tool.folder.url)
        #expect(outcome.status == status && !outcome.errors.isEmpty, "\(outcome.status) \(outcome.errors)")
    }

    @Test("on a terminal the issuer is cut before the problem", .waiting)
    func cutIssuer() throws {
        let site = try CertificateSite(sites: ["a.example.com"])
        let authority = SampleSite.authority(
            "Example Internal Issuing Authority of the Department", key: .p256(206), issuer: nil)
        try site.add("own", ["a.example.com"], notAfter: 3, issuer: authority)
        let terminal = try PseudoTerminal()
        try terminal.run(
            "stty cols 80; cd '\(site.tool.folder.path)'; '\(site.tool.executable)' certificates --config server.json "
                + "--color never", environment: ["LC_ALL": "C.UTF-8", "TERM": "xterm"])
        let problem = "expires in 2 days (\(CertificateSite.date(days: 3)))"
        #expect(terminal.exitStatus() == 0 && terminal.text.contains(problem), "\(terminal.text)")
        #expect(terminal.text.contains("Exampl"), "\(terminal.text)")
    }

    @Test("a terminal of 80 columns is not overrun", .waiting)
    func terminal() throws {
        let site = try CertificateSite(sites: ["shop.example.com", "fail.example.com"])
        let authority = SampleSite.authority(
            "Example Internal Issuing Authority, Second Generation, of the Department", key: .p256(206), issuer: nil)
        try site.add("long", ["a-rather-long-name-of-a-host.shop.department.example.com"], issuer: authority)
        try site.add("own", ["shop.example.com"], notAfter: 3)
        try site.remember(
            CertificateSite.failure(
                "fail.example.com", message: String(repeating: "203.0.113.9 says nothing of use; ", count: 6)))
        let terminal = try PseudoTerminal()
        try terminal.run(
            "stty cols 80; cd '\(site.tool.folder.path)'; '\(site.tool.executable)' certificates --config server.json",
            environment: ["LC_ALL": "C.UTF-8", "TERM": "xterm"])
        #expect(terminal.exitStatus() == 1)
        let text = terminal.text
        let plain = text.replacing(#/\x1b\[[0-9;]*m/#, with: "")
        let lines = plain.split(separator: "\r\n").map(String.init)
        #expect(lines.count > 6)
        for line in lines { #expect(line.count <= 80, "\(line.count): \(line)") }
        #expect(plain.contains("  NAMES") && plain.contains("…") && plain.contains("expires in"), "\(plain)")
        #expect(text.contains("\u{1B}["))
    }
}
