import AppSamples
import Foundation
import TestSupport
import Testing

/// `aasa doctor` against sites, an Apple and a Google of our own.
@Suite("aasa doctor", .waiting)
struct DoctorTests {
    private let tool: BuiltTool
    private let network: StubNetwork
    /// The options for what every stub has: a port of its own, on this machine.
    private let quiet = ["--disable", "nonstandard-port,dns-private-address"]

    init() throws {
        tool = try BuiltTool()
        network = try StubNetwork()
    }

    private func doctor(_ arguments: String...) throws -> Shell.Outcome {
        try tool.doctor(quiet + arguments, network: network)
    }

    private func wellKnown(_ site: StubSite) -> String { "https://\(site.authority)\(StubNetwork.wellKnown)" }

    @Test("a domain with which all is well gets a clean bill, and a link is decided")
    func clean() throws {
        let site = try network.site("shop.example", .good, addresses: ["127.0.0.1", "127.0.0.2"])
        network.appleHas(site.authority)
        let outcome = try doctor("https://\(site.authority)/buy/7", "SHOP.example.:\(site.port)")
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(
            outcome.steps == [
                "✓ DNS", "✓ TLS", "✓ HTTP", "✓ Agents", "✓ Addresses", "✓ File", "✓ Apple CDN", "– Android", "✓ Link",
            ])
        for line in [
            "shop.example:\(site.port)", "  ✓ DNS        127.0.0.1, 127.0.0.2",
            "  ✓ Agents     AASA-Bot, CFNetwork and a browser get the same file",
            "  ✓ Addresses  2 addresses send the same file", "  ✓ File       1 app, 1 rule, service applinks",
            "  – Android    no assetlinks.json", "  ✓ Link       /buy/7 opens 7K3QWZ9PLM.com.shop.app",
            #"               line 4: "/": "/buy/*""#, "0 errors, 0 warnings in 1 domain",
        ] {
            #expect(outcome.text.split(separator: "\n").contains { $0 == line }, "\(line)\n\(outcome.text)")
        }
        #expect(
            outcome.text.contains("\nWhat these checks cannot see: a link does not open the app when it is typed into"))
        // Once for both targets.
        #expect(site.requests.count { $0.target == StubNetwork.wellKnown && $0.userAgent == "AASA-Bot/1.0.0" } == 2)
        #expect(network.apple.requests.count == 1)

