import AppSiteAssociation
import AssociationLint
import Diagnostics
import FuzzingSupport
import UniversalLinks

/// Association files of at most 128 KiB, and URLs, that are made so that to decide them takes long or much memory.
package struct HostileDocuments {
    /// A file, and what it is.
    package struct Case: Sendable {
        package let name: String
        package let file: @Sendable () -> String
        /// The text that its URLs repeat; `#` begins a number.
        package let unit: String

        init(_ name: String, unit: String = "a", _ file: @escaping @Sendable () -> String) {
            self.name = name
            self.unit = unit
            self.file = file
        }
    }

    /// The result for a file and a URL.
    package struct Result: Sendable {
        package let name: String
        /// CPU time to read the file and decide, explain and look for near misses.
        package let nanoseconds: Int
        package let kibibytes: Int
        package let isDecided: Bool

        /// The limit that it exceeds; nil if there is none.
        package var violation: String? {
            if nanoseconds > HostileDocuments.nanoseconds {
                return "\(name): \(nanoseconds / 1_000_000) ms of CPU time"
            }
            return kibibytes > HostileDocuments.kibibytes ? "\(name): \(kibibytes >> 10) MiB of memory" : nil
        }
    }

    /// The most CPU time of one in a release build (docs/spec/matching.md, section 8).
    private static let nanoseconds = 2_000_000_000
    private static let kibibytes = 200 << 10

    private var random: SplitMix64

    package init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// Reads the file and answers about a URL as `aasa route --explain` does.
    package static func check(_ name: String, _ file: String, _ url: String) throws -> Result {
        PeakMemory.reset()
        let before = PeakMemory.kibibytes
        let start = ThreadTime.nanoseconds
        let document = try AssociationDocument(file)
        _ = Linter().countReadingErrors(in: document.source.bytes)
        let answerer = RouteAnswerer(
            UniversalLinkRouter(anyDomain: document), domain: nil, explains: true, hints: true)
        let answer = answerer.answer(url)
        let time = ThreadTime.nanoseconds - start
        return Result(
            name: name, nanoseconds: time, kibibytes: PeakMemory.kibibytes - before,
            isDecided: answer?.decision.outcome != .notDecided)
    }

    /// The URLs for a file: in path, query and fragment, of several lengths.
    package static func urls(_ unit: String) -> [String] {
        [100, 1_900, 8_000].flatMap { length in
            let text = filled("", unit, "", length)
            let items = filled("", "\(unit)=\(unit)&", "", length)
            return ["https://h.test/\(text)", "https://h.test/x?\(items)", "https://h.test/x?\(text)#\(text)"]
        }
    }

    /// A file whose variables, patterns and rules are put together at random.
    package mutating func file() -> (name: String, file: String, unit: String) {
        func pick<Element>(_ list: [Element]) -> Element { list[Int(random.next() % UInt64(list.count))] }
        let unit = pick(["a", "ab", "%C3%BC", "a/", "A"])
        let piece = pick([
            "$(v)", "$(v)*", "*$(v)", "?$(v)*", "$(lang)", "$(region)$(lang)*", "$(alpha)*", "*a", "*a?", "?*",
            "*\(unit)*b",
            "/$(v)*/", "$(w)$(v)",
        ])
        let length = pick([1, 10, 60, 1_000, 8_000, 100_000])
        let pattern = Self.filled("", piece, pick(["", "N", "*"]), length)
        let key = pick(["/", "?", "#"])
        let flags =
            pick(["", #","caseSensitive":false"#, #","percentEncoded":false"#])
            + pick(["", #","percentEncoded":false"#, #","exclude":true"#])
        let rule =
            key == "?" && random.next() % 2 == 0
            ? "{\"?\":{\"a\":\"\(pattern)\",\"\(unit)\":\"\(pattern)\"}\(flags)}"
            : "{\"\(key)\":\"\(pattern)\"\(flags)}"
        let value = pick(["a", "a?", "*", "?*a", "aa#", "\(unit)\(unit)", "ü", "/a", ""])
        let values = pick([1, 4, 60, 900, 7_000])
        let list = (0..<values).map { "\"\(Self.text(value.replacing("#", with: "\($0)"), times: 1 + $0 % 20))\"" }
        let defaults = random.next() % 3 == 0 ? "\"defaults\":\(rule)," : ""
        let component = defaults.isEmpty ? rule : "{}"
        var variables = ""
        var size = 0
        for item in list where size + item.utf8.count < 60_000 {
            variables += (variables.isEmpty ? "" : ",") + item
            size += item.utf8.count + 1
        }
        let file = Self.filled(
            "{\"applinks\":{\"substitutionVariables\":{\"v\":[\(variables)],\"w\":[\"a\",\"aa\",\"*\"]},\(defaults)"
                + #""details":[{"appIDs":["A.b"],"components":["#, "\(component),", "\(component)]}]}}",
            Self.largestFile)
        return ("\(piece) of \(length), \(values) values, \(key)\(flags)", file, unit)
    }

    private static func text(_ unit: String, times: Int) -> String { String(repeating: unit, count: times) }
}

extension HostileDocuments {
    private static let largestFile = 128 << 10

    /// A text of at most a size, filled with a unit, which gets its number for `#`.
    private static func filled(_ start: String, _ unit: String, _ end: String, _ size: Int) -> String {
        var text = start
        var count = start.utf8.count + end.utf8.count
        var number = 0
        while true {
            let next = unit.contains("#") ? unit.replacing("#", with: "\(number)") : unit
            count += next.utf8.count
            guard count <= size, !next.isEmpty else { return text + end }
            text += next
            number += 1
        }
    }

    private static func rules(_ components: String, variables: String = "", defaults: String = "") -> String {
        let list = variables.isEmpty ? "" : "\"substitutionVariables\":{\(variables)},"
        return "{\"applinks\":{\(list)\(defaults)\"details\":[{\"appIDs\":[\"A.b\"],\"components\":[\(components)]}]}}"
    }

    /// The rules of a unit over and over, as many as there is room for.
    private static func many(_ unit: String, variables: String = "", defaults: String = "") -> String {
        let room = largestFile - rules("", variables: variables, defaults: defaults).utf8.count
        return rules(filled("", "\(unit),", unit, room), variables: variables, defaults: defaults)
    }

    private static func words(_ count: Int, _ word: (Int) -> String) -> String {
        "\"v\":[\((0..<count).map { "\"\(word($0))\"" }.joined(separator: ","))]"
    }

    private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

    package static let cases: [Case] = [
        Case("a pattern that names a variable with 9 values 8,000 times") {
            rules(
                "{\"/\":\"/\(text("$(v)*", times: 8_000))\"}",
                variables: words(7_000) { "\(letters(1 + $0 % 9))?" })
        },
        Case("a pattern that names a variable with 4 values 6,000 times") {
            rules(
                "{\"/\":\"/\(text("$(v)", times: 6_000))N\"}",
                variables: words(10_000) { ["a", "aa", "aaa", "a?"][$0 % 4] })
        },
        Case("220 patterns that name a variable with 20 values 60 times") {
            rules(
                (0..<220).map { "{\"/\":\"/\(text("$(v)*", times: 60))\($0)\"}" }.joined(separator: ","),
                variables: words(900) { letters(1 + $0 % 20) })
        },
        Case("200 patterns that name a variable with words of 400 lengths") {
            rules(
                (0..<200).map { _ in "{\"/\":\"/\(text("$(v)*", times: 60))b*\"}" }.joined(separator: ","),
                variables: words(300) { letters(1 + $0) })
        },
        Case("patterns for query and fragment with variables") {
            many(
                "{\"?\":\"*\(text("$(v)*", times: 60))a\",\"#\":\"\(text("$(v)*", times: 60))a\"}",
                variables: words(2_000) { "\($0)*a" })
        },
        Case("patterns for one query item with variables") {
            many("{\"?\":{\"a\":\"\(text("$(v)*", times: 60))b\"}}", variables: words(2_000) { "\($0)*a?" })
        },
        Case("a default pattern of 60 KB for thousands of rules") {
            many("{}", defaults: "\"defaults\":{\"/\":\"\(text("*a?", times: 20_000))b\"},")
        },
        Case("a default pattern of 1 KB for thousands of rules") {
            many("{}", defaults: "\"defaults\":{\"/\":\"*\(letters(1_000))b*\"},")
        },
        Case("a default pattern with a variable for thousands of rules") {
            many(
                "{}", variables: words(3_000) { "\(letters(1 + $0 % 9))?" },
                defaults: "\"defaults\":{\"/\":\"/$(v)$(v)*b\"},")
        },
        Case("8,000 default query items for thousands of rules") {
            let items = (0..<8_000).map { "\"i\($0)\":\"*a\"" }.joined(separator: ",")
            return many("{}", defaults: "\"defaults\":{\"?\":{\(items)}},")
        },
        Case("12,000 query items, of which the URL has thousands", unit: "i#") {
            rules("{\"?\":{\((0..<12_000).map { "\"i\($0)\":\"*\"" }.joined(separator: ","))}}")
        },
        Case("thousands of rules for a query item without regard to case", unit: "A") {
            many("{\"?\":{\"aA\":\"?*a*b\"},\"caseSensitive\":false,\"percentEncoded\":false}")
        },
        Case("long decoded patterns", unit: "%C3%BC") {
            many("{\"/\":\"\(text("?*ü", times: 4_000))b\",\"percentEncoded\":false,\"caseSensitive\":false}")
        },
        Case("many decoded patterns", unit: "%C3%BC") {
            many("{\"/\":\"*ü?b\",\"percentEncoded\":false,\"caseSensitive\":false}")
        },
        Case("built-in variables") { many("{\"/\":\"/*$(lang)*$(region)*$(lang)$(alnum)*b\"}") },
        Case("built-in variables without end", unit: "en") {
            rules("{\"/\":\"/\(text("$(lang)$(region)*", times: 7_000))N\",\"caseSensitive\":false}")
        },
        Case("characters of a set") { rules("{\"/\":\"*\(text("$(alpha)*", times: 13_000))1\"}") },
        Case("values with wildcards") {
            many("{\"/\":\"/$(v)$(v)$(v)b\"}", variables: words(5_000) { "*\(letters(1 + $0 % 7))?\($0)*" })
        },
        Case("values with slashes at their ends", unit: "a/") {
            many("{\"/\":\"/$(v)/$(v)b\"}", variables: words(3_000) { "/\(letters(1 + $0 % 7))\($0)/*" })
        },
        Case("thousands of short globs") { many("{\"/\":\"*aab*\"}") },
        Case("globs with long chunks") { many("{\"/\":\"*\(letters(4_000))b*\"}") },
        Case("globs with many chunks") { many("{\"/\":\"\(text("*aab", times: 3_000))\"}") },
        Case("globs with single bytes") { many("{\"/\":\"\(text("*?a", times: 6_000))b\"}") },
        Case("thousands of entries with an app each") {
            let entries = filled("", "{\"appID\":\"A.b#\",\"paths\":[\"*\"]},", "{}", largestFile - 60)
            return "{\"applinks\":{\"details\":[\(entries)]}}"
        },
        Case("thousands of entries with an app each and a pattern that does not match") {
            let entries = filled("", "{\"appID\":\"A.b#\",\"paths\":[\"*aab*\",\"a*\"]},", "{}", largestFile - 60)
            return "{\"applinks\":{\"details\":[\(entries)]}}"
        },
        Case("thousands of apps and thousands of rules") {
            let apps = filled("", "\"A.b#\",", "\"A.c\"", largestFile / 2)
            let paths = filled("", "\"*aab*\",", "\"b\"", largestFile / 2 - 100)
            return "{\"applinks\":{\"details\":[{\"appIDs\":[\(apps)],\"paths\":[\(paths)]}]}}"
        },
        Case("thousands of spellings") {
            many("{\"/\":\"/$(v)/*$(v)*b\"}", variables: words(8) { "\(letters(1 + $0))\($0)" })
        },
        Case("lower-case and upper-case letters", unit: "A") { many("{\"/\":\"/\(letters(300))*b\"}") },
        Case("question marks", unit: "a") { many("{\"/\":\"/\(text("a?", times: 500))*b\"}") },
    ]
}
