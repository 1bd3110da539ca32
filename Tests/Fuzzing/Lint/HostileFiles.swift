import AppSiteAssociation
import AssociationLint
import Diagnostics
import FuzzingSupport
import Glibc
import PatternAnalysis
import UniversalLinks

/// Makes association files of at most 128 KiB that are made to take long: few rules with many uses of variables that have many
/// values, and mixtures.
package struct HostileFiles {
    /// The number of bytes that Apple's systems read.
    package static let limit = 131_072

    private var random: SplitMix64

    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// A file that once took more than memory or patience had, and what it is.
    package struct Known: Sendable, CustomStringConvertible {
        package let description: String
        package let text: String
    }

    package static let known: [Known] = {
        let stars = (1..<300).map { String(repeating: "a", count: $0) + "*" }
        let long = (0..<299).map { "a\($0)" + String(repeating: "b", count: 150) }
        let marks = HostileText.runsOfMarks
        func uses(_ text: String, _ count: Int) -> String { "/" + String(repeating: text, count: count) }
        return [
            Known(description: "one rule, 200 uses of 299 values", text: file([uses("$(v)", 200)], long)),
            Known(
                description: "ten rules, 200 uses each of 299 values",
                text: file((0..<10).map { uses("$(v)", 200) + "/\($0)" }, long)),
            Known(
                description: "one rule, 5,000 uses of 9,000 values",
                text: file([uses("$(v)", 5_000)], (0..<9_000).map { "a\($0)" })),
            Known(
                description: "four rules, 1,000 uses each of 299 values with wildcards",
                text: file((0..<4).map { uses("$(v)*", 1_000) + "/\($0)" }, stars)),
            Known(
                description: "one rule, 10,000 uses of 299 values with wildcards",
                text: file([uses("$(v)*", 10_000)], stars)
            ),
            Known(
                description: "rules of runs of 30 combining marks",
                text: file(
                    (1...9).map { "/\($0)" + marks.text(6_000) + "$(v)" }, (1...9).map { marks.text(6_000) + "\($0)" },
                    percentEncoded: false)),
            Known(
                description: "5,000 rules with a path of 20,000 wildcards from defaults",
                text: rules(5_000, defaults: "\"/\":\"\(String(repeating: "*a", count: 20_000))b\"")),
            Known(
                description: "5,000 rules with 7,000 uses of 200 values from defaults",
                text: rules(
                    5_000, defaults: "\"/\":\"\(uses("$(v)", 5_000))b\",\"?\":{\"q\":\"\(uses("$(v)", 2_000))\"}",
                    variables: "\"v\":[\(Array(repeating: "\"*a\"", count: 200).joined(separator: ","))]")),
            Known(
                description: "4,000 rules with 4,000 query items from defaults",
                text: rules(
                    4_000,
                    defaults: "\"?\":{\((0..<4_000).map { "\"n\($0)\":\"?*\"" }.joined(separator: ","))}")),
        ]
    }()

    /// Rules that only exclude, so that all they match is in the defaults.
    private static func rules(_ count: Int, defaults: String, variables: String = "") -> String {
        let components = Array(repeating: "{\"exclude\":true}", count: count).joined(separator: ",")
        return """
            {"applinks":{"substitutionVariables":{\(variables)},"defaults":{\(defaults)},
            "details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[\(components)]}]}}
            """
    }

    private static func file(_ paths: [String], _ values: [String], percentEncoded: Bool = true) -> String {
        let more = percentEncoded ? "" : #","percentEncoded":false"#
        let components = paths.map { "{\"/\":\(JSONText.quoted($0))\(more)}" }
        return """
            {"applinks":{"substitutionVariables":{"v":[\(values.map(JSONText.quoted).joined(separator: ","))]},
            "details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[\(components.joined(separator: ","))]}]}}
            """
    }

    /// One more file.
    package mutating func next() -> String {
        while true {
            let file = attempt()
            if file.utf8.count <= Self.limit { return file }
        }
    }

    private mutating func attempt() -> String {
        let names = (0..<random.pick([1, 1, 2, 5, 40])).map { "v\($0)" }
        var rest = Self.limit - random.pick([2_000, 2_000, 50_000])
        let share = random.pick([1_000, 20_000, 60_000, 100_000]) / names.count
        let variables = names.map { name -> String in
            let values = values(share)
            rest -= values.utf8.count + name.utf8.count + 6
            return "\(JSONText.quoted(name)):[\(values)]"
        }
        let details = random.pick([1, 1, 1, 3, 200])
        let rules = random.pick([1, 2, 10, 100, 3_000])
        var entries: [String] = []
        var count = 0
        while entries.count < details, rest > 200 {
            var list = ""
            var paths = ""
            let isLegacy = random.chance(15)
            while count < rules * (entries.count + 1) / details, rest > 200 {
                let rule = component(names, min(rest, random.pick([40, 200, 4_000, 60_000])))
                list += (list.isEmpty ? "" : ",") + rule
                rest -= rule.utf8.count + 1
                if isLegacy {
                    let path = JSONText.quoted(pattern([], 30))
                    paths += (paths.isEmpty ? "" : ",") + path
                    rest -= path.utf8.count + 1
                }
                count += 1
            }
            let app = random.chance(60) ? "7K3QWZ9PLM.com.shop.app" : "7K3QWZ9PLM.com.shop.a\(random.number(0...300))"
            let legacy = isLegacy ? ",\"paths\":[\(paths)]" : ""
            entries.append(
                isLegacy
                    ? "{\"appID\":\"\(app)\"\(legacy),\"components\":[\(list)]}"
                    : "{\"appIDs\":[\"\(app)\"],\"components\":[\(list)]}")
            rest -= 80
        }
        // Many rules may have their largest patterns from here.
        let defaults = random.chance(20) && rest > 400 ? component(names, rest - 200) : "{}"
        return """
            {"applinks":{"apps":[],"defaults":\(defaults),"substitutionVariables":{\(variables.joined(separator: ","))},
            "details":[\(entries.joined(separator: ","))]}}
            """
    }

    /// Values of one kind, as JSON, of so many bytes at most.
    private mutating func values(_ size: Int) -> String {
        let kind = random.number(0...8)
        let text = random.pick(HostileText.kinds.filter { !$0.isExcessive })
        let length = random.pick([1, 3, 6, 20, 150])
        var values: [String] = []
        var rest = size
        while rest > 0 {
            let number = String(values.count)
            let value =
                switch kind {
                case 0: number
                case 1: "a" + number + String(repeating: "b", count: length)
                case 2: String(repeating: "a", count: min(values.count % 300, rest)) + "*"
                case 3: "/" + number + random.pick(["", "/", "*"])
                case 4: "*" + number + "*"
                case 5: random.pick(["", "a", "ab", "?", "*", "/"])
                case 6: "é" + number + "ẞ"
                case 7: number + text.text(min(rest, random.pick([100, 3_000])))
                default: String(repeating: "a", count: rest)
                }
            values.append(value)
            rest -= value.utf8.count + 3
        }
        return values.map(JSONText.quoted).joined(separator: ",")
    }

    /// A component of about so many bytes.
    private mutating func component(_ names: [String], _ size: Int) -> String {
        var keys: [String] = []
        let part = random.number(0...9)
        if part < 7 { keys.append("\"/\":\(JSONText.quoted("/" + pattern(names, size)))") }
        if part == 7 { keys.append("\"#\":\(JSONText.quoted(pattern(names, size)))") }
        if part == 8 { keys.append("\"?\":\(JSONText.quoted(pattern(names, size)))") }
        if part == 9 || random.chance(5) {
            let unit = random.pick([20, 200])
            let items = (0..<max(1, size / unit)).map {
                "\(JSONText.quoted(random.pick(["n", "N", "%6E", "é"]) + "\($0)")):\(JSONText.quoted(pattern(names, unit / 2)))"
            }
            keys.append("\"?\":{\(items.joined(separator: ","))}")
        }
        if random.chance(30) { keys.append("\"exclude\":true") }
        if random.chance(15) { keys.append("\"caseSensitive\":false") }
        if random.chance(15) { keys.append("\"percentEncoded\":false") }
        var unique: [String] = []
        for key in keys where !unique.contains(where: { $0.prefix(3) == key.prefix(3) }) { unique.append(key) }
        return "{\(unique.joined(separator: ","))}"
    }

    /// A pattern of about so many bytes: one unit again and again, and an end.
    private mutating func pattern(_ names: [String], _ size: Int) -> String {
        let variable = names.isEmpty ? "a" : "$(\(random.pick(names)))"
        let unit = random.pick([
            variable, variable + "*", variable + "?", "*" + variable, variable + "/", "$(lang)", "$(region)*",
            "$(alnum)?",
            "*a", "?*", "a?", "a*b", "b",
        ])
        let count = max(1, min(size, random.pick([3, 30, 400, 60_000])) / unit.utf8.count)
        let end = random.pick(["", "/*", "*", "\(random.number(0...50))", variable])
        return String(repeating: unit, count: count) + end
    }
}

