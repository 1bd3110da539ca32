import Foundation
import TestSupport
import Testing

/// The output of `aasa export caddy`, in sites of a real Caddy that have everything that is usually in the way.
@Suite("aasa export caddy", .waiting, .needs(.caddy))
struct ExportCaddyTests {
    private static let traps: [(name: String, lines: String)] = [
        ("plain", ""),
        ("fallback", "try_files /index.html"),
        ("slash", "@open not path */\nredir @open {path}/ 308"),
        ("www", "redir https://www.example.com{uri} permanent"),
        ("dots", "@dots path */.*\nrespond @dots 404"),
        ("password", password),
        ("nosniff", "header X-Content-Type-Options nosniff"),
        ("years", "header Cache-Control \"max-age=31536000, immutable\"\nencode gzip"),
    ]

    /// The word 'password'.
    private static let password = """
        basicauth scrypt {
            user S8D9UH6TpgB2gCE0HscmxXwAy1WkcCoWUBMTZVAM9HE= c2FsdA==
        }
        """

    @Test(
        "with the rest of the site wrapped, or with 'order handle first', each trap and all of them are harmless",
        arguments: [(true, #"a "b" 'c' #d;\f g*"#), (false, "a `b` \"c\" #d")])
    func traps(_ isWrapped: Bool, _ name: String) throws {
        let both = try ExportedFiles("caddy", to: name)
        let links = try ExportedFiles("caddy", to: "links alone", hasAssociation: false)
        let folder = try TemporaryFolder()
        try folder.write("index\n", to: "site/index.html")
        try folder.write("about\n", to: "site/about/index.html")
        for path in [ExportedFiles.associationPath, ExportedFiles.linksPath] {
            try folder.write("other\n", to: "site\(path)")
        }
        let port = try FreePort.reserve()
        let traps = Self.traps + [("all", Self.traps.map(\.lines).joined(separator: "\n"))]
        var sites = ""
        func add(_ name: String, _ include: String, _ lines: String, isWrapped: Bool) {
            let rest = "\(lines)\nroot * \(folder.path)/site\nfile_server"
            sites += "http://\(name).test:\(port) {\n\(include)\n\(isWrapped ? "handle {\n\(rest)\n}" : rest)\n}\n"
        }
        for (name, lines) in traps {
            add("\(name).both", try Self.include(both), lines, isWrapped: isWrapped)
            add("\(name).links", try Self.include(links), lines, isWrapped: isWrapped)
            add("\(name).control", "", lines, isWrapped: isWrapped)
        }
        // These need no wrapping.
        let harmless = ["plain", "dots", "nosniff"]
        for (name, lines) in traps where harmless.contains(name) && isWrapped {
            add("\(name).bare", try Self.include(both), lines, isWrapped: false)
        }
        let order = isWrapped ? "" : "order handle first"
        let configuration = try folder.write(
            "{\nadmin off\nauto_https off\nlog {\nlevel ERROR\n}\n\(order)\n}\n\(sites)", to: "Caddyfile")
        let server = try ForegroundServer(
            .caddy, ["run", "--config", configuration, "--adapter", "caddyfile"], in: folder, ports: [port],
            environment: ["XDG_DATA_HOME": folder.path, "XDG_CONFIG_HOME": folder.path])
        for (name, _) in traps {
            let control = TrappedSite(name: "\(name).control.test", port: port)
            for (kind, files) in [("both", both), ("links", links)] {
                let site = TrappedSite(name: "\(name).\(kind).test", port: port)
                try files.expectServed(by: site)
                try files.expectTrapped(in: control)
                try files.expectOthersUnchanged(in: site, as: control)
            }
            if isWrapped, harmless.contains(name) {
                try both.expectServed(by: TrappedSite(name: "\(name).bare.test", port: port))
            }
        }
        #expect(server.isRunning)
    }

    /// The line that the configuration and the steps tell users to write.
    private static func include(_ files: ExportedFiles) throws -> String {
        let line = try files.text("aasa.caddy").split(separator: "\n").first { $0.hasPrefix("#         import ") }
        return String(try #require(line).dropFirst(10))
    }
}
