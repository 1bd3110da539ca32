import AppSiteAssociation
import Testing
import UniversalLinks

@Suite("An index of any size")
struct IndexSizeTests {
    @Test("decides like the plain loop", arguments: Array(1...12) + Array(22...26) + Array(60...68) + [100, 129, 130])
    func mixed(rules: Int) throws {
        let agreement = try Agreement(MixedRules.document(count: rules))
        for url in MixedRules.urls([0, (rules - 1) / 20]) { agreement.expect(url) }
    }

    @Test(
        "decides like the plain loop with rules in one comparison only",
        arguments: [1, 2, 3, 4, 5, 23, 24, 25, 31, 32, 33, 63, 64, 65, 66, 128, 129])
    func plain(rules: Int) throws {
        let agreement = try Agreement(MixedRules.document(count: rules, flags: false))
        for url in MixedRules.urls([0, (rules - 1) / 20]) { agreement.expect(url) }
    }

    @Test("finds each of its literals and nothing beside them", arguments: [1, 3, 4, 24, 25, 63, 64, 65, 130, 1_000])
    func literals(rules: Int) throws {
        let components = (0..<rules).map { #"{"/": "/dir-\#($0 % 7)/page-\#($0)"}"# }.joined(separator: ",")
        let router = try Agreement(SampleDocument(components)).router
        for number in 0..<rules {
            #expect(router.decide("https://e/dir-\(number % 7)/page-\(number)").rule?.component == number)
            #expect(router.decide("https://e/dir-\((number + 1) % 7)/page-\(number)").outcome == .noMatch)
        }
        #expect(router.decide("https://e/dir-0/page-\(rules)").outcome == .noMatch)
    }

    @Test("takes the first of rules that all match", arguments: [1, 2, 3, 4, 24, 25, 63, 64, 65, 130])
    func first(rules: Int) throws {
        let patterns = ["/a/b/*", "*", "*/c", "/a/*", "/a/b/c", "*b*", "/a/?/c", "$(alpha)/b/c", "a*c", "/*/b/*"]
        for rotation in patterns.indices {
            let components = (0..<rules).map { number in
                #"{"/": "\#(patterns[(number + rotation) % patterns.count])", "?": "n=\#(number)*"}"#
            }
            let agreement = try Agreement(SampleDocument(components.joined(separator: ",")))
            for number in [0, rules / 2, rules - 1] { agreement.expect("https://e/a/b/c?n=\(number)") }
            agreement.expect("https://e/a/b/c?n=")
        }
    }

    @Test("keeps more rules below one segment than its list has places", arguments: [7, 8, 9, 10, 70, 100])
    func crowded(rules: Int) throws {
        let components = (0..<rules).map { number in
            let pattern = number % 3 == 0 ? "/s/*x\(number)*" : number % 3 == 1 ? "/s/?\(number)" : "/s/*y*\(number)"
            return #"{"/": "\#(pattern)"}"#
        }
        let others = (0..<70).map { #"{"/": "/other/\#($0)"}"# }
        let agreement = try Agreement(SampleDocument((components + others).joined(separator: ",")))
        for number in 0..<rules {
            for path in ["a-x\(number)-b", "q\(number)", "1y2-\(number)", "\(number)"] {
                agreement.expect("https://e/s/\(path)")
            }
        }
    }

    @Test("has differently seeded hashes and the same decisions", arguments: [10, 64, 65, 200, 800])
    func seeds(rules: Int) throws {
        let document = try AssociationDocument(MixedRules.document(count: rules).json)
        let routers = [0, 1, 0xDEAD_BEEF, UInt64.max, 0x9E37_79B9_7F4A_7C15].map { seed in
            UniversalLinkRouter(anyDomain: DocumentIndex(document, seed: seed))
        }
        for url in MixedRules.urls([0, 1, rules / 20]) {
            #expect(Set(routers.map { Agreement.text($0.decide(url)) }).count == 1)
        }
    }

    @Test("is the same when it is built again with the same seed")
    func repeatable() throws {
        let document = try AssociationDocument(MixedRules.document(count: 200).json)
        #expect(DocumentIndex(document, seed: 7).byteCount == DocumentIndex(document, seed: 7).byteCount)
    }
}
