import Foundation
import TestSupport

/// Recipes with something added that other websites have.
enum RecipeChange {
    private static func replacing(_ text: String, _ old: String, _ new: String) throws -> String {
        guard text.contains(old) else { throw TestFailure("the recipe does not contain '\(old)'") }
        return text.replacingOccurrences(of: old, with: new)
    }

    /// All paths go to aasa, and there is a listener for plain http.
    static func everything(_ recipe: ProxyRecipe, _ text: String, _ setup: ProxySetup) throws -> String {
        let plain = "127.0.0.1:\(setup.plainPort)"
        var text = text
        switch recipe {
        case .nginx:
            let listener = "listen 127.0.0.1:\(setup.port) ssl;"
            text = try replacing(text, listener, "\(listener) listen \(plain);")
            let everything = "location / { error_page 418 = @aasa; return 418; }"
            return try replacing(text, "        location / {\n", "        \(everything)\n        location /unused {\n")
        case .apache:
            let pattern = #"((\.well-known/)?apple-app-site-association|\.well-known/assetlinks\.json)$"#
            text = try replacing(text, pattern, "(.*)$")
            text = try replacing(text, "\nListen ", "\nListen \(plain)\nListen ")
            let host = copy(of: text, from: "<VirtualHost", without: "SSL")
            return text + (try replacing(host, "*:\(setup.port)", "*:\(setup.plainPort)"))
        case .caddy:
            text = try replacing(text, "@association path /.well-known", "@association path /* /.well-known")
            let site = copy(of: text, from: "https://example.com", without: "tls ")
            return text
                + (try replacing(site, "https://example.com:\(setup.port)", "http://example.com:\(setup.plainPort)"))
        case .haproxy:
            text = try replacing(
                text, "acl association path /apple", "acl association path_beg /\n    acl unused path /a")
            return try replacing(text, "    bind ", "    bind \(plain)\n    bind ")
        case .h2o:
            text = try replacing(text, "\"/\":\n        file.dir", "\"/unused\":\n        file.dir")
            text = try replacing(text, "\"/apple-app-site-association\":", "\"/\":")
            text = try replacing(text, "http.sock]/apple-app-site-association", "http.sock]/")
            let host = copy(of: text, from: "  \"example.com:", without: "ssl:", "-file: ")
            return text + (try replacing(host, "\(setup.port)", "\(setup.plainPort)"))
        case .nginxStream, .haproxyTCP: throw TestFailure("\(recipe) passes everything to aasa anyway")
        }
    }

    /// The rest of the text from the first line that begins with something, without some lines.
    private static func copy(of text: String, from start: String, without words: String...) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix(start) }
        return lines.filter { line in !words.contains { line.contains($0) } }.joined(separator: "\n")
    }

    /// The website redirects everything to another name, asks for a password, denies files with a dot, and compresses.
    static func traps(_ recipe: ProxyRecipe, _ text: String, _ setup: ProxySetup) throws -> String {
        var text = text
        switch recipe {
        case .nginx:
            return try replacing(
                text, "        # Your website.\n",
                """
                        auth_basic "closed";
                        auth_basic_user_file \(setup.path)/passwords;
                        deny all;
                        gzip on;
                        gzip_types *;
                        gzip_min_length 1;
                        proxy_intercept_errors on;
                        error_page 404 405 503 =200 /index.html;
                        rewrite ^ https://www.example.com$request_uri? permanent;
                        location ^~ /.well-known/ { return 403; }
                        location ~ /\\. { deny all; }

                """)
        case .apache:
            let modules = ["alias", "auth_basic", "authn_file", "authz_user", "filter", "deflate"]
            let lines = modules.map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so\n" }
            text = try replacing(
                text, "    # Your website.\n",
                """
                    RewriteRule ^ https://www.example.com%{REQUEST_URI} [R=301,L]
                    Redirect permanent / https://www.example.com/
                    RedirectMatch 404 /\\.
                    SetOutputFilter DEFLATE
                    ErrorDocument 404 /index.html
                    <Location />
                        AuthType Basic
                        AuthName closed
                        AuthUserFile \(setup.path)/passwords
                        Require valid-user
                    </Location>

                """)
            return lines.joined() + text
        case .caddy:
            return try replacing(
                text, "\thandle {\n",
                "\thandle {\n\t\tredir https://www.example.com{uri}\n\t\tencode gzip\n\t\terror /.* 403\n")
        case .haproxy:
            return try replacing(
                text, "    use_backend aasa if association\n",
                """
                    http-request redirect prefix https://www.example.com unless association
                    http-request auth unless association
                    use_backend aasa if association

                """)
        default: throw TestFailure("there is nothing to add to \(recipe)")
        }
    }
}
