import AppSiteAssociation
import Testing
import UniversalLinks

@Suite("Memory of the index")
struct IndexMemoryTests {
    /// A site with so many rules, as real ones are: mostly sections, some pages, some patterns in the middle.
    private static func byteCount(rules: Int) throws -> Int {
        let components = (0..<rules).map { number in
            let pattern =
                switch number % 10 {
                case 0...3: "/section-\(number % 90)/topic-\(number)/*"
                case 4, 5: "/article/\(number)"
                case 6: "/??/help/\(number)/*"
                case 7: "/shop/*/item-\(number)"
                case 8: "*/download-\(number).html"
                default: "/category-\(number)*"
                }
            return number % 10 == 3 ? #"{"/": "\#(pattern)", "?": {"id": "?*"}}"# : #"{"/": "\#(pattern)"}"#
        }
        let document = try AssociationDocument(SampleDocument(components.joined(separator: ",")).json)
        return DocumentIndex(document, seed: 1).byteCount
    }

    @Test("is at most 300 bytes a rule, and linear in the rules")
    func size() throws {
        let half = try Self.byteCount(rules: 2_000)
        let whole = try Self.byteCount(rules: 4_000)
        #expect(whole <= 4_000 * 300)
        #expect(Double(whole) <= 2.3 * Double(half))
    }

    @Test("is that of the text for long patterns, and does not grow with the words of a list")
    func length() throws {
        func byteCount(_ document: SampleDocument) throws -> Int {
            try DocumentIndex(AssociationDocument(document.json), seed: 1).byteCount
        }
        let long = try byteCount(SampleDocument(#"{"/": "/\#(String(repeating: "abcdefg/", count: 5_000))*"}"#))
        #expect(long <= 40_000 * 4)
        let words = (0..<5_000).map { #""word\#($0)""# }.joined(separator: ",")
        let list = try byteCount(.components(#"{"/": "/$(v)/$(v)/$(v)"}"#, variables: #""v": [\#(words)]"#))
        #expect(list <= 3 * 5_000 * 20)
    }
}
