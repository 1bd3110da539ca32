import Foundation
import PushCertificates
import TestSupport
import Testing

@Suite("Files of the openssl command", .waiting)
struct OpenSSLExportTests {
    /// A certificate and its key, made once.
    static let material = Result { () throws -> TemporaryFolder in
        let folder = try TemporaryFolder()
        try TestCertificate.make([], in: folder.url)
        return folder
    }

    static func openssl(_ arguments: [String]) throws -> [UInt8] {
        let folder = try material.get()
        let outcome = try Shell.run(["openssl"] + arguments, in: folder.url)
        guard outcome.status == 0 else { throw TestFailure(outcome.errors) }
        return [UInt8](outcome.output)
    }

    static let exports = [
        [], ["-legacy"], ["-legacy", "-descert"],
        ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", "-macalg", "sha1"],
        ["-legacy", "-keypbe", "PBE-SHA1-RC2-128", "-certpbe", "PBE-SHA1-RC4-128"],
        ["-legacy", "-keypbe", "PBE-SHA1-2DES", "-certpbe", "PBE-SHA1-RC4-40"],
        ["-keypbe", "AES-128-CBC", "-certpbe", "AES-192-CBC", "-macalg", "sha512"],
        ["-keypbe", "CAMELLIA-256-CBC", "-certpbe", "ARIA-128-CBC", "-macalg", "sha3-256"],
        ["-keypbe", "NONE", "-certpbe", "AES-256-CBC"], ["-nomac"], ["-iter", "1", "-nomaciter"],
    ]

    @Test("every form of PKCS #12 is read", arguments: exports)
    func export(_ options: [String]) throws {
        let bytes = try Self.openssl(
            ["pkcs12", "-export", "-in", "fullchain.pem", "-inkey", "privkey.pem", "-passout", "pass:größe-ключ"]
                + options)
        let file = try FileOutcome.read(bytes, password: "größe-ключ")
        #expect(file.certificates.map(\.key) == [.matching])
        #expect(file.says("no-mac") == options.contains("-nomac"))
        #expect(file.says("unprotected-key") == options.contains("NONE"))
    }

    static let schemes = [
        ["-v2", "aes-256-cbc"], ["-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA512"],
        ["-v2", "des3", "-v2prf", "hmacWithSHA1"],
        ["-v2", "camellia-128-cbc"], ["-v2", "aria-256-cbc"], ["-v2", "aes-192-cbc", "-v2prf", "hmacWithSHA384"],
        ["-scrypt", "-scrypt_N", "1024"], ["-v1", "PBE-SHA1-3DES"],
        ["-v2", "rc2-cbc", "-provider", "legacy", "-provider", "default"],
        ["-v2", "rc2-40-cbc", "-provider", "legacy", "-provider", "default"],
        ["-v2", "rc2-64-cbc", "-provider", "legacy", "-provider", "default"],
        ["-v2", "des-cbc", "-provider", "legacy", "-provider", "default"],
        ["-v1", "PBE-MD5-DES", "-provider", "legacy", "-provider", "default"],
        ["-v1", "PBE-SHA1-DES", "-provider", "legacy", "-provider", "default"],
        ["-v1", "PBE-MD5-RC2-64", "-provider", "legacy", "-provider", "default"],
        ["-v1", "PBE-SHA1-RC2-64", "-provider", "legacy", "-provider", "default"],
        ["-v1", "PBE-SHA1-RC2-40", "-provider", "legacy", "-provider", "default"],
    ]

    @Test("every form of an encrypted key is read", arguments: schemes)
    func encryptedKeys(_ options: [String]) throws {
        let key = try Self.openssl(["pkcs8", "-topk8", "-in", "privkey.pem", "-passout", "pass:sesame"] + options)
        let certificate = try Self.openssl(["x509", "-in", "fullchain.pem"])
        let file = try FileOutcome.read(certificate + key, password: "sesame")
        #expect(file.certificates.map(\.key) == [.matching])
        #expect(try FileOutcome.read(certificate + key, password: "simsim").certificates.map(\.key) == [.none])
    }

    @Test("every form of an encrypted key of old is read", arguments: ["-aes256", "-des3", "-camellia128", "-aria192"])
    func traditionalKeys(_ cipher: String) throws {
        let key = try Self.openssl(
            ["pkey", "-in", "privkey.pem", "-traditional", cipher, "-passout", "pass:sesame"])
        let certificate = try Self.openssl(["x509", "-in", "fullchain.pem", "-trustout", "-addtrust", "clientAuth"])
        let file = try FileOutcome.read(certificate + key, password: "sesame")
        #expect(file.certificates.map(\.key) == [.matching])
        #expect(try FileOutcome.read(certificate + key, password: "simsim").certificates.map(\.key) == [.none])
    }
}
