import AppSiteAssociation
import FuzzingSupport
import TestSupport
import Testing
import URLPatterns

@Suite("Routes and a slow reference")
struct RouteFuzzTests {
    private typealias Text = [RouteReference.Character]

    /// Each as it stands in a URL and as it is when it is decoded.
    private static let decoded: Text = [
        ("a", "a"), ("b", "b"), ("/", "/"), ("%2F", "/"), ("%61", "a"), ("%C3%A9", "é"), ("1", "1"), ("é", "é"),
        ("%42", "B"), ("A", "A"),
    ].map { RouteReference.Character(raw: $0.0, value: $0.1) }

    private static let plain: Text = ["a", "a", "b", "/", "/", "1", "%", "B"].map {
        RouteReference.Character(raw: String($0), value: $0)
    }

    private static let flags = [(true, true), (true, false), (false, true), (false, false)]

    @Test("agree about paths", arguments: flags, TestSeeds.of(1...1))
    func paths(flags: (percentEncoded: Bool, caseSensitive: Bool), seed: UInt64) throws {
        let (percentEncoded, caseSensitive) = flags
        var random = RandomRoutes(seed: seed)
        var matched = 0
        for _ in 0..<300 {
            let parts = ["/"] + random.parts(upTo: 5)
            let flags =
                (percentEncoded ? "" : " percentEncoded:false") + (caseSensitive ? "" : " caseSensitive:false")
            let route = try RoutePattern(RandomRoutes.text(parts) + flags)
            let reference = RouteReference(parts, isPath: true, ignoresCase: !caseSensitive)
            for _ in 0..<6 {
                let path = random.list(of: percentEncoded ? Self.plain : Self.decoded, upTo: 7)
                let expected = reference.captures(path)
                let found = route.captures(in: "https://h/" + path.map(\.raw).joined())
                #expect(found.map(Self.raw) == expected, "\(route) \(path.map(\.raw))")
                if expected?.isEmpty == false { matched += 1 }
            }
        }
        #expect(matched > 100)
    }

    @Test("agree about fragments", arguments: [true, false], TestSeeds.of(3...3))
    func fragments(percentEncoded: Bool, seed: UInt64) throws {
        var random = RandomRoutes(seed: seed)
        var matched = 0
        for _ in 0..<400 {
            let parts = ["a"] + random.parts(upTo: 5)
            let flag = percentEncoded ? "" : " percentEncoded:false"
            let route = try RoutePattern("* #\(RandomRoutes.text(parts))\(flag)")
            let reference = RouteReference(parts, isPath: false)
            for _ in 0..<6 {
                let letters = percentEncoded ? Self.plain : Self.decoded
                let text = [letters[0]] + random.list(of: letters, upTo: 6)
                let expected = reference.captures(text)
                let found = route.captures(in: "https://h/?x#" + text.map(\.raw).joined())
                #expect(found.map(Self.raw) == expected, "\(route) \(text.map(\.raw))")
                if expected?.isEmpty == false { matched += 1 }
            }
        }
        #expect(matched > 100)
    }

    @Test("match what the matcher of files matches, whatever the bytes", arguments: TestSeeds.of(5...5))
    func bytes(seed: UInt64) throws {
        var random = RandomRoutes(seed: seed)
        let bytes = Array("ab/%2F4B1é".utf8) + [0xC3, 0xE2, 0x82, 0xFF, 0x25, 0x2F]
        var matched = 0
        for _ in 0..<1500 {
            let flags = [
                "", " caseSensitive:false", " percentEncoded:false", " percentEncoded:false caseSensitive:false",
            ][random.number(below: 4)]
            let route = try RoutePattern("/" + RandomRoutes.text(random.parts(upTo: 4)) + flags)
            let path = random.list(of: bytes, upTo: 9)
            let url = try #require(WebURL(Array("https://h/".utf8) + path))
            let comparison = Comparison(caseSensitive: route.caseSensitive, percentEncoded: route.percentEncoded)
            let parser = PatternParsers(SubstitutionVariables()).parser(comparison)
            let elements = route.path.flatMap { piece -> [PatternElement] in
                switch piece {
                case .text(let text): parser.parse(text)
                case .capture(_, let pattern?): parser.parse(pattern)
                case .capture: [.segmentCharacter, .segmentRun]
                }
            }
            var budget = WorkBudget.unlimited
            let expected = PatternMatcher.matchesPath(
                elements, comparison.prepare(url.path), percentEncoded: comparison.percentEncoded, &budget)
            #expect((route.captures(in: url) != nil) == expected, "\(route) \(path)")
            if expected == true { matched += 1 }
        }
        #expect(matched > 150)
    }

    @Test(
        "A long pattern and a long text take no longer than their lengths say",
        arguments: [
            (RandomRoutes.text(Array(repeating: "{:*}", count: 60)) + "x", String(repeating: "a", count: 1500)),
            (RandomRoutes.text(Array(repeating: "{:*a?}", count: 60)) + "x", String(repeating: "a", count: 1500)),
            (RandomRoutes.text(Array(repeating: "{}*", count: 60)) + "/x", String(repeating: "a/", count: 700)),
            (String(repeating: "$(lang)*", count: 10) + "1", String(repeating: "de", count: 60)),
        ])
    func adversarial(pattern: String, text: String) throws {
        let route = try RoutePattern("/" + pattern)
        let time = ThreadTime.measure {
            #expect(route.captures(in: "https://h/" + text) == nil)
            #expect(route.captures(in: "https://h/" + text + pattern.suffix(1)) != nil)
        }
        #expect(time < .seconds(30 * Patience.slowness))
    }

    private static func raw(_ captures: RouteCaptures) -> [String: String] {
        Dictionary(uniqueKeysWithValues: captures.names.map { ($0, captures.raw($0) ?? "?") })
    }
}
