import Foundation
import PushSamples
import TLSSamples
import TestSupport
import Testing

/// The configurations in the guides for deployment, besides the recipes that proxies run.
@Suite("Configurations in the guides for deployment", .waiting)
struct DeploymentPagesTests {
    private static let guide = "docs/behind-a-proxy.md"

    /// The code blocks of a language.
    private func blocks(_ language: String, of page: String = guide) throws -> [String] {
        try DocumentationPage(page).text.replacing(#/\n +```/#, with: "\n```")
            .components(separatedBy: "\n```\(language)\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
    }

    /// The problems that `aasa serve --check` finds in the text of a server.json.
    private func problems(_ text: String) throws -> String? {
        let folder = try RunningServer.layOut()
        // What the guides name beside it, and the one folder that is not beside it.
        try folder.write(SampleSite.root.certificate.pem(), to: "ca.pem")
        try folder.write("c2VjcmV0LWtleQ\n", to: "eab.key")
        let json = try folder.write(text.replacing("/var/lib/aasa", with: "\(folder.path)/state"), to: "server.json")
        let outcome = try Shell.run([
            RunningServer.executable, "serve", "--check", "--config", json, "--sites", "\(folder.path)/sites",
            "--certs", "\(folder.path)/certs",
        ])
        return outcome.status == 0 ? nil : outcome.errors + outcome.text
    }

    @Test("each server.json can be used")
    func serverConfigurations() throws {
        var texts = try blocks("json")
        #expect(texts.count >= 5)
        for recipe in ProxyRecipe.allCases {
            let lines = try Repository.text(recipe.path).split(separator: "\n")
            texts.append(String(try #require(lines.first { $0.hasPrefix("#     {") }).dropFirst()))
        }
        for text in texts { #expect(try problems(text) == nil, "\(text)") }
        // A mistake would be found.
        #expect(try problems(texts[0].replacingOccurrences(of: "listen", with: "lisen")) != nil)
    }

    @Test(
        "each server.json that gets certificates can be used",
        arguments: [("docs/certificates.md", 6), ("docs/packages.md", 2), ("docs/deploying.md", 1)])
    func certificates(page: String, count: Int) throws {
        let texts = try blocks("json", of: page)
        #expect(texts.count >= count)
        for text in texts { #expect(try problems(text) == nil, "\(text)") }
        #expect(try problems(texts[0].replacing("agreeToTerms", with: "agreeToTermz")) != nil)
    }

    @Test("the commands of README for serving files change nothing in a checkout, and what they make can be used")
    func serveFiles() throws {
        let section = try #require(
            try Repository.text("README.md").components(separatedBy: "\n## Serve files\n").last)
        let commands = section.components(separatedBy: "```")[1].split(separator: "\n")
        let serve = try #require(commands.last?.firstMatch(of: /^sudo aasa serve (--config .+)$/)?.1)
        let folder = try TemporaryFolder()
        for path in ["Config/server.json", "apple-app-site-association"] {
            try folder.write(
                try Data(
                    contentsOf: Repository.url(
                        path == "apple-app-site-association"
                            ? "Config/sites/shop.localhost/apple-app-site-association" : path)), to: path)
        }
        let script = commands.dropLast().joined(separator: "\n")
        #expect(try Shell.run(["sh", "-e", "-c", script], in: folder.url).status == 0)
        #expect(
            try String(contentsOfFile: "\(folder.path)/Config/server.json", encoding: .utf8)
                == Repository.text("Config/server.json"))
        let check = try Shell.run(
            ["sh", "-c", "exec \"$0\" serve --check \(serve)", RunningServer.executable], in: folder.url)
        #expect(
            check.status == 0 && check.text.contains("no certificate yet: the server gets one"),
            "\(check.text)\(check.errors)")
    }

    @Test("the manifests for Kubernetes are YAML, and their files can be used", .needs(.ruby))
    func manifests() throws {
        let manifests = try #require(try blocks("yaml").first { $0.hasPrefix("apiVersion: ") })
        let script = "require 'yaml'; require 'json'; puts YAML.load_stream($stdin.read).to_json"
        let outcome = try Shell.run([ExternalProgram.ruby.path, "-e", script], input: Data(manifests.utf8))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let objects = try #require(JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]])
        #expect(objects.compactMap { $0["kind"] as? String }.count == objects.count)
        let files = objects.compactMap { $0["data"] as? [String: String] }.flatMap { $0 }
        #expect(files.count == 2)
        for (name, text) in files where name == "server.json" { #expect(try problems(text) == nil) }
        for (name, text) in files where name == "apple-app-site-association" {
            let checked = try Shell.run(
                [RunningServer.executable, "validate", "-"], input: Data(text.utf8))
            #expect(checked.status == 0, "\(checked.text)")
        }
    }

    @Test("the socket unit is one, and its name of the socket is one that the server knows")
    func socketUnit() throws {
        let unit = try #require(try blocks("ini").first { $0.contains("FileDescriptorName=") })
        let name = unit.split(separator: "\n").first { $0.hasPrefix("FileDescriptorName=") }?.split(separator: "=").last
        #expect(["https", "http", "https-proxy", "http-proxy"].contains(name.map(String.init)))
        guard UnitFileTests.hasSystemd else { return }
        let folder = try TemporaryFolder()
        let path = try folder.write(unit, to: "aasa-proxy.socket")
        let service = try Repository.text("Config/aasa.service").replacing(
            #/ExecStart=\S+/#, with: "ExecStart=\(RunningServer.executable)")
        try folder.write(service, to: "aasa.service")
        try folder.write(Repository.text("Config/aasa.socket"), to: "aasa.socket")
        let outcome = try Shell.run(["systemd-analyze", "verify", path])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    }
}
