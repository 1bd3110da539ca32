import AssociationServer
import Foundation
import PushSamples
import TestSupport
import Testing

/// Whoever may write files of a site is not necessarily one who may read keys.
@Suite("Keys in the folders of sites", .waiting)
struct SitesSecretsTests {
    @Test("a link to a private key, or a key by mistake, is not served, and no log quotes it")
    func keys() throws {
        let sites = try SitesFolder()
        try sites.write(SitesFolder.document, "a.example")
        sites.configuration.allowLinksOutside = true
        try sites.folder.write(SampleKey.p256().pem(), to: "certs/secret.pem")
        try sites.link("a.example/assetlinks.json", to: "../../certs/secret.pem")
        try sites.write("x", "b.example", "other")
        try sites.link("b.example/apple-app-site-association", to: "../../certs/secret.pem")
        try sites.write("{\"a\": \"\(SampleKey.p256().traditionalPEM())\"}", "c.example")
        try sites.load()
        #expect(sites.site("a.example")?.state == .published)
        #expect(sites.site("a.example")?.otherFiles.first?.isRefused == true)
        #expect(sites.site("b.example")?.state == .refused)
        #expect(sites.site("c.example")?.state == .refused)
        let findings = sites.sites.flatMap { $0.findings }
        #expect(findings.filter { $0.description.contains("holds a private key") }.count == 3)
        let lines = findings.flatMap { $0.block + [$0.logLine] }
        #expect(!lines.contains { $0.contains("PRIVATE KEY") })
    }

    /// Key files as `openssl` writes them, and what else people keep keys in.
    private enum Encoding: String, CaseIterable {
        case pkcs8, encryptedPKCS8, pkcs1, sec1, pfx, base64, utf16, jwk, keySet

        func write(to folder: TemporaryFolder) throws -> String {
            let pem = try folder.write(
                self == .pkcs1 ? SampleKey.rsa().pem() : SampleKey.p256().pem(), to: "certs/key.pem")
            let path = "\(folder.path)/certs/secret"
            func openssl(_ arguments: [String]) throws {
                let outcome = try Shell.run(["openssl"] + arguments + ["-out", path])
                guard outcome.status == 0 else { throw TestFailure(outcome.errors) }
            }
            let jwk = #"{"kty":"EC","crv":"P-256","x":"AA","y":"AA","d":"AA"}"#
            switch self {
            case .pkcs8: try openssl(["pkcs8", "-topk8", "-nocrypt", "-in", pem, "-outform", "DER"])
            case .encryptedPKCS8:
                try openssl(["pkcs8", "-topk8", "-in", pem, "-outform", "DER", "-passout", "pass:x"])
            case .pkcs1: try openssl(["rsa", "-traditional", "-in", pem, "-outform", "DER"])
            case .sec1: try openssl(["ec", "-in", pem, "-outform", "DER"])
            case .pfx: try openssl(["pkcs12", "-export", "-nocerts", "-inkey", pem, "-passout", "pass:x"])
            case .base64: try folder.write(SamplePEM.base64(try SampleKey.p256().pkcs8()) + "\n", to: "certs/secret")
            case .utf16:
                let units = Array(try SampleKey.p256().pem().utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
                try folder.write(Data([0xFF, 0xFE] + units), to: "certs/secret")
            case .jwk: try folder.write(jwk, to: "certs/secret")
            case .keySet: try folder.write(#"{"keys":[\#(jwk)]}"#, to: "certs/secret")
            }
            return path
        }
    }

    @Test(
        "a key is not served in any encoding, whatever its type and whoever allows links", arguments: Encoding.allCases)
    private func encodings(encoding: Encoding) throws {
        let sites = try SitesFolder()
        sites.configuration.allowLinksOutside = true
        sites.configuration.wellKnown = [
            ("note.bin", "application/octet-stream"), ("note.json", "application/json"), ("note.txt", "text/plain"),
        ].map { ServerConfiguration.WellKnownFile(name: $0.0, contentType: $0.1) }
        try sites.write(SitesFolder.document, "a.example")
        let path = try encoding.write(to: sites.folder)
        for name in ["note.bin", "note.json", "note.txt"] { try sites.link("a.example/\(name)", to: path) }
        try sites.load()
        for name in ["note.bin", "note.json", "note.txt"] {
            let file = sites.file("a.example", name)
            #expect(file?.file == nil && file?.error?.message.contains("holds a private key") == true, "\(name)")
        }
    }

    @Test("what is no key is none, however like one it is")
    func noKeys() throws {
        let sites = try SitesFolder()
        sites.configuration.wellKnown = [ServerConfiguration.WellKnownFile(name: "note", contentType: "x/y")]
        try TestCertificate.make(["DNS:a.example"], in: sites.folder.url.appendingPathComponent("certs"))
        let chain = "\(sites.folder.path)/certs/fullchain.pem"
        let certificate = Array(try Shell.run(["openssl", "x509", "-in", chain, "-outform", "DER"]).output)
        let publicSet = #"{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]}"#
        for data in [
            Data(certificate), Data(SamplePEM.base64(certificate).utf8), Data(publicSet.utf8), Data(),
            Data([0x30, 0x03, 0x02, 0x01, 0x00]), Data([0x30, 0x82, 0xFF]), Data("MII=".utf8),
            // Hex digits of Apple Pay are digits of Base64, too.
            Data(String(repeating: "7B227073704964223A22", count: 20).utf8),
        ] {
            try sites.folder.write(data, to: "sites/a.example/note")
            try sites.load()
            #expect(sites.file("a.example", "note")?.file?.count == data.count, "\(data as NSData)")
        }
    }
}
