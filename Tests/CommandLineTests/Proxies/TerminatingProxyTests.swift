import Foundation
import SystemSupport
import TestSupport
import Testing

/// The recipes in which the proxy answers https and asks aasa over plain HTTP (deploy.md, section A6).
@Suite("Recipes: a proxy that answers https", .waiting)
struct TerminatingProxyTests {
    private static let paths = [
        "/.well-known/apple-app-site-association", "/apple-app-site-association", "/.well-known/assetlinks.json",
    ]
    /// The fields in which a client speaks about itself, and about others.
    private static let spoofed = """
        X-Forwarded-For: 192.0.2.66\r\nX-Forwarded-For: 127.0.0.1\r\nX-Forwarded-Proto: http\r\n\
        Forwarded: for=192.0.2.66;proto=http;host=links.example.com\r\nX-Forwarded-Host: links.example.com\r\n\
        X-Real-IP: 192.0.2.66\r\nVia: 1.1 192.0.2.66\r\n
        """

    private static let nginx = Result { try RunningRecipe(.nginx) }
    private static let apache = Result { try RunningRecipe(.apache) }
    private static let caddy = Result { try RunningRecipe(.caddy) }
    private static let haproxy = Result { try RunningRecipe(.haproxy) }
    private static let h2o = Result { try RunningRecipe(.h2o) }

    /// The recipe as it is, for tests that leave it running.
    private func running(_ recipe: ProxyRecipe) throws -> RunningRecipe {
        try recipe.requireProgram()
        return switch recipe {
        case .apache: try Self.apache.get()
        case .caddy: try Self.caddy.get()
        case .haproxy: try Self.haproxy.get()
        case .h2o: try Self.h2o.get()
        default: try Self.nginx.get()
        }
    }

    private func isAssociation(_ answer: HTTPAnswer) -> Bool {
        answer.status == 200 && answer.text == ProxySetup.association && answer["Content-Type"] == "application/json"
    }

    @Test("the association files come with the exact bytes, the type and the ETag", arguments: ProxyRecipe.terminating)
    func answers(_ recipe: ProxyRecipe) throws {
        let client = try running(recipe).connect()
        for path in Self.paths {
            let answer = try client.get(path + "?x=1", host: "example.com", fields: "Accept-Encoding: gzip\r\n")
            #expect(answer.status == 200, "\(path)")
            #expect(answer["Content-Type"] == "application/json", "\(path)")
            #expect(answer["Content-Encoding"] == nil, "\(path)")
            #expect(answer["Cache-Control"] == "public, max-age=3600", "\(path)")
            #expect(answer["X-Content-Type-Options"] == "nosniff", "\(path)")
            let isLinks = path.hasSuffix("assetlinks.json")
            #expect(answer.text == (isLinks ? ProxySetup.links : ProxySetup.association), "\(path)")
            let tag = try #require(answer["ETag"])
            #expect(tag.hasPrefix("\""), "\(tag)")

            client.send("HEAD \(path) HTTP/1.1\r\nHost: example.com\r\n\r\n")
            let head = try client.answer(isHead: true)
            #expect(head.status == 200)
            #expect(head["Content-Length"] == "\(answer.body.count)")
            #expect(head["ETag"] == tag)

            let unchanged = try client.get(path, host: "example.com", fields: "If-None-Match: \(tag)\r\n")
            #expect(unchanged.status == 304)
            #expect(unchanged["ETag"] == tag)
            let modified = try #require(answer["Last-Modified"])
            let since = try client.get(path, host: "example.com", fields: "If-Modified-Since: \(modified)\r\n")
            #expect(since.status == 304)
            let other = try client.get(path, host: "example.com", fields: "If-Match: \"other\"\r\n")
            #expect(other.status == 412)
        }
    }

    @Test(
        "aasa sees the client's address, whatever the client says, and no redirect comes of it",
        arguments: ProxyRecipe.terminating)
    func address(_ recipe: ProxyRecipe) throws {
        let proxy = try running(recipe)
        func path(_ address: String) -> String { "/.well-known/apple-app-site-association?from=\(address)" }
        let clients = [("127.0.0.9", ""), ("127.0.0.10", Self.spoofed)]
        for (address, fields) in clients {
            let client = try proxy.connect(from: address)
            #expect(isAssociation(try client.get(path(address), host: "example.com", fields: fields)))
        }
        // Lines of the log come together, within a second.
        for (address, _) in clients {
            let line = try #require(proxy.logged(path(address)))
            #expect(line["address"] as? String == address)
            #expect(line["peer"] as? String == (recipe == .haproxy ? "127.0.0.1" : "unix"))
            #expect(line["host"] as? String == "example.com")
            #expect(line["site"] as? String == "example.com")
            #expect(line["tls"] is NSNull)
            #expect(line["status"] as? Int == 200)
        }
    }

