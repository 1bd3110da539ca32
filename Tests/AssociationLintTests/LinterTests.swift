import AssociationLint
import Diagnostics
import Testing

struct LinterTests {
    private func codes(_ text: String) -> [String] {
        Linter().check(Array(text.utf8)).diagnostics.map(\.code.rawValue)
    }

    @Test("A file that is far too large gets no other finding")
    func largeFile() {
        let member = "\"x\": 1,\n"
        let large = codes("{\(String(repeating: "\n", count: 200_000))\"applinks\": 1, \"x\": 2}")
        #expect(large.contains("file-too-large") && large.contains("wrong-type"))
        let result = Linter().check(Array("{\(String(repeating: member, count: 150_000))\"applinks\": 1}".utf8))
        #expect(!result.diagnostics.contains { $0.code.rawValue == "wrong-type" })
        let finding = result.diagnostics.first { $0.code.rawValue == "file-too-large" }
        #expect(finding?.notes.last?.contains("1 MiB") == true)
    }

    @Test("A file that is not signed is not unwrapped")
    func unwrapping() {
        let good = Array(#"{"webcredentials": {"apps": ["7K3QWZ9PLM.com.shop.app"]}}"#.utf8)
        #expect(Linter(unwrap: { _ in nil }).check(good).diagnostics.isEmpty)
        let signed = Linter { _ in .content(good, signer: "Jo", issuer: "CA", notAfter: "2027-01-01") }.check([0x30])
        #expect(signed.diagnostics.map(\.code.rawValue) == ["signed-file"])
        #expect(signed.diagnostics.first?.notes.first == "signed by 'Jo'")
        #expect(signed.source.bytes == good)
        let unreadable = Linter { _ in .unreadable("it is damaged") }.check([0x30])
        #expect(unreadable.diagnostics.map(\.code.rawValue) == ["unreadable-signature"])
    }

    @Test("Fixes that make something else of a broken text are not made")
    func brokenText() {
        let text = Array(#"{,,{"details": [not ple"]}}"#.utf8)
        let outcome = Fixer(Linter()).fix(text, path: "file")
        #expect(outcome.failure == nil)
        #expect(outcome.bytes == text)
    }

    @Test("A fix that makes another encoding of what is left is not made")
    func encodings() {
        let text: [UInt8] = [0x7B, 0x2C, 0, 0x0A, 0, 0x7D]
        let outcome = Fixer(Linter()).fix(text, path: "file")
        #expect(outcome.failure == nil)
        #expect(outcome.bytes == text)
    }
}
