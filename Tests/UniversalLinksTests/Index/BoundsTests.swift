import AppSiteAssociation
import Testing
import UniversalLinks

@Suite("Bounds of the index")
struct BoundsTests {
    /// Both matchers of some rules, and a router that has them among many others.
    private struct Pair {
        private static let before = 70
        private let alone: Agreement
        private let amongMany: UniversalLinkRouter

        init(_ components: String, variables: String = "") throws {
            let others = (0..<Self.before).map { #"{"/": "/other/\#($0)/*"}"# }.joined(separator: ",")
            alone = try Agreement(.components(components, variables: variables))
            amongMany = try Agreement(.components("\(others), \(components)", variables: variables)).router
        }

        /// Expects the same of the three, and gives it.
        @discardableResult
        func expect(_ url: String, sourceLocation: SourceLocation = #_sourceLocation) -> Outcome {
            alone.expect(url, sourceLocation: sourceLocation)
            return routers(url, sourceLocation: sourceLocation)
        }

        func isWebURL(_ text: String) -> Bool { alone.router.decide(text).isWebURL || amongMany.decide(text).isWebURL }

        /// Expects the same of the routers, where the reference matcher is too slow.
        func routers(_ url: String, sourceLocation: SourceLocation = #_sourceLocation) -> Outcome {
            let expected = alone.router.decide(url)
            let decision = amongMany.decide(url)
            #expect(decision.outcome == expected.outcome, sourceLocation: sourceLocation)
            #expect(
                decision.rule?.component == expected.rule.map { $0.component + Self.before },
                sourceLocation: sourceLocation)
            return expected.outcome
        }
    }

