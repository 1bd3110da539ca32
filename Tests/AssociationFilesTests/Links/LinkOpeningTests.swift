import Android
import AppSiteAssociation
import AssociationFiles
import Diagnostics
import DomainNames
import JSONSyntax
import LinkPages
import PatternAnalysis
import Testing

/// Links and pages, compared with the files that open them.
struct LinkOpeningTests {
    @Test("A bad example yields its code at the marked place, and nothing else", arguments: LinkOpeningRules.all)
    func bad(rule: RuleDescription) {
        let marked = MarkedText(rule.bad)
        let found = LinkOpeningExample.report(marked.bytes)
        #expect(found.diagnostics.map(\.code) == [rule.code], "\(found.diagnostics.map { $0.line(in: found.source) })")
        #expect(found.diagnostics.first?.range == marked.range ?? SourceRange(start: 0, end: 0))
        #expect(found.diagnostics.first?.severity == rule.severity)
        for text in found.diagnostics.flatMap({ [$0.message] + $0.notes }) + [rule.summary] {
            #expect(text.first?.isUppercase == false && !text.hasSuffix("."), "\(text)")
        }
    }

    @Test("A good example yields nothing", arguments: LinkOpeningRules.all)
    func good(rule: RuleDescription) {
        let found = LinkOpeningExample.report(Array(rule.good.utf8))
        #expect(found.diagnostics.isEmpty, "\(found.diagnostics.map { $0.line(in: found.source) })")
    }

    private static func document(_ members: String) -> LinksDocument {
        LinksDocument.read(
            Array("{ \"app\": { \"name\": \"Shop\" }, \(members) }".utf8), domain: Domain("go.example.com"), images: nil
        )
    }

    private static func association(_ components: String) throws -> AssociationDocument {
        let file = #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[\#(components)]}]}}"#
        return try AssociationDocument(Array(file.utf8), path: "aasa.json")
    }

    private static func assetLinks(_ components: String?) -> AssetLinksDocument {
        let relation = AssetLinksStatement.handleAllURLs
        let rules = components.map {
            #", "relation_extensions": { "\#(relation)": { "\#(DynamicRules.listKey)": [\#($0)] } }"#
        }
        let fingerprint = [String](repeating: "5A", count: 32).joined(separator: ":")
        let file = """
            [{ "relation": ["\(relation)"], "target": { "namespace": "android_app", "package_name": "com.shop.app",
               "sha256_cert_fingerprints": ["\(fingerprint)"] }\(rules ?? "") }]
            """
        return AssetLinksDocument(JSONReader.read(Array(file.utf8), path: "assetlinks.json", limits: .assetLinksFile))
    }

    /// The findings as `code: notes`.
    private static func findings(_ members: String, _ files: LinkOpening.Files) -> [String] {
        LinkOpening.diagnostics(document(members), domain: Domain("go.example.com"), files).map {
            "\($0.code): \($0.notes.joined(separator: "; "))"
        }
    }

    private static let page = #""fallback": "page""#

