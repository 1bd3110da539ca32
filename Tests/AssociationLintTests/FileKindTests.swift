import AssociationLint
import Diagnostics
import Testing

@Suite("Kinds of files")
struct FileKindTests {
    private static let statements = #"[{"relation": ["delegate_permission/common.handle_all_urls"], "target": {}}]"#

    @Test(
        "a name tells, whatever is in the file",
        arguments: [
            ("assetlinks.json", FileKind.assetLinks), ("site/.well-known/assetlinks.json", .assetLinks),
            ("apple-app-site-association", .association), ("a/apple-app-site-association.json", .association),
        ])
    func names(path: String, kind: FileKind) {
        for text in ["{}", Self.statements, "", "<html>"] { #expect(FileKind(path: path, Array(text.utf8)) == kind) }
    }

    @Test(
        "under another name the content tells",
        arguments: [
            (statements, FileKind.assetLinks), (#"[{"target": 1}]"#, .assetLinks),
            (" \n[1, {\"relation\": 1}", .assetLinks),
            (#"[{"include": "https://a.example/b.json"}]"#, .assetLinks), ("\u{FEFF}[{\"include\": 1,}]", .assetLinks),
            (#"[{'relation': 1}]"#, .assetLinks), ("[]", .association), ("{}", .association), ("", .association),
            (#"{"relation": [], "target": {}}"#, .association), (#"[{"applinks": {}}, {"relation": 1}]"#, .association),
            (#"{"applinks": [{"relation": 1}]}"#, .association), ("[[{\"relation\": 1}]]", .association),
            ("[x", .association), (String(repeating: "[", count: 100_000), .association),
        ])
    func contents(text: String, kind: FileKind) {
        for path in ["-", "other.json", "assetlinks", "x/assetlinks.json.txt"] {
            #expect(FileKind(path: path, Array(text.utf8)) == kind)
        }
    }

    @Test("UTF-16 is told apart too")
    func encodings() {
        let bytes = Self.statements.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(FileKind(path: "-", [0xFF, 0xFE] + bytes) == .assetLinks)
    }

    private func codes(_ bytes: [UInt8], _ kind: FileKind) -> [String] {
        Linter().check(bytes, path: "file", as: kind).diagnostics.map(\.code.rawValue)
    }

    @Test("an asset links file may have 1 MiB, an association file 128 KiB")
    func sizes() {
        let links = Array(#"[{"include": "https://a.example/b.json"}]"#.utf8)
        func padded(_ text: [UInt8], to count: Int) -> [UInt8] {
            text + [UInt8](repeating: 0x20, count: count - text.count)
        }
        #expect(codes(padded(links, to: 131_073), .assetLinks) == [])
        #expect(codes(padded(links, to: 1 << 20), .assetLinks) == [])
        #expect(codes(padded(links, to: 1 << 20 + 1), .assetLinks) == ["file-too-large"])
        let file = Array(#"{"webcredentials": {"apps": ["7K3QWZ9PLM.com.shop.app"]}}"#.utf8)
        #expect(codes(padded(file, to: 128_001), .association) == ["file-near-limit"])
        #expect(codes(padded(file, to: 131_073), .association) == ["file-too-large"])
    }

    @Test("statements under the name of an association file are an error, which says what they are")
    func statementsAsAssociation() {
        let result = Linter().check(Array(Self.statements.utf8), path: "apple-app-site-association", as: .association)
        #expect(result.diagnostics.map(\.code.rawValue) == ["android-asset-links"])
        #expect(result.diagnostics.first?.message.contains("asset links file for Android") == true)
    }

    @Test("the syntax of an asset links file is fixed as that of an association file")
    func fixes() {
        let text =
            #"[{relation: ['delegate_permission/common.get_login_creds',], "target": {"namespace": "web", "site": "https://a.example"},}]"#
        let outcome = Fixer(Linter(), kind: .assetLinks).fix(Array(text.utf8), path: "assetlinks.json")
        #expect(outcome.failure == nil)
        #expect(outcome.result.diagnostics.isEmpty)
        #expect(
            String(decoding: outcome.bytes, as: UTF8.self)
                == #"[{"relation": ["delegate_permission/common.get_login_creds"], "target": {"namespace": "web", "site": "https://a.example"}}]"#
        )
        let many = "[" + String(repeating: #"{"include": 'https://a.example/b.json'},"#, count: 100) + "]"
        #expect(Fixer(Linter(), kind: .assetLinks).fix(Array(many.utf8), path: "x").result.diagnostics.isEmpty)
    }
}
