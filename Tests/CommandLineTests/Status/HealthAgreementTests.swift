import Foundation
import TestSupport
import Testing

/// The real programs say the same of the same server: in which site something is wrong, and how bad it is.
@Suite("What programs say of a server's health", .waiting)
struct HealthAgreementTests {
    private static let document =
        #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.links"],"components":[{"/":"/buy/*"}]}]}}"#
    /// A site with the severity that every program has to see.
    private static let sites: [(domain: String, days: Int?, severity: String)] = [
        ("expired.example", -1, "critical"), ("good.example", 90, "ok"), ("late.example", 20, "warning"),
        ("links.example", 90, "critical"), ("localhost", 90, "ok"), ("missing.example", nil, "critical"),
        ("refused.example", 90, "critical"), ("soon.example", 3, "critical"), ("warned.example", 90, "ok"),
    ]
    private static let wrong = Dictionary(uniqueKeysWithValues: sites.map { ($0.domain, $0.severity) })
        .filter { $0.value != "ok" }

    private static let settings = #"{"sites": "sites", "certs": "certs"}"#

    private let folder: TemporaryFolder
    private let server: RunningServer
    private let admin: String

    init() throws {
        folder = try SiteFolders.layOut(Self.sites.map { ($0.domain, $0.days) }, document: Self.document)
        try folder.write("[{}]", to: "sites/links.example/assetlinks.json")
        try folder.write("{", to: "sites/refused.example/apple-app-site-association")
        try folder.write(RunningServer.document, to: "sites/warned.example/apple-app-site-association")
        server = try RunningServer(folder, arguments: ["--admin", "127.0.0.1:0"])
        // In place of the one that the server was started with: a check takes the folders from it.
        try folder.write(Self.settings, to: "server.json")
        admin = try server.adminURL
    }

    private func run(_ arguments: [String]) throws -> Shell.Outcome {
        try Shell.run([RunningServer.executable] + arguments, in: folder.url)
    }

    private func status(_ arguments: String...) throws -> Shell.Outcome {
        try run(["status", "--admin", String(admin)] + arguments)
    }

    private func check(_ arguments: String...) throws -> Shell.Outcome {
        try run(["serve", "--check", "--config", "server.json"] + arguments)
    }

    private func get(_ path: String) throws -> String {
        try Shell.run(["curl", "-sS", "--noproxy", "*", "\(admin)\(path)"]).text
    }

    /// The severities by domain of objects in JSON; those that are well are left out.
    private func severities(_ list: Any?, _ severity: ([String: Any]) -> String?) -> [String: String] {
        let order = ["ok", "warning", "critical"]
        var result: [String: String] = [:]
        for entry in list as? [[String: Any]] ?? [] {
            guard let domain = entry["domain"] as? String, let word = severity(entry), word != "ok" else { continue }
            let before = result[domain].flatMap(order.firstIndex) ?? 0
            if order.firstIndex(of: word) ?? 0 > before { result[domain] = word }
        }
        return result
    }

    private func object(_ data: Data) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// The marks of the lines of text by domain.
    private func marked(_ text: String) -> [String: String] {
        let entries = text.matches(of: #/(?m)^([x!]) ([a-z.]+): /#).map {
            ["domain": String($0.2), "severity": $0.1 == "x" ? "critical" : "warning"]
        }
        return severities(entries) { $0["severity"] as? String }
    }

