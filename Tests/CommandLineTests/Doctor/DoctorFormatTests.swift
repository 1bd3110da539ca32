import Foundation
import TestSupport
import Testing

/// The formats of `aasa doctor` for programs, read as programs do (doctor.md, section 8).
@Suite("aasa doctor, formats", .waiting)
struct DoctorFormatTests {
    private let tool: BuiltTool
    private let network: StubNetwork
    private let good: StubSite
    private let redirected: StubSite
    private let hostile: StubSite

    init() throws {
        tool = try BuiltTool()
        network = try StubNetwork()
        good = try network.site("shop.example", .good)
        network.appleHas(good.authority, age: 60)
        redirected = try network.site("www.example.org", .daysLeft(9))
        redirected.answer(StubNetwork.wellKnown, with: .redirect(to: "https://example.org/x|y"))
        hostile = try network.site("hostile.example", .good)
        hostile.answer(with: .hostileFields)
        try tool.write(
            DoctorTests.entitlements(["applinks:https://shop.example", "applinks:shop.example"]),
            to: "a:b,c.entitlements")
    }

    private func run(_ format: String, _ others: String...) throws -> Shell.Outcome {
        try tool.doctor(
            [
                "--format", format, "--app", "a:b,c.entitlements", "--app-id", "7K3QWZ9PLM.com.shop.app",
                "https://\(good.authority)/buy/7", redirected.authority, hostile.authority,
            ] + others, network: network)
    }

    @Test("json has the keys of the contract, and null for what is not known")
    func json() throws {
        let object = try run("json").object()
        #expect(
            Set(object.keys) == [
                "version", "tool", "checkedAt", "status", "apps", "diagnostics", "domains", "remark", "summary",
            ])
        #expect(object["version"] as? Int == 1 && object["tool"] as? String == "aasa doctor")
        #expect(object["status"] as? String == "error")
        let time = try #require(object["checkedAt"] as? String)
        #expect(abs(try Date(time, strategy: .iso8601).timeIntervalSinceNow) < 120)
        let apps = try #require(object["apps"] as? [[String: Any]])
        #expect(apps.count == 1 && apps[0]["kind"] as? String == "entitlements")
        #expect(apps[0]["entries"] as? [String] == ["applinks:https://shop.example", "applinks:shop.example"])
        #expect(apps[0]["appIDs"] as? [String] == [] && apps[0]["packages"] as? [String] == [])
        let alone = try #require(object["diagnostics"] as? [[String: Any]])
        #expect(alone.map { $0["code"] as? String } == ["entitlement-scheme"])
        #expect(alone[0]["path"] as? String == "a:b,c.entitlements" && alone[0]["pointer"] is NSNull)

