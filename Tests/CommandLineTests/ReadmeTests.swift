import Foundation
import PushSamples
import TestSupport
import Testing

/// What the README shows is what happens.
@Suite("README")
struct ReadmeTests {
    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private let text: String

    init() throws { text = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8) }

    /// The `console` blocks: a command behind `$ `, and what it prints.
    private var examples: [(command: String, output: String)] {
        text.components(separatedBy: "```console\n").dropFirst().compactMap { block in
            guard let body = block.components(separatedBy: "```").first, body.hasPrefix("$ "),
                let end = body.firstIndex(of: "\n")
            else { return nil }
            return (String(body.dropFirst(2)[..<end]), String(body[body.index(after: end)...]))
        }
    }

    /// Without carriage returns, and with the dates that change.
    private func normalised(_ output: String) -> String {
        output.replacingOccurrences(of: "\r\n", with: "\n")
            .replacing(#/(?m)^(Date|Last-Modified): .*$/#) { "\($0.1): …" }
    }

    @Test("its examples give what they show")
    func exampleOutput() throws {
        let folder = try TemporaryFolder()
        #expect(try Shell.run([root.appendingPathComponent("certs/make-dev-certs").path, folder.path]).status == 0)
        let sites = root.appendingPathComponent("Config/sites").path
        let server = try RunningServer(
            folder, configuration: #"{"defaultSite": "localhost"}"#,
            arguments: ["--sites", sites, "--certs", folder.path])
        try #require(examples.count >= 5)
        for (command, output) in examples where !command.hasPrefix("certcheck ") {
            let line = command.replacingOccurrences(of: "certs/dev-ca.pem", with: "\(folder.path)/dev-ca.pem")
                .replacingOccurrences(of: ":8443/", with: ":\(server.port)/")
                .replacingOccurrences(of: ".build/release/aasa", with: RunningServer.executable)
            let options =
                line.hasPrefix("curl") ? " -sS --noproxy '*' --connect-to ::127.0.0.1:\(server.port)" : ""
            let got = try Shell.run(["sh", "-c", line + options], in: root)
            #expect(normalised(got.text) == normalised(output), "\(command)\n\(got.errors)")
        }
    }

    @Test("its examples of certcheck give what they show")
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

        let commands = examples.filter { $0.command.hasPrefix("certcheck ") }
        try #require(commands.count >= 5)
        for (command, output) in commands {
            let isCheck = !["csr", "combine"].contains { command.hasPrefix("certcheck \($0) ") }
            let time = isCheck ? " --now \(SampleTime.nowText)" : ""
            let got = try tool.shell("\"$tool\"" + command.dropFirst("certcheck".count) + time)
            #expect(got.text == output, "\(command)\n\(got.text)\(got.errors)")
        }
    }

    @Test("its flags are those of the program")
    func flags() throws {
        let commands = ["serve", "validate", "route", "test", "diff", "rules", "explain"]
        let certificates = try BuiltTool("certcheck").executable
        let help =
            try commands.map { try Shell.run([RunningServer.executable, $0, "--help"]).text }.joined()
            + ["p12", "csr", "combine", "codes"].map { try Shell.run([certificates, $0, "--help"]).text }.joined()
        let named = text.matches(of: #/`(--[a-z-]+)[ `]/#).map { String($0.1) }
        #expect(named.contains("--config"))
        for flag in named where flag != "--static-swift-stdlib" { #expect(help.contains(flag), "\(flag)") }
        for flag in help.matches(of: #/\n  (--[a-z-]+)/#).map({ String($0.1) }) where flag != "--version" {
            #expect(text.contains(flag), "\(flag)")
        }
    }

    @Test("its table of rules is the one that the program prints")
    func rules() throws {
        let table = try Shell.run([RunningServer.executable, "rules", "--format", "markdown"]).text
        #expect(table.hasPrefix("| code |"))
        #expect(text.contains("\n\(table)"))
    }

    @Test("its table of codes is the one that certcheck prints")
    func codes() throws {
        let table = try BuiltTool("certcheck").run("codes", "--format", "markdown").text
        #expect(table.hasPrefix("| code |"))
        #expect(text.contains("\n\(table)"))
    }

    @Test("its example of .aasa.json is a right one")
    func configurationExample() throws {
        let example = try #require(
            text.components(separatedBy: "```json\n").dropFirst().first?.components(separatedBy: "```").first)
        let folder = try TemporaryFolder()
        let configuration = try folder.write(example, to: ".aasa.json")
        let file = try folder.write(
            #"{"webcredentials": {"apps": ["Odd.com.shop.app"]}}"#, to: "apple-app-site-association")
        let outcome = try Shell.run([RunningServer.executable, "validate", "--config", configuration, file])
        #expect(outcome.text == "0 errors, 0 warnings in 1 file\n")
    }

    @Test("make-dev-certs keeps what is good, and its certificate is trusted by its authority")
    func devCertificates() throws {
        let folder = try TemporaryFolder()
        let script = root.appendingPathComponent("certs/make-dev-certs").path
        let first = try Shell.run([script, folder.path])
        #expect(first.status == 0)
        #expect(first.errors.contains("made a certificate for localhost"))
        let leaf = folder.url.appendingPathComponent("localhost/fullchain.pem")
        let bytes = try Data(contentsOf: leaf)
        #expect(try Shell.run([script, folder.path]).errors.isEmpty)
        #expect(try Data(contentsOf: leaf) == bytes)
        let check = try Shell.run(["openssl", "verify", "-CAfile", "\(folder.path)/dev-ca.pem", leaf.path])
        #expect(check.status == 0)
        for key in ["dev-ca-key.pem", "localhost/privkey.pem"] {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(key)")[.posixPermissions]
            #expect(mode as? Int == 0o600)
        }
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("localhost/privkey.pem"))
        #expect(try Shell.run([script, folder.path]).status == 0)
        #expect(FileManager.default.fileExists(atPath: "\(folder.path)/localhost/privkey.pem"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3)
    }
}
