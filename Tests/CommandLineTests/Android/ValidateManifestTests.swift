import Foundation
import TestSupport
import Testing

/// The contract of `aasa validate AndroidManifest.xml` (docs/spec/android.md, section 3).
@Suite("aasa validate for manifests", .waiting)
struct ValidateManifestTests {
    private let sample: AndroidSample

    init() throws { sample = try AndroidSample() }

    private func validate(_ arguments: String..., input: [UInt8] = []) throws -> Shell.Outcome {
        try sample.run(["validate"] + arguments, input: input)
    }

    @Test("a good manifest has no findings, by its name, its content, and in a folder")
    func good() throws {
        let text = try sample.tool.text("AndroidManifest.xml")
        try sample.tool.write("<?xml version=\"1.0\"?>\n<!-- <a> -->\n\(text)", to: "other.xml")
        for path in ["AndroidManifest.xml", "other.xml"] {
            let outcome = try validate(path)
            #expect(outcome.status == 0 && outcome.text.contains("1 file"), "\(outcome.text)")
        }
        #expect(try validate("-", input: Array(text.utf8)).status == 0)
        #expect(try validate(".").text.contains("2 files"))
    }

    @Test("findings have their line, their range in every format, and can be configured")
    func findings() throws {
        try sample.writeManifest(host: "https://shop.example", prefix: "buy")
        let outcome = try validate("AndroidManifest.xml")
        #expect(outcome.status == 1)
        #expect(
            outcome.text.contains("AndroidManifest.xml:8:52: error: the host 'https://shop.example' has a scheme in it")
        )
        #expect(outcome.text.contains("[manifest-path-without-slash]"))
        let sarif = try validate("AndroidManifest.xml", "--format", "sarif")
        #expect(sarif.text.contains(#""ruleId":"manifest-host-form""#))
        let disabled = try validate(
            "AndroidManifest.xml", "--disable", "manifest-host-form", "--severity", "manifest-path-without-slash=error")
        #expect(disabled.status == 1 && !disabled.text.contains("manifest-host-form"))
        try sample.tool.write(
            #"{"ignore": [{"code": "manifest-host-form", "reason": "x"}, {"code": "manifest-path-without-slash", "reason": "x"}]}"#,
            to: ".aasa.json")
        #expect(try validate("AndroidManifest.xml").status == 0)
    }

    @Test("--min-api names the oldest device")
    func minimumAPI() throws {
        try sample.writeManifest(prefix: "/\" android:pathSuffix=\".pdf")
        #expect(try validate("AndroidManifest.xml").text.contains("manifest-attribute-ignored") == false)
        let outcome = try validate("AndroidManifest.xml", "--min-api", "24")
        #expect(outcome.text.contains("'android:pathSuffix' is ignored before API 31"))
        #expect(try validate("AndroidManifest.xml", "--min-api", "0").status == 64)
    }

    @Test("a compiled or damaged manifest is refused, with what to do")
    func unusable() throws {
        try sample.tool.write([0x03, 0x00, 0x08, 0x00, 0x10], to: "AndroidManifest.xml")
        let compiled = try validate("AndroidManifest.xml")
        #expect(compiled.status == 65 && compiled.text.contains("the manifest is compiled"))
        #expect(compiled.text.contains("merged"))
        for text in ["<manifest>", "<resources />", "{}"] {
            try sample.tool.write(text, to: "AndroidManifest.xml")
            #expect(try validate("AndroidManifest.xml").status == 65, "\(text)")
        }
        try sample.tool.write("<manifest />", to: "aasa")
        #expect(try validate("aasa", "--kind", "aasa").status == 1)
        #expect(try validate("aasa", "--kind", "manifest").status == 0)
    }
}