        let domains = try #require(object["domains"] as? [[String: Any]])
        #expect(domains.map { $0["domain"] as? String } == ["shop.example", "www.example.org", "hostile.example"])
        #expect(domains.map { $0["port"] as? Int } == [good.port, redirected.port, hostile.port])
        for domain in domains {
            let steps = try #require(domain["steps"] as? [[String: Any]])
            #expect(
                steps.map { $0["id"] as? String } == [
                    "dns", "tls", "http", "agents", "addresses", "file", "cdn", "assetlinks", "google", "app", "link",
                ])
            for step in steps {
                #expect(Set(step.keys) == ["id", "title", "status", "lines", "reason", "evidence"])
                #expect((step["status"] as? String == "skipped") == (step["reason"] is String))
            }
            for finding in try #require(domain["diagnostics"] as? [[String: Any]]) {
                #expect(
                    Set(finding.keys).isSuperset(of: [
                        "code", "severity", "step", "subject", "message", "path", "range", "pointer", "notes", "fixIts",
                    ]))
            }
        }
        let steps = try #require(domains[0]["steps"] as? [[String: Any]])
        func evidence(_ index: Int) -> [String: Any] { steps[index]["evidence"] as? [String: Any] ?? [:] }
        #expect(evidence(0)["a"] as? [String] == ["127.0.0.1"])
        #expect(evidence(1)["versions"] as? [String] == ["1.2", "1.3"])
        #expect(evidence(2)["status"] as? Int == 200 && evidence(2)["redirect"] is NSNull)
        #expect(evidence(6)["sameMeaning"] as? Bool == true && evidence(6)["age"] as? Int == 60)
        let links = try #require(domains[0]["links"] as? [[String: Any]])
        #expect(links.count == 1 && links[0]["outcome"] as? String == "open")
        #expect(links[0]["appIDs"] as? [String] == ["7K3QWZ9PLM.com.shop.app"] && links[0]["trace"] is [Any])
        #expect(domains[0]["files"] as? [String] == ["apple-app-site-association"])
        #expect(domains[1]["files"] as? [String] == [])
        let redirect = try #require(domains[1]["diagnostics"] as? [[String: Any]]).first {
            $0["code"] as? String == "http-redirect"
        }
        #expect(redirect?["step"] as? String == "http" && redirect?["path"] is NSNull && redirect?["range"] is NSNull)
        #expect(redirect?["subject"] as? String == "https://\(redirected.authority)\(StubNetwork.wellKnown)")
        let summary = try #require(object["summary"] as? [String: Int])
        #expect(summary["domains"] == 3 && Set(summary.keys).isSuperset(of: ["errors", "warnings", "notes"]))
    }

    @Test("json has the words of the text: titles, lines, excerpts, and the remark where all is well")
    func words() throws {
        let (report, text) = (try run("json").object(), try run("text").text)
        #expect(report["remark"] is NSNull)
        let domains = try #require(report["domains"] as? [[String: Any]])
        // The others have received text in their lines, which the text escapes and cuts.
        for domain in domains.prefix(2) {
            for step in try #require(domain["steps"] as? [[String: Any]]) {
                let title = try #require(step["title"] as? String)
                let first = try #require(step["lines"] as? [String]).first
                let words = first.map { " \(title.padding(toLength: 11, withPad: " ", startingAt: 0))\($0.prefix(9))" }
                #expect(words.map { text.contains($0) } ?? true, "\(words ?? "")")
            }
        }
        let alone = try #require((report["diagnostics"] as? [[String: Any]])?.first)
        let excerpt = try #require(alone["excerpt"] as? [String])
        #expect(excerpt.count > 1 && text.contains(excerpt[0]), "\(excerpt)")
        let clean = try tool.doctor(
            [
                "--disable", "nonstandard-port,dns-private-address", "--format", "json",
                "https://\(good.authority)/buy/7",
            ],
            network: network)
        #expect((try clean.object()["remark"] as? String)?.hasPrefix("What these checks cannot see: ") == true)
    }

    @Test("jsonl has an object for each domain as json has it, then one that sums up")
    func jsonLines() throws {
        let whole = try run("json").object()
        let lines = try run("jsonl").text.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.count == 4)
        for (line, domain) in zip(lines, try #require(whole["domains"] as? [[String: Any]])) {
            #expect(Set(line.keys) == Set(domain.keys).union(["version"]))
        }
        #expect(Set(lines[3].keys) == ["apps", "diagnostics", "summary", "version"])
    }

    @Test("sarif has URLs as locations, and regions where there is a text")
    func sarif() throws {
        let run = try #require((run("sarif").object()["runs"] as? [[String: Any]])?.first)
        let driver = (run["tool"] as? [String: Any])?["driver"] as? [String: Any]
        let rules = try #require(driver?["rules"] as? [[String: Any]]).compactMap { $0["id"] as? String }
        let results = try #require(run["results"] as? [[String: Any]])
        func location(_ code: String) -> [String: Any] {
            let result = results.first { $0["ruleId"] as? String == code }
            let first = (result?["locations"] as? [[String: Any]])?.first
            return first?["physicalLocation"] as? [String: Any] ?? [:]
        }
        func uri(_ code: String) -> String? {
            (location(code)["artifactLocation"] as? [String: Any])?["uri"] as? String
        }
        for result in results {
            let index = try #require(result["ruleIndex"] as? Int)
            #expect(rules[index] == result["ruleId"] as? String)
        }
        #expect(uri("http-redirect") == "https://\(redirected.authority)\(StubNetwork.wellKnown)")
        #expect(location("http-redirect")["region"] == nil)
        #expect(uri("tls-expires-soon") == "https://\(redirected.authority)/")
        #expect(uri("entitlement-scheme") == "a%3Ab%2Cc.entitlements")
        #expect((location("entitlement-scheme")["region"] as? [String: Any])?["startLine"] as? Int == 5)
    }

    @Test("github annotates the files of the app only, and names the others in the message")
    func github() throws {
        let commands = try run("github").text.split(separator: "\n").map(String.init)
        #expect(commands.allSatisfy { $0.wholeMatch(of: /::(error|warning|notice) [^:]+::\S.*/) != nil }, "\(commands)")
        let annotations = commands.filter { $0.contains("file=") }
        #expect(annotations.allSatisfy { $0.hasPrefix("::error file=a%3Ab%2Cc.entitlements,line=") })
        #expect(
            annotations.compactMap { $0.firstMatch(of: /line=(\d+).*title=([a-z-]+)::/).map { "\($0.1) \($0.2)" } } == [
                "5 entitlement-scheme", "4 entitlement-missing", "4 entitlement-missing",
            ])
        let url = "https://\(redirected.authority)\(StubNetwork.wellKnown)"
        #expect(
            commands.contains {
                $0.hasPrefix("::error title=http-redirect::\(url): 301 to 'https://example.org/x|y': ")
                    && $0.contains("%0AHTTP/1.1 301 Moved Permanently%0Alocation: ")
            })
        #expect(commands.contains { $0.hasPrefix("::notice title=nonstandard-port::\(good.authority): ") })
    }

    @Test("nagios has one line with performance data, then the problems, worst first")
    func nagios() throws {
        let lines = try run("nagios").text.split(separator: "\n").map(String.init)
        let first = try #require(
            lines[0].wholeMatch(
                of:
                    /AASA CRITICAL - [^|]+ \| errors=(\d+) warnings=(\d+) certificate_days=[89];\d+: header_seconds=\d+\.\d{3}/
            )
        )
        let words = lines.dropFirst().map { $0.prefix { $0 != ":" } }
        #expect(words.count { $0 == "CRITICAL" } == Int(first.1) && words.count { $0 == "WARNING" } == Int(first.2))
        #expect(words == words.sorted())
        #expect(
            lines.contains {
                $0.hasPrefix("CRITICAL: \(redirected.authority): 301 to 'https://example.org/x/y': ")
                    && $0.hasSuffix(" [http-redirect]")
            })
        let quiet = ["--format", "nagios", "--disable", "nonstandard-port,dns-private-address"]
        let fine = try tool.doctor(quiet + [good.authority], network: network)
        #expect(fine.status == 0)
        #expect(fine.text.hasPrefix("AASA OK - 1 domain checked | errors=0 warnings=0 certificate_days="))
        #expect(fine.text.split(separator: "\n").count == 1)
        redirected.answer(StubNetwork.wellKnown, with: .json(StubNetwork.goodFile))
        let warned = try tool.doctor(quiet + [redirected.authority], network: network)
        #expect(warned.status == 1 && warned.text.hasPrefix("AASA WARNING - "))
        let strict = try tool.doctor(quiet + ["--strict", redirected.authority], network: network)
        #expect(strict.status == 2 && strict.text.hasPrefix("AASA CRITICAL - "))
    }

    @Test("prometheus has each metric once, with HELP and TYPE before its samples")
    func prometheus() throws {
        let lines = try run("prometheus").text.split(separator: "\n").map(String.init)
        var types: [String: String] = [:]
        var series = Set<String>()
        var values: [String: Double] = [:]
        for line in lines {
            if let type = line.wholeMatch(of: /# TYPE (aasa_doctor_[a-z_]+) gauge/) {
                #expect(types.updateValue("gauge", forKey: String(type.1)) == nil)
            } else if line.wholeMatch(of: /# HELP aasa_doctor_[a-z_]+ [A-Z].*\./) == nil {
                let sample = try #require(
                    line.wholeMatch(of: /(aasa_doctor_[a-z_]+)\{((?:[a-z]+="[^"\\\n]*",?)+)\} ([0-9.]+)/), "\(line)")
                #expect(types[String(sample.1)] != nil && series.insert("\(sample.1){\(sample.2)}").inserted)
                values["\(sample.1){\(sample.2)}"] = Double(sample.3)
            }
        }
        #expect(types.count == 8)
        func value(_ name: String, _ site: StubSite, _ labels: String = "") -> Double? {
            values["aasa_doctor_\(name){domain=\"\(site.authority)\"\(labels)}"]
        }
        #expect(value("success", good) == 1 && value("success", redirected) == 0)
        #expect(value("step", redirected, ",step=\"http\"") == 2 && value("step", good, ",step=\"link\"") == 0)
        #expect(value("step", redirected, ",step=\"tls\"") == 1 && value("step", good, ",step=\"google\"") == 3)
        #expect(value("findings", redirected, ",code=\"http-redirect\",severity=\"error\"") == 1)
        #expect(value("cdn_same_meaning", good) == 1 && value("cdn_same_meaning", redirected) == nil)
        #expect(value("cdn_age_seconds", good) == 60)
        let days = (value("certificate_not_after_seconds", redirected) ?? 0) - Date().timeIntervalSince1970
        #expect(abs(days - 9 * 86_400) < 600)
        #expect(abs((value("checked_at_seconds", good) ?? 0) - Date().timeIntervalSince1970) < 120)
        #expect(value("header_seconds", good).map { $0 < 60 } == true)
    }
}
