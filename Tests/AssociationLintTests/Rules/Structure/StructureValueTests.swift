import AssociationLint
import Diagnostics
import Testing

private typealias File = StructureFile
private typealias Case = StructureCase

@Suite("Structure: values")
struct StructureValueTests {
    private static let sound = #"{"appIDs": [@], "components": [{"/": "/a"}]}"#

    private static let types = [
        Case(#"{"applinks": ⟦[]⟧}"#, "wrong-type"),
        Case(#"{"webcredentials": ⟦["x"]⟧}"#, "wrong-type"),
        Case(#"{"appclips": ⟦null⟧}"#, "wrong-type"),
        Case(#"{"webcredentials": {"apps": ⟦@⟧}}"#, "wrong-type"),
        Case(#"{"webcredentials": {"apps": [@, ⟦1⟧]}}"#, "wrong-type"),
        Case(File.links(#""apps": ⟦"x"⟧, "details": [\#(sound)]"#), "wrong-type"),
        Case(File.links(#""details": ⟦"x"⟧"#), "wrong-type"),
        Case(File.links(#""details": [\#(sound), ⟦"x"⟧]"#), "wrong-type"),
        Case(File.links(#""details": ⟦{"appIDs": [@], "components": [{"/": "/a"}]}⟧"#), "wrong-type"),
        Case(File.links(#""details": ⟦{"appID": @, "paths": ["/a"]}⟧"#), "wrong-type"),
        Case(File.links(#""defaults": ⟦[]⟧, "details": [\#(sound)]"#), "wrong-type"),
        Case(File.links(#""substitutionVariables": ⟦[]⟧, "details": [\#(sound)]"#), "wrong-type"),
        Case(File.entries(#"{"appIDs": ⟦@⟧, "components": [{"/": "/a"}]}"#), "wrong-type"),
        Case(File.entries(#"{"appID": ⟦[@]⟧, "components": [{"/": "/a"}]}"#), "wrong-type"),
        Case(File.entries(#"{"appID": @, "paths": ⟦"/a"⟧}"#), "wrong-type"),
        Case(File.entries(#"{"appID": @, "paths": ["/a", ⟦{}⟧]}"#), "wrong-type"),
        Case(File.entry(#""components": ⟦{"/": "/a"}⟧"#), "wrong-type"),
        Case(File.entry(#""components": [⟦"/a"⟧]"#), "wrong-type"),
        Case(File.entry(#""components": ⟦null⟧"#), "wrong-type"),
        Case(File.entry(#""defaults": ⟦1⟧, "components": [{"/": "/a"}]"#), "wrong-type"),
        Case(File.components(#"{"/": ⟦1⟧}"#), "wrong-type"),
        Case(File.components(##"{"#": ⟦{}⟧}"##), "wrong-type"),
        Case(File.components(#"{"?": ⟦true⟧}"#), "wrong-type"),
        Case(File.components(#"{"?": {"a": "b"}}"#)),
        Case(File.components(#"{"/": "/a", "exclude": ⟦"true"⟧}"#), "wrong-type"),
        Case(File.components(#"{"/": "/a", "exclude": ⟦1⟧}"#), "wrong-type"),
        Case(File.components(#"{"/": "/a", "caseSensitive": ⟦"sometimes"⟧, "comment": 5}"#), "wrong-type"),
        Case(File.entry(#""defaults": {"percentEncoded": ⟦0⟧}, "components": [{"/": "/a"}]"#), "wrong-type"),
        Case(File.links(#""substitutionVariables": {"x": ⟦"a"⟧}, "details": [\#(sound)]"#), "wrong-type"),
        Case(File.links(#""substitutionVariables": {"x": ["a", ⟦1⟧]}, "details": [\#(sound)]"#), "wrong-type"),
        Case(File.links(#""apps": [], "details": {@: ⟦[]⟧}"#), "details-as-dictionary", "wrong-type"),
    ]

    private static let missing = [
        Case(#"{⟦"applinks"⟧: {}}"#, "missing-details"),
        Case(File.entries("⟦{}⟧"), "missing-app-id"),
        Case(File.entries(#"⟦{"components": [{"/": "/a"}]}⟧"#), "missing-app-id"),
        Case(File.entries(#"⟦{@: {"paths": ["/a"]}}⟧"#), "missing-app-id"),
        Case(File.entries(#"⟦{@: {"path": "*"}, "comment": ""}⟧"#), "missing-app-id"),
        Case(File.entries(#"⟦{@: {"x": 1}}⟧"#), "missing-app-id", "unknown-key"),
        Case(File.entries(#"⟦{"appID": @}⟧"#), "missing-rules"),
        Case(File.entries(#"⟦{"appID": @, "defaults": {"caseSensitive": false}}⟧"#), "missing-rules"),
        Case(File.links(#""apps": [], "details": {@: ⟦{}⟧}"#), "details-as-dictionary", "missing-rules"),
        Case(#"{⟦"webcredentials"⟧: {}}"#, "missing-service-apps"),
        Case(#"{"webcredentials": {"apps": [@]}, ⟦"appclips"⟧: {"comment": ""}}"#, "missing-service-apps"),
        Case(File.links(#""details": ⟦[]⟧"#), "empty-list"),
        Case(File.entries(#"{"appIDs": ⟦[]⟧, "components": [{"/": "/a"}]}"#), "empty-list"),
        Case(File.entry(#""components": ⟦[]⟧"#), "empty-list"),
        Case(File.entries(#"{"appID": @, "paths": ⟦[]⟧}"#), "empty-list"),
        Case(#"{"appclips": {"apps": ⟦[]⟧}}"#, "empty-list"),
        Case(File.links(#""substitutionVariables": {"x": ⟦[]⟧}, "details": [\#(sound)]"#), "empty-list"),
        Case(File.links(#""apps": [], "details": ⟦{@: {"paths": ["/a"]}}⟧"#), "details-as-dictionary"),
    ]

    private static let generations = [
        Case(#"{⟦"applinks"⟧: {"details": [{"appID": @, "paths": ["/a"]}]}}"#, "missing-apps"),
        Case(
            #"{⟦"applinks"⟧: {"details": [{"appID": @, "paths": ["/a"], "components": [{"/": "/a"}]}]}}"#,
            "missing-apps"),
        Case(#"{⟦"applinks"⟧: {"details": {@: {"paths": ["/a"]}}}}"#, "missing-apps", "details-as-dictionary"),
        Case(#"{⟦"applinks"⟧: {"details": [{"appIDs": [@], "paths": ["/a"]}]}}"#, "missing-apps", "mixed-generations"),
        Case(#"{"applinks": {"details": [{"appID": @, "paths": ["/a"]}]}}"#, minimumIOS: "13"),
        Case(#"{"applinks": {"details": [{"appID": @, "components": [{"/": "/a"}]}]}}"#),
        Case(File.links(#""apps": ⟦[@]⟧, "details": [\#(sound)]"#), "apps-not-empty"),
        Case(File.links(#""apps": ⟦[1]⟧, "details": [\#(sound)]"#), "apps-not-empty"),
        Case(File.links(#""apps": ⟦[{"appID": @, "paths": ["/a"]}]⟧"#), "apps-not-empty"),
        Case(File.links(#""apps": ⟦[@]⟧"#), "missing-details", "apps-not-empty"),
        Case(File.entries(#"{⟦"appID"⟧: @a, "appIDs": [@], "components": [{"/": "/a"}]}"#), "conflicting-app-id"),
        Case(File.entries(#"{"appID": @, "appIDs": [@a, @], "components": [{"/": "/a"}]}"#)),
        Case(File.entry(#"⟦"paths"⟧: ["/a"], "components": [{"/": "/a"}]"#), "ignored-paths"),
        Case(File.entry(#"⟦"paths"⟧: "/a", "components": [{"/": "/b", "exclude": true}]"#), "ignored-paths"),
        Case(File.entries(#"{"appID": @, "paths": ["/a"], "components": [{"/": "/a"}]}"#)),
        Case(
            File.entries(#"{"appID": @, ⟦"paths"⟧: ["/a"], "components": [{"/": "/a"}]}"#), "ignored-paths",
            minimumIOS: "13.0"),
        Case(File.entry(#"⟦"paths"⟧: ["/a"]"#), "mixed-generations"),
        Case(File.entry(#""appID": @, "paths": ["/a"]"#)),
        Case(
            File.entries(#"{"appIDs": [@], "components": [{"/": "/a"}]}, {"appID": ⟦@⟧, "paths": ["/b"]}"#),
            "same-app-twice"),
        Case(
            File.entries(
                #"{"appIDs": [@], "components": [{"/": "/a"}]}, {"appID": ⟦@⟧, "appIDs": [@], "components": [{"/": "/b"}]}"#
            ), "same-app-twice"),
        Case(
            File.entries(#"\#(sound), {"appIDs": [@, ⟦@⟧], "components": [{"/": "/b"}]}"#), "same-app-twice",
            "duplicate-app-id"),
        Case(File.entries(#"\#(sound), \#(sound)"#), minimumIOS: "14"),
        Case(File.entries(#"{"appIDs": [@, @a, ⟦@⟧], "components": [{"/": "/a"}]}"#), "duplicate-app-id"),
        Case(#"{"webcredentials": {"apps": [@, @, @]}}"#, "duplicate-app-id", "duplicate-app-id"),
        Case(#"{"webcredentials": {"apps": [@]}, "appclips": {"apps": [@]}}"#),
        Case(
            File.entry(#""defaults": {⟦"exclude"⟧: true, "/": "/a"}, "components": [{"/": "/a"}]"#),
            "pattern-in-defaults", "pattern-in-defaults"),
        Case(File.entry(#""defaults": {"caseSensitive": false, "comment": ""}, "components": [{"/": "/a"}]"#)),
    ]

    private static let systems = [
        Case(
            File.entries(#"{"appIDs": [@], "components": [{"/": "/a", "percentEncoded": false}]}"#), "needs-newer-os",
            "needs-newer-os", minimumIOS: "12"),
        Case(File.entries(#"{"appID": @, ⟦"components"⟧: [{"/": "/a"}]}"#), "needs-newer-os", minimumIOS: "12"),
        Case(
            File.entries(#"{"appID": @, "paths": ["/a"], "appIDs": [@], "components": [{"/": "/a"}]}"#),
            minimumIOS: "12"),
        Case(File.components(#"{"/": "/a", ⟦"caseSensitive"⟧: false}"#), "needs-newer-os", minimumIOS: "13.4"),
        Case(File.components(#"{"/": "/a", "caseSensitive": false}"#), minimumIOS: "13.5"),
        Case(File.components(#"{"/": "/a", ⟦"percentEncoded"⟧: false}"#), "needs-newer-os", minimumIOS: "13.5"),
        Case(
            File.entry(#"⟦"defaults"⟧: {"percentEncoded": false}, "components": [{"/": "/a"}]"#), "needs-newer-os",
            minimumIOS: "13.5"),
        Case(
            File.links(#""defaults": {}, "substitutionVariables": {}, "details": [\#(sound)]"#), "needs-newer-os",
            "needs-newer-os", minimumIOS: "13"),
        Case(#"{⟦"appclips"⟧: {"apps": [@]}}"#, "needs-newer-os", minimumIOS: "13"),
        Case(File.links(#""defaults": {}, "details": [\#(sound)]"#), minimumIOS: "14"),
    ]

    private static let roots = [
        Case(File.entries(#"{"appID": @, "paths": [⟦"*"⟧]}"#), "root-not-matched", minimumIOS: "9.3"),
        Case(File.entries(#"{"appID": @, "paths": ["NOT /a", ⟦"*"⟧]}"#), "root-not-matched", minimumIOS: "9"),
        Case(File.entries(#"{"appID": @, "paths": ["*", "/"]}"#), minimumIOS: "9"),
        Case(File.entries(#"{"appID": @, "paths": ["NOT /", "*"]}"#), minimumIOS: "9"),
        Case(File.entries(#"{"appID": @, "paths": ["/a/*"]}"#), minimumIOS: "9"),
        Case(File.entries(#"{"appID": @, "paths": ["*"]}"#), minimumIOS: "10"),
        Case(File.entries(#"{"appID": @, "paths": ["*"]}"#)),
    ]

    private static let samples = [
        Case(
            File.entries(#"{"appID": @, "paths": ["/a", ⟦"/wwdc/news/"⟧, "/videos/wwdc/2015/*"]}"#),
            "apple-sample-rules"),
        Case(File.components(#"{"/": "/buy/*"}, ⟦{"/": "/help/website/*", "exclude": true}⟧"#), "apple-sample-rules"),
        Case(File.components(#"⟦{"/": "/help/*", "?": {"articleNumber": "????"}}⟧"#), "apple-sample-rules"),
        Case(File.components(#"{"/": "/buy/*"}, {"/": "/help/website/*"}, {"/": "/x", "?": {"articleNumber": "?*"}}"#)),
        Case(File.components(##"{"#": "no_universal_links", "exclude": true}, {"/": "/wwdc/*"}"##)),
        Case(File.entries(#"{"appID": "9JA89QQLNQ.com.apple.wwdc", "paths": ["/wwdc/news/"]}"#)),
        // The example app is reported itself.
        Case(
            File.entries(
                #"{"appIDs": ["ABCDE12345.com.example.app"], "components": [{"/": "/help/website/*", "exclude": true}, {"/": "*"}]}"#
            )),
        Case(
            File.entries(
                #"{"appIDs": ["ABCDE12345.com.example.app", @], "components": [⟦{"/": "/help/website/*", "exclude": true}⟧, {"/": "*"}]}"#
            ), "apple-sample-rules"),
    ]

    @Test(
        "Types, missing keys, generations of keys and systems",
        arguments: types + missing + generations + systems + roots + samples)
    fileprivate func values(file: StructureCase) {
        let checked = File(file.text, minimumIOS: file.minimumIOS)
        #expect(checked.found == file.codes)
        guard let range = checked.marked.range else { return }
        #expect(checked.findings.contains { $0.range == range })
    }

    @Test("Patterns in defaults have no effect where there are only 'paths'")
    func defaults() {
        let paths = #"{"appID": @, "defaults": {"?": "a"}, "paths": ["/a"]}"#
        let links = #""apps": [], "defaults": {"exclude": true}, "details": "#
        let none = "has no effect on 'paths', only on 'components'"
        func messages(_ text: String) -> [String] { File(text).findings.map(\.message) }
        #expect(messages(File.entries(paths)) == ["'?' in 'defaults' \(none)"])
        #expect(
            messages(File.links(links + #"[{"appID": @, "paths": ["/a"]}]"#)) == ["'exclude' in 'defaults' \(none)"])
        #expect(
            messages(File.links(links + "[\(Self.sound)]")) == [
                "'exclude' in 'defaults' applies to every component without its own"
            ])
        #expect(
            messages(File.entry(#""defaults": {"?": "a"}, "components": [{"/": "/a"}]"#)) == [
                "'?' in 'defaults' constrains every component without its own"
            ])
    }

    @Test("Findings about two ranges label both")
    func labels() {
        func labels(_ text: String) -> [[String]] {
            let file = File(text)
            return file.findings.map { finding in
                finding.labels.map { label in
                    let bytes = file.marked.bytes[label.range.start..<label.range.end]
                    return String(decoding: bytes, as: UTF8.self) + ": " + label.text
                }
            }
        }
        let app = "\"7K3QWZ9PLM.com.shop.app\""
        #expect(labels(#"{"webcredentials": {"apps": [@, @a, @]}}"#) == [["\(app): already listed here"]])
        #expect(
            labels(File.entries("\(Self.sound), \(Self.sound)")) == [["\(app): the first entry with this app"]])
        #expect(
            labels(File.entries(#"{"appID": @a, "appIDs": [@], "components": [{"/": "/a"}]}"#))
                == [[#""appIDs": read instead"#]])
        #expect(
            labels(#"{"appclips": {"apps": [@], "Apps": []}}"#) == [[#""apps": the key that is read"#]])
        #expect(
            labels(File.entries(#"{"appids": [@a], "appIDs": [@], "components": [{"/": "/a"}]}"#))
                == [[#""appIDs": the key that is read"#]])
    }
}
