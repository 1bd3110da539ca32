import AssociationServer
import Diagnostics
import Foundation
import PushSamples
import ServiceHealth
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
        #expect(sites.site("a.example")?.isRefused == false)
        #expect(sites.site("a.example")?.otherFiles.first?.isRefused == true)
        #expect(sites.site("b.example")?.state == .refused)
        #expect(sites.site("c.example")?.state == .refused)
        let findings = sites.sites.flatMap { $0.findings }
        #expect(findings.filter { $0.description.contains("contains a private key") }.count == 3)
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
            #expect(file?.file == nil && file?.error?.message.contains("contains a private key") == true, "\(name)")
        }
    }

    /// A key as people paste it: each form of a text that another program would read it from.
    private enum PastedForm: String, CaseIterable {
        case base64OfPEM, secretOfKubernetes, base64Twice, hex, hexWithColons, hexDump, sentence, jsonString
        case openSSHWithoutArmor, age, wireGuard, xml, afterOtherBytes, base64AfterOtherBytes, privateExponent

        func bytes() throws -> [UInt8] {
            let key = SampleKey.p256()
            let pem = Array(try key.pem().utf8)
            let der = try key.pkcs8()
            let hex = der.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            let text: String
            switch self {
            case .base64OfPEM: text = SamplePEM.base64(pem)
            case .secretOfKubernetes:
                text = "kind: Secret\ndata:\n  tls.crt: AAAA\n  tls.key: \(Data(pem).base64EncodedString())\n"
            case .base64Twice: text = Data(SamplePEM.base64(pem).utf8).base64EncodedString()
            case .hex: text = hex.joined()
            case .hexWithColons: text = "the key:\n    " + hex.map { $0.uppercased() }.joined(separator: ":") + "\n"
            case .hexDump: text = hex.map { "0x\($0)" }.joined(separator: ", ")
            case .sentence: text = "key: \(Data(der).base64EncodedString()) for the server"
            case .jsonString:
                text =
                    "{\"key\": \"\(SamplePEM.base64(der).replacing("\n", with: "\\n").replacing("/", with: "\\/"))\"}"
            case .openSSHWithoutArmor:
                text = SamplePEM.base64(Array("openssh-key-v1\0".utf8) + [UInt8](repeating: 7, count: 200))
            case .age: text = "# created: 2026\nAGE-SECRET-KEY-1" + String(repeating: "Q", count: 58) + "\n"
            case .wireGuard:
                let secret = Data((0..<32).map { UInt8($0) }).base64EncodedString()
                text = "[Interface]\nPrivateKey = \(secret)\nAddress = 10.0.0.1/24\n"
            case .xml:
                let number = Data(repeating: 9, count: 256).base64EncodedString()
                text = "<RSAKeyValue><Modulus>\(number)</Modulus><D>\(number)</D></RSAKeyValue>"
            case .afterOtherBytes: return [0x00, 0xFF] + der
            case .base64AfterOtherBytes: text = Data([0x01] + der + [0x02]).base64EncodedString()
            case .privateExponent: text = "modulus:\n    00:c3:\nprivateExponent:\n    7a:01:"
            }
            return Array(text.utf8)
        }
    }

    @Test("a key is not served in any form that it is pasted in", arguments: PastedForm.allCases)
    private func pasted(form: PastedForm) throws {
        let sites = try SitesFolder()
        sites.configuration.wellKnown = [ServerConfiguration.WellKnownFile(name: "note", contentType: "x/y")]
        try sites.folder.write(Data(try form.bytes()), to: "sites/a.example/note")
        try sites.load()
        let file = sites.file("a.example", "note")
        #expect(file?.file == nil && file?.error?.message.contains("contains a private key") == true)
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
            Data("Contact: mailto:security@shop.app\nExpires: 2027-12-31T00:00:00Z\n".utf8),
            Data("sha256: \(String(repeating: "0f1e2d3c", count: 8))\n".utf8),
            Data("Keep your AGE-SECRET-KEY-1… and the line 'PrivateKey = …' to yourself.\n".utf8),
            Data(
                certificate.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined(separator: ":").utf8),
            Data([0x00, 0x01] + certificate + certificate), Data(try SampleKey.p256().publicKeyInfo()),
            Data((0..<60_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }),
        ] {
            try sites.folder.write(data, to: "sites/a.example/note")
            try sites.load()
            #expect(sites.file("a.example", "note")?.file?.count == data.count, "\(data as NSData)")
        }
    }
}
