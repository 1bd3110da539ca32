import AssociationFiles
import AssociationLint
import Foundation
import Testing

/// An `.aasa.json` that goes with a file that is published.
@Suite("The configuration of a published file")
struct PublishedConfigurationTests {
    /// The text that goes with a file.
    private func published(
        _ text: String, _ path: String, as name: String = "apple-app-site-association"
    ) throws -> String? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appendingPathComponent(".aasa.json"))
        var checker = FileChecker(rules: RuleRegistry.catalogue)
        return checker.configurationText(forFileAt: file.path, publishedAs: name)
    }

    private static func entry(_ path: String?) -> String {
        let scope = path.map { #""path": "\#($0)", "# } ?? ""
        return #"{"code": "missing-rules", \#(scope)"reason": "r"}"#
    }

    private static func text(_ paths: String?...) -> String {
        #"{"minimumIOS": "13.0", "ignore": [ \#(paths.map(entry).joined(separator: " , ")) ], "severity": {}}"#
    }

    @Test(
        "it is as it was if its entries are about the same files",
        arguments: [
            "", "{}", "{ no JSON", #"{"ignore": 7}"#, #"{"ignore": [7, {"path": 7}]}"#, text(nil),
            text("apple-app-site-association"), text("**"), text("other"), text(nil, "*", "assetlinks.json"),
        ])
    func unchanged(text: String) throws {
        #expect(try published(text, "apple-app-site-association") == text)
    }

    @Test("entries about the file get its name, and those about others that would be about it go")
    func changed() throws {
        let path = "sites/example.com/apple-app-site-association"
        let name = Self.entry("apple-app-site-association")
        func ignored(_ entries: String) -> String {
            #"{"minimumIOS": "13.0", "ignore": [\#(entries)], "severity": {}}"#
        }
        #expect(try published(Self.text("sites/example.com/*"), path) == ignored(name))
        #expect(
            try published(Self.text("sites/**", nil, "other/**", "**"), path)
                == ignored("\(name), \(Self.entry(nil)), \(Self.entry("**"))"))
        #expect(
            try published(Self.text("sites/example.com/*", "apple-app-site-association"), "sites/example.com/new.json")
                == ignored(name))
        #expect(try published(Self.text("apple-app-site-association"), "new.json") == ignored(""))
        #expect(try published(Self.text("sites/*/*"), path, as: #"a"b"#)?.contains(#""path": "a\"b""#) == true)
    }
}
