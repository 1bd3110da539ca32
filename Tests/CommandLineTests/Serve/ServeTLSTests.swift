import Foundation
import TestSupport
import Testing

/// TLS as `openssl s_client` sees it (server.md, section 4).
@Suite("aasa serve: TLS", .waiting)
struct ServeTLSTests {
    private func connect(_ server: RunningServer, _ arguments: [String], input: String = "") throws -> String {
        let outcome = try Shell.run(
            ["openssl", "s_client", "-connect", "127.0.0.1:\(server.port)"] + arguments, input: Data(input.utf8))
        return outcome.text + outcome.errors
    }

    @Test("versions, suites and protocols are those of the policy")
    func policy() throws {
        let server = try RunningServer(RunningServer.layOut())
        let name = ["-servername", "localhost"]
        let modern = try connect(server, name)
        #expect(modern.contains("TLSv1.3, Cipher is TLS_AES_128_GCM_SHA256"))
        // OpenSSL 3.5 has other words for it, and for the hybrid.
        #expect(modern.contains("Temp Key: X25519") || modern.contains("group: X25519MLKEM768"))
        let chacha = ["-ciphersuites", "TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256"]
        #expect(try connect(server, name + chacha).contains("Cipher is TLS_CHACHA20_POLY1305_SHA256"))
        #expect(try connect(server, name + ["-tls1_2"]).contains("Cipher is ECDHE-ECDSA-AES128-GCM-SHA256"))
        let weak = ["-cipher", "ALL:@SECLEVEL=0"]
        #expect(try connect(server, name + weak + ["-tls1_1"]).contains("protocol version"))
        let cbc = ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA"]
        #expect(try connect(server, name + cbc).contains("handshake failure"))
        #expect(try connect(server, name + ["-alpn", "http/1.1,h2"]).contains("ALPN protocol: h2"))
        #expect(try connect(server, name + ["-alpn", "h3"]).contains("no application protocol"))
    }