/// Holds what is done with files that are made to take long to what is promised: seconds of CPU time, and memory.
package struct HostileFuzzer {
    /// For each of the steps, as a program that does nothing else may take.
    static let nanoseconds = 2_000_000_000
    static let kibibytes = 200 * 1_024

    private var files: HostileFiles
    private var fixes: HostileFixes
    private var round = 0
    private let linter: Linter
    /// The file before, with which it is compared.
    package private(set) var other = HostileFiles.known[0].text
    private var sound = HostileFiles.known[0].text
    private let routes = ["/buy/{product}", "/a{rest:*}", "/{a}/{b}/{c}", "/{rest:*}"].compactMap {
        try? RoutePattern($0)
    }
    package private(set) var slowest = 0
    package private(set) var slowestStep = ""
    package private(set) var largest = 0
    package private(set) var text = ""

    package init(seed: UInt64) {
        files = HostileFiles(seed: seed)
        fixes = HostileFixes(seed: seed)
        linter = Linter(LintOptions(minimumIOS: SystemVersion(12)))
    }

    /// Takes one more file; says what took too much.
    package mutating func next() -> String? {
        other = sound
        text = round < HostileFiles.known.count ? HostileFiles.known[round].text : files.next()
        sound = text
        round += 1
        let bytes = Array(text.utf8)
        guard bytes.count <= HostileFiles.limit else { return "the file has \(bytes.count) bytes" }
        return hold(bytes) ?? holdFixes()
    }

    /// A file of which each mistake has a fix.
    private mutating func holdFixes() -> String? {
        text = round <= HostileFixes.known.count ? HostileFixes.known[round - 1].text : fixes.next()
        let bytes = Array(text.utf8)
        let linter = linter
        return hold([
            ("to check a file of mistakes", { _ = linter.check(bytes) }),
            ("to fix a file of mistakes", { _ = Fixer(linter).fix(bytes, path: "file") }),
            ("to try all suggested fixes", { _ = Fixer(linter, upTo: .suggested).fix(bytes, path: "file") }),
        ])
    }

    private mutating func hold(_ bytes: [UInt8]) -> String? {
        guard let document = try? AssociationDocument(bytes), let other = try? AssociationDocument(self.other) else {
            return "the file is not sound"
        }
        let linter = linter
        let routes = routes
        let steps: [(String, () -> Void)] = [
            ("to check it", { _ = linter.check(bytes) }),
            ("to fix it", { _ = Fixer(linter).fix(bytes, path: "file") }),
            ("to fix it with suggested fixes", { _ = Fixer(linter, upTo: .suggested).fix(bytes, path: "file") }),
            ("to compare it with another", { _ = LinkComparison(old: other, new: document) }),
            ("to compare another with it", { _ = LinkComparison(old: document, new: other) }),
            (
                "to compare it with routes",
                { _ = try? RouteCoverage(of: document, routes: routes, appID: "7K3QWZ9PLM.com.shop.app") }
            ),
            ("to index it", { _ = DocumentIndex(document) }),
        ]
        return hold(steps)
    }

    private mutating func hold(_ steps: [(String, () -> Void)]) -> String? {
        for (name, step) in steps {
            PeakMemory.reset()
            let time = ThreadTime.least(limit: Self.nanoseconds, of: step)
            if time > slowest { (slowest, slowestStep) = (time, "\(name), file \(round - 1)") }
            largest = max(largest, PeakMemory.kibibytes)
            if time > Self.nanoseconds { return "\(name) takes \(time / 1_000_000) ms of CPU time" }
            if PeakMemory.kibibytes > Self.kibibytes { return "\(name) takes \(PeakMemory.kibibytes) KiB of memory" }
        }
        return nil
    }
}
