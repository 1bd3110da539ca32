import AssociationLint
import Diagnostics
import Testing

private typealias File = StructureFile
private typealias Case = StructureCase

@Suite("Structure: keys")
struct StructureKeyTests {
    private static let sound = #"{"appIDs": [@], "components": [{"/": "/a"}]}"#

    private static let services = [
        Case("⟦[]⟧", "not-an-object"),
        Case("⟦\"applinks\"⟧", "not-an-object"),
        Case(" ⟦null⟧\n", "not-an-object"),
        Case("⟦{}⟧", "no-known-service"),
        Case(#"⟦{"comment": "none"}⟧"#, "no-known-service"),
        Case(#"⟦{"name": "shop", "version": 1}⟧"#, "no-known-service"),
        Case(#"{"authsrv": {"apps": []}}"#),
        Case(#"{"messagefilter": {"apps": [@]}}"#),
        Case(#"{"classificationreport": {"apps": [@]}}"#),
        Case(#"{"musicassociations": 1, "spotlight-suggestions": [], "appsharedcontent": {}}"#),
        Case(#"{"webcredentials": {"apps": [@]}, ⟦"more"⟧: 1}"#, "unknown-key"),
        Case(#"{⟦"webCredentials"⟧: {"apps": [@]}}"#, "misspelt-key"),
        Case(#"{⟦"details"⟧: []}"#, "misplaced-key"),
        Case(#"⟦{"message": "Forbidden"}⟧"#, "no-known-service"),
        Case(#"⟦{"shoppinglist": {"apps": [@]}}⟧"#, "no-known-service"),
        Case(File.links(#""details": [\#(sound)], ⟦"webcredentials"⟧: {"apps": [@]}"#), "nested-service"),
        Case(File.links(#""details": [\#(sound)], ⟦"authsrv"⟧: {}"#), "nested-service"),
        Case(File.entry(#""components": [{"/": "/a"}], ⟦"appclips"⟧: {"apps": [@]}"#), "nested-service"),
        Case(File.links(#"⟦"applinks"⟧: {"details": []}"#), "nested-service"),
    ]

    private static let places = [
        Case(File.links(#"⟦"components"⟧: [{"/": "/a"}], "details": [{"appIDs": [@]}]"#), "misplaced-key"),
        Case(File.links(#"⟦"appIDs"⟧: [@], "details": [{"components": [{"/": "/a"}]}]"#), "misplaced-key"),
        Case(File.links(#"⟦"appID"⟧: @, "paths": ["*"]"#), "misplaced-key", "misplaced-key"),
        Case(#"{"applinks": {"apps": []}, ⟦"details"⟧: [\#(sound)]}"#, "misplaced-key"),
        Case(File.entry(#""components": [{"/": "/a"}], ⟦"exclude"⟧: true"#), "misplaced-key"),
        Case(File.entry(#"⟦"/"⟧: "/a""#), "misplaced-key"),
        Case(File.entries(#"{⟦"apps"⟧: [@], "components": [{"/": "/a"}]}"#), "misplaced-key"),
        Case(#"{"webcredentials": {⟦"appIDs"⟧: [@]}}"#, "misplaced-key"),
        Case(File.components(#"{"/": "/a", ⟦"appIDs"⟧: [@]}"#), "misplaced-key"),
        Case(File.components(#"{"/": "/a", ⟦"paths"⟧: ["/a"]}"#), "misplaced-key"),
        Case(File.components(#"{⟦"appIDs"⟧: [@]}"#), "misplaced-key"),
        Case(File.links(#""caseSensitive": false, "details": [\#(sound)]"#), "misplaced-key"),
        Case(File.links(#""defaults": {"caseSensitive": false}, "details": [\#(sound)]"#)),
        Case(File.entry(#""comment": "x", "_x": 1, "components": [{"/": "/a", "note": [], "Comment": 1}]"#)),
    ]

    private static let spellings = [
        Case(
            #"{"web-credentials": {"apps": [@]}, "app_links": {"details": [\#(sound)]}}"#, "misspelt-key",
            "misspelt-key"),
        Case(File.links(#"⟦"detail"⟧: [\#(sound)]"#), "misspelt-key"),
        Case(File.links(#"⟦"Details"⟧: [\#(sound)]"#), "misspelt-key"),
        Case(File.links(#"⟦"detials"⟧: [\#(sound)]"#), "misspelt-key"),
        Case(File.links(#""details": [\#(sound)], ⟦"substitutionVariable"⟧: {}"#), "misspelt-key"),
        Case(File.links(#""details": [\#(sound)], ⟦"app"⟧: []"#), "misspelt-key"),
        Case(File.links(#""details": [\#(sound)], ⟦"appz"⟧: []"#), "unknown-key"),
        Case(File.entries(#"{⟦"appid"⟧: @, "components": [{"/": "/a"}]}"#), "misspelt-key"),
        Case(File.entries(#"{⟦"app_ids"⟧: [@], "components": [{"/": "/a"}]}"#), "misspelt-key"),
        Case(File.entries(#"{⟦"appIS"⟧: @, "components": [{"/": "/a"}]}"#), "misspelt-key"),
        Case(File.entries(#"{⟦"appIDs "⟧: [@], "components": [{"/": "/a"}]}"#), "misspelt-key"),
        Case(File.entries(#"{⟦"аppIDs"⟧: [@], "components": [{"/": "/a"}]}"#), "misspelt-key"),
        Case(File.entries(#"{"appID": @, ⟦"path"⟧: ["/a"]}"#), "misspelt-key"),
        Case(File.entry(#"⟦"component"⟧: [{"/": "/a"}]"#), "misspelt-key"),
        Case(File.entry(#"⟦"componets"⟧: [{"/": "/a"}]"#), "misspelt-key"),
        Case(File.entry(#"⟦"Copmonents"⟧: [{"/": "/a"}]"#), "misspelt-key"),
        Case(File.entry(#""components": [{"/": "/a"}], ⟦"default"⟧: {}"#), "misspelt-key"),
        Case(File.components(#"{⟦"path"⟧: "/a"}"#), "misspelt-key"),
        Case(File.components(#"{⟦"URL"⟧: "/a", "exclude": true}"#), "misspelt-key"),
        Case(File.components(#"{"/": "/a", ⟦"query"⟧: {}}"#), "misspelt-key"),
        Case(File.components(#"{"/": "/a", ⟦"hash"⟧: "x"}"#), "misspelt-key"),
        Case(File.components(#"{"/": "/a", ⟦"excluded"⟧: true}"#), "misspelt-key"),
        Case(File.components(#"{"/": "/a", ⟦"not"⟧: true}"#), "misspelt-key"),
        Case(File.components(#"{"/": "/a", ⟦"case_sensitive"⟧: false}"#), "misspelt-key"),
        Case(File.components(#"{"/": "/a", ⟦"percentEncode"⟧: false}"#), "misspelt-key"),
        Case(File.components(#"{"/": "/a", ⟦"coment"⟧: "x"}"#), "unknown-key"),
        Case(#"{"webcredentials": {⟦"Apps"⟧: [@]}}"#, "misspelt-key"),
        Case(File.entry(#"⟦"rules"⟧: [{"/": "/a"}]"#), "missing-rules", "unknown-key"),
    ]

    private static let catchAlls = [
        Case(File.components(#"{⟦"pattern"⟧: "/a"}"#), "accidental-catch-all"),
        Case(File.components(#"{"exclude": true, ⟦"pattern"⟧: "/a"}"#), "accidental-catch-all"),
        Case(File.components(#"{⟦"pattern"⟧: "/a", "method": 1}"#), "accidental-catch-all", "unknown-key"),
        Case(File.components(#"{"method": 1, ⟦"path"⟧: "/a"}"#), "unknown-key", "misspelt-key"),
        Case(File.components(#"{⟦"paths"⟧: ["/a"]}"#), "accidental-catch-all"),
        Case(File.components(#"{"comment": "x", ⟦"paths"⟧: "/a", "exclude": true}"#), "accidental-catch-all"),
        Case(File.components(#"{⟦"paths"⟧: ["/a"], "appIDs": [@]}"#), "misplaced-key", "misplaced-key"),
        Case(File.components(#"{"/": "/a", ⟦"pattern"⟧: "/a"}"#), "unknown-key"),
        Case(File.components(#"{"?": {}, ⟦"pattern"⟧: "/a"}"#), "unknown-key"),
        Case(
            File.entry(##""defaults": {"#": "a"}, "components": [{"pattern": 1}]"##), "pattern-in-defaults",
            "unknown-key"),
        Case(
            File.links(##""defaults": {"#": "a"}, "details": [{"appIDs": [@], "components": [{"pattern": 1}]}]"##),
            "pattern-in-defaults", "unknown-key"),
        Case(File.components(#"⟦{}⟧, {"/": "/a"}"#), "empty-component"),
        Case(File.components(#"⟦{"exclude": true}⟧, {"/": "/a"}"#), "empty-component"),
        Case(File.components(#"⟦{"caseSensitive": false, "_": 1}⟧, {"/": "/a"}"#), "empty-component"),
        Case(File.components(#"{"/": "/a"}, {}"#)),
        Case(File.components(#"{"exclude": true, "comment": "nothing"}"#)),
        Case(File.entry(#""defaults": {"/": "/a"}, "components": [{}, {"?": "b"}]"#), "pattern-in-defaults"),
    ]

    @Test(
        "Services, places, spellings and components without a pattern",
        arguments: services + places + spellings + catchAlls)
    fileprivate func keys(file: StructureCase) {
        let checked = File(file.text)
        #expect(checked.found == file.codes)
        guard let range = checked.marked.range else { return }
        #expect(checked.findings.contains { $0.range == range })
    }

    @Test("A wrong key in a component that matches everything is no second finding, but has a note")
    func notes() {
        let notes = ["without a pattern the component matches every URL"]
        #expect(File(File.components(#"{"path": "/a"}"#)).findings.map(\.notes) == [notes])
        #expect(File(File.components(#"{"/": "/a", "query": "/a"}"#)).findings.map(\.notes) == [[]])
        #expect(File(File.components(#"{"appID": "/a"}"#)).findings.map(\.notes) == [notes])
        #expect(File(File.components(#"{"appclips": []}, {"/": "/a"}"#)).findings.map(\.notes) == [notes])
        #expect(File(File.components(#"{"/": "/a", "appclips": []}"#)).findings.map(\.notes) == [[]])
    }

    @Test("Messages say where a key stands and where it belongs")
    func wordings() {
        #expect(
            File(#"{"details": []}"#).findings.map(\.message) == [
                "'details' is ignored at the top level of the file: it belongs in 'applinks'"
            ])
        #expect(
            File(#"{"version": 1, "shoppinglist": {"apps": [@]}}"#).findings.map(\.message) == [
                "'shoppinglist' is a service that is unknown to this version, and there is no other"
            ])
        #expect(
            File(#"{"webcredentials": {"apps": [@]}, "more": 1}"#).findings.map(\.message) == [
                "'more' is ignored: there is no such key at the top level of the file"
            ])
        #expect(
            File(File.components(#"{"/": "/a", "appIDs": [@]}"#)).findings.map(\.message) == [
                "'appIDs' is ignored in a component: it belongs in an entry of 'details'"
            ])
    }

    @Test("Which fixes of a key are safe")
    func safety() {
        func safety(_ text: String) -> [FixIt.Applicability?] {
            File(text).findings.filter { $0.code.rawValue == "misspelt-key" }.map { $0.fixIts.first?.applicability }
        }
        #expect(safety(File.entry(#""Components": [{"/": "/a"}]"#)) == [.automatic])
        #expect(safety(File.entry(#""componentz": [{"/": "/a"}]"#)) == [.suggested])
        #expect(safety(File.entry(#""Components": [], "component": []"#)) == [.suggested, .suggested])
        #expect(safety(File.entry(#""Components": [], "_": 1, "_": 2"#)) == [.suggested])
        #expect(safety(File.entry(#""components": [{}], "Components": []"#)) == [.suggested])
        #expect(safety(File.components(#"{"path": "/a"}"#)) == [.suggested])
    }
}