    @Test("all renderings have the same sites and severities, and exit codes that follow from them")
    func agreement() throws {
        for (outcome, name) in [(try status(), "status"), (try check(), "serve --check")] {
            #expect(marked(outcome.text) == Self.wrong, "\(name): \(outcome.text)")
            #expect(outcome.text.contains("9 sites: 5 broken, 1 needs attention, 3 fine"), "\(name): \(outcome.text)")
        }
        #expect(try status().status == 2 && check().status == 1)
        let json = try object(status("--format", "json").output)
        #expect(severities(json["problems"]) { $0["severity"] as? String } == Self.wrong)
        let checked = try object(check("--format", "json").output)
        #expect(
            severities(checked["sites"]) { ($0["status"] as? String)?.replacing("broken", with: "critical") }
                == Self.wrong)
        let health = try #require(checked["health"] as? [String: Any])
        #expect(severities(health["problems"]) { $0["severity"] as? String } == Self.wrong)
        #expect(try severities(object(Data(get("/sites").utf8))["sites"]) { $0["severity"] as? String } == Self.wrong)
        let page = try get("/console/sites")
        let rows = page.matches(of: #/<tr data-domain="([^"]+)" data-state="[^"]+" data-severity="([a-z]+)"/#).map {
            ["domain": String($0.1), "severity": String($0.2)]
        }
        #expect(rows.count == Self.sites.count)
        #expect(severities(rows) { $0["severity"] as? String } == Self.wrong)
        let metrics = try get("/metrics")
        for (domain, _, severity) in Self.sites {
            let number = ["ok": 0, "warning": 1, "critical": 2][severity] ?? -1
            #expect(metrics.contains("aasa_site_severity{site=\"\(domain)\"} \(number)\n"), "\(domain)")
        }
        #expect(metrics.contains("\naasa_health_severity 2\n") && metrics.contains("aasa_file_warnings 2\n"))
        for plugin in [try status("--format", "nagios"), try check("--format", "nagios")] {
            #expect(
                plugin.status == 2 && plugin.text.hasPrefix("AASA CRITICAL - 9 sites: 5 broken, "), "\(plugin.text)")
        }
        // Where only certificates count, those of the same sites do.
        let listed = try run(["certificates", "--config", "server.json", "--format", "json"])
        let judged = try severities(object(listed.output)["domains"]) {
            ($0["certificateStatus"] as? [String: Any])?["severity"] as? String
        }
        #expect(judged == Self.wrong.filter { !["links.example", "refused.example"].contains($0.key) })
        #expect(listed.status == 1)
        #expect(try get("/readyz") == "ready\n")
    }

    @Test("what goes wrong while it runs is seen everywhere: a stale file, a refused pair, a refused server.json")
    func whileRunning() throws {
        try folder.write("{", to: "sites/good.example/apple-app-site-association")
        try folder.write("garbage", to: "certs/localhost/fullchain.pem")
        try folder.write(#"{"lisen": 1}"#, to: "server.json")
        server.signal(SIGHUP)
        let kinds = ["stale", "certificate-refused", "configuration-refused", "stale-until-restart"]
        var text = ""
        let isSeen = try Waiting.until {
            text = try status().text
            return kinds.allSatisfy { text.contains("[\($0)]") }
        }
        #expect(isSeen, "\(text)")
        #expect(text.contains("assetlinks.json answers 503: ") && text.contains("certs/localhost/fullchain.pem"))
        #expect(text.contains("the last reload was not taken up: unknown key 'lisen'"), "\(text)")
        let metrics = try get("/metrics")
        let (page, sites) = (try get("/console/"), try get("/console/sites"))
        let plugin = try status("--format", "nagios").text
        for kind in kinds {
            #expect(metrics.contains("aasa_problems{kind=\"\(kind)\",severity=\""), "\(kind): \(metrics)")
            #expect(page.contains(#" data-kind="\#(kind)""#), "\(kind)")
        }
        #expect(plugin.contains("CRITICAL: the certificate in '"), "\(plugin)")
        #expect(sites.contains(#"<tr data-domain="good.example" data-state="stale" data-severity="warning""#))
        let one = try status("good.example")
        #expect(one.text.contains("! good.example: an older file is served: "), "\(one.text)")
        // A pair that cannot be used is as bad for those that read the folders.
        try folder.write(Self.settings, to: "server.json")
        for outcome in [try check(), try run(["certificates", "--config", "server.json"])] {
            #expect(outcome.status == 1)
            #expect((outcome.text + outcome.errors).contains("certs/localhost/fullchain.pem"), "\(outcome)")
        }
    }
}
