import AppProjects
import AppSamples
import PushSamples
import Testing

@Suite("Archives that are signed")
struct SignedArchiveTests {
    private static let one = SampleSignature.certificate(1)
    private static let two = SampleSignature.certificate(2)

    private static func archive(_ entries: [(String, [UInt8])]) -> [UInt8] {
        var archive = SampleArchive()
        for (name, content) in entries { archive.add(name, content) }
        return archive.bytes
    }

    @Test("an app has a manifest, a bundle its configuration, and the rest are JARs")
    func kinds() throws {
        func kind(_ names: String...) throws -> String {
            var archive = SampleArchive()
            for name in names { archive.add(name, [1]) }
            try SampleSignature.addSignature(of: [Self.one], to: &archive)
            return SignedBytes(archive.bytes).summary()
        }
        #expect(try kind("AndroidManifest.xml") == "apk; 1 signer v1")
        #expect(try kind("BundleConfig.pb", "base/manifest/AndroidManifest.xml") == "aab; 1 signer v1")
        #expect(try kind("com/example/Main.class", "x/BundleConfig.pb") == "jar; 1 signer v1")
        #expect(try kind("AndroidManifest.xml", "BundleConfig.pb") == "apk; 1 signer v1")
    }

    @Test("the certificate of a JAR's signature is the signer's, not that of an issuer")
    func issuers() throws {
        var archive = SampleArchive()
        archive.add("META-INF/A.SF", [1])
        archive.add("META-INF/A.RSA", try SampleSignature.pkcs7([Self.two], enclosing: [Self.one, Self.two]))
        #expect(SignedBytes(archive.bytes).summary() == "jar; 2 signer v1")
    }

    @Test("several signatures, and several signers of one, all count")
    func severalSigners() throws {
        var archive = SampleArchive()
        archive.add("meta-inf/a.sf", [1])
        archive.add("META-INF/A.DSA", try SampleSignature.pkcs7([Self.one, SampleSignature.certificate(3)]))
        archive.add("META-INF/B.SF", [1])
        archive.add("META-INF/B.EC", try SampleSignature.pkcs7([Self.two]))
        #expect(SignedBytes(archive.bytes).summary() == "jar; 1 signer v1; 3 signer v1; 2 signer v1")
    }

