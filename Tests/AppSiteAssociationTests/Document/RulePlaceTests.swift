import AppSiteAssociation
import Diagnostics
import Testing

@Suite("Where a rule stands")
struct RulePlaceTests {
    private static let modern = ##"""
        {
          "applinks": {
            "details": [
              7,
              { "appIDs": [ "A.a" ],
                "components": [
                  null, { "/": "/é", "comment": "x" },
                  {
                    "?": "q"
                  }
                ] }
            ]
          }
        }
        """##

    @Test("a component: entry, place, pointer, line and column")
    func component() throws {
        let rules = try #require(AssociationDocument(Self.modern).appLinks?.details.first?.rules)
        #expect(rules.map(\.detail) == [1, 1])
        #expect(rules.map(\.component) == [1, 2])
        #expect(rules.map(\.pointer) == ["/applinks/details/1/components/1", "/applinks/details/1/components/2"])
        #expect(rules.map(\.position.line) == [7, 8])
        #expect(rules.map(\.position.column) == [17, 11])
        #expect(rules.allSatisfy { $0.position.offset == $0.range.start })
    }

    @Test("a range is what the file says, bracket to bracket and quote to quote")
    func ranges() throws {
        let document = try AssociationDocument(Self.modern)
        let detail = try #require(document.appLinks?.details.first)
        #expect(document.text(detail.rules[0].range) == #"{ "/": "/é", "comment": "x" }"#)
        #expect(document.text(detail.rules[1].range).split(separator: "\n").count == 3)
        #expect(document.text(detail.appIDs[0].range) == #""A.a""#)
        #expect(document.text(try #require(detail.components?[0].path?.range)) == #""/é""#)
        #expect(document.text(try #require(detail.components?[1].query?.range)) == #""q""#)
        #expect(document.text(detail.range).hasPrefix(#"{ "appIDs""#))
        #expect(document.text(detail.range).hasSuffix("] }"))
    }

    @Test("a legacy path, with lines that end in CR LF")
    func legacyPath() throws {
        let text = "{\"applinks\":{\r\n\"details\":[{\"appID\":\"A\",\r\n \"paths\":[\r\n  \"/a\", \"NOT /b\"]}]}}"
        let document = try AssociationDocument(text)
        let rules = try #require(document.appLinks?.details.first?.rules)
        #expect(rules.map(\.pointer) == ["/applinks/details/0/paths/0", "/applinks/details/0/paths/1"])
        #expect(rules.map(\.position.line) == [4, 4])
        #expect(rules.map(\.position.column) == [3, 9])
        #expect(rules.map { document.text($0.range) } == [#""/a""#, #""NOT /b""#])
    }

    @Test("an entry of a dictionary is named by its app, escaped as RFC 6901 says")
    func dictionary() throws {
        let document = try AssociationDocument(
            #"{"applinks": {"details": {"A~/b": {"paths": ["/a"]}, "C": {"components": [{}]}}}}"#)
        let details = try #require(document.appLinks?.details)
        #expect(details[0].rules.map(\.pointer) == ["/applinks/details/A~0~1b/paths/0"])
        #expect(details[1].rules.map(\.pointer) == ["/applinks/details/C/components/0"])
        #expect(document.text(details[0].appIDs[0].range) == #""A~/b""#)
        #expect(details[1].rules[0].detail == 1)
    }

    @Test("of equal keys the place is that of the one that counts")
    func duplicates() throws {
        let document = try AssociationDocument(
            "{\"applinks\": {\"details\": [{\"appID\": \"A\",\n\"paths\": [\"/a\"],\n\"paths\": [\"/b\"]}]}}")
        let rule = try #require(document.appLinks?.details.first?.rules.first)
        #expect(rule.path == "/b" && rule.position.line == 3)
    }

    @Test("a service and its apps")
    func services() throws {
        let document = try AssociationDocument(#"{"webcredentials": {"apps": ["A", 1, "\u0042"]}}"#)
        let service = try #require(document.webCredentials)
        #expect(document.text(service.range) == #"{"apps": ["A", 1, "\u0042"]}"#)
        #expect(service.apps.map { document.text($0.range) } == [#""A""#, #""\u0042""#])
    }

    @Test("a byte order mark moves nothing out of place")
    func byteOrderMark() throws {
        let document = try AssociationDocument(
            "\u{FEFF}" + #"{"applinks": {"details": [{"appID": "A", "paths": ["/a"]}]}}"#)
        let rule = try #require(document.appLinks?.details.first?.rules.first)
        #expect(document.text(rule.range) == #""/a""#)
        #expect(rule.position.line == 1)
    }
}

extension AssociationDocument {
    /// The text of the file in a range.
    fileprivate func text(_ range: SourceRange) -> String {
        String(decoding: source.bytes[range.start..<range.end], as: UTF8.self)
    }
}
