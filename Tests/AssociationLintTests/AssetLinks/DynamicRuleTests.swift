import AssociationLint
import Diagnostics
import Testing

/// The findings in dynamic rules, besides the examples of the rules.
@Suite("Dynamic rules")
struct DynamicRuleTests {
    private static let fingerprint =
        "3C:91:5E:0A:D7:46:B2:F8:13:6E:C4:29:8D:70:A5:1B:E2:57:94:0F:CB:38:61:DE:72:AF:05:B9:4C:83:16:EA"
    private static let head =
        #"[{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace": "android_app", "package_name": "com.a.b", "sha256_cert_fingerprints": ["\#(fingerprint)"]}, "relation_extensions": "#

    private static func extended(_ extensions: String) -> String { head + extensions + "}]" }

    private static func listed(_ list: String) -> String {
        extended(#"{"delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": \#(list)}}"#)
    }

    private func check(_ text: String) -> [Diagnostic] { Linter().checkAssetLinks(Array(text.utf8)).diagnostics }

    /// The codes, and the text that each is about.
    private func found(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return check(text).map {
            "\($0.code.rawValue) \(String(decoding: bytes[$0.range.start..<$0.range.end], as: UTF8.self))"
        }
    }

    @Test(
        "sound components give no findings",
        arguments: [
            #"{"/": "/*/*"}"#, #"{"/": "/a*"}"#, #"{"/": "*c*"}"#, #"{"/": "/a?*"}"#, #"{"/": "*"}"#,
            #"{"/": "/x", "comment": "x"}, {"/": "*", "exclude": true}"#,
            ##"{"/": "/x", "?": {"k": "*"}, "#": "top"}, {"/": "/x/*", "?": {"k": "v"}}"##,
            ##"{"?": {"k": "v"}}, {"#": "a*"}"##, #"{"/": "/sale now/*"}"#, #"{"/": "/café"}"#, #"{"/": "/100%"}"#,
            #"{"/": "/x"}, {"/": "/x/"}, {"/": "/x/*"}"#, #"{"/": "/x/*", "exclude": false}"#,
        ])
    func sound(components: String) { #expect(found(Self.listed("[\(components)]")) == []) }

    @Test(
        "what does not mean what it looks like is found where it is",
        arguments: [
            (#"{"/": "/a/*/b"}"#, ["star-stops-early *"]), (#"{"/": "*/terms/*"}"#, ["star-stops-early *"]),
            (#"{"/": "/*/x*y"}"#, ["star-stops-early *"]), (#"{"?": {"k": "a*bc"}}"#, ["star-stops-early *"]),
            (#"{"/": "/a**"}"#, ["star-before-wildcard **"]), (#"{"/": "/*?"}"#, ["star-before-wildcard *?"]),
            (#"{"/": "/a*?/b**c"}"#, ["star-before-wildcard *?", "star-before-wildcard **"]),
            (#"{"/": "/$(lang)/x"}"#, ["variable-on-android $(lang)"]),
            (#"{"/": "/a%20b"}"#, ["encoded-on-android %20"]), (#"{"/": "/caf%C3%A9"}"#, ["encoded-on-android %C3"]),
            (#"{"/": "/x", "caseSensitive": false}"#, [#"apple-only-key "caseSensitive""#]),
            (#"{"/": "/x", "percentEncoded": false}"#, [#"apple-only-key "percentEncoded""#]),
            (#"{"?": {"k*": "v"}}"#, [#"odd-query-name "k*""#]), (#"{"?": {"a=b": "v"}}"#, [#"odd-query-name "a=b""#]),
            (#"{"/": "/y"}, {}"#, ["component-matches-nothing {}"]),
            (#"{"/": "/y"}, {"comment": "x"}"#, [#"component-matches-nothing {"comment": "x"}"#]),
            (#"{"path": "/x"}"#, [#"misspelt-key "path""#]),
            (#"{"pathPattern": "/x"}"#, [#"misspelt-key "pathPattern""#]),
            (#"{"query": {"a": "b"}}"#, [#"misspelt-key "query""#]), (#"{"hash": "a"}"#, [#"misspelt-key "hash""#]),
            (#"{"/": "/x", "not": true}"#, [#"misspelt-key "not""#]),
            (#"{"/": "/x", "method": "GET"}"#, [#"unknown-key "method""#]),
            (#"{"/": "NOT /x"}"#, ["not-in-component NOT "]), (#"{"/": " /x"}"#, [#"whitespace-around-pattern " /x""#]),
            (#"{"/": "https://a.b/x"}"#, [#"url-in-path "https://a.b/x""#]),
            (#"{"/": "/x?a=b"}"#, ["query-in-path ?a=b"]),
            (##"{"/": "/x#top"}"##, ["fragment-in-path #top"]), (##"{"#": "#top"}"##, ["leading-hash-in-fragment #"]),
            (#"{"/": "buy/*"}"#, [#"missing-leading-slash "buy/*""#]),
            (#"{"/": "/buy/:id"}"#, ["router-placeholder :id"]),
            (#"{"/": "/buy/{id}"}"#, ["router-placeholder {id}"]),
            (#"{"/": "/buy/[0-9]"}"#, ["regex-in-pattern [0-9]"]),
            (#"{"/": "/*"}, {"/": "/x", "exclude": true}"#, [#"dead-exclude {"/": "/x", "exclude": true}"#]),
            (#"{"/": "/x/*", "exclude": true}, {"/": "/x/y"}"#, [#"blocked-include {"/": "/x/y"}"#]),
            (#"{"/": "/x/*"}, {"/": "/x/y?z"}"#, [#"unreachable-rule {"/": "/x/y?z"}"#]),
            (#"{"/": "/*"}, {"?": {"k": "v"}}"#, [#"unreachable-rule {"?": {"k": "v"}}"#]),
            (
                #"{"/": "*", "?": {"k": "*"}}, {"?": {"k": "v", "l": "w"}}"#,
                [#"unreachable-rule {"?": {"k": "v", "l": "w"}}"#]
            ),
            (##"{"/": "*", "#": "*"}, {"/": "/x", "#": "a"}"##, [##"unreachable-rule {"/": "/x", "#": "a"}"##]),
        ])
    func components(list: String, expected: [String]) { #expect(found(Self.listed("[\(list)]")) == expected) }

    @Test(
        "rules that are not covered are not reported",
        arguments: [
            #"{"/": "/x/*"}, {"/": "/x"}"#, #"{"/": "/x"}, {"/": "/X"}"#, #"{"/": "/*b*"}, {"/": "/a*"}"#,
            ##"{"#": "*"}, {"/": "/x"}"##, #"{"?": {"k": "*"}}, {"/": "/x"}"#, #"{"?": {"k": "v"}}, {"?": {"k": "*"}}"#,
            #"{"/": "/?"}, {"/": "/??"}"#,
        ])
    func uncovered(list: String) { #expect(found(Self.listed("[\(list)]")) == []) }

    @Test(
        "each cause for which Android drops the rules is one finding",
        arguments: [
            (listed("{}"), ["{}"]),
            (listed(#"{"include": ["/a"], "exclude": ["/b"]}"#), [#"{"include": ["/a"], "exclude": ["/b"]}"#]),
            (listed(#""/x/*""#), [#""/x/*""#]), (listed(#"["/x/*"]"#), [#""/x/*""#]), (listed("[null]"), ["null"]),
            (listed(#"[{"/": 5}]"#), ["5"]), (listed(#"[{"/": ""}]"#), [#""""#]), (listed(#"[{"?": {}}]"#), ["{}"]),
            (listed(#"[{"?": "a=b"}]"#), [#""a=b""#]), (listed(#"[{"?": {"a": true}}]"#), ["true"]),
            (listed(#"[{"/": "/x", "exclude": "true"}, {"/": null}]"#), [#""true""#, "null"]),
            (extended("[]"), ["[]"]), (extended(#"{"delegate_permission/common.handle_all_urls": "x"}"#), [#""x""#]),
        ])
    func discarded(text: String, values: [String]) {
        #expect(found(text) == values.map { "dynamic-rules-discarded \($0)" }, "\(check(text))")
    }

    @Test("the form in circulation gets the right one as a note")
    func circulating() {
        let found = check(Self.listed(#"{"exclude": ["/b"]}"#))
        #expect(found.first?.notes.contains { $0.contains("components") } == true)
    }

    @Test("an empty list leaves all links to the manifest")
    func empty() { #expect(found(Self.listed("[]")) == ["empty-list []"]) }

    @Test("keys beside and around the list are looked at")
    func around() {
        let relation = "delegate_permission/common.handle_all_urls"
        #expect(
            found(Self.extended(#"{"\#(relation)": {"dynamic_app_link_components": [{"/": "*"}], "defaults": {}}}"#))
                == [#"apple-only-key "defaults""#])
        #expect(
            found(Self.extended(#"{"\#(relation)": {"dynamicAppLinkComponents": [{"/": "*"}]}}"#))
                == [#"misspelt-key "dynamicAppLinkComponents""#])
        #expect(
            found(Self.extended(#"{"dynamic_app_link_components": [{"/": "*"}]}"#))
                == [#"misplaced-key "dynamic_app_link_components""#])
    }

    @Test("only exclusions open nothing")
    func exclusions() {
        let key = #"only-exclusions "dynamic_app_link_components""#
        #expect(found(Self.listed(#"[{"/": "/x", "exclude": true}, {"/": "/y", "exclude": true}]"#)) == [key])
        #expect(found(Self.listed(#"[{"/": "*", "exclude": true}]"#)) == [key])
    }

    @Test(
        "fixes leave nothing of the finding",
        arguments: [
            #"[{"/": "/x", "exclude": "true"}, {"/": "*"}]"#, #"{"/": "/x"}"#, #""/x/*""#, #"["/x/*"]"#,
            #"[{"/": "/a**"}]"#,
            #"[{"/": "/*?"}]"#, #"[{"/": "/caf%C3%A9/%20x"}]"#, #"[{"/": "/x", "exclude": true}]"#,
            #"[{"/": "/y"}, {"exclude": false}]"#, #"[{"/": "/x?a=*"}]"#, #"[{"/": "https://a.b/x?a=b"}]"#,
            #"[{"/": "/x/*"}, {"/": "/x/y", "exclude": true}]"#, #"[{"/": "/x/*"}, {"/": "/x/y"}]"#,
        ])
    func fixes(list: String) throws {
        let text = Self.listed(list)
        let finding = try #require(check(text).first)
        let fix = try #require(finding.fixIts.first, "\(finding)")
        let fixed = String(decoding: TextEdit.applied(fix.edits, to: Array(text.utf8)), as: UTF8.self)
        #expect(!check(fixed).contains { $0.code == finding.code || $0.severity == .error }, "\(fixed)")
    }

    @Test("10,000 rules are checked quickly")
    func large() {
        let list = (0..<10_000).map { #"{"/": "/section\#($0)/*/x*"}"# }.joined(separator: ",\n")
        #expect(!check(Self.listed("[\(list)]")).contains { $0.severity == .error })
    }
}
