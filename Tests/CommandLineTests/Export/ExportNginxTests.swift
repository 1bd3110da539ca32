import Foundation
import TestSupport
import Testing

/// The output of `aasa export nginx`, in sites of a real nginx that have everything that is usually in the way.
@Suite("aasa export nginx", .waiting, .needs(.nginx))
struct ExportNginxTests {
    private static let traps: [(name: String, lines: String)] = [
        ("plain", "location / { root SITE; }"),
        ("fallback", "location / { root SITE; try_files /index.html =404; }"),
        ("slash", "root SITE; rewrite ^(.*[^/])$ $1/ permanent;"),
        ("www", "return 301 https://www.example.com$request_uri;"),
        ("www-if", "root SITE; if ($host != www.example.com) { return 301 https://www.example.com$request_uri; }"),
        ("dots", #"root SITE; location ~ /\. { deny all; }"#),
        ("password", #"root SITE; auth_basic "all of it"; auth_basic_user_file PASSWORDS;"#),
        ("addresses", "root SITE; deny all;"),
        ("nosniff", "root SITE; add_header X-Content-Type-Options nosniff always;"),
        (
            "years",
            """
            root SITE; expires max; add_header Cache-Control immutable; gzip on; gzip_types *; gzip_min_length 1;
            charset utf-8; charset_types *; types { text/x-json json; }
            """
        ),
    ]

    private static var all: (name: String, lines: String) {
        (
            "all",
            #"""
            root SITE; expires max; charset utf-8; charset_types *; auth_basic "all of it"; auth_basic_user_file PASSWORDS;
            deny all; add_header X-Content-Type-Options nosniff always;
            rewrite ^(.*[^/])$ $1/ permanent; return 301 https://www.example.com$request_uri;
            location ~ /\. { deny all; } location / { try_files /index.html =404; }
            """#
        )
    }

    @Test("the files are served as they have to be, with each trap and with all of them, and nothing else is changed")
    func traps() throws {
        let both = try ExportedFiles("nginx", to: #"a "b" 'c' #d;{e} %41\f [g]*?"#)
        let links = try ExportedFiles("nginx", to: "links alone", hasAssociation: false)
        let folder = try TemporaryFolder()
        try folder.write("index\n", to: "site/index.html")
        try folder.write("other\n", to: "site/.well-known/apple-app-site-association")
        try folder.write("other\n", to: "site/.well-known/assetlinks.json")
        try folder.write("about\n", to: "site/about/index.html")
        try folder.write("user:{PLAIN}password\n", to: "passwords")
        let port = try FreePort.reserve()
        let traps = Self.traps + [Self.all]
        var servers = ""
        for (name, lines) in traps {
            let lines = lines.replacing("SITE", with: "\(folder.path)/site").replacing(
                "PASSWORDS", with: "\(folder.path)/passwords")
            for (kind, include) in [("both", both), ("links", links), ("control", nil)] as [(String, ExportedFiles?)] {
                let included = try include.map { try Self.include($0) } ?? ""
                servers +=
                    "server { listen 127.0.0.1:\(port); server_name \(name).\(kind).test; \(included)\n\(lines) }\n"
            }
        }
        let configuration = try folder.write(
            """
            daemon off; master_process off; pid nginx.pid; error_log stderr;
            events { }
            http {
                access_log off; default_type application/octet-stream; client_body_temp_path t1; proxy_temp_path t2;
                fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5; server_names_hash_bucket_size 128;
                \(servers)
            }
            """, to: "nginx.conf")
        let server = try ForegroundServer(
            .nginx, ["-p", folder.path, "-e", "stderr", "-c", configuration], in: folder, ports: [port])
        for (name, _) in traps {
            let control = TrappedSite(name: "\(name).control.test", port: port)
            for (kind, files) in [("both", both), ("links", links)] {
                let site = TrappedSite(name: "\(name).\(kind).test", port: port)
                try files.expectServed(by: site, headers: ["Accept-Encoding: gzip"])
                try files.expectTrapped(in: control)
                try files.expectOthersUnchanged(in: site, as: control)
            }
        }
        #expect(server.isRunning)
    }

    /// The line that the configuration and the steps tell users to write.
    private static func include(_ files: ExportedFiles) throws -> String {
        let line = try files.text("aasa.nginx.conf").split(separator: "\n").first { $0.hasPrefix("#     include ") }
        return String(try #require(line).dropFirst(6))
    }
}
