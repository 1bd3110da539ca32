import AppSiteAssociation
import Fuzzing
import FuzzingSupport
import PatternAnalysis
import Testing
import URLPatterns

@Suite("Reach of random rules")
struct RandomReachTests {
    private static let paths = Texts.all(over: "abc/", upTo: 4).filter { $0.first != 0x2F && $0.last != 0x2F }

    @Test("a path is found covered exactly if no path speaks against it", arguments: TestSeeds.of(21...21))
    func paths(seed: UInt64) throws {
        var random = RandomPatterns(seed: seed)
        random.letters = ["a", "b", "a", "/", "*", "?", "$(v)", "/*", "$(slash)"]
        let urls = Self.paths.compactMap { WebURL(Array("https://example.com/".utf8) + $0) }
        var count = 0
        for _ in 0..<30 {
            let patterns = (0..<5).map { _ in random.pattern(upTo: 3) }
            let file = Rules(patterns.map { "{'/': '\($0)'}" })
            let matches = urls.map { url in file.matchers.map { $0.matches(url) } }
            for number in patterns.indices {
                let isCovered = (0..<number).contains { wide in matches.allSatisfy { $0[wide] || !$0[number] } }
                let cover = file.covers[number]
                if let cover {
                    count += 1
                    #expect(
                        matches.allSatisfy { $0[cover] || !$0[number] }, "\(patterns[cover]) covers \(patterns[number])"
                    )
                } else {
                    #expect(!isCovered, "\(patterns[number]) is covered in \(patterns)")
                }
            }
        }
        #expect(count > 10)
    }

    @Test("a rule that is found covered is covered for all URLs", arguments: TestSeeds.of(30...33))
    func rules(seed: UInt64) throws {
        var random = RandomPatterns(seed: seed)
        random.letters = ["a", "b", "A", "/", "*", "?", "$(v)", "/*", "é", "1"]
        let paths = [
            "", "a", "A", "b", "1", "a/b", "A/1", "%C3%A9", "%c3%a9", "%C3%89", "ab", "a%2Fb", "bc", "1/a/", "//",
        ]
        let queries = ["", "?a=a", "?A=b", "?a=a&a=b", "?b=1&a=", "?b=A&A=1", "?%61=a", "?1=1"]
        let urls = paths.flatMap { path in
            queries.flatMap { query in
                ["", "#a", "#A", "#1b"].compactMap { WebURL("https://example.com/\(path)\(query)\($0)".utf8) }
            }
        }
        var count = 0
        for _ in 0..<40 {
            let components = (0..<5).map { _ in Self.component(&random) }
            let file = Rules(components)
            for (number, cover) in file.covers {
                count += 1
                let (wide, narrow) = (file.matchers[cover], file.matchers[number])
                #expect(
                    urls.allSatisfy { !narrow.matches($0) || wide.matches($0) },
                    "\(components[cover]) covers \(components[number])")
            }
        }
        #expect(count > 10)
    }

    private static func component(_ random: inout RandomPatterns) -> String {
        var keys: [String] = []
        if random.number(below: 8) > 0 { keys.append("'/': '\(random.pattern(upTo: 2))'") }
        switch random.number(below: 5) {
        case 0: keys.append("'?': '\(random.pattern(upTo: 2))'")
        case 1, 2:
            let items = ["a", "A", "b", "1"].filter { _ in random.number(below: 3) == 0 }
            keys.append("'?': {\(items.map { "'\($0)': '\(random.pattern(upTo: 2))'" }.joined(separator: ", "))}")
        default: break
        }
        if random.number(below: 4) == 0 { keys.append("'#': '\(random.pattern(upTo: 2))'") }
        if random.number(below: 3) == 0 { keys.append("'caseSensitive': false") }
        if random.number(below: 4) == 0 { keys.append("'percentEncoded': false") }
        return "{\(keys.joined(separator: ", "))}"
    }

    /// The rules of a file, what matches them, and which other covers each.
    private struct Rules {
        var matchers: [RuleMatcher] = []
        var covers: [Int: Int] = [:]

        /// - Parameter components: written with single quotes.
        init(_ components: [String]) {
            let text = """
                {"applinks": {"details": [{"appIDs": ["A1B2C3D4E5.com.apple.a"], "components": [
                \(components.map { $0.replacing("'", with: "\"") }.joined(separator: ",\n"))
                ]}], "substitutionVariables": {
                  "v": ["a", "bc"], "two": ["a", "bc", "d"], "same": ["ab", "ac"], "tail": ["/*"], "opt": ["", "y"],
                  "slash": ["/", "/a/"], "none": [], "only": ["x"]
                }}}
                """
            guard let links = try? AssociationDocument(text).appLinks else { return }
            let parsers = PatternParsers(links.substitutionVariables)
            let rules = links.details.flatMap(\.rules)
            matchers = rules.map { RuleMatcher($0, parsers) }
            var finder = ReachFinder(
                [ReachFinder.Entry(rules: rules, apps: [0])], variables: links.substitutionVariables)
            for found in finder.shadowed() { covers[found.rule] = found.shadowedBy }
        }
    }
}

extension RuleMatcher {
    fileprivate func matches(_ url: WebURL) -> Bool {
        var budget = WorkBudget.unlimited
        return matches(url, &budget) ?? false
    }
}