    @Test(
        "what only looks like a signature is none",
        arguments: ["X.EC", "META-INF/sub/A.EC", "META-INF/.EC", "META-INF/A.txt"])
    func lookAlikes(name: String) throws {
        let signature = try SampleSignature.pkcs7([Self.one])
        #expect(
            SignedBytes(Self.archive([("META-INF/A.SF", [1]), ("X.SF", [1]), (name, signature)])).summary()
                == "unsigned")
        // Nothing says what it signs.
        #expect(
            SignedBytes(Self.archive([("META-INF/A.EC", signature), ("META-INF/B.SF", [1])])).summary() == "unsigned")
    }

    @Test("a signature that is damaged, has no signer or not the signer's certificate is corrupt")
    func damaged() throws {
        let whole = try SampleSignature.pkcs7([Self.one])
        let contents: [[UInt8]] = [
            [], Array("text".utf8), Array(whole.dropLast()), try SampleSignature.pkcs7([], enclosing: [Self.one]),
            try SampleSignature.pkcs7([Self.one], enclosing: []),
            // Another serial number than the signer's.
            try SampleSignature.pkcs7([Self.one], enclosing: [Self.one.with { $0.serial = [0x77] }]),
            SampleApp.signed([1, 2, 3]),
        ]
        for content in contents {
            let error = SignedBytes(Self.archive([("META-INF/A.SF", [1]), ("META-INF/A.EC", content)])).error
            #expect(error?.code == .corrupt && error?.message.hasPrefix("the v1 signature is damaged") == true)
        }
    }

    @Test("eleven signatures, and one of more than 1 MiB, are too large")
    func limits() throws {
        let signature = try SampleSignature.pkcs7([Self.one])
        func summary(_ count: Int) -> String {
            var archive = SampleArchive()
            for number in 0..<count {
                archive.add("META-INF/\(number).SF", [1])
                archive.add("META-INF/\(number).EC", signature)
            }
            return SignedBytes(archive.bytes).summary()
        }
        #expect(summary(10) == "jar; 1 signer v1")
        #expect(summary(11) == "too-large")
        var archive = SampleArchive()
        archive.add("META-INF/A.SF", [1])
        archive.add("META-INF/A.EC", .zeros(1 << 30))
        #expect(SignedBytes(archive.bytes).summary() == "too-large")
    }

    @Test("what is not signed says so, and what to do instead")
    func unsigned() throws {
        let apk = try #require(SignedBytes(try SampleSignature.application().bytes).error)
        #expect(apk.message == "the APK is not signed" && apk.kind == .apk && apk.help != nil)
        let bundle = try #require(SignedBytes(Self.archive([("BundleConfig.pb", [1])])).error)
        #expect(bundle.code == .unsigned && bundle.kind == .aab && bundle.help?.contains("Play Console") == true)
        let set = try #require(SignedBytes(Self.archive([("toc.pb", [1]), ("splits/base-master.apk", [1])])).error)
        #expect(set.code == .unsigned && set.help == "extract an APK, and name that")
        #expect(SignedBytes(Self.archive([])).summary() == "unsigned")
    }

    @Test("the end of an archive is the last one whose comment reaches the end of the file")
    func ends() throws {
        let signed = try SampleSignature.application([Self.one]).bytes
        func commented(_ comment: [UInt8], length: Int? = nil) -> [UInt8] {
            Array(signed.dropLast(2)) + SampleArchive.little(length ?? comment.count, 2) + comment
        }
        let other = SampleArchive.end(entries: 0, size: 0, offset: 0)
        #expect(SignedBytes(commented(Array("a comment".utf8))).summary() == "apk; 1 signer v1")
        // An end in the comment of which the comment goes beyond the end, or does not reach it.
        #expect(SignedBytes(commented(Array(other.dropLast(2)) + [1, 0])).summary() == "apk; 1 signer v1")
        #expect(SignedBytes(commented(other + [7])).summary() == "apk; 1 signer v1")
        // One that reaches it is the end, and that archive is empty; what is before it belongs to no archive.
        #expect(SignedBytes(commented(other)).summary() == "corrupt")
        #expect(SignedBytes(commented([], length: 1)).summary() == "corrupt")
        #expect(SignedBytes(signed + [0]).summary() == "corrupt")
        #expect(SignedBytes(commented([UInt8](repeating: 0x50, count: 65_535))).summary() == "apk; 1 signer v1")
        #expect(SignedBytes([UInt8]([0x50, 0x4B, 3, 4]) + [UInt8](repeating: 0, count: 70_000)).summary() == "corrupt")
    }

    @Test("an archive whose directory is not where its end says is corrupt")
    func directories() throws {
        let signed = try SampleSignature.application([Self.one]).bytes
        // A second file before the archive.
        #expect(SignedBytes([0x50, 0x4B, 3, 4] + signed).summary() == "corrupt")
        var moved = signed
        moved[moved.count - 6] &+= 1
        #expect(SignedBytes(moved).summary() == "corrupt")
        for count in stride(from: 4, to: signed.count, by: 7) {
            #expect(SignedBytes(Array(signed.prefix(count))).summary() == "corrupt", "\(count)")
        }
        #expect(
            SignedBytes([0x50, 0x4B, 3, 4] + SampleArchive.end(entries: 1, size: 65 << 20, offset: 4)).summary()
                == "too-large")
        #expect(
            SignedBytes([0x50, 0x4B, 3, 4] + SampleArchive.end(entries: 1, size: 64 << 20, offset: 4)).summary()
                == "corrupt")
    }

    @Test("a directory of more than 16 MiB is read, as that of a large app")
    func largeDirectory() throws {
        var directory: [UInt8] = []
        let name = [UInt8](repeating: 0x61, count: 60_000)
        for _ in 0..<300 {
            directory += [0x50, 0x4B, 1, 2] + [UInt8](repeating: 0, count: 24) + SampleArchive.little(name.count, 2)
            directory += [UInt8](repeating: 0, count: 16) + name
        }
        #expect(directory.count > 16 << 20)
        let start: [UInt8] = [0x50, 0x4B, 3, 4]
        let bytes = start + directory + SampleArchive.end(entries: 300, size: directory.count, offset: 4)
        #expect(SignedBytes(bytes).summary() == "unsigned")
    }
}
