import Foundation
import TestSupport
import Testing

/// The output of `aasa export h2o`, in hosts of a real h2o that have what is usually in the way.
@Suite("aasa export h2o", .waiting, .needs(.h2o))
struct ExportH2OTests {
    /// Directives of the host, and its paths beside the exported ones.
    private static let traps: [(name: String, host: String, paths: String)] = [
        ("plain", "", #""/": { file.dir: SITE }"#),
        ("fallback", "", #""/": { file.file: SITE/index.html }"#),
        ("www", "", #""/": { redirect: { status: 301, url: "https://www.example.com/" } }"#),
        ("folder", "", #""/.well-known": { file.dir: SITE }"#),
        ("nosniff", #"header.set: "X-Content-Type-Options: nosniff""#, #""/": { file.dir: SITE }"#),
        (
            "years", "expires: 1 year\n    header.set: \"Cache-Control: max-age=31536000\"\n    compress: ON",
            #""/": { file.dir: SITE }"#
        ),
        ("types", #"file.mime.addtypes: { "text/html": ".json" }"#, #""/": { file.dir: SITE }"#),
    ]

    @Test("the files are served as they have to be, whatever the host has, and other paths are not changed")
    func traps() throws {
        let both = try ExportedFiles("h2o", to: #"a "b" 'c' #d;{e} %41$HOME\f*?[g]"#)
        let links = try ExportedFiles("h2o", to: "links alone", hasAssociation: false)
        let folder = try TemporaryFolder()
        try folder.write("index\n", to: "site/index.html")
        try folder.write("about\n", to: "site/about/index.html")
        let port = try FreePort.reserve()
        var hosts = ""
        func add(_ name: String, _ line: String, _ host: String, _ paths: String) {
            hosts += "  \"\(name).test:\(port)\":\n    \(host)\n    paths:\n"
            for line in [line, paths.replacing("SITE", with: "\(folder.path)/site")] where !line.isEmpty {
                hosts += "      \(line)\n"
            }
        }
        for (name, host, paths) in Self.traps {
            add("\(name).both", try Self.line(both), host, paths)
            add("\(name).links", try Self.line(links), host, paths)
            add("\(name).control", "", host, paths)
        }
        let configuration = try folder.write(
            "listen:\n  host: 127.0.0.1\n  port: \(port)\nhosts:\n\(hosts)", to: "h2o.conf")
        let server = try ForegroundServer(.h2o, ["-c", configuration], in: folder, ports: [port])
        for (name, _, _) in Self.traps {
            let control = TrappedSite(name: "\(name).control.test:\(port)", port: port)
            for (kind, files) in [("both", both), ("links", links)] {
                let site = TrappedSite(name: "\(name).\(kind).test:\(port)", port: port)
                try files.expectServed(by: site)
                try files.expectTrapped(in: control)
                // h2o takes what follows a path and a slash for the same path, as the notes say.
                try files.expectOthersUnchanged(in: site, as: control, except: "/more")
            }
        }
        #expect(server.isRunning)
    }

    /// The line that the configuration and the steps tell users to write.
    private static func line(_ files: ExportedFiles) throws -> String {
        let line = try files.text("aasa.h2o.yaml").split(separator: "\n").first { $0.hasPrefix("#       <<: ") }
        return String(try #require(line).dropFirst(8))
    }
}
