import Android
import Diagnostics
import JSONSyntax
import Testing

@Suite("An assetlinks.json as Android reads it")
struct AssetLinksDocumentTests {
    @Test("apps are listed once, with the first list that can be used")
    func appsAreListedOnceWithThe() throws {
        let document = AssetLinksDocument.read(
            """
            [
              {"relation": ["delegate_permission/common.handle_all_urls"], "target": \(target("com.shop.app", "AA"))},
              {"relation": ["delegate_permission/common.handle_all_urls"], "target": \(target("com.shop.app", "bb")),
               "relation_extensions": {"delegate_permission/common.handle_all_urls":
                 {"dynamic_app_link_components": [{"/": "/buy/*", "comment": "shop"}, {"/": "*", "exclude": true}]}}},
              {"relation": ["delegate_permission/common.get_login_creds"], "target": \(target("com.shop.pass", "AA"))},
              {"relation": ["delegate_permission/common.handle_all_urls"], "target": \(target("com.shop.other", "AA"))}
            ]
            """)
        #expect(document.apps.map(\.package) == ["com.shop.app", "com.shop.other"])
        let app = try #require(document.apps.first)
        #expect(app.statements == [0, 1])
        #expect(app.fingerprints.count == 2)
        #expect(app.fingerprints.allSatisfy { $0 == $0.uppercased() })
        #expect(!app.hasTwoLists && !app.isDiscarded)
        let components = try #require(app.components)
        #expect(components.map(\.excludes) == [false, true])
        #expect(components.map(\.statement) == [1, 1])
        #expect(
            components[1].pointer.description
                == "/1/relation_extensions/delegate_permission~1common.handle_all_urls/dynamic_app_link_components/1")
        #expect(components[0].position.line == 5)
        #expect(document.apps[1].components == nil)
        #expect(!document.hasInclude)
    }

    @Test("two lists of one app are known, and the first usable one is in force")
    func twoListsOfOneAppAre() throws {
        let first = rules(#"[{"/": 5}]"#)
        let second = rules(#"[{"/": "/b"}]"#)
        let document = AssetLinksDocument.read("[\(statement(first)), \(statement(second)), \(statement(""))]")
        let app = try #require(document.apps.first)
        #expect(app.hasTwoLists)
        #expect(!app.isDiscarded)
        #expect(app.components?.first?.path?.text == "/b")
    }

    @Test(
        "something malformed or empty discards all rules of a statement",
        arguments: [
            #"{"relation_extensions": []}"#, #"{"relation_extensions": "x"}"#, #"{"relation_extensions": null}"#,
            #"{"relation_extensions": {"delegate_permission/common.handle_all_urls": []}}"#,
            list(#"{}"#), list(#""x""#), list("1"), list(#"["/x"]"#), list("[1]"), list("[null]"), list("[[]]"),
            list(#"[{"/": ""}]"#), list(#"[{"/": 1}]"#), list(##"[{"#": ""}]"##), list(##"[{"#": true}]"##),
            list(#"[{"?": {}}]"#), list(#"[{"?": "a=b"}]"#), list(#"[{"?": {"a": ""}}]"#), list(#"[{"?": {"a": 1}}]"#),
            list(#"[{"?": []}]"#), list(#"[{"exclude": "true", "/": "*"}]"#), list(#"[{"exclude": 1, "/": "*"}]"#),
            list(#"[{"/": "/good"}, {"/": null}]"#),
        ])
    func somethingMalformedOrEmptyDiscardsAll(_ rules: String) throws {
        let document = AssetLinksDocument.read("[\(statement(String(rules.dropFirst().dropLast())))]")
        let app = try #require(document.apps.first)
        #expect(app.isDiscarded)
        #expect(app.components == nil)
        #expect(document.statements[0].dynamicRules.faults.count == 1)
    }

    @Test(
        "an empty list, and none, leave the links to the manifest",
        arguments: [
            list("[]"), #"{"relation_extensions": {}}"#,
            #"{"relation_extensions": {"delegate_permission/common.get_login_creds": 5}}"#,
            #"{"relation_extensions": {"delegate_permission/common.handle_all_urls": {}}}"#, "{}",
        ])
    func anEmptyListAndNoneLeave(_ rules: String) throws {
        let inner = String(rules.dropFirst().dropLast())
        let app = try #require(AssetLinksDocument.read("[\(statement(inner))]").apps.first)
        #expect(!app.isDiscarded && app.components == nil && !app.hasTwoLists)
    }

    @Test(
        "unknown keys and components without a pattern discard nothing",
        arguments: [
            #"[{"/": "/x", "caseSensitive": false, "path": 5, "comments": ["a"]}]"#, #"[{"exclude": false}]"#, "[{}]",
        ])
    func unknownKeysAndComponentsWithoutA(_ components: String) throws {
        let app = try #require(AssetLinksDocument.read("[\(statement(rules(components)))]").apps.first)
        #expect(app.components?.count == 1)
    }

    @Test("a statement counts for links only with the relation, a package and a fingerprint")
    func aStatementCountsForLinksOnly() {
        let good = "\"relation\": [\"delegate_permission/common.handle_all_urls\"]"
        for statement in [
            #"{\#(good), "target": {"namespace": "web", "site": "https://shop.example"}}"#,
            #"{\#(good), "target": \#(target("shop", "AA"))}"#,
            #"{\#(good), "target": {"namespace": "android_app", "package_name": "com.shop.app", "sha256_cert_fingerprints": ["AA:BB"]}}"#,
            #"{\#(good), "target": {"namespace": "android_app", "package_name": "com.shop.app"}}"#,
            #"{"relation": "delegate_permission/common.handle_all_urls", "target": \#(target("com.shop.app", "AA"))}"#,
            #"{"include": "https://shop.example/more.json", \#(good), "target": \#(target("com.shop.app", "AA"))}"#,
            "5", "{}",
        ] {
            #expect(AssetLinksDocument.read("[\(statement)]").apps.isEmpty, "\(statement)")
        }
        #expect(AssetLinksDocument.read(#"[{"include": "https://shop.example/more.json"}]"#).hasInclude)
        #expect(AssetLinksDocument.read("{}").statements.isEmpty)
    }
}

private func list(_ json: String) -> String { "{\(rules(json))}" }
