import AssociationServer
import Diagnostics
import Foundation
import Logging
import TestSupport
import Testing

@Suite("Loading sites and certificates", .waiting)
struct LoadingTests {
    private let folder: TemporaryFolder
    /// Nothing can be said against it.
    private let document = """
        {"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.links"],"components":[{"/":"/buy/*"}]}]}}
        """

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(document, to: "sites/example.com/apple-app-site-association")
        try TestCertificate.make(["DNS:example.com"], in: folder.url.appendingPathComponent("certs/example.com"))
    }

    private func load(_ change: (inout ServerConfiguration) -> Void = { _ in }) throws -> LinkServer {
        var configuration = ServerConfiguration()
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = "\(folder.path)/certs"
        change(&configuration)
        return try LinkServer(configuration, logger: Logger(label: "test"))
    }

    /// `severity path: message; advice` without the folder's own path.
    private func findings(_ change: (inout ServerConfiguration) -> Void = { _ in }) throws -> [String] {
        try load(change).findings.map {
            let advice = $0.diagnostic.advice.map { "; \($0)" } ?? ""
            let path = $0.path.replacingOccurrences(of: folder.path + "/", with: "")
            return "\($0.severity.rawValue) \(path): \($0.message)\(advice)"
        }
    }

    private func failure(_ change: (inout ServerConfiguration) -> Void = { _ in }) -> ServerError? {
        do {
            _ = try load(change)
            return nil
        } catch {
            return error as? ServerError
        }
    }

    @Test("a good site and a good certificate give no findings")
    func good() throws {
        #expect(try findings().isEmpty)
        #expect(try load().summary == "1 site, 1 certificate")
    }

    @Test("hidden folders, files and editors' leftovers are no sites")
    func ignored() throws {
        for name in [
            "sites/..data/x", "sites/.git/x", "sites/README", "sites/example.com~/x", "sites/x.swp/x",
            "certs/README.md",
        ] {
            try folder.write("x", to: name)
        }
        #expect(try findings().isEmpty)
    }

    @Test(
        "a faulty site is named and does not stop the others",
        arguments: [
            (
                "Example.org", "{}",
                "error sites/Example.org: the folder's name is not in lowercase; rename it to 'example.org'"
            ),
            ("bücher.example", "{}", "error sites/bücher.example: the folder's name is not a host name"),
            ("_wildcard.", "{}", "error sites/_wildcard.: the folder's name is not a host name"),
            ("example.org", "", "error sites/example.org/apple-app-site-association: the file has no JSON value"),
            ("example.org", "[]", "error sites/example.org/apple-app-site-association: "),
            (
                "example.org", "<html>",
                "error sites/example.org/apple-app-site-association: the file is an HTML or XML page"
            ),
            (
                "example.org", "{\"a\":\"" + String(repeating: "x", count: 131_072) + "\"}",
                "error sites/example.org/apple-app-site-association: the file has 131,080 bytes"
            ),
        ])
    func faultySite(name: String, text: String, expected: String) throws {
        try folder.write(text, to: "sites/\(name)/apple-app-site-association")
        let found = try findings()
        #expect(found.first?.hasPrefix(expected) == true, "\(found)")
        #expect(try load().summary.hasPrefix("1 of 2 sites") || !name.hasPrefix("example"))
    }

    @Test("findings of the validator have their place, and only errors keep a file from being published")
    func validated() throws {
        try folder.write("{\n  \"applinks\": {\"details\": [],}\n}", to: "sites/a.example/apple-app-site-association")
        try folder.write("\u{FEFF}" + document, to: "sites/b.example/apple-app-site-association")
        let server = try load()
        let found = server.findings.map { $0.description.replacingOccurrences(of: folder.path + "/", with: "") }
        #expect(found.contains { $0.hasPrefix("sites/a.example/apple-app-site-association:2:29: error: ") })
        #expect(found.contains { $0.hasPrefix("sites/b.example/apple-app-site-association:1:1: warning: ") })
        #expect(server.summary == "2 of 3 sites, 1 certificate")
        #expect(server.refusedCount == 1)
    }

    @Test("the limit of the configuration and the system's own are both kept")
    func sizes() throws {
        let file = "sites/a.example/apple-app-site-association"
        let limit = document.utf8.count
        try folder.write(document + " ", to: file)
        #expect(
            try findings { $0.limits.fileBytes = limit } == [
                "error \(file): the file has more than \(limit) bytes ('limits.fileBytes')",
                "error a.example: no certificate covers this site, so nobody can fetch its file",
            ])
        try folder.write(document + String(repeating: " ", count: 131_072), to: file)
        let found = try findings { $0.limits.fileBytes = 1_000_000 }
        #expect(found.contains { $0.hasPrefix("error \(file): the file has 13") && $0.contains("are ignored") })
    }

    @Test("the nearest .aasa.json has its say")
    func lintConfiguration() throws {
        try folder.write("\u{FEFF}" + document, to: "sites/example.com/apple-app-site-association")
        #expect(try findings().count == 1)
        try folder.write(#"{"severity": {"byte-order-mark": "off"}}"#, to: "sites/.aasa.json")
        #expect(try findings().isEmpty)
        try folder.write(#"{"severity": {"byte-order-mark": "error"}}"#, to: "sites/example.com/.aasa.json")
        #expect(failure()?.code == .nothingToServe)
        try folder.write(#"{"severitty": {}}"#, to: "sites/example.com/.aasa.json")
        #expect(try findings().contains { $0.hasPrefix("error sites/example.com/.aasa.json: ") })
    }

    @Test("a signed file is checked for what it holds")
    func signed() throws {
        let certificate = "\(folder.path)/certs/example.com"
        for (name, content) in [("good", document), ("bad", "<html>")] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/sites/\(name).example", withIntermediateDirectories: true)
            let sign = [
                "openssl", "smime", "-sign", "-nodetach", "-binary", "-outform", "DER", "-signer",
                "\(certificate)/fullchain.pem", "-inkey", "\(certificate)/privkey.pem", "-out",
                "\(folder.path)/sites/\(name).example/apple-app-site-association",
            ]
            #expect(try Shell.run(sign, input: Data(content.utf8)).status == 0)
        }
        let found = try load().findings.compactMap { finding in
            finding.start.map { _ in "\(finding.severity.rawValue) \(finding.diagnostic.code)" }
        }
        #expect(found == ["error html-instead-of-json", "warning signed-file", "warning signed-file"])
        #expect(try load().summary == "2 of 3 sites, 1 certificate")
    }

    @Test("a folder without its file is named")
    func missingFile() throws {
        try folder.write("x", to: "sites/example.org/other")
        #expect(
            try findings().first
                == "error sites/example.org/apple-app-site-association: the site has no file 'apple-app-site-association'"
        )
    }

    @Test("a file that is a folder or a pipe is not waited for")
    func notAFile() throws {
        try folder.write("x", to: "sites/a.example/apple-app-site-association/x")
        try folder.write("x", to: "sites/b.example/x")
        try Shell.run(["mkfifo", "\(folder.path)/sites/b.example/apple-app-site-association"])
        let found = try findings()
        #expect(found.contains { $0.contains("a.example") && $0.contains("is a directory") })
        #expect(found.contains { $0.contains("b.example") && $0.contains("not a regular file") })
    }

    @Test(
        "a site that no certificate covers is warned about",
        arguments: ["example.org", "_wildcard.example.com", "a.example.com"])
    func uncovered(name: String) throws {
        try folder.write(document, to: "sites/\(name)/apple-app-site-association")
        #expect(try findings().map { $0.contains("no certificate covers this site") } == [true])
    }

    @Test("a wildcard certificate covers wildcard sites and names one label deep")
    func wildcard() throws {
        try TestCertificate.make(["DNS:*.example.com"], in: folder.url.appendingPathComponent("certs/wild"))
        for name in ["_wildcard.example.com", "a.example.com"] {
            try folder.write(document, to: "sites/\(name)/apple-app-site-association")
        }
        #expect(try findings().isEmpty)
    }

    @Test("a pair that cannot be used is named")
    func faultyPairs() throws {
        let certs = folder.url.appendingPathComponent("certs")
        try TestCertificate.make(["DNS:a.example"], in: certs.appendingPathComponent("mixed"))
        try TestCertificate.make(["DNS:a.example"], in: folder.url.appendingPathComponent("other"))
        try FileManager.default.removeItem(at: certs.appendingPathComponent("mixed/privkey.pem"))
        try FileManager.default.copyItem(
            at: folder.url.appendingPathComponent("other/privkey.pem"),
            to: certs.appendingPathComponent("mixed/privkey.pem"))
        try folder.write("x", to: "certs/incomplete/fullchain.pem")
        try TestCertificate.make([], in: certs.appendingPathComponent("nameless"))
        try TestCertificate.make(
            ["DNS:small.example"], in: certs.appendingPathComponent("small"), key: .rsa(bits: 1_024))
        let found = try findings()
        for expected in [
            "error certs/incomplete/privkey.pem: the private key cannot be read: no such file or directory",
            "error certs/mixed/privkey.pem: the private key does not belong to the certificate",
            "error certs/nameless/fullchain.pem: the certificate names no host in its subject alternative name",
        ] {
            #expect(found.contains(expected), "\(found)")
        }
        #expect(found.contains { $0.hasPrefix("error certs/small/") && $0.contains("its RSA key has 1024 bits") })
    }

    @Test("a pair that TLS does not accept is refused and takes no name from one that it does")
    func weakPair() throws {
        for (name, key) in [
            ("ecdsa", TestCertificate.Key.ecdsa), ("rsa", .rsa(bits: 2_048)), ("weak", .rsa(bits: 1_024)),
        ] {
            try TestCertificate.make(
                ["DNS:a.example"], in: folder.url.appendingPathComponent("certs/\(name)"), key: key)
        }
        try folder.write(document, to: "sites/a.example/apple-app-site-association")
        let found = try findings()
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("error certs/weak/fullchain.pem: TLS does not accept this certificate") == true)
        #expect(try load().summary == "2 sites, 3 certificates")
    }

    @Test("a key on a curve that no client can use is refused", arguments: ["secp256k1", "P-224", "brainpoolP256r1"])
    func unusableCurve(_ curve: String) throws {
        let certs = folder.url.appendingPathComponent("certs/odd")
        try FileManager.default.createDirectory(at: certs, withIntermediateDirectories: true)
        let key = certs.appendingPathComponent("privkey.pem").path
        _ = try Shell.run([
            "openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(curve)", "-out", key,
        ])
        _ = try Shell.run([
            "openssl", "req", "-x509", "-key", key, "-days", "2", "-subj", "/CN=odd", "-addext",
            "subjectAltName=DNS:odd.example", "-out", certs.appendingPathComponent("fullchain.pem").path,
        ])
        #expect(try findings().contains { $0.contains("no TLS client can use an EC key on the curve") })
    }

    @Test("a wildcard site needs the wildcard itself, and the names that can be asked for are told")
    func uncoveredWildcard() throws {
        try TestCertificate.make(
            ["DNS:x.example.com", "DNS:a.b.example.com", "DNS:y.example.com"],
            in: folder.url.appendingPathComponent("certs/x"))
        try folder.write(document, to: "sites/_wildcard.example.com/apple-app-site-association")
        let problem = "warning *.example.com: no certificate covers all names of this site"
        let rest = "its file can be fetched only from those that one covers, like"
        #expect(try findings() == ["\(problem): \(rest) 'x.example.com'"])
        // A site of its own answers for this name.
        try folder.write(document, to: "sites/x.example.com/apple-app-site-association")
        #expect(try findings() == ["\(problem): \(rest) 'y.example.com'"])
        try folder.write(document, to: "sites/y.example.com/apple-app-site-association")
        #expect(try findings().map { $0.contains("no certificate covers this site") } == [true])
    }

    @Test("a public key file is warned about")
    func warnings() throws {
        let certs = folder.url.appendingPathComponent("certs")
        try TestCertificate.make(["DNS:old.example"], in: certs.appendingPathComponent("old"), days: -1)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: certs.appendingPathComponent("old/privkey.pem").path)
        let found = try findings()
        #expect(found.contains { $0.hasPrefix("warning certs/old/privkey.pem: everybody on this machine can read") })
    }

    @Test("a key, a chain or a folder that everybody can write is warned about")
    func writable() throws {
        let certs = folder.url.appendingPathComponent("certs")
        try TestCertificate.make(["DNS:open.example"], in: certs.appendingPathComponent("open"))
        func set(_ mode: Int, _ name: String) throws {
            try FileManager.default.setAttributes(
                [.posixPermissions: mode], ofItemAtPath: certs.appendingPathComponent(name).path)
        }
        func writable() throws -> [String] {
            try findings().filter { $0.contains("everybody on this machine can write") }
        }
        let place = "\(folder.path)/certs/open"
        // A group is somebody's choice.
        for (mode, name) in [(0o775, "open"), (0o660, "open/privkey.pem"), (0o664, "open/fullchain.pem")] {
            try set(mode, name)
        }
        #expect(try writable() == [])
        for (mode, name) in [(0o777, "open"), (0o602, "open/privkey.pem"), (0o666, "open/fullchain.pem")] {
            try set(mode, name)
        }
        let expected = [
            ("", "the folder of this certificate"), ("/fullchain.pem", "the certificate chain"),
            ("/privkey.pem", "the private key"),
        ].map {
            "warning certs/open\($0): everybody on this machine can write \($1); run 'chmod o-w \(place)\($0)'"
        }
        #expect(try writable().sorted() == expected.sorted())
    }

    @Test("missing folders, and nothing to serve, are errors of their own")
    func errors() throws {
        #expect(failure { $0.sites = "/nowhere" }?.code == .unreadable)
        #expect(failure { $0.certs = "/nowhere" }?.code == .unreadable)
        #expect(failure { $0.sites = "\(folder.path)/certs" }?.code == .nothingToServe)
        #expect(failure { $0.certs = "\(folder.path)/sites" }?.code == .nothingToServe)
        #expect(failure { $0.sites = "/nowhere" }?.description.contains("'/nowhere'") == true)
    }

    @Test("whatever is wrong with sites, what is wrong with certificates is logged too, and the other way round")
    func allAtOnce() throws {
        let none = failure {
            $0.sites = "/no/sites"
            $0.certs = "/no/certs"
        }
        #expect(none?.description.contains("'/no/sites'") == true)
        #expect(none?.description.contains("'/no/certs'") == true)
        try folder.write("x", to: "certs/bad/fullchain.pem")
        #expect(failure { $0.sites = "/no/sites" }?.findings.map(\.severity) == [.error])
        try folder.write("x", to: "sites/a.example/apple-app-site-association")
        #expect(failure { $0.certs = "/no/certs" }?.findings.contains { $0.path.contains("a.example") } == true)
        let nothing = failure { $0.certs = $0.sites }
        #expect(nothing?.code == .nothingToServe)
        #expect(nothing?.findings.contains { $0.path.contains("a.example/apple-app-site-association") } == true)
        #expect(nothing?.findings.contains { $0.path.contains("a.example/fullchain.pem") } == true)
    }
}
