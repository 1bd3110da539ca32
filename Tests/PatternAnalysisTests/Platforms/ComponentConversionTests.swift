import Android
import AppSiteAssociation
import Diagnostics
import Fuzzing
import FuzzingSupport
import PatternAnalysis
import Testing
import URLPatterns

/// The conversion of an association file into dynamic rules (android.md, section 9).
@Suite("Converting rules for Android")
struct ComponentConversionTests {
    private static func text(_ component: ComponentConversion.Component) -> String {
        var text = component.excludes ? "!" : ""
        text += component.path ?? ""
        if !component.query.isEmpty {
            text += "?" + component.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        }
        return text + (component.fragment.map { "#\($0)" } ?? "")
    }

    private func convert(_ components: String, variables: String = "") throws -> ComponentConversion {
        ComponentConversion(
            try SmallLinks.association(components, variables: variables), app: SmallLinks.app)
    }

    @Test(
        "said exactly",
        arguments: [
            (#"{"/": "/x"}"#, ["/x", "/x/"]),
            (#"{"/": "/"}"#, ["/"]),
            (#"{"/": "/x/*"}"#, ["/x", "/x/*"]),
            (#"{"/": "/x*"}"#, ["/x*"]),
            (#"{"/": "/buy/?*"}"#, ["/buy/?*"]),
            (#"{"/": "/x/**"}"#, ["/x/?*"]),
            (#"{"/": "/x/*/*"}"#, ["/x/?*"]),
            (#"{"/": "/x/*/*/*"}"#, ["/x/*/?*"]),
            (#"{"/": "/x/**", "exclude": true}, {"/": "/x*"}"#, ["!/x/?*", "/x*"]),
            (#"{"/": "/x*"}, {"/": "/x/a"}, {"/": "/x/b", "exclude": true}, {"/": "/y"}"#, ["/x*", "/y", "/y/"]),
            (#"{"/": "/x*", "exclude": true}, {"/": "/x/a"}, {"/": "*"}"#, ["!/x*", "*"]),
            (#"{"/": "/*c*"}"#, ["/*c*"]),
            (#"{}"#, ["*"]),
            (##"{"/": "*", "?": "*", "#": "*"}"##, ["*"]),
            (#"{"/": "/x*", "?": {"k": "?*", "l": "*"}}"#, ["/x*?k=?*"]),
            (#"{"?": {"k": "text"}}"#, ["?k=text"]),
            (##"{"/": "/x*", "#": "*"}"##, ["/x*"]),
            (##"{"/": "/x*", "#": "/route*"}"##, ["/x*#/route*"]),
            (#"{"/": "/x*", "exclude": true}, {"/": "*"}"#, ["!/x*", "*"]),
            (#"{"/": "/caf%C3%A9/*"}"#, ["/café", "/café/*"]),
            (#"{"/": "/a%20b*"}"#, ["/a b*"]),
            (#"{"/": "/x*", "exclude": true}"#, ["!*"]),
            (#"{"/": "/12/*", "caseSensitive": false}"#, ["/12", "/12/*"]),
        ])
    func exactly(components: String, expected: [String]) throws {
        let conversion = try convert(components)
        #expect(conversion.components.map(Self.text) == expected)
        #expect(conversion.differences.isEmpty, "\(conversion.differences)")
        #expect(conversion.wrongWitness == nil && conversion.undecided.isEmpty)
    }

    @Test("what a '?' at the end takes too much is excluded before, unless a later rule opens it")
    func guards() throws {
        let alone = try convert(#"{"/": "/id/????"}"#)
        #expect(alone.components.map(Self.text) == ["!/id/???/", "/id/????", "/id/????/"])
        #expect(alone.differences.isEmpty && alone.wrongWitness == nil)
        let covered = try convert(#"{"/": "/id/????"}, {"/": "/id/*"}"#)
        #expect(covered.components.map(Self.text) == ["/id/????", "/id/????/", "/id", "/id/*"])
        #expect(covered.differences.isEmpty && covered.wrongWitness == nil)
        let partly = try convert(#"{"/": "/id/????"}, {"/": "/id/abc"}"#)
        #expect(partly.differences.map(\.witness) == ["https://example.com/id/abc/"])
        #expect(partly.differences.map(\.reason) == ["a '?' at the end of the path also takes a '/' on Android"])
        #expect(partly.wrongWitness == nil)
    }

    @Test("variables become components, up to a bound")
    func variables() throws {
        let small = try convert(#"{"/": "/$(shop)/*"}"#, variables: #""shop": ["de", "fr"]"#)
        #expect(small.components.map(Self.text) == ["/de", "/de/*", "/fr", "/fr/*"])
        #expect(small.differences.isEmpty)
        let large = try convert(#"{"/": "/$(lang)/help"}, {"/": "/x"}"#)
        #expect(large.components.map(Self.text) == ["/x", "/x/"])
        #expect(large.differences.map(\.reason) == ["its variables stand for more than 256 patterns"])
        let excluded = try convert(#"{"/": "/$(lang)/help*", "exclude": true}, {"/": "*"}"#)
        #expect(excluded.components.map(Self.text) == ["!/??/help*", "!/???/help*", "*"])
        #expect(!excluded.differences.isEmpty && excluded.wrongWitness == nil)
    }

    @Test(
        "not said exactly: an inclusion becomes narrower, an exclusion wider",
        arguments: [
            (
                #"{"/": "/a/*/b"}"#, ["/a/*/b", "/a/*/b/"],
                "on Android a '*' ends at the first occurrence of what follows it"
            ),
            (
                #"{"/": "/a/*/b", "exclude": true}, {"/": "*"}"#, nil,
                "on Android a '*' ends at the first occurrence of what follows it"
            ),
            (#"{"/": "/a*", "caseSensitive": false}"#, ["/a*"], "Android always compares with regard to case"),
            (
                #"{"/": "/a*", "caseSensitive": false, "exclude": true}, {"/": "*"}"#, ["!/?*", "*"],
                "Android always compares with regard to case"
            ),
            (#"{"/": "/x*", "?": "k=v"}, {"/": "/y*"}"#, ["/y*"], "no rule on Android is about the whole query"),
            (
                #"{"/": "/x*", "?": "k=v", "exclude": true}, {"/": "*"}"#, ["!/x*?k=v", "*"],
                "no rule on Android is about the whole query"
            ),
            (
                #"{"/": "/x*", "?": {"k": ""}}, {"/": "/y*"}"#, ["/y*"],
                "no rule on Android asks for an item to be absent or empty"
            ),
            (#"{"/": "/x%2Ay"}, {"/": "/y*"}"#, ["/y*"], "'%2A' is a wildcard when it is decoded"),
            (
                #"{"/": "/x%61y"}, {"/": "/y*"}"#, ["/y*"], "'%61' is 'a' when it is decoded"
            ),
            (
                #"{"/": "/x*", "?": {"k": "?*"}, "caseSensitive": false}, {"/": "/y*"}"#, ["/y*"],
                "Android always compares with regard to case"
            ),
            (#"{"/": "/x%3Fy"}, {"/": "/y*"}"#, ["/y*"], "'%3F' is a wildcard when it is decoded"),
        ] as [(String, [String]?, String)])
    func notExactly(components: String, expected: [String]?, reason: String) throws {
        let conversion = try convert(components)
        if let expected { #expect(conversion.components.map(Self.text) == expected) }
        #expect(conversion.differences.contains { $0.reason.hasSuffix(reason) }, "\(conversion.differences)")
        #expect(conversion.wrongWitness == nil && conversion.undecided.isEmpty)
    }

    @Test("a link that a wider exclusion takes has the reason of the exclusion, and its pattern")
    func widerExclusion() throws {
        let conversion = try convert(#"{"/": "/z/*/b", "exclude": true}, {"/": "/z/*"}"#)
        #expect(!conversion.differences.isEmpty)
        for difference in conversion.differences {
            #expect(
                difference.reason
                    == "the exclusion of '/z/*/b' takes more on Android: on Android a '*' ends at the first occurrence of what follows it"
            )
        }
    }

    @Test("an escape of a character that can stand by itself is no reason to drop other rules")
    func plainEscapes() throws {
        let conversion = try convert(#"{"/": "/x%2Fy"}, {"/": "/b/*"}"#)
        #expect(conversion.components.map(Self.text) == ["/b", "/b/*"])
        #expect(conversion.wrongWitness == nil)
        #expect(conversion.differences.map(\.witness) == ["https://example.com/x%2Fy"])
    }

    @Test("legacy paths and defaults are rules, too")
    func legacy() throws {
        let paths = try AssociationDocument(
            #"{"applinks": {"apps": [], "details": [{"appID": "A.b", "paths": ["NOT /x/*", "/y"]}]}}"#)
        #expect(ComponentConversion(paths, app: "A.b").components.map(Self.text) == ["!/x", "!/x/*", "/y", "/y/"])
        let defaults = try AssociationDocument(
            #"{"applinks": {"defaults": {"exclude": true}, "details": [{"appIDs": ["A.b"], "components": [{"/": "/x*"}, {"/": "*", "exclude": false}]}]}}"#
        )
        #expect(ComponentConversion(defaults, app: "A.b").components.map(Self.text) == ["!/x*", "*"])
    }

    @Test(
        "random files: nothing opens on Android only, and what opens on iOS only is said",
        arguments: TestSeeds.of(1...2))
    func agreement(seed: UInt64) throws {
        var (openCount, lostCount) = (0, 0)
        for index in 0..<30 as Range<UInt64> {
            var document: AssociationDocument
            if index % 2 == 0 {
                var files = RandomFiles(seed: seed &* 1_000_003 &+ index)
                document = try AssociationDocument(files.pair().old)
            } else {
                var small = SmallLinks(seed: seed &* 1_000_037 &+ index)
                document = try small.association()
            }
            guard let app = (document.appLinks?.details ?? []).flatMap(\.appIDs).first?.value else { continue }
            let conversion = ComponentConversion(document, app: app)
            let file = Comment(
                rawValue:
                    "\(String(decoding: document.source.bytes, as: UTF8.self)) \(conversion.components.map(Self.text))")
            #expect(conversion.wrongWitness == nil, file)
            var coverage = DynamicCoverage(conversion.dynamicComponents)
            #expect(coverage.covered().isEmpty, file)
            let (apple, android) = (ReferenceMatcher(document), DynamicRuleMatcher(conversion.dynamicComponents))
            for difference in conversion.differences {
                let decision = apple.decide(try #require(WebURL(difference.witness.utf8)))
                #expect(decision.appIDs.contains(app), "\(difference) \(file)")
                #expect(try android.decide(difference.witness).outcome != .open, file)
            }
            for text in SmallLinks.ordinary {
                let opensOnIOS = apple.decide(try #require(WebURL(text.utf8))).appIDs.contains(app)
                let opensOnAndroid = try android.decide(text).outcome == .open
                if opensOnAndroid { openCount += 1 }
                if opensOnAndroid { #expect(opensOnIOS, "\(text) \(file)") }
                if opensOnIOS, !opensOnAndroid, conversion.undecided.isEmpty {
                    lostCount += 1
                    #expect(!conversion.differences.isEmpty, "\(text) \(file)")
                }
            }
        }
        #expect(openCount + lostCount > 0)
    }
}
