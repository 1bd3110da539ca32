import AppProjects
import AppSamples
import PushSamples
import Testing

@Suite("The name of the app in an APK")
struct CompiledManifestTests {
    private static let signer = SampleSignature.certificate(1)

    private static func package(_ manifest: [UInt8]) throws -> String? {
        try SignedBytes(SampleSignature.application([signer], manifest: manifest).bytes).result().get().package
    }

    @Test("it is read of a compiled manifest in each of its forms", arguments: [false, true], [false, true])
    func names(isUTF8: Bool, isTyped: Bool) throws {
        let manifest = SampleSignature.manifest("com.shop.app", isUTF8: isUTF8, isTyped: isTyped)
        #expect(try Self.package(manifest) == "com.shop.app")
    }

    @Test("what has no valid name, or is not compiled, has none, and is an APK all the same")
    func others() throws {
        let contents = [
            [], [3, 0, 8, 0], Array(#"<manifest package="com.shop.app"/>"#.utf8), SampleSignature.manifest("shop"),
            SampleSignature.manifest("com.shop.app\n"), SampleSignature.manifest(""),
        ]
        for content in contents { #expect(try Self.package(content) == nil) }
        // A bundle has its manifest elsewhere, and a JAR may have a file of that name.
        var archive = SampleArchive()
        archive.add("base/manifest/AndroidManifest.xml", SampleSignature.manifest("com.shop.app"))
        archive.add("BundleConfig.pb", [1])
        try SampleSignature.addSignature(of: [Self.signer], to: &archive)
        #expect(try SignedBytes(archive.bytes).result().get().package == nil)
    }

    @Test("a manifest that is cut off, or has any other byte, gives the name or none", arguments: [false, true])
    func damaged(isUTF8: Bool) throws {
        let whole = SampleSignature.manifest("com.shop.app", isUTF8: isUTF8)
        for count in 0..<whole.count { #expect(try Self.package(Array(whole.prefix(count))) == nil) }
        for offset in whole.indices {
            for byte: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var bytes = whole
                bytes[offset] = byte
                // A letter of the name may be another one.
                if let name = try Self.package(bytes) { #expect(name.utf8.count <= 12, "\(offset)") }
            }
        }
    }
}
