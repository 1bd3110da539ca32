import Foundation
import SystemSupport
import TestSupport
import Testing

/// `aasa serve --check`: whether every site can be fetched, now and in the next weeks.
@Suite("aasa serve --check", .waiting)
struct ServeCheckTests {
    private static let document =
        #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.links"],"components":[{"/":"/buy/*"}]}]}}"#

    private func layOut(_ sites: [(name: String, days: Int?)]) throws -> TemporaryFolder {
        try SiteFolders.layOut(sites, document: Self.document)
    }

    private func check(_ folder: TemporaryFolder, _ arguments: [String] = []) throws -> Shell.Outcome {
        try Shell.run(
            [
                RunningServer.executable, "serve", "--sites", "sites", "--certs", "certs", "--check",
            ]
                + arguments, in: folder.url)
    }

    @Test("a narrow terminal gets lines that fit, and colors unless they are not wanted")
    func narrow() throws {
        let folder = try layOut([("a.example", 60), ("www.shop.example", 3)])
        func text(_ columns: Int, _ options: String = "") throws -> [String] {
            let terminal = try PseudoTerminal()
            try terminal.run(
                "stty cols \(columns); cd '\(folder.path)'; '\(RunningServer.executable)' serve --check --sites sites "
                    + "--certs certs \(options)", environment: ["LC_ALL": "C.UTF-8", "TERM": "xterm"])
            #expect(terminal.exitStatus() == 1)
            return terminal.text.split(separator: "\r\n").map(String.init)
        }
        let lines = try text(40, "--color never")
        #expect(
            lines.first == "x www.shop.example: certificate expires" && lines.allSatisfy { $0.count <= 40 }, "\(lines)")
        let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(words.contains("[certificate-expires] --> certs/www.shop.example help: renew it now"), "\(words)")
        #expect(words.contains("2 sites: 1 broken, 1 fine"), "\(words)")
        let wide = try text(100)
        #expect(wide.first?.hasPrefix("\u{1B}[31mx\u{1B}[0m ") == true, "\(wide)")
    }

    @Test("a wildcard site without a certificate of its own is as bad as the worst one of a name below it")
    func below() throws {
        let folder = try layOut([("shop.example.com", -4), ("www.example.com", 60)])
        try FileManager.default.moveItem(
            atPath: "\(folder.path)/sites/shop.example.com", toPath: "\(folder.path)/sites/_wildcard.example.com")
        try FileManager.default.removeItem(atPath: "\(folder.path)/sites/www.example.com")
        let outcome = try check(folder)
        #expect(outcome.status == 1)
        #expect(outcome.text.contains("x *.example.com: certificate expired on "), "\(outcome.text)")
        let certificates = try Shell.run(
            [RunningServer.executable, "certificates", "--sites", "sites", "--certs", "certs"],
            in: folder.url)
        #expect(certificates.status == 1)
    }

    /// The day of a certificate's end.
    private func end(_ folder: TemporaryFolder, _ name: String) throws -> String {
        let path = "\(folder.path)/certs/\(name)/fullchain.pem"
        let text = try Shell.run(["openssl", "x509", "-in", path, "-noout", "-enddate", "-dateopt", "iso_8601"]).text
        return String(text.dropFirst("notAfter=".count).prefix(10))
    }

    @Test(
        "the end of a certificate decides, with and without --strict, and for monitoring",
        arguments: [
            (days: 60, status: 0, strict: 0, nagios: 0, word: "OK"),
            (days: 31, status: 0, strict: 0, nagios: 0, word: "OK"),
            (days: 29, status: 0, strict: 1, nagios: 1, word: "WARNING"),
            (days: 8, status: 0, strict: 1, nagios: 1, word: "WARNING"),
            (days: 6, status: 1, strict: 1, nagios: 2, word: "CRITICAL"),
            (days: 1, status: 1, strict: 1, nagios: 2, word: "CRITICAL"),
            (days: -1, status: 1, strict: 1, nagios: 2, word: "CRITICAL"),
        ])
    func ends(days: Int, status: Int32, strict: Int32, nagios: Int32, word: String) throws {
        let folder = try layOut([("a.example", days), ("b.example", 90)])
        #expect(try check(folder).status == status)
        #expect(try check(folder, ["--strict"]).status == strict)
        #expect(try check(folder, ["--format", "json"]).status == status)
        let outcome = try check(folder, ["--format", "nagios"])
        #expect(outcome.status == nagios)
        #expect(outcome.text.hasPrefix("AASA \(word) - 2 sites: "), "\(outcome.text)")
        #expect(outcome.text.split(separator: "\n").count == (nagios == 0 ? 1 : 2) && outcome.errors.isEmpty)
        #expect(try check(folder, ["--format", "nagios", "--strict"]).status == (nagios == 0 ? 0 : 2))
    }

    @Test("lines say what is not right, the worst first, then counts")
    func table() throws {
        let folder = try layOut([
            ("fine.example", 90), ("missing.example", nil), ("old.example", -1), ("refused.example", 90),
            ("soon.example", 6), ("later.example", 20),
        ])
        try folder.write("{\"applinks\": {},}", to: "sites/refused.example/apple-app-site-association")
        let outcome = try check(folder)
        #expect(outcome.status == 1)
        // A day more where the certificates were made in the same second.
        let text = outcome.text.replacing(" 6 days", with: " 5 days").replacing(" 20 days", with: " 19 days")
        let (old, soon) = (try end(folder, "old.example"), try end(folder, "soon.example"))
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("    help:") }.map {
            $0.replacing(#/ since .*/#, with: "")
        }
        #expect(
            lines.dropLast() == [
                "x missing.example: no certificate: nobody can fetch this file [no-certificate]",
                "x old.example: certificate expired on \(old) [certificate-expired]", "    --> certs/old.example",
                "x refused.example: answers 503: trailing comma [refused]",
                "    --> sites/refused.example/apple-app-site-association:1:16",
                "x soon.example: certificate expires in 5 days (\(soon)) [certificate-expires]",
                "    --> certs/soon.example",
                "! later.example: certificate expires in 19 days (\(try end(folder, "later.example"))) [certificate-expires]",
                "    --> certs/later.example", "6 sites: 4 broken, 1 needs attention, 1 fine",
            ], "\(text)")
        #expect(text.hasSuffix("\nnext certificate to expire: old.example, expired on \(old)\n"), "\(text)")
        // The details, for people.
        #expect(outcome.errors.contains("apple-app-site-association:1:16: error: "))
    }

    @Test("when all is well one line says so")
    func well() throws {
        let outcome = try check(layOut([("a.example", 90)]))
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(outcome.text.hasPrefix("1 site: 1 fine\nnext certificate to expire: a.example, in "), "\(outcome.text)")
    }

    @Test("JSON has the same, with every finding")
    func json() throws {
        let folder = try layOut([("a.example", nil), ("b.example", 20), ("c.example", 90)])
        try folder.write("", to: "sites/b.example/assetlinks.json")
        try folder.write("x", to: "sites/No Host/x")
        let outcome = try check(folder, ["--format", "json"])
        #expect(outcome.status == 1 && outcome.errors.isEmpty)
        let report = try #require(JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        #expect(report["version"] as? Int == 1 && report["status"] as? String == "broken")
        let sites = try #require(report["sites"] as? [[String: Any]])
        #expect(sites.map { $0["domain"] as? String } == ["a.example", "b.example"])
        #expect(sites.map { $0["status"] as? String } == ["broken", "broken"])
        // Where the certificate was made in the same second.
        let days = outcome.text.contains(#""daysLeft":20"#) ? 20 : 19
        let certificates = try sites.map { try #require($0["certificate"] as? [String: Any]) }
        #expect(certificates.map { $0["state"] as? String } == ["missing", "expires"])
        #expect(certificates.map { $0["daysLeft"] as? Int } == [nil, days])
        let findings = try #require(sites[1]["findings"] as? [[String: Any]])
        #expect(findings.map { $0["path"] as? String } == ["sites/b.example/assetlinks.json"])
        let problems = try #require(report["problems"] as? [[String: Any]])
        #expect(problems.map { $0["path"] as? String } == ["sites/No Host"])
        let summary = try #require(report["summary"] as? [String: Int])
        #expect(
            summary == ["sites": 3, "certificates": 2, "broken": 2, "warning": 0, "ok": 1, "fewestDaysLeft": days])
    }

    @Test("what cannot even be read is said in every format")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        let text = try check(folder)
        #expect(text.status == 66 && text.errors.contains("error: cannot read the sites folder 'sites'"))
        let json = try check(folder, ["--format", "json"])
        #expect(json.status == 66)
        let report = try #require(JSONSerialization.jsonObject(with: json.output) as? [String: Any])
        #expect((report["error"] as? String)?.contains("cannot read the") == true)
        let nagios = try check(folder, ["--format", "nagios"])
        #expect(nagios.status == 3 && nagios.text.hasPrefix("AASA UNKNOWN - cannot read the sites folder"))
        try folder.write(Self.document, to: "sites/a.example/apple-app-site-association")
        try FileManager.default.createDirectory(atPath: "\(folder.path)/certs", withIntermediateDirectories: true)
        let nothing = try check(folder, ["--format", "nagios"])
        #expect(
            nothing.status == 2 && nothing.text.hasPrefix("AASA CRITICAL - nothing to serve: no usable certificate"))
        try folder.write(#"{"lisen": 1}"#, to: "server.json")
        let bad = try check(folder, ["--format", "nagios", "--config", "server.json"])
        #expect(
            bad.status == 3 && bad.text.hasPrefix("AASA UNKNOWN - server.json:1:2: unknown key 'lisen'"), "\(bad.text)")
    }

    @Test("the options of --check are for that", arguments: [["--strict"], ["--format", "json"]])
    func options(arguments: [String]) throws {
        let outcome = try Shell.run([RunningServer.executable, "serve"] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("'\(arguments[0])' is for '--check' only"))
    }

    @Test("--strict-sites does not start with a site that has no certificate; without it that is the site's state")
    func withoutCertificate() throws {
        let folder = try layOut([("missing.example", nil), ("localhost", 90)])
        let strict = try Shell.run(
            [RunningServer.executable, "serve", "--sites", "sites", "--certs", "certs"]
                + ["--listen", "127.0.0.1:0", "--strict-sites"], in: folder.url)
        #expect(strict.status == 1)
        #expect(strict.errors.hasSuffix("2 sites, 1 certificate: 1 site without a certificate (strictSites)\n"))

        let server = try RunningServer(folder, arguments: ["--admin", "127.0.0.1:0"])
        let sites = try server.askAdmin("/sites?state=no-certificate").text
        #expect(sites.contains(#""domain":"missing.example""#) && !sites.contains("localhost"))
        #expect(try server.askAdmin("/sites?state=published").text.contains(#""domain":"localhost""#))
        let metrics = try server.askAdmin("/metrics").text
        #expect(metrics.contains(#"aasa_site_state{site="missing.example",state="no-certificate"} 1"#), "\(metrics)")
        #expect(metrics.contains(#"aasa_site_state{site="missing.example",state="published"} 0"#))
        #expect(metrics.contains(#"aasa_certificate_pairs{state="loaded"} 1"#))
    }

    @Test("a pair that waits for its key is visible, and for how long")
    func waitingPair() throws {
        let folder = try layOut([("localhost", 90)])
        let server = try RunningServer(folder, arguments: ["--admin", "127.0.0.1:0"])
        try TestCertificate.make(["DNS:localhost"], in: folder.url.appendingPathComponent("other"))
        try folder.write(
            Data(contentsOf: folder.url.appendingPathComponent("other/fullchain.pem")),
            to: "certs/localhost/fullchain.pem")
        #expect(
            server.waitForLog("waiting for a matching key: \(folder.path)/certs/localhost (retrying for 60 s)"))
        let sites = try server.askAdmin("/sites").text
        #expect(sites.contains(#""certificateProblems":[{"folder":"\#(folder.path)/certs/localhost""#), "\(sites)")
        #expect(sites.contains(#/"retriedUntil":"20[0-9T:-]+Z","state":"waiting"/#))
        #expect(try server.askAdmin("/metrics").text.contains(#"aasa_certificate_pairs{state="waiting"} 1"#))
    }
}
