import Foundation
import TestSupport
import Testing

/// The output of `aasa export apache` and `aasa export htaccess`, in sites of a real Apache that have everything that
/// is usually in the way.
@Suite("aasa export apache, htaccess", .waiting, .needs(.apache))
struct ExportApacheTests {
    /// Lines of a virtual host.
    private static let traps: [(name: String, lines: String)] = [
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
    private static let folderTraps: [(name: String, lines: String)] = [
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
        let both = try ExportedFiles("apache", to: #"a "b" 'c' #d;{e} %41$1\f [g]*"#)
        let links = try ExportedFiles("apache", to: "links alone", hasAssociation: false)
        let folder = try TemporaryFolder()
        try folder.write("user:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=\n", to: "passwords")
        try folder.write("", to: "mime.types")
        let port = try FreePort.reserve()
        var hosts = ""
        func add(_ name: String, _ lines: String, root: String) {
            let lines = lines.replacing("SITE", with: root).replacing("PASSWORDS", with: "\(folder.path)/passwords")
            hosts += "<VirtualHost 127.0.0.1:\(port)>\nServerName \(name).test\nDocumentRoot \"\(root)\"\n\(lines)\n"
            hosts += "</VirtualHost>\n"
        }

        let site = try Self.layOut(in: folder, "site")
        let traps = Self.traps + [("all", Self.traps.map(\.lines).joined(separator: "\n"))]
        for (name, lines) in traps {
            add("\(name).both", "\(try Self.include(both))\n\(lines)", root: site)
            add("\(name).links", "\(try Self.include(links))\n\(lines)", root: site)
            add("\(name).control", lines, root: site)
        }

        let inFolder = try ExportedFiles("htaccess", to: "site")
        let everything = Self.folderTraps.map(\.lines).joined(separator: "\n")
        let folderTraps =
            Self.folderTraps + [("all", everything), ("redirect", Self.redirect)]
        for (name, lines) in folderTraps {
            let lines = lines.replacing("PASSWORDS", with: "\(folder.path)/passwords")
            let root = try Self.layOut(in: folder, "\(name).folder")
            let control = try Self.layOut(in: folder, "\(name).folder-control")
            try folder.write(lines, to: "\(name).folder-control/.htaccess")
            try folder.write("\(try inFolder.text(".htaccess"))\n\(lines)", to: "\(name).folder/.htaccess")
            for path in [ExportedFiles.associationPath, ExportedFiles.linksPath] {
                try folder.write(try inFolder.text(path), to: "\(name).folder\(path)")
            }
            let server = name == "all" ? Self.serverTraps : ""
            add("\(name).folder", server, root: root)
            add("\(name).folder-control", server, root: control)
        }

        let server = try Self.start(folder, port, hosts)
        for (name, _) in traps {
            let control = TrappedSite(name: "\(name).control.test", port: port)
            for (kind, files) in [("both", both), ("links", links)] {
                let site = TrappedSite(name: "\(name).\(kind).test", port: port)
                try files.expectServed(by: site)
                try files.expectTrapped(in: control)
                try files.expectOthersUnchanged(in: site, as: control)
            }
        }
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

    /// A site that has other files at the paths of ours.
    private static func layOut(in folder: TemporaryFolder, _ name: String) throws -> String {
        try folder.write("index\n", to: "\(name)/index.html")
        try folder.write("about\n", to: "\(name)/about/index.html")
        try folder.write("secret\n", to: "\(name)/.env")
        try folder.write("other\n", to: "\(name)/.well-known/other")
        for path in [ExportedFiles.associationPath, ExportedFiles.linksPath] {
            try folder.write("other\n", to: "\(name)\(path)")
        }
        return "\(folder.path)/\(name)"
    }

    /// The line that the configuration and the steps tell users to write.
    private static func include(_ files: ExportedFiles) throws -> String {
        let line = try files.text("aasa.apache.conf").split(separator: "\n").first { $0.hasPrefix("#     Include ") }
        return String(try #require(line).dropFirst(6))
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
