import AppSiteAssociation
import Testing
import URLPatterns

@Suite("What a file says")
struct DocumentTests {
    @Test("the modern form")
    func modern() throws {
        let document = try AssociationDocument(
            ##"""
            {
              "applinks": {
                "details": [{
                  "appIDs": ["A1.com.example.one", "A1.com.example.two"],
                  "components": [
                    {"/": "/buy/*", "?": {"id": "????", "ref": "*"}, "#": "top", "comment": "shop"},
                    {"/": "/help", "?": "a=1", "exclude": true, "caseSensitive": false, "percentEncoded": false}
                  ]
                }]
              }
            }
            """##)
        let links = try #require(document.appLinks)
        #expect(links.apps == nil)
        #expect(!links.hasDetailsAsDictionary)
        let detail = try #require(links.details.first)
        #expect(links.details.count == 1 && detail.index == 0)
        #expect(detail.appIDs.map(\.value) == ["A1.com.example.one", "A1.com.example.two"])
        #expect(detail.paths == nil)
        #expect(detail.components?.count == 2)
        let items = [QueryItemPattern(name: "id", value: "????"), QueryItemPattern(name: "ref", value: "*")]
        let first = detail.rules[0]
        #expect(first.path == "/buy/*" && first.query == .items(items) && first.fragment == "top")
        #expect(!first.excludes && first.caseSensitive && first.percentEncoded && !first.isLegacyPath)
        #expect(first.comment == "shop")
        let second = detail.rules[1]
        #expect(second.path == "/help" && second.query == .text("a=1") && second.fragment == "*")
        #expect(second.excludes && !second.caseSensitive && !second.percentEncoded)
        #expect(second.comment == nil)
        #expect(detail.rules.map(\.component) == [0, 1])
    }

    @Test("the legacy form")
    func legacy() throws {
        let document = try AssociationDocument(
            #"{"applinks": {"apps": [], "details": [{"appID": "A1.a", "paths": ["NOT /a/*", "/b", "NOT", "NOT "]}]}}"#)
        let links = try #require(document.appLinks)
        #expect(links.apps?.isEmpty == true)
        let detail = try #require(links.details.first)
        #expect(detail.appIDs.map(\.value) == ["A1.a"])
        #expect(detail.components == nil)
        #expect(detail.paths?.map(\.value) == ["NOT /a/*", "/b", "NOT", "NOT "])
        #expect(detail.rules.map(\.path) == ["/a/*", "/b", "NOT", ""])
        #expect(detail.rules.map(\.excludes) == [true, false, false, true])
        #expect(detail.rules.allSatisfy { $0.isLegacyPath && $0.query == .void && $0.fragment == "*" })
        #expect(detail.rules.allSatisfy { $0.caseSensitive && $0.percentEncoded && $0.comment == nil })
    }

    @Test("the dictionary form of the betas, in file order")
    func dictionary() throws {
        let document = try AssociationDocument(
            #"{"applinks": {"details": {"Z1.z": {"paths": ["/z"]}, "A1.a": {"appID": "B1.b", "paths": ["/a"]}, "C": 1}}}"#
        )
        let links = try #require(document.appLinks)
        #expect(links.hasDetailsAsDictionary)
        #expect(links.details.map { $0.appIDs.map(\.value) } == [["Z1.z"], ["A1.a"]])
        #expect(links.details.flatMap(\.rules).map(\.path) == ["/z", "/a"])
        #expect(links.details.map(\.index) == [0, 1])
    }

    @Test("components count and paths beside them do not")
    func bothForms() throws {
        let document = try AssociationDocument(
            #"{"applinks": {"details": [{"appID": "A", "paths": ["/p"], "components": [{"/": "/c"}]}]}}"#)
        let detail = try #require(document.appLinks?.details.first)
        #expect(detail.paths?.map(\.value) == ["/p"])
        #expect(detail.rules.map(\.path) == ["/c"])
    }

    @Test("the four services")
    func services() throws {
        let document = try AssociationDocument(
            #"""
            {"webcredentials": {"apps": ["A.w", "B.w"]}, "activitycontinuation": {"apps": ["A.c"]},
             "appclips": {"apps": ["A.a.Clip"]}, "applinks": {}}
            """#)
        #expect(document.appLinks?.details.isEmpty == true)
        #expect(document.webCredentials?.apps.map(\.value) == ["A.w", "B.w"])
        #expect(document.activityContinuation?.apps.map(\.value) == ["A.c"])
        #expect(document.appClips?.apps.map(\.value) == ["A.a.Clip"])
    }

    @Test("what is not there is nil")
    func nothing() throws {
        let document = try AssociationDocument("{}")
        #expect(document.appLinks == nil && document.webCredentials == nil)
        #expect(document.activityContinuation == nil && document.appClips == nil)
    }

    @Test("variables, in file order")
    func variables() throws {
        let document = try AssociationDocument(
            #"{"applinks": {"substitutionVariables": {"b": ["x", "*y"], "a": [], "c": "no", "B": [1, "z"]}}}"#)
        let variables = try #require(document.appLinks?.substitutionVariables.variables)
        #expect(variables.map(\.name) == ["b", "a", "B"])
        #expect(variables.map(\.values) == [["x", "*y"], [], ["z"]])
    }

    @Test("escapes in a string are what they stand for")
    func escapes() throws {
        let document = try AssociationDocument(
            #"{"\u0061pplinks": {"details": [{"appID": "A\u002eb", "paths": ["\/caf\u00e9\ud83d\ude00"]}]}}"#)
        let detail = try #require(document.appLinks?.details.first)
        #expect(detail.appIDs.map(\.value) == ["A.b"])
        #expect(detail.rules.map(\.path) == ["/café😀"])
    }
}
