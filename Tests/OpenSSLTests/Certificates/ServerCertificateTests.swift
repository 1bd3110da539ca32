import Foundation
import OpenSSL
import TestSupport
import Testing

@Suite("Certificates of a server", .waiting)
struct ServerCertificateTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.url.appendingPathComponent(name)))
    }

    private func load(_ name: String) throws -> ServerCertificate {
        try ServerCertificate(chain: bytes("\(name)/fullchain.pem"), key: bytes("\(name)/privkey.pem"))
    }

    private func code(_ body: () throws -> ServerCertificate) -> OpenSSLError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? OpenSSLError)?.code
        }
    }

    @Test("names come from the subject alternative name, in lower case, with IPv4 addresses")
    func names() throws {
        let names = ["DNS:Example.com", "DNS:*.example.com", "IP:127.0.0.1", "email:a@example.com"]
        try TestCertificate.make(names, in: folder.url.appendingPathComponent("a"))
        let certificate = try load("a")
        #expect(certificate.names == ["example.com", "*.example.com", "127.0.0.1"])
        #expect(certificate.keyType == .ecdsa)
        #expect(certificate.keyBits == 256)
        let now = Int64(Date().timeIntervalSince1970)
        #expect(certificate.notBefore <= now)
        #expect((now + 89 * 86_400...now + 91 * 86_400).contains(certificate.notAfter))
    }

    @Test("the common name is no name")
    func commonName() throws {
        try TestCertificate.make([], in: folder.url.appendingPathComponent("a"), key: .rsa(bits: 2_048))
        let certificate = try load("a")
        #expect(certificate.names.isEmpty)
        #expect(certificate.keyType == .rsa)
    }

    @Test("a key of another certificate is refused")
    func mismatch() throws {
        try TestCertificate.make(["DNS:a"], in: folder.url.appendingPathComponent("a"))
        try TestCertificate.make(["DNS:a"], in: folder.url.appendingPathComponent("b"))
        #expect(
            code { try ServerCertificate(chain: bytes("a/fullchain.pem"), key: bytes("b/privkey.pem")) }
                == .keyMismatch)
    }

    @Test("a chain in the wrong order is refused")
    func chainOrder() throws {
        try TestCertificate.make(["DNS:a"], in: folder.url.appendingPathComponent("a"))
        try TestCertificate.make(["DNS:b"], in: folder.url.appendingPathComponent("b"))
        let chain = try bytes("a/fullchain.pem") + bytes("b/fullchain.pem")
        // Both are their own issuers, and have the same name: what does not fit is the key.
        _ = try Shell.run(["openssl", "x509", "-in", "\(folder.path)/b/fullchain.pem", "-noout", "-subject"])
        let other = try TemporaryFolder()
        _ = try Shell.run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
            "/CN=another", "-keyout", "\(other.path)/k", "-out", "\(other.path)/c",
        ])
        let wrong = try bytes("a/fullchain.pem") + Array(Data(contentsOf: other.url.appendingPathComponent("c")))
        #expect(code { try ServerCertificate(chain: wrong, key: bytes("a/privkey.pem")) } == .chainOrder)
        #expect(code { try ServerCertificate(chain: chain, key: bytes("a/privkey.pem")) } != .keyMismatch)
    }

    @Test("an encrypted key is named as such, and nobody is asked for its password")
    func encryptedKey() throws {
        try TestCertificate.make(["DNS:a"], in: folder.url.appendingPathComponent("a"))
        let path = "\(folder.path)/a/privkey.pem"
        for form in [["pkcs8", "-topk8", "-v2", "aes-256-cbc"], ["ec", "-aes128"]] {
            _ = try Shell.run(["openssl"] + form + ["-in", path, "-out", "\(path).enc", "-passout", "pass:secret"])
            #expect(
                code { try ServerCertificate(chain: bytes("a/fullchain.pem"), key: bytes("a/privkey.pem.enc")) }
                    == .encryptedKey)
        }
    }

    @Test("a key that is too short for TLS is not accepted")
    func weakKey() throws {
        try TestCertificate.make(["DNS:a"], in: folder.url.appendingPathComponent("a"), key: .rsa(bits: 1_024))
        try TestCertificate.make(["DNS:a"], in: folder.url.appendingPathComponent("b"), key: .rsa(bits: 2_048))
        do {
            _ = try load("a")
            Issue.record("it was accepted")
        } catch {
            #expect((error as? OpenSSLError)?.code == .rejected)
            #expect("\(error)".hasSuffix("; its RSA key has 1024 bits, expected RSA from 2048"))
        }
        #expect(try load("b").keyBits == 2_048)
    }

    @Test(
        "keys are read in all forms that OpenSSL writes",
        arguments: [["ec"], ["rsa", "-traditional"], ["pkey"], ["pkey", "-traditional"]])
    func keyForms(form: [String]) throws {
        let key: TestCertificate.Key = form[0] == "rsa" ? .rsa(bits: 2_048) : .ecdsa
        try TestCertificate.make(["DNS:a"], in: folder.url.appendingPathComponent("a"), key: key)
        let path = "\(folder.path)/a/privkey.pem"
        let outcome = try Shell.run(["openssl"] + form + ["-in", path])
        #expect(outcome.status == 0)
        try folder.write(outcome.output, to: "a/privkey.pem")
        // What is made of it later is read again.
        _ = try TLSContext(certificates: [load("a")], minimumVersion: .tls12, ticketKeys: TicketKeys { 0 })
    }

    @Test("a certificate serves in any number of contexts, whether its parsed form was kept or not")
    func contexts() throws {
        try TestCertificate.make(["DNS:a"], in: folder.url.appendingPathComponent("a"))
        let reader = try ServerCertificateReader()
        let keys = try TicketKeys { 0 }
        // Only the first ones are kept.
        for _ in 0..<20 {
            let certificate = try ServerCertificate(
                chain: bytes("a/fullchain.pem"), key: bytes("a/privkey.pem"), reader: reader)
            for _ in 0..<2 {
                _ = try TLSContext(certificates: [certificate], minimumVersion: .tls12, ticketKeys: keys)
            }
        }
    }

    @Test("a certificate is checked with the policy of any context of the server")
    func checkingContext() throws {
        try TestCertificate.make(["DNS:a"], in: folder.url.appendingPathComponent("a"))
        try TestCertificate.make(["DNS:b"], in: folder.url.appendingPathComponent("b"), key: .rsa(bits: 1_024))
        let context = try TLSContext(certificates: [], minimumVersion: .tls13, ticketKeys: TicketKeys { 0 })
        let reader = try ServerCertificateReader(context: context)
        func read(_ name: String) throws -> ServerCertificate {
            try ServerCertificate(
                chain: bytes("\(name)/fullchain.pem"), key: bytes("\(name)/privkey.pem"), reader: reader)
        }
        #expect(code { try read("b") } == .rejected)
        #expect(try read("a").names == ["a"])
        #expect(code { try read("b") } == .rejected)
    }

    @Test("an Ed25519 key is one, too")
    func edwards() throws {
        let outcome = try Shell.run([
            "openssl", "req", "-x509", "-newkey", "ed25519", "-nodes", "-subj", "/CN=a", "-addext",
            "subjectAltName=DNS:a", "-keyout", "\(folder.path)/privkey.pem", "-out", "\(folder.path)/fullchain.pem",
        ])
        #expect(outcome.status == 0)
        #expect(try load(".").keyType == .other)
    }

    @Test("chains that share an issuer share its memory")
    func sharedIssuer() throws {
        for name in ["ca", "a", "b"] {
            try TestCertificate.make(["DNS:\(name)"], in: folder.url.appendingPathComponent(name))
        }
        let reader = try ServerCertificateReader()
        for name in ["a", "b"] {
            let request = "\(folder.path)/\(name)/request"
            let made = try Shell.run([
                "openssl", "req", "-new", "-key", "\(folder.path)/\(name)/privkey.pem", "-subj", "/CN=\(name)", "-out",
                request,
            ])
            let signed = try Shell.run([
                "openssl", "x509", "-req", "-in", request, "-CA", "\(folder.path)/ca/fullchain.pem", "-CAkey",
                "\(folder.path)/ca/privkey.pem", "-CAcreateserial",
            ])
            #expect(made.status == 0 && signed.status == 0)
            let chain = try Array(signed.output) + bytes("ca/fullchain.pem")
            _ = try ServerCertificate(chain: chain, key: bytes("\(name)/privkey.pem"), reader: reader)
        }
        #expect(reader.issuerCount == 1)
    }

    @Test(
        "files that hold something else are told apart",
        arguments: [
            ("", "", OpenSSLError.Code.noCertificate), ("not PEM", "", .noCertificate),
            ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "", .noCertificate),
        ])
    func junk(chain: String, key: String, expected: OpenSSLError.Code) {
        #expect(code { try ServerCertificate(chain: Array(chain.utf8), key: Array(key.utf8)) } == expected)
    }

    @Test("a missing key is told apart from a damaged one")
    func missingKey() throws {
        try TestCertificate.make(["DNS:a"], in: folder.url.appendingPathComponent("a"))
        let chain = try bytes("a/fullchain.pem")
        #expect(code { try ServerCertificate(chain: chain, key: chain) } == .noKey)
        let label = "PRIVATE KEY"
        let damaged = "-----BEGIN \(label)-----\nAAAA\n-----END \(label)-----\n"
        #expect(code { try ServerCertificate(chain: chain, key: Array(damaged.utf8)) } == .noKey)
    }
}