    @Test("TLS 1.2 can be switched off")
    func onlyTLS13() throws {
        let server = try RunningServer(RunningServer.layOut(), configuration: #"{"tls": {"minimumVersion": "1.3"}}"#)
        #expect(try connect(server, ["-servername", "localhost", "-tls1_2"]).contains("protocol version"))
        #expect(try connect(server, ["-servername", "localhost"]).contains("TLSv1.3"))
    }

    @Test("renegotiation is refused")
    func renegotiation() throws {
        let server = try RunningServer(RunningServer.layOut())
        let answer = try connect(server, ["-servername", "localhost", "-tls1_2"], input: "R\n")
        #expect(answer.contains("no renegotiation"))
    }

    @Test("a session is resumed, by tickets", arguments: ["-tls1_2", "-tls1_3"])
    func resumption(version: String) throws {
        let server = try RunningServer(RunningServer.layOut(), threads: 2)
        let file = "\(server.folder.path)/session\(version)"
        let request = "GET /apple-app-site-association HTTP/1.0\r\nHost: localhost\r\n\r\n"
        let arguments = ["-servername", "localhost", version, "-ign_eof"]
        #expect(try connect(server, arguments + ["-sess_out", file], input: request).contains("\nNew, TLSv1"))
        for _ in 0..<2 {
            let again = try connect(server, arguments + ["-sess_in", file, "-sess_out", file], input: request)
            #expect(again.contains("\nReused, TLSv1"))
            #expect(again.contains("HTTP/1.1 200 OK"))
        }
    }

    @Test("the server name chooses the certificate, and an unknown one is refused")
    func serverNames() throws {
        let folder = try RunningServer.layOut()
        try folder.write(#"{"applinks":{}}"#, to: "sites/a.example/apple-app-site-association")
        try folder.write(#"{"applinks":{}}"#, to: "sites/_wildcard.b.example/apple-app-site-association")
        let certs = folder.url.appendingPathComponent("certs")
        try TestCertificate.make(["DNS:a.example"], in: certs.appendingPathComponent("a"))
        try TestCertificate.make(["DNS:*.b.example", "DNS:b.example"], in: certs.appendingPathComponent("b"))
        try TestCertificate.make(["DNS:a.example"], in: certs.appendingPathComponent("a-rsa"), key: .rsa(bits: 2_048))
        let server = try RunningServer(folder)
        func presented(_ arguments: [String]) throws -> String {
            let pem = try connect(server, arguments)
            return try Shell.run(["openssl", "x509", "-noout", "-ext", "subjectAltName"], input: Data(pem.utf8)).text
        }
        #expect(try presented(["-servername", "localhost"]).contains("DNS:localhost"))
        #expect(try presented(["-servername", "A.EXAMPLE"]).contains("DNS:a.example"))
        #expect(try presented(["-servername", "x.b.example"]).contains("DNS:*.b.example"))
        for name in [["-servername", "other.example"], ["-servername", "x.y.b.example"], ["-noservername"]] {
            #expect(try connect(server, name).contains("unrecognized name"), "\(name)")
        }
        let ecdsa = ["-servername", "a.example", "-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256"]
        #expect(try connect(server, ecdsa).contains("Peer signature type: ECDSA"))
        let rsa = ["-servername", "a.example", "-tls1_2", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256"]
        #expect(try connect(server, rsa).contains("Cipher is ECDHE-RSA-AES128-GCM-SHA256"))
        #expect(try connect(server, ["-servername", "a.example"]).contains("Peer signature type: ECDSA"))
        func body(_ name: String, _ host: String) throws -> String {
            let request = "GET /apple-app-site-association HTTP/1.0\r\nHost: \(host)\r\n\r\n"
            return try server.exchange(request, ["-servername", name])
        }
        #expect(try body("x.b.example", "x.b.example").hasSuffix("\r\n\r\n{\"applinks\":{}}"))
        #expect(try body("x.b.example", "y.b.example").contains(" 200 OK"))
        #expect(try body("b.example", "b.example").contains(" 404 Not Found"))
        #expect(try body("x.b.example", "a.example").contains(" 421 Misdirected"))
    }

    @Test("a default site serves clients without a server name, or with an unknown one")
    func defaultSite() throws {
        let server = try RunningServer(RunningServer.layOut(), configuration: #"{"defaultSite": "localhost"}"#)
        let request = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        for name in [["-noservername"], ["-servername", "other.example"]] {
            let outcome = try Shell.run(
                ["openssl", "s_client", "-quiet", "-connect", "127.0.0.1:\(server.port)"] + name,
                input: Data(request.utf8))
            #expect(outcome.text.contains(" 200 OK"), "\(name)")
        }
        let nameless = try Shell.run(
            ["openssl", "s_client", "-quiet", "-noservername", "-connect", "127.0.0.1:\(server.port)"],
            input: Data("GET /apple-app-site-association HTTP/1.0\r\n\r\n".utf8))
        #expect(nameless.text.contains(" 200 OK"))
    }

    @Test("a session is not resumed under a name for which other certificates are presented")
    func resumptionAcrossPairs() throws {
        let folder = try RunningServer.layOut(names: ["DNS:localhost", "DNS:b.example"])
        let rsa = folder.url.appendingPathComponent("certs/rsa")
        try TestCertificate.make(["DNS:localhost"], in: rsa, key: .rsa(bits: 2_048))
        try folder.write(RunningServer.document, to: "sites/b.example/apple-app-site-association")
        let server = try RunningServer(folder)
        let request = "GET /apple-app-site-association HTTP/1.0\r\nHost: b.example\r\n\r\n"
        for version in ["-tls1_2", "-tls1_3"] {
            let file = "\(folder.path)/session\(version)"
            let first = ["-servername", "localhost", version, "-ign_eof", "-sigalgs", "RSA-PSS+SHA256:RSA+SHA256"]
            let answer = try connect(server, first + ["-sess_out", file], input: request)
            // The certificate that was presented does not cover the host, although the other one does.
            #expect(answer.contains(" 421 Misdirected"))
            let second = ["-servername", "b.example", version, "-ign_eof", "-sess_in", file]
            #expect(!(try connect(server, second, input: request).contains("\nReused,")), "\(version)")
        }
        let other = try connect(server, ["-servername", "localhost", "-ign_eof"], input: request)
        #expect(other.contains(" 200 OK"))
    }

    @Test("a request that names no host is for the name of its own handshake", arguments: ["-tls1_2", "-tls1_3"])
    func hostOfResumedSession(version: String) throws {
        let folder = try RunningServer.layOut(names: ["DNS:localhost", "DNS:b.example"])
        try folder.write(#"{"applinks":{"_":1}}"#, to: "sites/b.example/apple-app-site-association")
        let server = try RunningServer(folder)
        let file = "\(folder.path)/session"
        let request = "GET /apple-app-site-association HTTP/1.0\r\n\r\n"
        let first = ["-servername", "localhost", version, "-ign_eof", "-sess_out", file]
        #expect(try connect(server, first, input: request).contains(RunningServer.document))
        let second = ["-servername", "b.example", version, "-ign_eof", "-sess_in", file]
        #expect(try connect(server, second, input: request).contains(#"{"applinks":{"_":1}}"#))
    }

    @Test("a session made with one certificate is not resumed under the name of another")
    func resumptionAcrossNames() throws {
        let folder = try RunningServer.layOut()
        try TestCertificate.make(["DNS:a.example"], in: folder.url.appendingPathComponent("certs/a"))
        let server = try RunningServer(folder)
        let file = "\(folder.path)/session"
        for version in ["-tls1_2", "-tls1_3"] {
            let request = "GET / HTTP/1.0\r\nHost: localhost\r\n\r\n"
            _ = try connect(
                server, ["-servername", "localhost", version, "-ign_eof", "-sess_out", file], input: request)
            let other = try connect(
                server, ["-servername", "a.example", version, "-ign_eof", "-sess_in", file], input: request)
            #expect(!other.contains("\nReused,"), "\(version)")
        }
    }
}
