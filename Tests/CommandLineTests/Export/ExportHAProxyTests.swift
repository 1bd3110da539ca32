import Foundation
import TestSupport
import Testing

/// The output of `aasa export haproxy`, in frontends of a real HAProxy that have everything that is usually in the way.
@Suite("aasa export haproxy", .waiting, .needs(.haproxy))
struct ExportHAProxyTests {
    private static let traps: [(name: String, lines: String)] = [
        ("fallback", ""),
        ("slash", "http-request redirect location %[path]/ code 301 if !{ path_end / }"),
        ("www", "http-request redirect prefix https://www.example.com code 301"),
        ("www-redirect", "redirect prefix https://www.example.com code 301"),
        ("dots", "http-request deny if { path_sub /. }"),
        ("password", "http-request auth realm all unless { http_auth(people) }"),
        ("nosniff", "http-after-response set-header X-Content-Type-Options nosniff"),
        ("years", "http-response set-header Cache-Control \"max-age=31536000, immutable\""),
    ]

    @Test("the files are served as they have to be, with each trap and with all of them, and nothing else is changed")
    func traps() throws {
        let both = try ExportedFiles("haproxy", to: #"a "b" 'c' #d;{e} %41%[path]$HOME\f"#)
        let links = try ExportedFiles("haproxy", to: "links alone", hasAssociation: false)
        let folder = try TemporaryFolder()
        let traps = Self.traps + [("all", Self.traps.map(\.lines).joined(separator: "\n    "))]
        var sites: [(both: TrappedSite, links: TrappedSite, control: TrappedSite)] = []
        var frontends = ""
        func add(_ name: String, _ exported: String, _ lines: String) throws -> TrappedSite {
            let port = try FreePort.reserve()
            frontends += "frontend \(name)\n    bind 127.0.0.1:\(port)\n\(exported)\n    \(lines)\n"
            frontends += "    default_backend application\n\n"
            return TrappedSite(name: "site.test", port: port)
        }
        for (name, lines) in traps {
            sites.append(
                (
                    try add("\(name).both", try both.text("aasa.haproxy.cfg"), lines),
                    try add("\(name).links", try links.text("aasa.haproxy.cfg"), lines),
                    try add("\(name).control", "", lines)
                ))
        }
        let configuration = try folder.write(
            """
            global
                maxconn 100
            userlist people
                user user insecure-password password
            defaults
                mode http
                timeout client 10s
                timeout server 10s
                timeout connect 10s
            \(frontends)
            backend application
                http-request return status 200 content-type text/html string "<html></html>"

            """, to: "haproxy.cfg")
        let ports = sites.flatMap { [$0.both.port, $0.links.port, $0.control.port] }
        let server = try ForegroundServer(.haproxy, ["-db", "-f", configuration], in: folder, ports: ports)
        for site in sites {
            try both.expectServed(by: site.both)
            try links.expectServed(by: site.links)
            try both.expectTrapped(in: site.control)
            try both.expectOthersUnchanged(in: site.both, as: site.control)
            try links.expectOthersUnchanged(in: site.links, as: site.control)
        }
        #expect(server.isRunning)
    }

    @Test("a file that is too large for HAProxy's buffer is warned about, and the setting that is named helps")
    func largeFile() throws {
        let tool = try BuiltTool()
        let path = String(repeating: "a", count: 20_000)
        try tool.write(
            #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[{"/":"/\#(path)"}]}]}}"#,
            to: "association")
        let outcome = try tool.run("export", "haproxy", "association", "--out", "out", "--format", "json")
        #expect(outcome.status == 0)
        let notes = try #require(try outcome.object()["notes"] as? [String])
        #expect(notes.last?.contains("tune.bufsize") == true)
        #expect(outcome.errors.contains("warning: ") && outcome.errors.contains("tune.bufsize"))
        let line = try #require(notes.last?.firstMatch(of: /'(tune\.bufsize \d+)'/)?.1)
        for (global, status) in [("", 1), (String(line), 0)] {
            let port = try FreePort.reserve()
            try tool.write(
                """
                global
                    \(global)
                defaults
                    mode http
                    timeout client 10s
                    timeout server 10s
                    timeout connect 10s
                frontend site
                    bind 127.0.0.1:\(port)
                \(try tool.text("out/aasa.haproxy.cfg"))

                """, to: "haproxy.cfg")
            let check = try tool.shell(
                "\"$haproxy\" -c -f haproxy.cfg", environment: ["haproxy": try ExternalProgram.haproxy.path])
            #expect(check.status == status, "\(check.errors)")
        }
    }
}
