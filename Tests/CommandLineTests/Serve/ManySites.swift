import Foundation
import PushSamples
import TestSupport

/// A server with a thousand sites and a hundred certificates, made without a program: keys and signatures take no time.
final class ManySites: Sendable {
    /// The number of sites with a name of their own.
    static let count = 950
    static let namesPerCertificate = 10
    static let wildcards = 5

    let server: RunningServer
    /// The certificates in DER, by the names of their folders.
    let certificates: [String: [UInt8]]

    static func name(_ number: Int) -> String { "site\(number).many.example" }

    /// One that the validator finds nothing wrong with, and that no other site has.
    static func document(_ name: String) -> String {
        #"{"webcredentials":{"apps":["ABCDE12345.com.example.\#(name.replacingOccurrences(of: "*", with: "any"))"]}}"#
    }

    init() throws {
        let folder = try TemporaryFolder()
        let names = (0..<Self.count).map(Self.name)
        for name in names { try Self.site(name, in: folder) }
        var certificates: [String: [UInt8]] = [:]
        for start in stride(from: 0, to: Self.count, by: Self.namesPerCertificate) {
            let covered = Array(names[start..<min(start + Self.namesPerCertificate, Self.count)])
            let name = "many\(start / Self.namesPerCertificate)"
            certificates[name] = try Self.pair(covered, name, key: .p256(start + 1), in: folder)
        }
        for number in 0..<Self.wildcards {
            let parent = "wild\(number).example"
            try Self.site("*.\(parent)", in: folder)
            try Self.site("own.\(parent)", in: folder)
            certificates[parent] = try Self.pair(
                ["*.\(parent)", parent], parent, key: .p256(100_000 + number), in: folder)
        }
        // One name, two kinds of keys; a site that only one of them covers.
        for name in ["dual.example", "only-rsa.example", "bad.example", "changing.example"] {
            try Self.site(name, in: folder)
        }
        certificates["ecdsa"] = try Self.pair(
            ["dual.example", "bad.example", "changing.example"], "ecdsa", key: .p256(200_000), in: folder)
        certificates["rsa"] = try Self.pair(["dual.example", "only-rsa.example"], "rsa", key: .rsa(), in: folder)
        // What is wrong.
        try folder.write(#"{"applinks": ["#, to: "sites/bad.example/apple-app-site-association")
        try folder.write("", to: "sites/No Host/apple-app-site-association")
        try folder.write("nothing", to: "certs/garbage/fullchain.pem")
        try folder.write("nothing", to: "certs/garbage/privkey.pem")
        _ = try Self.pair(["dual.example"], "mismatch", key: .p256(200_001), in: folder)
        try folder.write(SampleKey.p256(200_002).pem(), to: "certs/mismatch/privkey.pem")
        _ = try Self.pair(["dual.example"], "keyless", key: .p256(200_003), in: folder)
        try FileManager.default.removeItem(atPath: "\(folder.path)/certs/keyless/privkey.pem")
        self.certificates = certificates
        server = try RunningServer(folder, configuration: #"{"limits": {"perAddress": 0}}"#, threads: 2)
    }

    static func site(_ domain: String, in folder: TemporaryFolder, document: String? = nil) throws {
        let name = domain.hasPrefix("*.") ? "_wildcard.\(domain.dropFirst(2))" : domain
        try folder.write(document ?? self.document(domain), to: "sites/\(name)/apple-app-site-association")
    }

    private static func pair(_ names: [String], _ name: String, key: SampleKey, in folder: TemporaryFolder) throws
        -> [UInt8]
    {
        let now = Int64(Date().timeIntervalSince1970)
        let alternatives = names.map { DER.element(0x82, Array($0.utf8)) }
        let certificate = SampleCertificate(
            subject: [.commonName("test")], issuer: nil, notBefore: now - SampleTime.day,
            notAfter: now + 60 * SampleTime.day,
            extensions: [SampleExtension("2.5.29.17", DER.sequence(of: alternatives))], key: key)
        let bytes = try certificate.der()
        try folder.write(SamplePEM.block("CERTIFICATE", bytes), to: "certs/\(name)/fullchain.pem")
        let file = try folder.write(key.pem(), to: "certs/\(name)/privkey.pem")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        return bytes
    }
}
