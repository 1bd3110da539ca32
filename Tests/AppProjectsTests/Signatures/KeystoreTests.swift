import AppProjects
import AppSamples
import Foundation
import PushSamples
import SystemSupport
import TestSupport
import Testing

@Suite("Keystores and certificates of Android apps")
struct KeystoreTests {
    private static let one = SampleSignature.certificate(1)
    private static let two = SampleSignature.certificate(2)

    private static func keystore(
        _ password: SamplePassword, chain: [SampleCertificate] = [], as form: SamplePKCS12.Form = .openSSL
    ) throws -> SignedBytes {
        SignedBytes(try SamplePKCS12.export(one, chain: chain, password: password, as: form).der())
    }

    @Test("all certificates in PEM count, and one in DER or base64")
    func certificates() throws {
        let text = "Bag Attributes\n" + (try Self.one.pem()) + "junk\n" + (try Self.two.pem())
        #expect(SignedBytes(Array(text.utf8)).summary() == "certificate; 1 signer; 2 signer")
        #expect(SignedBytes(try Self.one.der()).summary() == "certificate; 1 signer")
        #expect(SignedBytes(Array(SamplePEM.base64(try Self.one.der()).utf8)).summary() == "certificate; 1 signer")
        // The key beside it does not matter.
        let key = SamplePEM.block("PRIVATE KEY", try Self.one.key.pkcs8())
        #expect(SignedBytes(Array((key + (try Self.two.pem())).utf8)).summary() == "certificate; 2 signer")
    }

    @Test("of a keystore those certificates count of which it has the private key")
    func keys() throws {
        #expect(try Self.keystore("", chain: [Self.two]).summary() == "pkcs12; 1 signer")
        let trusted = SamplePKCS12([.plain([.certificate(try Self.one.der())])])
        let error = try #require(SignedBytes(try trusted.der()).error)
        #expect(error.code == .notACertificate && error.kind == .pkcs12 && error.message.contains("private key"))
    }

    @Test("a keystore opens with its password, without one, or with the one of debug keystores")
    func passwords() throws {
        for form in SamplePKCS12.Form.allCases where form != .plain && form != .keychain {
            #expect(try Self.keystore("test-password", as: form).summary() == "wrong-password")
            #expect(try Self.keystore("test-password", as: form).summary(password: "other") == "wrong-password")
            #expect(
                try Self.keystore("test-password", as: form).summary(password: "test-password") == "pkcs12; 1 signer")
            #expect(try Self.keystore("android", as: form).summary() == "pkcs12; 1 signer")
            #expect(try Self.keystore("android", as: form).summary(password: "other") == "pkcs12; 1 signer")
            #expect(try Self.keystore("", as: form).summary() == "pkcs12; 1 signer")
        }
        #expect(try Self.keystore("", as: .plain).summary() == "pkcs12; 1 signer")
        let needed = try #require(try Self.keystore("test-password").error)
        #expect(needed.message == "password required" && needed.help?.contains("--password-env") == true)
    }

    @Test("a keystore that is cut off is corrupt")
    func truncated() throws {
        let whole = try Self.keystore("").bytes
        for count in stride(from: 20, to: whole.count, by: 97) {
            #expect(SignedBytes(Array(whole.prefix(count))).summary() == "corrupt", "\(count)")
        }
    }

    @Test("keystores of Java that are not PKCS #12 are recognized, with the line that converts them")
    func javaKeystores() throws {
        let rest = [UInt8](repeating: 1, count: 100)
        let cases: [(start: [UInt8], line: String)] = [
            (
                [0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2],
                "keytool -importkeystore -srckeystore 'my app' -destkeystore 'my app.p12' -deststoretype pkcs12"
            ),
            (
                [0xCE, 0xCE, 0xCE, 0xCE, 0, 0, 0, 2],
                "keytool -importkeystore -srckeystore 'my app' -srcstoretype jceks -destkeystore 'my app.p12' "
                    + "-deststoretype pkcs12"
            ),
            (
                [0, 0, 0, 2, 0, 0, 0, 20],
                "keytool -importkeystore -srckeystore 'my app' -srcstoretype bks -providerclass "
                    + "org.bouncycastle.jce.provider.BouncyCastleProvider -providerpath bcprov.jar -destkeystore "
                    + "'my app.p12' -deststoretype pkcs12"
            ),
        ]
        for (start, line) in cases {
            let error = try #require(SignedBytes(start + rest).error)
            #expect(error.code == .unsupportedKeystore && error.help == "convert it: \(line)")
        }
    }

    @Test("anything else is no certificate")
    func others() throws {
        let key = SamplePEM.block("PRIVATE KEY", try Self.one.key.pkcs8())
        let contents: [[UInt8]] = [
            [], Array("text".utf8), Array("<html>".utf8), Array("{}".utf8), [0x50, 0x4B, 1, 2, 0, 0, 0, 0],
            [0, 0, 0, 3, 0, 0, 0, 20], Array(key.utf8), try Self.one.key.pkcs8(), SampleApp.signed([1]),
            [UInt8](repeating: 0xFF, count: 1_000),
        ]
        for content in contents {
            let error = try #require(SignedBytes(content).error, "\(content.prefix(8))")
            #expect(error.code == .notACertificate, "\(content.prefix(8))")
            #expect(
                !error.message.isEmpty && !error.message.contains("Apple") && error.help?.contains("an APK") == true)
        }
        #expect(SignedBytes(Array(try Self.one.der().dropLast(3))).summary() == "corrupt")
        #expect(SignedBytes([0x30, 0x82] + [UInt8](repeating: 0x30, count: 11 << 20)).summary() == "too-large")
    }

    @Test("a certificate of Android's tools, or one with a public key, is one for debugging")
    func debugKeys() throws {
        func hint(_ certificate: SampleCertificate) throws -> SignerFile.Hint? {
            try SignedBytes(try certificate.der()).result().get().hint
        }
        #expect(try hint(SampleSignature.certificate(name: "Android Debug")) == .debugKey)
        #expect(try hint(SampleSignature.certificate(name: "Android Debugger")) == nil)
        var bundle = SampleArchive()
        bundle.add("BundleConfig.pb", [1])
        try SampleSignature.addSignature(of: [Self.one], to: &bundle)
        #expect(try SignedBytes(bundle.bytes).result().get().hint == .uploadKey)
    }

    @Test("a file that is missing, a folder and a device are not waited for")
    func unreadable() throws {
        func code(_ path: String) -> SignatureError.Code? {
            do throws(SignatureError) {
                _ = try SignerFile.read(RawPath(path))
                return nil
            } catch {
                return error.code
            }
        }
        let folder = try TemporaryFolder()
        #expect(code("\(folder.path)/none") == .notFound)
        #expect(code(folder.path) == .unreadable)
        #expect(code("/dev/zero") == .unreadable)
    }

    @Test("a file of 4 GiB is read in parts, a larger one is not")
    func large() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data([0x50, 0x4B, 3, 4]), to: "large.apk")
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        defer { try? file.close() }
        func code(_ size: UInt64) throws -> SignatureError.Code? {
            // Without content it takes no room on the disk.
            try file.truncate(atOffset: size)
            do throws(SignatureError) {
                _ = try SignerFile.read(RawPath(path))
                return nil
            } catch {
                return error.code
            }
        }
        let start = ThreadTime.now
        #expect(try code(4 << 30) == .corrupt)
        #expect(try code((4 << 30) + 1) == .tooLarge)
        #expect(ThreadTime.now - start < .seconds(Patience.slowness))
    }
}
