import Foundation
import PushSamples
import TestSupport
import Testing

/// The outputs that README.md and the guides show are those of the program.
@Suite("Examples in the documentation", .waiting)
struct DocumentationExamplesTests {
    private static let products = URL(fileURLWithPath: RunningServer.executable).deletingLastPathComponent().path

    /// The output without carriage returns, and with fixed dates.
    private func normalised(_ output: String) -> String {
        output.replacingOccurrences(of: "\r\n", with: "\n")
            .replacing(#/(?m)^(Date|Last-Modified): .*$/#) { "\($0.1): …" }
    }

    private static func isCertificateExample(_ command: String) -> Bool { command.hasPrefix("certcheck ") }
    private static func isDoctorExample(_ command: String) -> Bool { command.hasPrefix("aasa doctor ") }
    private static func isAssociationExample(_ command: String) -> Bool {
        !isCertificateExample(command) && !isDoctorExample(command)
    }

    /// Compares what each example of certain commands prints, or writes it.
    private func check(
        _ isWanted: (String) -> Bool, count: Int, changed: (String) -> String = { $0 },
        run: (String) throws -> Shell.Outcome
    ) throws {
        var found = 0
        for guide in DocumentationPage.guides {
            let page = try DocumentationPage(guide.path)
            var outputs: [String: String] = [:]
            for (command, output) in page.examples where isWanted(command) {
                found += 1
                let outcome = try run(command)
                let shown = changed(outcome.text)
                let got = normalised(shown)
                if DocumentationPage.isWriting, got != normalised(output) {
                    outputs[command] = shown.replacingOccurrences(of: "\r\n", with: "\n")
                } else if !DocumentationPage.isWriting {
                    #expect(got == normalised(output), "\(page.path): \(command)\n\(outcome.errors)")
                }
            }
            if !outputs.isEmpty { try page.write(outputs: outputs) }
        }
        #expect(found >= count)
    }

    @Test("examples of aasa and curl print what they show")
    func associationExamples() throws {
        let folder = try TemporaryFolder()
        let root = Repository.root
        #expect(try Shell.run([Repository.url("certs/make-dev-certs").path, folder.path]).status == 0)
        let sites = Repository.url("Config/sites").path
        let server = try RunningServer(
            folder, configuration: #"{"defaultSite": "localhost"}"#,
            arguments: ["--sites", sites, "--certs", folder.path])
        let path = "PATH=\(Self.products):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        try check(Self.isAssociationExample, count: 12) { command in
            let line = command.replacingOccurrences(of: "certs/dev-ca.pem", with: "\(folder.path)/dev-ca.pem")
                .replacingOccurrences(of: ":8443/", with: ":\(server.port)/")
            let options =
                line.hasPrefix("curl") ? " -sS --noproxy '*' --connect-to ::127.0.0.1:\(server.port)" : ""
            return try Shell.run(["env", path, "LC_ALL=C.UTF-8", "TERM=xterm", "sh", "-c", line + options], in: root)
        }
    }

    @Test("examples of certcheck print what they show")
    func certificateExamples() throws {
        let tool = try BuiltTool("certcheck")
        func pkcs12(_ topic: String, _ path: String, key: Int, days: Int64) throws {
            let certificate = SampleProfile.universal.certificate(topic, key: .p256(key)).with {
                $0.notAfter = SampleTime.days(days)
                $0.notBefore = SampleTime.days(days - 395)
            }
            try tool.write(SamplePKCS12.export(certificate, password: "secret", as: .keychain).der(), to: path)
        }
        try pkcs12("com.example.news", "push/news.p12", key: 1, days: 9)
        try pkcs12("com.example.shop", "push/shop.p12", key: 2, days: 7)
        try pkcs12("com.example.shop", "push/shop-2027.p12", key: 3, days: 380)
        let pass = SampleProfile.pass.certificate("com.example.tickets").with { $0.notAfter = SampleTime.days(25) }
        try tool.write(pass.der(), to: "push/tickets.cer")
        let renewed = SampleProfile.universal.certificate("com.example.news", key: .p256(4)).with {
            $0.notAfter = SampleTime.days(395)
        }
        try tool.write(renewed.der(), to: "aps.cer")
        try tool.write(SampleKey.p256(4).pem(), to: "keys/news-2027.key")
        try tool.write("secret\n", to: "push.password")

        try check(Self.isCertificateExample, count: 5) { command in
            // Not beside those of the other pages.
            for name in ["news-2027.key", "news-2027.certSigningRequest"] {
                try? FileManager.default.removeItem(at: tool.folder.url.appendingPathComponent(name))
            }
            let isCheck = !["csr", "combine"].contains { command.hasPrefix("certcheck \($0) ") }
            let time = isCheck ? " --now \(SampleTime.nowText)" : ""
            let outcome = try tool.shell("\"$tool\"" + command.dropFirst("certcheck".count) + time)
            try? FileManager.default.removeItem(at: tool.folder.url.appendingPathComponent("push/news-2027.p12"))
            return outcome
        }
    }

