import Foundation
import TestSupport
import Testing

/// The output of `aasa export` in sites of real servers that have everything that is usually in the way: the files are
/// served as they have to be, with each trap and with all of them, and nothing else is changed.
@Suite("aasa export, in sites of real servers", .waiting)
struct ExportServerTests {
    /// All traps at once, but for those that would answer before the others.
    private static func all(_ traps: [Trap], except names: [String] = [], separator: String = "\n") -> Trap {
        ("all", traps.filter { !names.contains($0.name) }.map(\.lines).joined(separator: separator))
    }

    @Test("nginx", .needs(.nginx))
    func nginx() throws {
        let traps: [Trap] = [
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
            (
                "all",
                #"""
                root SITE; expires max; charset utf-8; charset_types *; auth_basic "all of it"; auth_basic_user_file PASSWORDS;
                deny all; add_header X-Content-Type-Options nosniff always;
                rewrite ^(.*[^/])$ $1/ permanent; return 301 https://www.example.com$request_uri;
                location ~ /\. { deny all; } location / { try_files /index.html =404; }
                """#
            ),
        ]
        let sites = try TrappedSites(
            "nginx", to: #"a "b" 'c' #d;{e} %41\f [g]*?"#, traps, passwords: "user:{PLAIN}password\n")
        let servers = try sites.configuration("aasa.nginx.conf", ("#     ", "include ")) {
            "server { listen 127.0.0.1:\($1); server_name \($0); \($2)\n\($3) }"
        }
        let configuration = try sites.folder.write(
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
            .nginx, ["-p", sites.folder.path, "-e", "stderr", "-c", configuration], in: sites.folder,
            ports: sites.allPorts)
        try sites.expectServed(by: server, headers: ["Accept-Encoding: gzip"])
    }

    @Test("lighttpd", .needs(.lighttpd))
    func lighttpd() throws {
        let traps: [Trap] = [
            ("plain", ""), ("fallback", #"url.rewrite-if-not-file = ( "" => "/index.html" )"#),
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
            ), ("proxy", #"proxy.server = ( "" => ( ( "host" => "127.0.0.1", "port" => 9 ) ) )"#),
        ]
        let sites = try TrappedSites(
            "lighttpd", to: #"a "b" 'c' #d;{e} %41$HOME\f*?[g]"#,
            traps + [Self.all(traps, except: ["proxy", "slash"])],
            passwords: "user:password\n")
        let hosts = try sites.configuration("aasa.lighttpd.conf", ("#     ", "include ")) { name, _, included, lines in
            "$HTTP[\"host\"] == \"\(name)\" {\n\(lines)\n\(included)\n}"
        }
        let modules = ["rewrite", "redirect", "access", "auth", "authn_file", "expire", "proxy", "alias", "setenv"]
        let configuration = try sites.folder.write(
            """
            server.modules = ( \(modules.map { "\"mod_\($0)\"" }.joined(separator: ", ")) )
            server.document-root = "\(sites.folder.path)/site"
            server.bind = "127.0.0.1"
            server.port = \(sites.port)
            server.errorlog = "\(sites.folder.path)/errors"
            index-file.names = ( "index.html" )
            mimetype.assign = ( ".html" => "text/html", ".json" => "application/json; charset=utf-8" )
            auth.backend = "plain"
            auth.backend.plain.userfile = "\(sites.folder.path)/passwords"
            \(hosts)

            """, to: "lighttpd.conf")
        let server = try ForegroundServer(
            .lighttpd, ["-D", "-f", configuration], in: sites.folder, ports: sites.allPorts)
        try sites.expectServed(by: server)
    }

    @Test(
        "Caddy, with the rest of the site wrapped, or with 'order handle first'", .needs(.caddy),
        arguments: [(true, #"a "b" 'c' #d;\f g*"#), (false, "a `b` \"c\" #d")])
    func caddy(_ isWrapped: Bool, _ name: String) throws {
        // The word 'password'.
        let password = """
            basicauth scrypt {
                user S8D9UH6TpgB2gCE0HscmxXwAy1WkcCoWUBMTZVAM9HE= c2FsdA==
            }
            """
        let traps: [Trap] = [
            ("plain", ""), ("fallback", "try_files /index.html"),
            ("slash", "@open not path */\nredir @open {path}/ 308"),
            ("www", "redir https://www.example.com{uri} permanent"), ("dots", "@dots path */.*\nrespond @dots 404"),
            ("password", password), ("nosniff", "header X-Content-Type-Options nosniff"),
            ("years", "header Cache-Control \"max-age=31536000, immutable\"\nencode gzip"),
        ]
        let sites = try TrappedSites("caddy", to: name, traps + [Self.all(traps)])
        let line = ("#         ", "import ")
        func site(_ name: String, _ port: Int, _ included: String, _ lines: String, isWrapped: Bool) -> String {
            let rest = "\(lines)\nroot * \(sites.folder.path)/site\nfile_server"
            return "http://\(name):\(port) {\n\(included)\n\(isWrapped ? "handle {\n\(rest)\n}" : rest)\n}\n"
        }
        var hosts = try sites.configuration("aasa.caddy", line) { site($0, $1, $2, $3, isWrapped: isWrapped) }
        // These need no wrapping.
        let harmless = isWrapped ? traps.filter { ["plain", "dots", "nosniff"].contains($0.name) } : []
        for trap in harmless {
            hosts += site(
                "\(trap.name).bare.test", sites.port, try sites.both.included("aasa.caddy", line), trap.lines,
                isWrapped: false)
        }
        let order = isWrapped ? "" : "order handle first"
        let configuration = try sites.folder.write(
            "{\nadmin off\nauto_https off\nlog {\nlevel ERROR\n}\n\(order)\n}\n\(hosts)", to: "Caddyfile")
        let path = sites.folder.path
        let server = try ForegroundServer(
            .caddy, ["run", "--config", configuration, "--adapter", "caddyfile"], in: sites.folder,
            ports: sites.allPorts, environment: ["XDG_DATA_HOME": path, "XDG_CONFIG_HOME": path])
        try sites.expectServed(by: server)
        for trap in harmless {
            try sites.both.expectServed(by: TrappedSite(name: "\(trap.name).bare.test", port: sites.port))
        }
    }

    @Test("h2o, whatever the host has", .needs(.h2o))
    func h2o() throws {
        let plain = #""/": { file.dir: SITE }"#
        func trap(_ name: String, host: String = "", _ paths: String = plain) -> Trap { (name, "\(host)\u{0}\(paths)") }
        let traps = [
            trap("plain"), trap("fallback", #""/": { file.file: SITE/index.html }"#),
            trap("www", #""/": { redirect: { status: 301, url: "https://www.example.com/" } }"#),
            trap("folder", #""/.well-known": { file.dir: SITE }"#),
            trap("nosniff", host: #"header.set: "X-Content-Type-Options: nosniff""#),
            trap(
                "years",
                host: "expires: 1 year\n    header.set: \"Cache-Control: max-age=31536000\"\n    compress: ON"),
            trap("types", host: #"file.mime.addtypes: { "text/html": ".json" }"#),
        ]
        let sites = try TrappedSites("h2o", to: #"a "b" 'c' #d;{e} %41$HOME\f*?[g]"#, traps)
        let hosts = try sites.configuration("aasa.h2o.yaml", ("#       ", "<<: ")) { name, port, line, lines in
            let parts = lines.split(separator: "\u{0}", omittingEmptySubsequences: false)
            let paths = [line, String(parts[1])].filter { !$0.isEmpty }.map { "      \($0)\n" }.joined()
            return "  \"\(name):\(port)\":\n    \(parts[0])\n    paths:\n\(paths)"
        }
        let configuration = try sites.folder.write(
            "listen:\n  host: 127.0.0.1\n  port: \(sites.port)\nhosts:\n\(hosts)", to: "h2o.conf")
        let server = try ForegroundServer(.h2o, ["-c", configuration], in: sites.folder, ports: sites.allPorts)
        // h2o takes what follows a path and a slash for the same path, as the notes say.
        try sites.expectServed(by: server, except: "/more") { "\($0):\($1)" }
    }

    @Test("HAProxy", .needs(.haproxy))
    func haproxy() throws {
        let traps: [Trap] = [
            ("fallback", ""), ("slash", "http-request redirect location %[path]/ code 301 if !{ path_end / }"),
            ("www", "http-request redirect prefix https://www.example.com code 301"),
            ("www-redirect", "redirect prefix https://www.example.com code 301"),
            ("dots", "http-request deny if { path_sub /. }"),
            ("password", "http-request auth realm all unless { http_auth(people) }"),
            ("nosniff", "http-after-response set-header X-Content-Type-Options nosniff"),
            ("years", "http-response set-header Cache-Control \"max-age=31536000, immutable\""),
        ]
        let sites = try TrappedSites(
            "haproxy", to: #"a "b" 'c' #d;{e} %41%[path]$HOME\f"#, traps + [Self.all(traps, separator: "\n    ")],
            hasPorts: true)
        let frontends = try sites.configuration("aasa.haproxy.cfg", nil) {
            "frontend \($0)\n    bind 127.0.0.1:\($1)\n\($2)\n    \($3)\n    default_backend application\n"
        }
        let configuration = try sites.folder.write(
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
        let server = try ForegroundServer(
            .haproxy, ["-db", "-f", configuration], in: sites.folder, ports: sites.allPorts)
        try sites.expectServed(by: server)
    }

    @Test("a file that is too large for HAProxy's buffer is warned about, and the setting helps", .needs(.haproxy))
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