    @Test(
        "a link that the association file does not open is a warning with the rule that decides",
        arguments: [
            (#"{"/": "/buy/*"}"#, #""links": { "/buy/7": {} }"#, nil),
            (#"{"/": "/buy/*"}"#, #""links": { "/sell": {} }"#, "no rule of 'aasa.json' matches it"),
            (
                #"{"/": "/buy/old", "exclude": true}, {"/": "*"}"#, #""links": { "/buy/old/": {} }"#,
                "the rule at aasa.json:1 excludes "
            ),
            (#"{"/": "/BUY/*", "caseSensitive": false}"#, #""links": { "/buy/7": {} }"#, nil),
            (#"{"/": "/buy/*", "?": {"x": "?*"}}"#, #""links": { "/buy/7": {} }"#, "no rule of 'aasa.json' matches it"),
        ])
    func links(components: String, links: String, note: String?) throws {
        let files = LinkOpening.Files(association: try Self.association(components))
        let found = LinkOpening.diagnostics(
            Self.document("\(links), \(Self.page)"), domain: Domain("go.example.com"), files)
        #expect(found.map(\.code.rawValue) == (note == nil ? [] : ["link-not-opened"]))
        #expect(found.allSatisfy { $0.severity == .warning })
        if let note { #expect(found.first?.notes.first?.hasPrefix(note) == true) }
    }

    @Test(
        "a page some URLs of which are not opened has a shortest one; fragments say nothing about it",
        arguments: [
            (#"{"/": "/buy/*"}"#, "/buy/{product}", 0), (#"{"/": "/buy/*"}"#, "/{area}/{product}", 1),
            (##"{"#": "no_universal_links", "exclude": true}, {"/": "/buy/*"}"##, "/buy/{product}", 0),
            (#"{"/": "*"}"#, "/{rest:*}", 0), (#"{"/": "/buy/?*", "?": {"x": "1"}}"#, "/buy/{product}", 1),
        ])
    func pages(components: String, route: String, count: Int) throws {
        let files = LinkOpening.Files(association: try Self.association(components))
        let found = Self.findings(#""pages": [{ "route": "\#(route)" }], \#(Self.page)"#, files)
        #expect(found.count == count)
        #expect(found.allSatisfy { $0.hasPrefix("page-not-opened: a shortest one is 'https://go.example.com/") })
    }

    @Test("links come before pages, and earlier pages before later ones")
    func order() throws {
        let files = LinkOpening.Files(
            association: try Self.association(#"{"/": "/buy/old", "exclude": true}, {"/": "/buy/*"}"#))
        let found = Self.findings(
            #""links": { "/buy/old": {} }, "pages": [{ "route": "/buy/{product}" }], \#(Self.page)"#, files)
        #expect(found.map { $0.prefix { $0 != ":" } } == ["link-not-opened"])
    }

    @Test(
        "URLs that the app opens and that get the 404 page are a note, but for exact links and other fallbacks",
        arguments: [
            (#"{"/": "/buy/*"}"#, #""links": { "/a": {} }"#, true),
            (#"{"/": "/a"}"#, #""links": { "/a": {} }"#, false),
            (#"{"/": "/a"}, {"/": "/b"}"#, #""links": { "/a": {} }, "pages": [{ "route": "/b" }]"#, false),
            (#"{"/": "/buy/*"}"#, #""links": { "/a": {} }, "fallback": "page""#, false),
            (
                #"{"/": "/buy/*"}"#, #""links": { "/a": {} }, "fallback": {"redirect": "https://www.example.com"}"#,
                false
            ),
        ])
    func withoutPage(components: String, members: String, isFound: Bool) throws {
        let files = LinkOpening.Files(association: try Self.association(components))
        let found = LinkOpening.diagnostics(Self.document(members), domain: nil, files)
        #expect(found.contains { $0.code.rawValue == "opened-without-page" && $0.severity == .note } == isFound)
    }

    @Test("Android's dynamic rules are asked; without them the manifest decides, and nothing is said")
    func android() {
        let members = #""links": { "/buy/7": {}, "/sell": {} }, "pages": [{ "route": "/buy/{product}" }]"#
        let some = Self.assetLinks(#"{"/": "/buy/7", "exclude": true}, {"/": "/buy/*"}"#)
        #expect(
            Self.findings("\(members), \(Self.page)", LinkOpening.Files(assetLinks: some)).map {
                $0.prefix { $0 != ":" }
            }
                == ["link-not-opened-android", "link-not-opened-android"])
        let page = Self.assetLinks(#"{"/": "/buy/x", "exclude": true}, {"/": "/buy/*"}, {"/": "/sell"}"#)
        #expect(
            Self.findings("\(members), \(Self.page)", LinkOpening.Files(assetLinks: page)) == [
                "page-not-opened-android: a shortest one is 'https://go.example.com/buy/x'; "
                    + "the rule at assetlinks.json:2 excludes it"
            ])
        #expect(Self.findings(members, LinkOpening.Files(assetLinks: Self.assetLinks(nil))).isEmpty)
    }

    @Test("a URL of one of very many links is none of a page, and is not without a page")
    func manyLinks() throws {
        let links = (0..<600).map { "\"/l\($0)\": {}" }.joined(separator: ", ") + #", "/a": {}"#
        let members = "\"links\": { \(links) }"
        let files = LinkOpening.Files(association: try Self.association(#"{"/": "/a"}"#))
        let codes = Set(LinkOpening.diagnostics(Self.document(members), domain: nil, files).map(\.code.rawValue))
        #expect(codes == ["link-not-opened"])
        let pages = "\(members), \"pages\": [{ \"route\": \"/$(alpha)\" }]"
        let letters = LinkOpening.Files(association: try Self.association(#"{"/": "/a", "exclude": true}, {"/": "*"}"#))
        let found = LinkOpening.diagnostics(Self.document("\(pages), \(Self.page)"), domain: nil, letters)
        #expect(found.map(\.code.rawValue) == ["link-not-opened"])
    }

    @Test("the work is bounded: with no budget nothing is said, and of many links a hundred are")
    func bounds() throws {
        let links = (0..<2_000).map { #""/l\#($0)": {}"# }.joined(separator: ", ")
        let document = Self.document("\"links\": { \(links) }, \(Self.page)")
        let files = LinkOpening.Files(association: try Self.association(#"{"/": "/buy/*"}"#))
        let found = LinkOpening.diagnostics(document, domain: nil, files)
        #expect(found.count == 100 && found.last?.notes.last == "those after it are not listed")
        var limits = ComparisonLimits()
        limits.work = 0
        #expect(LinkOpening.diagnostics(document, domain: nil, files, limits: limits).isEmpty)
    }
}
