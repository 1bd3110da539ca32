import Foundation
import TLSSamples
import TestSupport
import Testing

/// The recipes in which aasa answers https and the proxy passes connections through (deploy.md, section A6).
@Suite("Recipes: a proxy that passes TLS through", .waiting)
struct PassingProxyTests {
    private static let nginx = Result { try RunningRecipe(.nginxStream) }
    private static let haproxy = Result { try RunningRecipe(.haproxyTCP) }

    private func running(_ recipe: ProxyRecipe) throws -> RunningRecipe {
        try recipe.requireProgram()
        return try recipe == .nginxStream ? Self.nginx.get() : Self.haproxy.get()
    }

    @Test(
        "https goes to aasa by name, with the client's address, whatever the client says",
        arguments: ProxyRecipe.passing)
    func address(_ recipe: ProxyRecipe) throws {
        let proxy = try running(recipe)
        let file = "\(proxy.setup.path)/certs/links.example.com/fullchain.pem"
        let certificate = try Shell.run(["openssl", "x509", "-in", file, "-outform", "DER"]).output
        func path(_ address: String) -> String { "/.well-known/apple-app-site-association?from=\(address)" }
        let spoofed = "X-Forwarded-For: 192.0.2.66\r\nX-Forwarded-Proto: http\r\nForwarded: for=192.0.2.66\r\n"
        let clients = [("127.0.0.9", ""), ("127.0.0.10", spoofed)]
        for (address, fields) in clients {
            let client = try proxy.connect(from: address, name: "links.example.com")
            #expect(client.presented == Array(certificate))
            let answer = try client.get(path(address), host: "links.example.com", fields: fields)
            #expect(answer.status == 200)
            #expect(answer.text == ProxySetup.association)
            #expect(answer["Content-Type"] == "application/json")
            let missing = try client.get("/products", host: "links.example.com", fields: fields)
            #expect(missing.status == 404)
            #expect(missing["Location"] == nil)
        }
        // Lines of the log come together, within a second.
        for (address, _) in clients {
            let line = try #require(proxy.logged(path(address)))
            #expect(line["address"] as? String == address)
            #expect(line["peer"] as? String == "127.0.0.1")
            #expect(line["tls"] as? String == "1.3")
        }
    }

    @Test("a first message in many pieces is put together", arguments: ProxyRecipe.passing)
    func pieces(_ recipe: ProxyRecipe) throws {
        let socket = try RawSocket(port: running(recipe).setup.port, from: "127.0.0.9")
        let client = try HTTPSClient(socket, SampleOffer { $0.serverName = "links.example.com" })
        for byte in client.hello() { socket.send([byte]) }
        try client.handshake()
        #expect(try client.get(host: "links.example.com").status == 200)
    }

    @Test("other names, and clients that send none, get the website")
    func website() throws {
        let proxy = try running(.nginxStream)
        for name in ["example.com", nil] {
            let client = try proxy.connect(from: "127.0.0.11", name: name)
            #expect(try client.get("/", host: "example.com").text == ProxySetup.website)
        }
        let log = try String(contentsOfFile: "\(proxy.setup.path)/proxy.log", encoding: .utf8)
        #expect(log.hasPrefix("127.0.0.11 - "), "\(log)")
    }

    @Test("other names, and clients that send none, go to the website with a PROXY header")
    func websiteElsewhere() throws {
        let proxy = try running(.haproxyTCP)
        let website = try WebsiteSocket(port: proxy.setup.websitePort)
        for name in ["example.com", nil] {
            let socket = try RawSocket(port: proxy.setup.port, from: "127.0.0.11")
            let client = try HTTPSClient(socket, SampleOffer { $0.serverName = name })
            socket.send(client.hello())
            var bytes: [UInt8] = []
            // Whether the proxy has started was asked by a connection that sent nothing.
            while bytes.count < 29 { bytes = try website.firstBytes(29) }
            // Signature, PROXY, TCP over IPv4, 12 bytes of addresses; then the client's message.
            #expect(bytes.starts(with: Array("\r\n\r\n\0\r\nQUIT\n".utf8) + [0x21, 0x11, 0, 12, 127, 0, 0, 11]))
            #expect(bytes.last == 0x16)
        }
    }

    @Test("while the proxy starts anew, and aasa behind it, no answer is wrong", arguments: ProxyRecipe.passing)
    func restarts(_ recipe: ProxyRecipe) throws {
        let proxy = try RunningRecipe(recipe)
        let wrong = try RecipeLoad.run(proxy, name: "links.example.com") { load in
            try load.wait(forMore: 10)
            try proxy.restartProxy()
            try load.wait(forMore: 10)
            try proxy.stopServer()
            try proxy.startServer()
            try load.wait(forMore: 10)
        }
        #expect(wrong.isEmpty, "\(wrong)")
    }
}