    @Test(
        "other paths are the website's, and a name that is not a site gets no file", arguments: ProxyRecipe.terminating)
    func others(_ recipe: ProxyRecipe) throws {
        let proxy = try running(recipe)
        for path in ["/products", "/.well-known/other", "/.well-known/apple-app-site-associations", "/healthz"] {
            let answer = try proxy.connect().get(path, host: "example.com")
            #expect(answer.status == 404, "\(path)")
            #expect(answer["Location"] == nil)
        }
        #expect(try proxy.connect().get("/index.html", host: "example.com").text == ProxySetup.website)
        let path = "/.well-known/apple-app-site-association"
        let other = try proxy.connect().get(path + "?other", host: "other.example")
        #expect(other.text != ProxySetup.association)
        #expect(other["Location"] == nil)
        // The log is in the order of the requests.
        _ = try proxy.connect().get(path + "?last=others", host: "example.com")
        _ = try #require(proxy.logged(path + "?last=others"))
        for target in ["/products", "/.well-known/other", "/healthz", "/index.html"] {
            #expect(proxy.loggedNow(target) == nil, "\(target)")
        }
        if let line = proxy.loggedNow(path + "?other") {
            #expect(line["status"] as? Int == 404)
            #expect(line["site"] is NSNull)
        }
    }

    @Test(
        "a method that is not GET or HEAD is refused by aasa, and the proxy says so", arguments: ProxyRecipe.terminating
    )
    func method(_ recipe: ProxyRecipe) throws {
        let client = try running(recipe).connect()
        client.send(
            "POST /apple-app-site-association HTTP/1.1\r\nHost: example.com\r\nContent-Length: 3\r\n\r\na=b")
        let answer = try client.answer()
        #expect(answer.status == 405)
        #expect(answer["Allow"] == "GET, HEAD")
    }

    @Test(
        "connections to aasa are used again, and it may start anew behind the proxy, on a new socket",
        arguments: ProxyRecipe.terminating)
    func serverRestarts(_ recipe: ProxyRecipe) throws {
        let proxy = try RunningRecipe(recipe)
        let path = "/.well-known/apple-app-site-association"
        let before = try proxy.acceptedConnections()
        let kept = try proxy.connect()
        for _ in 0..<20 { #expect(isAssociation(try kept.get(path, host: "example.com"))) }
        let count = try proxy.acceptedConnections() - before
        #expect((1...4).contains(count), "\(count) connections for 20 requests")

        try proxy.stopServer()
        let waits = [.caddy, .haproxy].contains(recipe)
        if waits {
            // These two try again for some seconds.
            kept.send("GET \(path) HTTP/1.1\r\nHost: example.com\r\n\r\n")
        } else {
            let failed = try proxy.connect().get(path, host: "example.com")
            #expect([502, 503].contains(failed.status))
            #expect(failed["Location"] == nil)
        }
        try proxy.startServer()
        if waits { #expect(isAssociation(try kept.answer())) }
        for _ in 0..<4 {
            #expect(isAssociation(try proxy.connect().get(path, host: "example.com")))
        }
        #expect(isAssociation(try kept.get(path, host: "example.com")))
    }

    @Test("while the proxy starts anew, no answer is wrong", arguments: ProxyRecipe.terminating)
    func proxyRestarts(_ recipe: ProxyRecipe) throws {
        let proxy = try RunningRecipe(recipe)
        let wrong = try RecipeLoad.run(proxy) { load in
            for _ in 0..<2 {
                try load.wait(forMore: 10)
                try proxy.restartProxy()
            }
            try load.wait(forMore: 10)
        }
        #expect(wrong.isEmpty, "\(wrong)")
    }

    @Test("where everything goes to aasa, http is led to https and does not loop", arguments: ProxyRecipe.terminating)
    func redirect(_ recipe: ProxyRecipe) throws {
        let proxy = try RunningRecipe(recipe, hasPlainListener: true) { text, setup in
            try RecipeChange.everything(recipe, text, setup)
        }
        let target = "/products/7?preview=1"
        for fields in ["", "X-Forwarded-Proto: https\r\nForwarded: proto=https\r\n"] {
            let head = try proxy.plainHead(target, fields: fields)
            #expect(head.first?.hasPrefix("HTTP/1.1 308 ") == true, "\(head)")
            #expect(head.contains { $0.lowercased() == "location: https://example.com\(target)" }, "\(head)")
        }
        for path in Self.paths {
            #expect(try proxy.plainHead(path).first?.hasPrefix("HTTP/1.1 200 ") == true, "\(path)")
        }
        // What the redirect leads to.
        for fields in ["", Self.spoofed] {
            let answer = try proxy.connect().get(target, host: "example.com", fields: fields)
            #expect(answer.status == 404)
            #expect(answer["Location"] == nil)
        }
        #expect(try #require(proxy.logged(target))["site"] as? String == "example.com")
        let unknown = try proxy.connect().get("/.well-known/other", host: "example.com", fields: Self.spoofed)
        #expect(unknown.status == 404)
    }

    @Test(
        "what else a website has does not get in the way: redirects, passwords, rules for dot files, compression",
        arguments: [ProxyRecipe.nginx, .apache, .caddy, .haproxy])
    func traps(_ recipe: ProxyRecipe) throws {
        let proxy = try RunningRecipe(recipe) { text, setup in try RecipeChange.traps(recipe, text, setup) }
        for path in Self.paths {
            let answer = try proxy.connect().get(path, host: "example.com", fields: "Accept-Encoding: gzip\r\n")
            #expect(answer.status == 200, "\(path)")
            #expect(answer["Content-Encoding"] == nil)
            #expect(answer["ETag"]?.hasPrefix("\"") == true)
        }
        let website = try proxy.connect().get("/index.html", host: "example.com")
        #expect([301, 302].contains(website.status))
        #expect(website["Location"] == "https://www.example.com/index.html")
    }
}