        let host = try doctor(site.authority)
        #expect(host.status == 0 && !host.text.contains("What these checks cannot see"))
        #expect(!host.steps.contains("✓ Link"))
        let file = try doctor(wellKnown(site))
        #expect(file.status == 0 && !file.text.contains("Link"))
    }

    @Test("aasa serve as the origin gets a clean bill")
    func served() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            StubNetwork.goodFile, to: "sites/shop.example/apple-app-site-association")
        try folder.write(StubNetwork.goodStatements, to: "sites/shop.example/assetlinks.json")
        try TestCertificate.make(["DNS:shop.example"], in: folder.url.appendingPathComponent("certs/shop.example"))
        let server = try RunningServer(folder, arguments: ["--admin", "127.0.0.1:0"])
        let outcome = try tool.doctor(
            quiet + [
                "--resolve", "shop.example:\(server.port):127.0.0.1", "--ca-file",
                "\(folder.path)/certs/shop.example/fullchain.pem", "--app-id", "7K3QWZ9PLM.com.shop.app",
                "--android-package", "com.shop.app", "--android-fingerprint", StubNetwork.fingerprint.lowercased(),
                "https://shop.example:\(server.port)/buy/7",
            ])
        #expect(outcome.status == 0, "\(outcome.text)")
        #expect(
            outcome.steps == [
                "✓ DNS", "✓ TLS", "✓ HTTP", "✓ Agents", "✓ File", "– Apple CDN", "✓ Android", "– Google", "✓ App",
                "✓ Link",
            ], "\(outcome.text)")
        #expect(outcome.text.contains("\n0 errors, 0 warnings in 1 domain\n"))

        // What it asks in the name of Apple's programs is not taken for Apple's.
        func get(_ path: String) throws -> String { try server.askAdmin(path).text }
        let doctors = #"aasa_doctor_fetches_total{site="shop.example",code="200"} 3"#
        var metrics = try get("/metrics")
        #expect(metrics.contains("\n\(doctors)\n"), "\(metrics)")
        #expect(
            !metrics.contains("\naasa_apple_fetches_total{") && !metrics.contains("\naasa_apple_last_fetch_seconds{"))
        #expect(try get("/sites").contains(#""lastAppleFetch":null"#))
        _ = try Shell.run([
            "curl", "-sSk", "--noproxy", "*", "-A", "AASA-Bot/1.0.0", "--connect-to", "::127.0.0.1:\(server.port)",
            "https://shop.example\(StubNetwork.wellKnown)",
        ])
        metrics = try get("/metrics")
        let apple = #"aasa_apple_fetches_total{site="shop.example",agent="AASA-Bot",code="200"} 1"#
        #expect(metrics.contains("\n\(apple)\n") && metrics.contains("\n\(doctors)\n"))
        #expect(try get("/sites").contains(#""status":200,"userAgent":"AASA-Bot/1.0.0""#))
    }

    @Test(
        "a redirect, a certificate that expires soon, a failure at Apple's and a mistake in the app, as in the contract"
    )
    func redirect() throws {
        let site = try network.site("www.example.org", .daysLeft(9))
        site.answer(with: .status(404))
        site.answer(
            StubNetwork.wellKnown, with: .redirect(to: "https://example.org/.well-known/apple-app-site-association"))
        network.appleFails(site.authority, reason: "SWCERR00101 Bad HTTP Response: 301 Moved Permanently")
        try tool.write(Self.entitlements(["applinks:https://www.example.org"]), to: "Shop.entitlements")
        let outcome = try doctor(
            "--app", "Shop.entitlements", "--app-id", "7K3QWZ9PLM.com.shop.app", site.authority)
        #expect(outcome.status == 1)
        #expect(
            outcome.steps == [
                "✓ DNS", "! TLS", "✗ HTTP", "✓ Agents", "– File", "! Apple CDN", "– Android", "✗ App",
            ])
        #expect(
            outcome.problems == [
                "www.example.org:\(site.port): warning [tls-expires-soon]",
                "\(wellKnown(site)): error [http-redirect]", "www.example.org:\(site.port): warning [cdn-failure]",
                "Shop.entitlements:5:9: error [entitlement-scheme]",
            ])
        for part in [
            "  ✗ HTTP       301 to https://example.org/.well-known/apple-app-site-association\n",
            "  ! Apple CDN  404, SWCERR00101 Bad HTTP Response: 301 Moved Permanently\n",
            "  ✗ App        no entry for www.example.org\n",
            "   | HTTP/1.1 301 Moved Permanently\n   | location: https://example.org/.well-known/apple",
            " 5 | <string>applinks:https://www.example.org</string>\n",
            "   = help: write 'applinks:www.example.org'\n\n2 errors, 2 warnings in 1 domain\n",
        ] {
            #expect(outcome.text.contains(part), "\(part)\n\(outcome.text)")
        }
    }

    /// An entitlements file whose entries begin at 5:9.
    static func entitlements(_ entries: [String]) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>com.apple.developer.associated-domains</key>
        <array>
        \(entries.map { "<string>\($0)</string>\n" }.joined())</array>
        </dict></plist>

        """
    }

    @Test("a link that no rule takes is an error with the rules that were tried")
    func link() throws {
        let site = try network.site("shop.example", .good)
        network.appleHas(site.authority)
        let url = "https://shop.example:\(site.port)/sell/7"
        let outcome = try doctor(url)
        #expect(outcome.status == 1)
        #expect(outcome.problems == ["\(url): error [link-not-opened]"])
        #expect(outcome.steps.last == "✗ Link")
        #expect(!outcome.text.contains("What these checks cannot see"))
    }

    @Test("private addresses are not contacted unless that is permitted")
    func privateAddress() throws {
        let site = try network.site("shop.example", .good)
        let outcome = try tool.run(
            "doctor", "--no-cdn", "--no-google", "--resolve", site.override, site.authority)
        #expect(outcome.status == 1)
        #expect(outcome.text.contains(" [dns-private-address]\n"))
        #expect(site.connections == 0)
    }

    @Test("an IP address is a target with --allow-private, and a wildcard stands for its domain")
    func otherTargets() throws {
        let site = try network.site("shop.example", .good)
        network.appleHas(site.authority)
        let wildcard = try doctor("*.\(site.authority)")
        #expect(wildcard.status == 0)
        #expect(wildcard.text.hasPrefix("\(site.authority)\n"))
        let address = try doctor("127.0.0.1:\(site.port)", "--no-cdn")
        #expect(address.text.hasPrefix("127.0.0.1:\(site.port)\n"))
        #expect(address.problems.contains("127.0.0.1:\(site.port): error [tls-name-mismatch]"))
    }

    @Test("a project is resolved with its configuration files, and what stays unknown is named")
    func project() throws {
        let site = try network.site("www.example.org", .good)
        network.appleHas(site.authority)
        try tool.write(Self.entitlements(["applinks:$(ASSOCIATED_HOST)"]), to: "Shop/Shop.entitlements")
        try tool.write(
            SampleApp.project([
                .init(
                    "Shop", "Release",
                    [
                        ("CODE_SIGN_ENTITLEMENTS", "$(TARGET_NAME)/Shop.entitlements"), ("SDKROOT", "iphoneos"),
                        ("PRODUCT_BUNDLE_IDENTIFIER", "$(ORG_PREFIX).$(TARGET_NAME:lower)"),
                        ("ORG_PREFIX", "com.$(INHERITED_NAME)"),
                    ], file: "Config/Shop.xcconfig")
            ]), to: "Shop.xcodeproj/project.pbxproj")
        let text = "#include? \"Secrets\"\nASSOCIATED_HOST = www.example.org\nDEVELOPMENT_TEAM = 7K3QWZ9PLM\n"
        try tool.write(text, to: "Config/Shop.xcconfig")
        let unknown = try doctor("--app", "Shop.xcodeproj", site.authority)
        #expect(
            unknown.text.contains(
                """
                  ✓ App        applinks:www.example.org in the app; the file lists the service

                Shop.xcodeproj: note: PRODUCT_BUNDLE_IDENTIFIER is '$(ORG_PREFIX).$(TARGET_NAME:lower)', which is not resolved here [app-id-unknown]
                   = note: 'INHERITED_NAME' is set neither in the project nor in a configuration
                           file that was read
                   = note: 'Secrets' is not there
                   = note: only the presence of the service is checked
                   = help: give the app ID with --app-id

                """), "\(unknown.text)")
        #expect(unknown.status == 0)
        try tool.write("INHERITED_NAME = shop", to: "Config/Secrets.xcconfig")
        let known = try doctor("--app", "Shop.xcodeproj", site.authority)
        #expect(known.status == 1)
        #expect(
            known.text.contains(
                "Shop/Shop.entitlements:5:9: error: the website does not list '7K3QWZ9PLM.com.shop.shop' under 'applinks' [app-not-in-file]"
            ), "\(known.text)")
    }

    @Test("without targets the domains of the app are checked; what the app does not say about them is no finding")
    func domainsOfTheApp() throws {
        let first = try network.site("one.example", .good)
        let second = try network.site("two.example", .good)
        // An entry has no port: these are found on the one of https.
        let overrides = [first, second].flatMap { ["--resolve", "\($0.host):443:127.0.0.9"] }
        try tool.write(
            Self.entitlements(["applinks:one.example", "webcredentials:*.two.example", "applinks:one.example"]),
            to: "Shop.entitlements")
        let outcome = try tool.doctor(quiet + overrides + ["--app", "Shop.entitlements"])
        #expect(outcome.text.hasPrefix("one.example\n"))
        #expect(outcome.text.contains("\n\ntwo.example\n"))
        #expect(outcome.problems.contains("Shop.entitlements:7:9: warning [entitlement-duplicate]"))
        #expect(outcome.lastLine.hasSuffix(" in 2 domains"))

        try tool.write(Self.entitlements([]), to: "Empty.entitlements")
        let empty = try tool.doctor(["--app", "Empty.entitlements"])
        #expect(empty.status == 1 || empty.status == 64)
        #expect(!(empty.text + empty.errors).isEmpty)
    }

    @Test(".aasa.json and the options decide what is reported, and how severe it is")
    func settings() throws {
        let site = try network.site("shop.example", .daysLeft(9))
        site.answer(StubNetwork.wellKnown, with: .json(StubNetwork.goodFile, type: "text/plain"))
        network.appleHas(site.authority)
        let all = try doctor(site.authority)
        #expect(all.status == 0)
        #expect(all.text.contains("[tls-expires-soon]") && all.text.contains("[http-content-type]"))
        #expect(try doctor("--strict", site.authority).status == 1)
        #expect(try doctor("--severity", "tls-expires-soon=error", site.authority).status == 1)
        #expect(try doctor("--certificate-days", "8", site.authority).text.contains("tls-expires-soon") == false)
        #expect(
            try doctor("--strict", "--disable", "tls-expires-soon,http-content-type", site.authority).steps.prefix(3)
                == ["✓ DNS", "✓ TLS", "✓ HTTP"])

        try tool.write(
            """
            {"ignore": [
              {"code": "http-content-type", "path": "shop.example:*/.well-known/*", "reason": "the host is replaced soon"},
              {"code": "tls-expires-soon", "path": "other.example/**", "reason": "elsewhere"}
            ]}
            """, to: ".aasa.json")
        let some = try doctor("--strict", site.authority)
        #expect(some.status == 1)
        #expect(some.problems == ["\(site.authority): warning [tls-expires-soon]"])
        #expect(some.lastLine == "0 errors, 1 warning in 1 domain (1 finding ignored)")
        let sarif = try #require(
            (tool.doctor(quiet + ["--format", "sarif", site.authority], network: network).object()["runs"]
                as? [[String: Any]])?.first)
        let suppressed = try #require(sarif["results"] as? [[String: Any]]).filter {
            ($0["suppressions"] as? [Any])?.isEmpty == false
        }
        #expect(suppressed.compactMap { $0["ruleId"] as? String } == ["http-content-type"])

        // Files on disk have nothing to do with such entries.
        try tool.write(BuiltTool.sound, to: "apple-app-site-association")
        #expect(try tool.run("validate", "--strict", "apple-app-site-association").status == 0)
        try tool.write(#"{"ignore": [{"code": "http-contant-type", "reason": "x"}]}"#, to: ".aasa.json")
        let wrong = try doctor(site.authority)
        #expect(wrong.status == 1)
        #expect(wrong.problems.contains(".aasa.json:1:22: error [invalid-config-value]"))
    }

    @Test("a hundred domains at once, in the order of the targets")
    func manyDomains() throws {
        let site = try network.site("*.many.example", .good)
        let hosts = (0..<100).map { "d\($0).many.example" }
        for host in hosts { network.appleHas(site.authority(host)) }
        let options = hosts.flatMap { ["--resolve", site.override($0)] }
        let outcome = try tool.doctor(
            // On a busy machine 64 at a time are slow.
            quiet + options + [
                "--parallel", "64", "--timeout", "60", "--disable", "http-slow", "--format", "jsonl", "-",
            ], network: network,
            input: hosts.map(site.authority).joined(separator: "\n"))
        #expect(outcome.status == 0)
        let lines = try outcome.text.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.dropLast().compactMap { $0["domain"] as? String } == hosts)
        let codes = lines.compactMap { $0["diagnostics"] as? [[String: Any]] }.joined().compactMap {
            $0["code"] as? String
        }
        #expect(
            lines.dropLast().allSatisfy { $0["status"] as? String == "ok" && $0["version"] as? Int == 1 },
            "\(Set(codes)), of which the first is \(lines.compactMap { $0["diagnostics"] as? [[String: Any]] }.joined().first ?? [:])"
        )
        let summary = try #require(lines.last?["summary"] as? [String: Int])
        for (key, count) in ["domains": 100, "errors": 0, "warnings": 0, "notes": 0] { #expect(summary[key] == count) }
    }

    @Test("progress is shown where standard error is a terminal, and taken away before results")
    func progress() throws {
        let site = try network.site("shop.example", .good)
        network.appleHas(site.authority)
        let terminal = try PseudoTerminal()
        let options = (network.options + quiet + [site.authority]).joined(separator: " ")
        try terminal.run("\(tool.executable) doctor \(options)", environment: ["LC_ALL": "C.UTF-8"])
        #expect(terminal.exitStatus() == 0)
        #expect(
            terminal.text.hasPrefix("\r0/1 domain\r1/1 domain\r          \r\(site.authority)\r\n"), "\(terminal.text)")
        #expect(terminal.text.hasSuffix("0 errors, 0 warnings in 1 domain\r\n"))
    }

    @Test("what is wrong with the host shows in its step, with its code")
    func hostFaults() throws {
        let expired = try network.site("expired.example", .expired)
        let blocked = try network.site("blocked.example", .good)
        blocked.answer(StubNetwork.wellKnown, agent: "AASA-Bot", with: .status(403, [], "no robots"))
        let stale = try network.site("stale.example", .good)
        network.appleHas(stale.authority, StubNetwork.goodFile.replacing("/buy/", with: "/sell/"))
        let page = try network.site("page.example", .good)
        page.answer(StubNetwork.wellKnown, with: .page)
        let cases: [(StubSite, String, String)] = [
            (expired, "✗ TLS", "expired.example:\(expired.port): error [tls-expired]"),
            (blocked, "✗ Agents", "\(wellKnown(blocked)): error [agent-blocked]"),
            (stale, "! Apple CDN", "stale.example:\(stale.port): warning [cdn-stale]"),
            (page, "✗ File", "\(wellKnown(page)):1:1: error [html-instead-of-json]"),
        ]
        // All in one run, in the order of the targets.
        let outcome = try tool.doctor(quiet + cases.map(\.0.authority), network: network)
        #expect(outcome.status == 1)
        let blocks = outcome.text.components(separatedBy: "\n\n")
        let order = cases.map(\.0.authority).map { authority in
            blocks.firstIndex { $0 == authority || $0.hasPrefix("\(authority)\n") }
        }
        #expect(order.compactMap { $0 }.count == 4 && order.compactMap { $0 } == order.compactMap { $0 }.sorted())
        for (_, step, problem) in cases {
            #expect(outcome.steps.contains(step), "\(step)")
            #expect(outcome.problems.contains(problem), "\(problem) of \(outcome.problems)")
        }
        #expect(outcome.lastLine.hasSuffix(" in 4 domains"))
    }

    @Test("a host that cannot be reached is an error, in the text of any locale")
    func unreachable() throws {
        let closed = try network.site("closed.example", fronts: [("127.0.0.1", .refused)])
        let arguments = quiet + [closed.authority, "--resolve", closed.override]
        let outcome = try tool.doctor(arguments)
        #expect(outcome.status == 1)
        #expect(outcome.steps == ["✓ DNS", "✗ TLS", "– HTTP", "– Agents", "– File", "– Apple CDN", "– Android"])
        #expect(outcome.problems == ["closed.example:\(closed.port): error [connect-failed]"])
        let plain = try tool.doctor(arguments, locale: "C")
        #expect(plain.steps == ["+ DNS", "x TLS", "- HTTP", "- Agents", "- File", "- Apple CDN", "- Android"])
        #expect(plain.text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("a name in Unicode is shown beside its form in Punycode, where the locale can show it")
    func unicode() throws {
        let site = try network.site("xn--bcher-kva.example", .good)
        network.appleHas(site.authority)
        let target = "BÜCHER.example:\(site.port)"
        #expect(try doctor(target).text.hasPrefix("\(site.authority) (bücher.example)\n"))
        #expect(try tool.doctor([target], network: network, locale: "C").text.hasPrefix("\(site.authority)\n"))
    }
}
