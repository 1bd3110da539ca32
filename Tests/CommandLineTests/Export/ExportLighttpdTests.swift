import Foundation
import TestSupport
import Testing

/// The output of `aasa export lighttpd`, in sites of a real lighttpd that have everything that is usually in the way.
@Suite("aasa export lighttpd", .waiting, .needs(.lighttpd))
struct ExportLighttpdTests {
    private static let traps: [(name: String, lines: String)] = [
        ("plain", ""),
        ("fallback", #"url.rewrite-if-not-file = ( "" => "/index.html" )"#),
        ("rewrite", #"url.rewrite-once = ( "^/(.*)$" => "/index.html" )"#),
        ("slash", #"url.redirect = ( "^(.*[^/])$" => "$1/" )"#),
        ("www", #"url.redirect = ( "^/(.*)" => "https://www.example.com/$1" )"#),
        ("dots", #"$HTTP["url"] =~ "/\." { url.access-deny = ( "" ) }"#),
        (
            "password",
            #"auth.require = ( "" => ( "method" => "basic", "realm" => "all", "require" => "valid-user" ) )"#
        ),
        ("nosniff", #"setenv.add-response-header = ( "X-Content-Type-Options" => "nosniff" )"#),
        (
            "years",
            """
            expire.url = ( "" => "access plus 1 years" )
            setenv.set-response-header = ( "Cache-Control" => "max-age=31536000" )
            """
        ),
        ("proxy", #"proxy.server = ( "" => ( ( "host" => "127.0.0.1", "port" => 9 ) ) )"#),
    ]

    @Test("the files are served as they have to be, with each trap and with all of them, and nothing else is changed")
    func traps() throws {
        let both = try ExportedFiles("lighttpd", to: #"a "b" 'c' #d;{e} %41$HOME\f*?[g]"#)
        let links = try ExportedFiles("lighttpd", to: "links alone", hasAssociation: false)
        let folder = try TemporaryFolder()
        try folder.write("index\n", to: "site/index.html")
        try folder.write("about\n", to: "site/about/index.html")
        try folder.write("user:password\n", to: "users")
        let port = try FreePort.reserve()
        // A redirect and a proxy for all paths would answer before the others of 'all'.
        let all = Self.traps.filter { !["proxy", "slash"].contains($0.name) }.map(\.lines).joined(separator: "\n")
        let traps = Self.traps + [("all", all)]
        var sites = ""
        func add(_ name: String, _ include: String, _ lines: String) {
            sites += "$HTTP[\"host\"] == \"\(name).test\" {\n\(lines)\n\(include)\n}\n"
        }
        for (name, lines) in traps {
            add("\(name).both", try Self.include(both), lines)
            add("\(name).links", try Self.include(links), lines)
            add("\(name).control", "", lines)
        }
        let modules = ["rewrite", "redirect", "access", "auth", "authn_file", "expire", "proxy", "alias", "setenv"]
        let configuration = try folder.write(
            """
            server.modules = ( \(modules.map { "\"mod_\($0)\"" }.joined(separator: ", ")) )
            server.document-root = "\(folder.path)/site"
            server.bind = "127.0.0.1"
            server.port = \(port)
            server.errorlog = "\(folder.path)/errors"
            index-file.names = ( "index.html" )
            mimetype.assign = ( ".html" => "text/html", ".json" => "application/json; charset=utf-8" )
            auth.backend = "plain"
            auth.backend.plain.userfile = "\(folder.path)/users"
            \(sites)

            """, to: "lighttpd.conf")
        let server = try ForegroundServer(.lighttpd, ["-D", "-f", configuration], in: folder, ports: [port])
        for (name, _) in traps {
            let control = TrappedSite(name: "\(name).control.test", port: port)
            for (kind, files) in [("both", both), ("links", links)] {
                let site = TrappedSite(name: "\(name).\(kind).test", port: port)
                try files.expectServed(by: site)
                try files.expectTrapped(in: control)
                try files.expectOthersUnchanged(in: site, as: control)
            }
        }
        #expect(server.isRunning)
    }

    /// The line that the configuration and the steps tell users to write.
    private static func include(_ files: ExportedFiles) throws -> String {
        let line = try files.text("aasa.lighttpd.conf").split(separator: "\n").first { $0.hasPrefix("#     include ") }
        return String(try #require(line).dropFirst(6))
    }
}
