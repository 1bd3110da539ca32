import Foundation
import TestSupport
import Testing

/// `aasa serve --check` with `acme`: what shows without a network, and without writing (acme.md, section 1).
@Suite("aasa serve --check with acme", .waiting)
struct ServeIssuanceCheckTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/.git", withIntermediateDirectories: true)
        try addSite("shop.example.com")
    }

    private func addSite(_ name: String) throws {
        let document =
            #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.links"],"components":[{"/":"/buy/*"}]}]}}"#
        try folder.write(document, to: "sites/\(name)/apple-app-site-association")
    }

    private func check(_ acme: String, listen: String = "443", _ arguments: [String] = []) throws -> Shell.Outcome {
        try folder.write(
            #"{"listen": ["\#(listen)"], "certs": "certs", "acme": {\#(acme)}}"#, to: "server.json")
        return try Shell.run(
            [RunningServer.executable, "serve", "--config", "server.json", "--check"]
                + arguments,
            in: folder.url)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("a fresh machine needs attention only: the certificate comes when the server runs, and nothing is written")
    func fresh() throws {
        let outcome = try check(#""agreeToTerms": true"#)
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(
            outcome.text == """
                ! shop.example.com: no certificate yet: the server gets one [no-certificate]
                1 site: 1 needs attention

                """)
        #expect(try check(#""agreeToTerms": true"#, ["--strict"]).status == 1)
        let json = try check(#""agreeToTerms": true"#, ["--format", "json"])
        #expect(json.status == 0 && json.text.contains(#""state":"awaited""#))
        #expect(try names() == [".git", "server.json", "sites"])
    }

    @Test("a site is counted once, also where its certificate is reported in more words")
    func countedOnce() throws {
        try addSite("_wildcard.example.com")
        let outcome = try check(#""agreeToTerms": true"#)
        #expect(outcome.errors.contains("[acme-wildcard]"), "\(outcome.errors)")
        #expect(outcome.text.hasSuffix("\n2 sites: 2 need attention\n"), "\(outcome.text)")
        let plugin = try check(#""agreeToTerms": true"#, ["--format", "nagios"])
        #expect(plugin.text.hasPrefix("AASA WARNING - 2 sites: 2 need attention | "), "\(plugin.text)")
        let other = try check(#""agreeToTerms": true, "exclude": ["c.example.com"]"#)
        #expect(
            other.text.hasSuffix("\n2 sites: 2 need attention; 1 problem of the whole server\n"), "\(other.text)")
    }

    @Test(
        "what keeps a certificate from being got is a warning with a code",
        arguments: [
            (
                "_wildcard.example.com", #""agreeToTerms": true"#,
                "*.example.com: warning: the CA validates wildcards by dns-01", "wildcard", 0
            ),
            ("localhost", #""agreeToTerms": true"#, "localhost: warning: this is not a name in public DNS", "name", 1),
            (
                "b.example.com", #""agreeToTerms": true, "challenges": ["http-01"]"#,
                "acme.challenges: warning: no listener can answer 'http-01'", "no-listener", 1
            ),
            (
                "b.example.com", #""agreeToTerms": true, "exclude": ["c.example.com"]"#,
                "acme.exclude: warning: there is no site 'c.example.com'", "exclude-unknown", 0
            ),
        ] as [(String, String, String, String, Int32)])
    func warnings(site: String, acme: String, expected: String, code: String, status: Int32) throws {
        try addSite(site)
        let outcome = try check(acme)
        #expect(outcome.status == status, "\(outcome.text)")
        let lines = outcome.errors.split(separator: "\n").filter { $0.contains("warning") || $0.contains("error") }
        #expect(
            lines.count == 1 && lines[0].hasPrefix("warning") || outcome.errors.contains(expected), "\(outcome.errors)")
        #expect(outcome.errors.contains("acme-\(code)"), "\(outcome.errors)")
        #expect(try check(acme, ["--strict"]).status == 1)
        #expect(try names() == [".git", "server.json", "sites"])
    }

    @Test("the command in the advice for a wildcard has nothing that a shell expands")
    func wildcardAdvice() throws {
        try addSite("_wildcard.example.com")
        let errors = try check(#""agreeToTerms": true, "directory": "https://ca.internal/directory""#).errors
        #expect(errors.contains("'aasa certificates --record _wildcard.example.com' prints"), "\(errors)")
        #expect(errors.contains("if the CA offers that, or get the certificate with another ACME client"), "\(errors)")
        // No public CA has asked for a record.
        #expect(try !check(#""agreeToTerms": true"#).errors.contains("--record"))
    }

    @Test("where no site can have a certificate, the cause is named, not only that there is none")
    func allBlocked() throws {
        try FileManager.default.removeItem(atPath: "\(folder.path)/sites/shop.example.com")
        try addSite("shop.test")
        try addSite("www.test")
        let text = try check(#""agreeToTerms": true"#)
        #expect(text.status == 1)
        #expect(
            text.errors.contains(
                "nothing to serve: no usable certificate in 'certs'; the CA issues none for 'shop.test' and 1 other site"
            ),
            "\(text.errors)")
        #expect(text.errors.contains("shop.test: warning: this is not a name in public DNS"), "\(text.errors)")
        #expect(text.errors.contains("[acme-name]") && text.errors.contains("choose a private CA with"))
        let nagios = try check(#""agreeToTerms": true"#, ["--format", "nagios"])
        #expect(nagios.status == 2 && nagios.text.hasPrefix("AASA CRITICAL - nothing to serve"))
        #expect(nagios.text.contains("acme-name"), "\(nagios.text)")
        let json = try check(#""agreeToTerms": true"#, ["--format", "json"]).text
        #expect(json.contains(#""code":"acme-name""#), "\(json)")
        let excluded = try check(#""agreeToTerms": true, "exclude": ["shop.test", "www.test"]"#)
        #expect(excluded.errors.contains("every site is named in 'acme.exclude'"), "\(excluded.errors)")
    }

    @Test("an excluded site has no certificate to come, and a site with a certificate of its own needs none")
    func excluded() throws {
        try TestCertificate.make(["DNS:shop.example.com"], in: folder.url.appendingPathComponent("certs/own"))
        let covered = try check(#""agreeToTerms": true"#)
        #expect(covered.status == 0 && covered.text.hasPrefix("1 site: 1 fine\n"))
        try addSite("b.example.com")
        let outcome = try check(#""agreeToTerms": true, "exclude": ["b.example.com"]"#)
        #expect(
            outcome.status == 1
                && outcome.text.hasPrefix("x b.example.com: no certificate: nobody can fetch this file "), "\(outcome)")
    }

    @Test(
        "a folder that cannot be made or written to is an error",
        arguments: [
            ("file", "not a directory"), ("file/certs", "not a directory"), ("dangling", "a broken link"),
            ("/proc/self/aasa", "acme-folder"),
        ])
    func unwritable(name: String, expected: String) throws {
        try folder.write("x", to: "file")
        try folder.link("dangling", to: "nowhere")
        let outcome = try check(#""agreeToTerms": true, "folder": "\#(name)""#)
        #expect(outcome.status == 1, "\(outcome.text)")
        #expect(outcome.errors.components(separatedBy: "acme-folder").count == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains(expected) && outcome.errors.contains("[acme-folder]"), "\(outcome.errors)")
    }

    @Test("the last failure of a site without a valid certificate is a warning")
    func failedOrder() throws {
        try addSite("own.example.com")
        try addSite("localhost")
        try TestCertificate.make(["DNS:own.example.com"], in: folder.url.appendingPathComponent("certs/own"))
        let failures = ["shop.example.com", "own.example.com", "gone.example.com"].map { name in
            """
            {"domain":"\(name)","failures":2,"lastError":{"at":"2026-11-22T08:00:00Z","type":"unauthorized",\
            "message":"203.0.113.9: 404"}}
            """
        }
        let state = "certs/acme-account/acme-v02.api.letsencrypt.org/state.json"
        try folder.write(#"{"version":1,"domains":[\#(failures.joined(separator: ","))]}"#, to: state)
        let outcome = try check(#""agreeToTerms": true"#)
        #expect(
            outcome.errors.contains(
                """
                shop.example.com: warning: the last order, at 2026-11-22T08:00:00Z, failed: unauthorized: 203.0.113.9: 404 \
                [acme-order-failed]
                """), "\(outcome.errors)")
        #expect(outcome.errors.components(separatedBy: "acme-order-failed").count == 2, "\(outcome.errors)")
        try folder.write("{", to: state)
        let damaged = try check(#""agreeToTerms": true"#)
        #expect(damaged.errors.contains("state.json"), "\(damaged.errors)")
        #expect(damaged.errors.components(separatedBy: "acme-order-failed").count == 2, "\(damaged.errors)")
    }

    @Test("a consent that is missing, and files that are, have their exit codes")
    func statuses() throws {
        let terms = try check("")
        #expect(terms.status == 65 && terms.errors.contains("'acme.agreeToTerms' is not true"))
        #expect(!terms.errors.contains("nothing to serve"), "\(terms.errors)")
        let missing = try check(#""agreeToTerms": true, "caFile": "none.pem""#)
        #expect(missing.status == 66 && missing.errors.contains("the file of 'acme.caFile' cannot be read"))
        try folder.write("x", to: "bad.pem")
        let bad = try check(#""agreeToTerms": true, "caFile": "bad.pem""#)
        #expect(bad.status == 65 && bad.errors.contains("bad.pem"), "\(bad.errors)")
        let key = try check(#""agreeToTerms": true, "eab": {"kid": "1", "hmacKeyFile": "bad.pem"}"#)
        #expect(key.status == 65 && key.errors.contains("does not contain a key in base64url"), "\(key.errors)")
    }

    @Test("--strict-sites starts without the certificates that are to come")
    func strictSites() throws {
        let server = try RunningServer(
            folder,
            configuration:
                #"{"strictSites": true, "acme": {"agreeToTerms": true, "directory": "https://localhost:1/"}}"#)
        #expect(server.logText.contains("ready: 1 site, 0 certificates on "))
    }
}
