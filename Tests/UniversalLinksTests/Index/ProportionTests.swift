import AppSiteAssociation
import Diagnostics
import Testing
import UniversalLinks

/// Memory and time stay in proportion to the text, whatever its variables make of it.
@Suite("Proportion of the index")
struct ProportionTests {
    private static func document(_ variables: String, _ patterns: [String]) throws -> AssociationDocument {
        let components = patterns.map { "{\"/\":\"\($0)\"}" }.joined(separator: ",\n")
        return try AssociationDocument(
            """
            {"applinks":{"substitutionVariables":{\(variables)},
            "details":[{"appIDs":["ABCDE12345.a"],"components":[\(components)]}]}}
            """)
    }

    @Test("long values of variables are not written out for every pattern")
    func longValues() throws {
        let values = ["a", "b", "c", "d"].map { "\"\(String(repeating: $0, count: 500))\"" }.joined(separator: ",")
        let document = try Self.document("\"v\":[\(values)]", (0..<80).map { "/$(v)$(v)$(v)/\($0)" })
        #expect(DocumentIndex(document).byteCount < 100 * document.source.bytes.count + 3_000_000)
        let text = ["b", "d", "a"].map { String(repeating: $0, count: 500) }.joined()
        let router = UniversalLinkRouter(anyDomain: document)
        #expect(router.decide("https://example.com/\(text)/7").rule?.component == 7)
        #expect(router.decide("https://example.com/\(text)b/7").outcome == .noMatch)
    }

    @Test("patterns share the list of languages")
    func languages() throws {
        let document = try Self.document("", (0..<200).map { "/$(lang)/page\($0)/*" })
        #expect(DocumentIndex(document).byteCount < 200 * 400)
        let router = UniversalLinkRouter(anyDomain: document)
        #expect(router.decide("https://example.com/deu/page199").rule?.component == 199)
        #expect(router.decide("https://example.com/qq/page199").outcome == .noMatch)
    }

    @Test("many patterns with many spellings are decided the same when there is no room for all of them")
    func budget() throws {
        let values = (0..<8).map { "\"\(String(repeating: "x", count: $0))*\"" }.joined(separator: ",")
        let document = try Self.document("\"w\":[\(values)]", (0..<300).map { "/$(w)/a\($0)/$(w)/end" })
        #expect(DocumentIndex(document).byteCount < 60 * document.source.bytes.count + 4_000_000)
        let router = UniversalLinkRouter(anyDomain: document)
        for number in [0, 150, 299] {
            #expect(router.decide("https://example.com/xxy/a\(number)/q/end").rule?.component == number)
        }
    }

    @Test("a long value is not written out for every pattern that names it")
    func singleLongValue() throws {
        let value = String(repeating: "v", count: 4000)
        let document = try Self.document("\"v\":[\"\(value)\"]", (0..<300).map { "/$(v)\($0)" })
        #expect(DocumentIndex(document).byteCount < 800_000)
        let router = UniversalLinkRouter(anyDomain: document)
        for number in [0, 299] {
            #expect(router.decide("https://example.com/\(value)\(number)").rule?.component == number)
        }
    }
}
