import AppSiteAssociation
import Testing
import URLPatterns

@Suite("What cannot be used is as if it were not there")
struct LenientDecodingTests {
    @Test(
        "a service that is no object is nil", arguments: ["null", "true", "1", #""apps""#, "[]", #"[{"apps": ["A"]}]"#])
    func service(value: String) throws {
        let document = try AssociationDocument(
            #"{"applinks": \#(value), "webcredentials": \#(value), "activitycontinuation": \#(value), "appclips": \#(value)}"#
        )
        #expect(document.appLinks == nil && document.webCredentials == nil)
        #expect(document.activityContinuation == nil && document.appClips == nil)
    }

    @Test(
        "a service without a list of apps has none",
        arguments: ["{}", #"{"apps": null}"#, #"{"apps": "A"}"#, #"{"Apps": ["A"]}"#])
    func apps(value: String) throws {
        let document = try AssociationDocument(#"{"webcredentials": \#(value)}"#)
        #expect(document.webCredentials?.apps.isEmpty == true)
    }

    @Test("in a list what is no string is left out")
    func strings() throws {
        let document = try AssociationDocument(
            #"""
            {"appclips": {"apps": [1, "A", null, ["B"], {}, "C"]},
             "applinks": {"apps": ["X", 2], "details": [{"appIDs": [true, "D"], "paths": [5, "/p"]}]}}
            """#)
        #expect(document.appClips?.apps.map(\.value) == ["A", "C"])
        #expect(document.appLinks?.apps?.map(\.value) == ["X"])
        let detail = try #require(document.appLinks?.details.first)
        #expect(detail.appIDs.map(\.value) == ["D"])
        #expect(detail.rules.map(\.path) == ["/p"])
        #expect(detail.rules.map(\.component) == [1])
    }

    @Test("details that are no list have no entries", arguments: ["null", "1", #""A""#, "true"])
    func details(value: String) throws {
        let links = try #require(AssociationDocument(#"{"applinks": {"details": \#(value)}}"#).appLinks)
        #expect(links.details.isEmpty && !links.hasDetailsAsDictionary)
    }

    @Test("an entry that is no object is left out, and counts")
    func entries() throws {
        let links = try #require(
            AssociationDocument(#"{"applinks": {"details": [null, {"appID": "A"}, "x", {"appID": "B"}]}}"#).appLinks)
        #expect(links.details.map(\.index) == [1, 3])
        #expect(links.details.map { $0.appIDs.map(\.value) } == [["A"], ["B"]])
    }

    @Test(
        "the apps of an entry are those of appIDs, else that of appID",
        arguments: [
            (#""appID": "A""#, ["A"]), (#""appIDs": ["B"]"#, ["B"]),
            (#""appID": "A", "appIDs": ["B", "C"]"#, ["B", "C"]),
            (#""appID": "A", "appIDs": []"#, []), (#""appID": "A", "appIDs": [1]"#, []), (#""appID": ["A"]"#, []),
            (#""appID": "A", "appIDs": null"#, ["A"]), (#""appids": ["B"]"#, []), ("", []),
        ])
    func apps(members: String, expected: [String]) throws {
        let links = try #require(AssociationDocument(#"{"applinks": {"details": [{\#(members)}]}}"#).appLinks)
        #expect(links.details.first?.appIDs.map(\.value) == expected)
    }

    @Test("a component of another type is left out, and counts")
    func components() throws {
        let detail = try #require(try Self.detail(#"1, {"/": "/a"}, "/b", [], {"/": "/c"}"#))
        #expect(detail.components?.count == 2)
        #expect(detail.rules.map(\.component) == [1, 4])
    }

    @Test(
        "a value of another type is not there",
        arguments: [
            #""/": 1"#, ##""#": null"##, #""?": 5"#, #""?": ["a"]"#, #""exclude": "true""#, #""exclude": 0"#,
            #""caseSensitive": "no""#, #""percentEncoded": null"#, #""comment": 7"#, #""Exclude": true"#,
            #""casesensitive": false"#, #""path": "/x""#,
        ])
    func values(member: String) throws {
        let rule = try #require(try Self.detail("{\(member)}")?.rules.first)
        #expect(rule.path == "*" && rule.query == .void && rule.fragment == "*" && rule.comment == nil)
        #expect(!rule.excludes && rule.caseSensitive && rule.percentEncoded)
    }

    @Test(
        "a query is a text, patterns of items, or void",
        arguments: [
            (#""a=1""#, .text("a=1")), ("\"\"", .text("")), ("{}", .items([])), (#"{"a": 1}"#, .void),
            (#"{"a": "1", "b": null}"#, .void), (#"{"a": {"b": "c"}}"#, .void),
            (#"{"b": "1", "a": "2"}"#, .items([.init(name: "b", value: "1"), .init(name: "a", value: "2")])),
            (#"{"a": "1", "b": "2", "a": "3"}"#, .items([.init(name: "b", value: "2"), .init(name: "a", value: "3")])),
            (#"{"a": 1, "a": "2"}"#, .items([.init(name: "a", value: "2")])),
        ] as [(String, QueryPattern)])
    func query(value: String, expected: QueryPattern) throws {
        #expect(try #require(try Self.detail(#"{"?": \#(value)}"#)?.rules.first).query == expected)
    }

    @Test("of equal keys the later counts, on every level")
    func duplicates() throws {
        let document = try AssociationDocument(
            #"""
            {"applinks": {"details": []}, "webcredentials": {"apps": ["A"], "apps": ["B"]},
             "applinks": {"details": [{"appID": "A", "appID": "B", "components": [],
               "components": [{"/": "/a", "exclude": true, "/": "/b", "exclude": false}]}],
               "substitutionVariables": {"v": ["a"], "w": ["b"], "v": ["c"]}}}
            """#)
        #expect(document.webCredentials?.apps.map(\.value) == ["B"])
        let links = try #require(document.appLinks)
        #expect(links.details.first?.appIDs.map(\.value) == ["B"])
        let rule = try #require(links.details.first?.rules.first)
        #expect(rule.path == "/b" && !rule.excludes)
        #expect(links.substitutionVariables.variables.map(\.name) == ["w", "v"])
        #expect(links.substitutionVariables.variables.map(\.values) == [["b"], ["c"]])
    }

    @Test("of equal apps in a dictionary of entries the later counts, at its own place")
    func duplicateApps() throws {
        let links = try #require(
            AssociationDocument(
                #"{"applinks": {"details": {"A": {"paths": ["/1"]}, "B": {"paths": ["/2"]}, "A": {"paths": ["/3"]}}}}"#
            ).appLinks)
        #expect(links.details.map { $0.appIDs.map(\.value) } == [["B"], ["A"]])
        #expect(links.details.flatMap(\.rules).map(\.path) == ["/2", "/3"])
    }

    @Test("keys are equal byte by byte")
    func keys() throws {
        let links = try #require(
            AssociationDocument(#"{"applinks": {"substitutionVariables": {"\u00e9": ["a"], "e\u0301": ["b"]}}}"#)
                .appLinks)
        #expect(links.substitutionVariables.variables.map(\.values) == [["a"], ["b"]])
    }

    private static func detail(_ components: String) throws -> Detail? {
        let text = #"{"applinks": {"details": [{"appID": "A", "components": [\#(components)]}]}}"#
        return try AssociationDocument(text).appLinks?.details.first
    }
}
