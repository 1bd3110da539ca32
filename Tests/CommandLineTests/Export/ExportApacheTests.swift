import Foundation
import TestSupport
import Testing

/// The output of `aasa export apache` and `aasa export htaccess`, in sites of a real Apache that have everything that
/// is usually in the way.
@Suite("aasa export apache, htaccess", .waiting, .needs(.apache))
struct ExportApacheTests {
    /// Lines of a virtual host.
    private static let traps: [Trap] = [
        ("plain", ""),
        ("fallback", "RewriteEngine On\nRewriteRule ^ SITE/index.html [L]"),
        ("slash", "RewriteEngine On\nRewriteRule ^(.*[^/])$ $1/ [R=301,L]"),
        ("www", "Redirect permanent / https://www.example.com/"),
        (
            "www-rewrite",
            """
            RewriteEngine On\nRewriteCond %{HTTP_HOST} !^www\\.
            RewriteRule ^ https://www.example.com%{REQUEST_URI} [R=301,L]
            """
        ),
        (
            "dots",
            #"""
            <DirectoryMatch "/\.">\#n Require all denied\#n</DirectoryMatch>
            <LocationMatch "/\.">\#n Require all denied\#n</LocationMatch>
            RedirectMatch 404 "/\."
            """#
        ),
        ("dots-rewrite", #"RewriteEngine On\#nRewriteRule "(^|/)\." - [F]"#),
        ("password", password),
        ("nosniff", "Header always set X-Content-Type-Options nosniff"),
        ("years", years),
        ("proxy", "ProxyPass / http://127.0.0.1:1/"),
        ("handler", "<Location />\nSetHandler \"proxy:http://127.0.0.1:1/\"\n</Location>"),
    ]

    private static let password = """
        <Location "/">\n AuthType Basic\n AuthName "all of it"\n AuthUserFile PASSWORDS\n Require valid-user\n</Location>
        """
    private static let years = """
        ExpiresActive On\nExpiresDefault "access plus 1 year"\nHeader set Cache-Control "max-age=31536000, immutable"
        AddDefaultCharset utf-8\nAddCharset utf-8 .json\nAddType text/x-json .json
        """

    /// Lines of a `.htaccess`.
    private static let folderTraps: [Trap] = [
        ("plain", ""),
        (
            "wordpress",
            """
            # BEGIN WordPress\nRewriteEngine On\nRewriteBase /\nRewriteRule ^index\\.html$ - [L]
            RewriteCond %{REQUEST_FILENAME} !-f [OR]\nRewriteCond %{REQUEST_URI} well-known\nRewriteRule . /index.html [L]
            """
        ),
        ("slash", "RewriteEngine On\nRewriteRule ^(.*[^/])$ /$1/ [R=301,L]"),
        ("www", "RewriteEngine On\nRewriteRule ^(.*)$ https://www.example.com/$1 [R=301,L]"),
        ("dots", #"RewriteEngine On\#nRewriteRule "(^|/)\." - [F]"#),
        ("password", "AuthType Basic\nAuthName \"all of it\"\nAuthUserFile PASSWORDS\nRequire valid-user"),
        ("nosniff", "Header always set X-Content-Type-Options nosniff"),
        (
            "years",
            """
            Header set Cache-Control "max-age=31536000, immutable"\nAddDefaultCharset utf-8\nAddCharset utf-8 .json
            AddType text/x-json .json
            """
        ),
    ]

    /// The lines that the server's own configuration may have, too.
    private static let serverTraps = """
        <DirectoryMatch "/\\.">\n Require all denied\n</DirectoryMatch>
        \(password)
        """

    /// The redirect that no `.htaccess` can resist, as the notes say.
    private static let redirect = "Redirect permanent / https://www.example.com/"

    private static let modules = [
        "mpm_prefork", "authn_core", "authn_file", "authz_core", "authz_user", "auth_basic", "alias", "dir", "env",
        "expires", "headers", "mime", "proxy", "proxy_http", "rewrite",
    ]

    @Test("the files are served as they have to be, with each trap and with all of them, and nothing else is changed")
    func traps() throws {
        let all: Trap = ("all", Self.traps.map(\.lines).joined(separator: "\n"))
        let sites = try TrappedSites(
            "apache", to: #"a "b" 'c' #d;{e} %41$1\f [g]*"#, Self.traps + [all],
            passwords: "user:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=\n")
        let (folder, port) = (sites.folder, sites.port)
        try folder.write("", to: "mime.types")
        func host(_ name: String, _ lines: String, root: String) -> String {
            "<VirtualHost 127.0.0.1:\(port)>\nServerName \(name)\nDocumentRoot \"\(root)\"\n\(lines)\n</VirtualHost>\n"
        }
        var hosts = try sites.configuration("aasa.apache.conf", ("#     ", "Include ")) { name, _, included, lines in
            host(name, "\(included)\n\(lines)", root: "\(folder.path)/site")
        }

        let inFolder = try ExportedFiles("htaccess", to: "site")
        let everything = Self.folderTraps.map(\.lines).joined(separator: "\n")
        let folderTraps = Self.folderTraps + [("all", everything), ("redirect", Self.redirect)]
        func withPasswords(_ lines: String) -> String {
            lines.replacing("PASSWORDS", with: "\(folder.path)/passwords")
        }
        for (name, lines) in folderTraps {
            for kind in ["folder", "folder-control"] {
                let exported = kind == "folder" ? try inFolder.text(".htaccess") : ""
                try TrappedSites.layOut(in: folder, "\(name).\(kind)")
                try folder.write("\(exported)\n\(withPasswords(lines))", to: "\(name).\(kind)/.htaccess")
                let server = name == "all" ? withPasswords(Self.serverTraps) : ""
                hosts += host("\(name).\(kind).test", server, root: "\(folder.path)/\(name).\(kind)")
            }
            for path in [ExportedFiles.associationPath, ExportedFiles.linksPath] {
                try folder.write(try inFolder.text(path), to: "\(name).folder\(path)")
            }
        }

        let server = try Self.start(folder, port, hosts)
        try sites.expectServed(by: server)
        for (name, _) in folderTraps.dropLast() {
            let site = TrappedSite(name: "\(name).folder.test", port: port)
            let control = TrappedSite(name: "\(name).folder-control.test", port: port)
            try inFolder.expectServed(by: site)
            try inFolder.expectTrapped(in: control)
            try inFolder.expectOthersUnchanged(in: site, as: control)
        }
        let redirected = try TrappedSite(name: "redirect.folder.test", port: port).ask(ExportedFiles.associationPath)
        #expect(redirected.status == 301, "the note about 'Redirect' is not true any more")
        #expect(server.isRunning)
    }

    private static func start(_ folder: TemporaryFolder, _ port: Int, _ hosts: String) throws -> ForegroundServer {
        let modules = modules.map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" }
        let configuration = try folder.write(
            """
            \(modules.joined(separator: "\n"))
            ServerRoot "\(folder.path)"
            DefaultRuntimeDir "\(folder.path)"
            PidFile "\(folder.path)/apache.pid"
            ErrorLog /dev/stderr
            ServerName localhost
            Listen 127.0.0.1:\(port)
            User www-data
            Group www-data
            TypesConfig mime.types
            <Directory />
                AllowOverride None
                Require all denied
            </Directory>
            <Directory "\(folder.path)">
                AllowOverride FileInfo AuthConfig
                Require all granted
            </Directory>
            \(hosts)
            """, to: "apache.conf")
        return try ForegroundServer(.apache, ["-X", "-f", configuration], in: folder, ports: [port])
    }
}