    @Test("a pattern of many bytes", arguments: [65_527, 65_534, 65_535, 70_000])
    func longPattern(length: Int) throws {
        let path = "/" + String(repeating: "abcdefg/", count: length / 8) + String(repeating: "x", count: length % 8)
        let pair = try Pair(#"{"/": "\#(path)"}, {"/": "/y/*"}"#)
        // The plain check, which is for more than 65,535 bytes, takes long for long texts.
        if length < 65_535 {
            #expect(pair.routers("https://e\(path)") == .open)
            #expect(pair.routers("https://e\(path)y") == .noMatch)
            #expect(pair.routers("https://e/z\(path)") == .noMatch)
        }
        #expect(pair.routers("https://e/abcdefg") == .noMatch)
        #expect(pair.expect("https://e/y") == .open)
    }

    @Test("patterns of many wildcards, in every part of a URL")
    func manyWildcards() throws {
        let stars = String(repeating: "*", count: 70_000)
        let components =
            ##"{"/": "/a\##(stars)b"}, {"?": "a\##(stars)b"}, {"?": {"n": "a\##(stars)b"}}, {"#": "a\##(stars)b"}"##
        let pair = try Pair(components)
        #expect(pair.expect("https://e/axb") == .open)
        #expect(pair.routers("https://e/x?axb") == .open)
        #expect(pair.routers("https://e/x?n=axb") == .open)
        #expect(pair.routers("https://e/x#axb") == .open)
        #expect(pair.routers("https://e/ax?n=ax#xb") == .noMatch)
    }

    @Test("products of values around the bound", arguments: [(8, 8), (8, 9), (64, 1), (65, 1), (2, 33), (70, 70)])
    func products(first: Int, second: Int) throws {
        func list(_ name: String, _ count: Int) -> String {
            "\"\(name)\": [\((0..<count).map { "\"\(name)\($0)\"" }.joined(separator: ","))]"
        }
        let component = #"{"/": "/$(a)-$(b)/*", "?": "$(a)$(b)*"}, {"/": "/$(b)$(a)"}"#
        let pair = try Pair(component, variables: "\(list("a", first)), \(list("b", second))")
        let last = "https://e/a\(first - 1)-b\(second - 1)"
        #expect(pair.expect("\(last)/x?a0b\(second - 1)z") == .open)
        #expect(pair.expect("\(last)?a\(first - 1)b0") == .open)
        #expect(pair.expect("https://e/b\(second - 1)a0") == .open)
        #expect(pair.expect("https://e/a\(first)-b0?a0b0") == .noMatch)
        pair.expect("https://e/a0-b0x?a0b0")
        pair.expect("https://e/a0-")
    }

    @Test(
        "many values with what only the plain check can decide",
        arguments: ["w*", "/w", "w/", "w/*", "w?", "/", ""] as [String])
    func plainCheck(value: String) throws {
        let list = (0..<70).map { #""v\#($0)""# }.joined(separator: ",")
        let variables = #""v": [\#(list), "\#(value)"]"#
        let pair = try Pair(
            #"{"/": "/x/$(v)"}, {"/": "$(v)/y/$(v)", "exclude": true}, {"/": "/z$(v)*"}"#, variables: variables)
        for path in [
            "x", "x/", "x/v69", "x/w", "x//w", "x/w/", "x/w/z", "x/wz", "y", "y/w", "w/y", "v1/y/v2", "w/y/w/", "/y/",
            "z", "zw", "z/w/a", "v70/y",
        ] {
            pair.expect("https://e/\(path)")
        }
    }

    @Test("deep paths and deep patterns", arguments: [1, 2, 15, 16, 17, 18, 31, 33, 64, 65, 200])
    func deep(segments: Int) throws {
        let path = (0..<segments).map { "/s\($0)" }.joined()
        let pair = try Pair(
            #"{"/": "\#(path)", "?": "exact"}, {"/": "\#(path)/*"}, {"/": "*/s\#(segments - 1)/end/*"}, {"/": "\#(path)?x"}"#
        )
        #expect(pair.expect("https://e\(path)?exact") == .open)
        #expect(pair.expect("https://e\(path)") == .open)
        #expect(pair.expect("https://e\(path)/below/it") == .open)
        #expect(pair.expect("https://e/front\(path)/end") == .open)
        #expect(pair.expect("https://e\(path)/x") == .open)
        #expect(pair.expect("https://e\(path)-") == .noMatch)
        #expect(pair.expect("https://e\(path.dropLast())z") == .noMatch)
        pair.expect("https://e/\(String(repeating: "/", count: segments))")
        pair.expect("https://e\(String(repeating: path, count: 2))")
    }

    @Test("URLs of any length", arguments: ["a", "/", "ab/", "%C3%A9", "a/b?", "#", "?a=1&", "\u{E9}"])
    func lengths(piece: String) throws {
        let component = ##"""
            {"/": "*b", "exclude": true}, {"/": "/x*", "caseSensitive": false}, {"/": "/y*\u00e9", "percentEncoded": false},
            {"/": "/z*", "percentEncoded": false, "caseSensitive": false, "?": {"a": "?"}}, {"/": "/a*", "?": "*", "#": "*z"},
            {"?": {"a": "1", "b": ""}, "#": ""}, {"/": "?*"}
            """##
        let lengths = Array(0...40) + Array(stride(from: 41, through: 1_200, by: 61)) + [1_023, 1_024, 1_025, 20_000]
        let pair = try Pair(component)
        for length in lengths {
            let rest = String(repeating: piece, count: length / piece.utf8.count)
            for start in ["", "/X", "/y", "/Z"] { pair.expect("https://e\(start)\(rest)") }
        }
    }

    @Test("texts of all lengths without any structure", arguments: [0, 1, 7, 8, 9, 63, 64, 1_000, 20_000])
    func noURLs(length: Int) throws {
        let pair = try Pair("{}")
        for byte in ["a", ":", "/", "h", "\u{0}"] {
            let text = String(repeating: byte, count: length)
            #expect(!pair.isWebURL(text))
            pair.expect("https://\(text)")
            pair.expect("https:\(text)")
        }
    }

    @Test("patterns that make others try again and again", arguments: [50, 1_000, 10_000])
    func adversarial(length: Int) throws {
        let stars = (4...8).map { #"{"/": "\#(String(repeating: "*a", count: $0))b"}"# }.joined(separator: ",")
        let marks = #"{"/": "*?a*?a*?a*?a*c"}, {"/": "*$(digit)*$(digit)*z", "caseSensitive": false}"#
        let pair = try Pair("\(stars), \(marks)")
        pair.expect("https://e/" + String(repeating: "a", count: length))
        pair.expect("https://e/" + String(repeating: "1a", count: length / 2) + "Z")
        pair.expect("https://e/" + String(repeating: "a", count: length) + "b")
    }
}
