import AssociationLint
import Diagnostics
import Testing

@Suite("App IDs of which one is a slip of another")
struct SimilarAppIDsTests {
    private static let team: String = "7K3QWZ9PLM"

    private func check(_ ids: [String]) -> [Diagnostic] {
        let list = ids.map { "\"\($0)\"" }.joined(separator: ", ")
        let text = #"{"applinks": {"details": [{"appIDs": [\#(list)], "components": [{"/": "/buy/*"}]}]}}"#
        return Linter().check(Array(text.utf8), path: "apple-app-site-association").diagnostics
    }

    @Test(
        "one letter more, less or another, two swapped, another case, and a first label twice are slips",
        arguments: [
            ("com.shop.app", "com.shop.apps"), ("com.shop.app", "com.shop.aqp"), ("com.shop.app", "com.shpo.app"),
            ("com.shop.app", "com.shop.App"), ("com.shop.app", "com.com.shop.app"),
            ("com.com.shop.app", "com.shop.app"),
            ("com.shop.app", "com.shop.ap"), ("com.shop.my-app", "com.shop.myapp"),
        ])
    func slips(first: String, second: String) {
        let found = check(["\(Self.team).\(first)", "\(Self.team).\(second)"])
        #expect(found.map(\.code.rawValue) == ["similar-app-ids"], "\(found)")
        #expect(found.first?.pointer == "/applinks/details/0/appIDs/1")
        #expect(
            found.first?.message
                == "'\(Self.team).\(second)' is nearly '\(Self.team).\(first)', another app ID of the file")
    }

    @Test(
        "names that are different, or differ by a digit, a dot or a suffix, are meant",
        arguments: [
            ("com.shop.app", "com.shop.web"), ("com.shop.app", "com.shop.app2"), ("com.shop.app1", "com.shop.app2"),
            ("com.shop.app", "com.shop.app.beta"), ("com.shop.testapp", "com.shoptestapp"),
            ("com.shop.app", "com.shop.app.Clip"),
            ("com.shop", "com.shop.shop"), ("com.shop.app", "com.shop.shop.app"), ("com.shop.app", "de.shop.app"),
            ("com.shop.a", "com.shop.b"), ("com.a.shop", "com.b.shop"),
        ])
    func meant(first: String, second: String) {
        #expect(check(["\(Self.team).\(first)", "\(Self.team).\(second)"]).isEmpty)
    }

    @Test("the app of another team is another app; a letter of a Team ID can be a slip")
    func teams() {
        #expect(check(["\(Self.team).com.shop.app", "5R2XKD8TNV.com.shop.app"]).isEmpty)
        #expect(
            check(["\(Self.team).com.shop.app", "7K3QWZ9PLN.com.shop.app"]).map(\.code.rawValue) == ["similar-app-ids"])
    }

    @Test("an ID that is an example or a placeholder is reported as that")
    func examples() {
        let found = check(["\(Self.team).com.example.app", "\(Self.team).com.example.apps"])
        #expect(found.map(\.code.rawValue) == ["example-app-id", "example-app-id"])
    }

    @Test("more than a thousand long IDs that are all similar are compared")
    func many() {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        let end = String(repeating: "x", count: 150)
        let ids = letters.flatMap { first in
            letters.flatMap { second in letters.prefix(2).map { "\(Self.team).com.\(first)\(second)\($0)\(end)" } }
        }
        let found = check(ids)
        #expect(found.contains { $0.code.rawValue == "similar-app-ids" })
    }
}