    @Test("examples of aasa doctor print what they show, but for addresses, ports and times")
    func doctorExamples() throws {
        let tool = try BuiltTool()
        let network = try StubNetwork()
        let shop = try network.site("shop.example.com", .daysLeft(62), addresses: ["127.0.0.1", "::1"])
        shop.answer(StubNetwork.wellKnown, with: .json(Self.shopFile))
        network.appleHas(shop.authority, Self.shopFile)
        let redirecting = try network.site("www.example.org", .daysLeft(10), addresses: ["127.0.0.2"])
        redirecting.answer(with: .status(404))
        redirecting.answer(
            StubNetwork.wellKnown, with: .redirect(to: "https://example.org/.well-known/apple-app-site-association"))
        network.appleAnswers(
            redirecting.authority,
            with: .status(404, ["Apple-Failure-Reason: SWCERR00101 Bad HTTP Response: 301 Moved Permanently"]))
        try tool.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0">
            <dict>
              <key>com.apple.developer.associated-domains</key>
              <array>
                <string>webcredentials:example.org</string>
                <string>applinks:https://www.example.org</string>
              </array>
            </dict>
            </plist>

            """, to: "Shop.entitlements")
        let options = network.options + ["--disable", "nonstandard-port,dns-private-address"]
        try check(Self.isDoctorExample, count: 2) { text in
            [shop, redirecting].reduce(text) { $0.replacing(":\($1.port)", with: "") }
                .replacing("127.0.0.1, ::1", with: "192.0.2.10, 2001:db8::10").replacing(
                    "127.0.0.2", with: "192.0.2.20"
                )
                .replacing(/after [0-9.]+ m?s,/, with: "after 84 ms,")
                .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "2026-12-01T09:30:00Z")
                // Of the last day there is a little less, or all.
                .replacing(/\b(?:9|10) days/, with: "9 days").replacing(/\b(?:61|62) days/, with: "61 days")
                .replacing(/(9|61) days left \(until [0-9-]+\)/) {
                    "\($0.1) days left (until \($0.1 == "9" ? "2026-12-01" : "2027-01-22"))"
                }
                .replacing(/renewed after\s+(\S+\s+)?\d\d:\d\d\s+UTC\s+at\s+the\s+earliest/) { _ in
                    "renewed after 13:05 UTC at the earliest"
                }
        } run: { command in
            let words = [shop, redirecting].reduce(command) { $0.replacing($1.host, with: $1.authority) }
            let arguments = words.split(separator: " ").dropFirst(2).map(String.init)
            return try Shell.run(
                ["env", "LC_ALL=C.UTF-8", tool.executable, "doctor"] + options + arguments, in: tool.folder.url)
        }
    }

    /// Two apps and 14 rules, of which the one on line 14 takes `/buy/7`.
    private static let shopFile: String = {
        let paths = ["/account/*", "/cart/*", "/help/*", "/legal/*", "/press/*", "/jobs/*"]
        let excludes = paths.map { #"          { "/": "\#($0)", "exclude": true },"# }
        let others = ["/sell/*", "/gift/*", "/news/*", "/shops/*", "/sale/*", "/wish/*", "/find/*"]
        let includes = ["/buy/*"] + others
        let lines =
            ["{", #"  "applinks": {"#, #"    "details": ["#, "      {"]
            + [#"        "appIDs": ["7K3QWZ9PLM.com.shop.app"],"#, "", #"        "components": ["#] + excludes
            + [includes.map { #"          { "/": "\#($0)" }"# }.joined(separator: ",\n")]
            + ["        ]", "      }", "    ]", "  },"]
            + [#"  "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app", "7K3QWZ9PLM.com.shop.admin"] }"#, "}", ""]
        return lines.joined(separator: "\n")
    }()

    @Test("the options of the documentation are those of the programs")
    func options() throws {
        let certificates = try BuiltTool("certcheck").executable
        let help =
            try [
                "serve", "certificates", "validate", "route", "test", "diff", "rules", "explain", "export", "doctor",
                "publish", "rollback", "unpublish", "history", "sites", "store init", "store migrate", "store status",
                "store import", "store export", "store key", "store rekey", "store nodes", "store confirm", "status",
                "android components", "console", "schema", "links check", "links import", "links qr", "links resolve",
            ].map { (command: String) in
                let words = command.split(separator: " ").map(String.init)
                return try Shell.run([RunningServer.executable] + words + ["--help"]).text
            }.joined()
            + ["check", "csr", "combine", "codes", "explain"].map {
                try Shell.run([certificates, $0, "--help"]).text
            }.joined()
        let others = ["CONTRIBUTING.md", "docs/benchmarks.md", "docs/benchmarks-history.md"]
        let pages = DocumentationPage.guides.filter { !others.contains($0.path) }
        let text = pages.map(\.text).joined(separator: "\n")
        let option = #/`(?:aasa |certcheck )?(?:[a-z]+ )?(--[a-z][a-z-]*)[ `]/#
        let named = Set(text.matches(of: option).map { String($0.1) })
        #expect(named.contains("--config"))
        // The first two are not shown; the others are those of curl, lego and acme.sh.
        let hidden = [
            "--generate-completion-script", "--generate-manual", "--unix-socket", "--run-hook", "--renew-hook",
            "--path",
            "--install-cert", "--reloadcmd",
        ]
        for option in named where !hidden.contains(option) { #expect(help.contains(option), "\(option)") }
        for option in help.matches(of: #/\n  (?:-[a-z], )?(--[a-z-]+)/#).map({ String($0.1) })
        where !["--version", "--help"].contains(option) {
            #expect(text.contains(option), "\(option)")
        }
    }

    @Test("the example of .aasa.json is valid, and silences what it names")
    func configurationExample() throws {
        let page = try DocumentationPage("docs/validating.md")
        let example = try #require(
            page.text.components(separatedBy: "```json\n").dropFirst().first?.components(separatedBy: "```").first)
        let folder = try TemporaryFolder()
        let configuration = try folder.write(example, to: ".aasa.json")
        let file = try folder.write(
            #"{"webcredentials": {"apps": ["Odd.com.shop.app"]}}"#, to: "apple-app-site-association")
        let outcome = try Shell.run(
            [RunningServer.executable, "validate", "--format", "json", "--config", configuration, file])
        let result = try outcome.object()
        #expect((result["diagnostics"] as? [Any])?.isEmpty == true, "\(outcome.text)")
        #expect(outcome.status == 0)
    }
}
