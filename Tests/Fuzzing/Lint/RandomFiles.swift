import FuzzingSupport

/// Pairs of small files, and URLs that their rules are likely to be about: both are made of a few letters and pieces, so
/// that they meet often.
package struct RandomFiles {
    private var random: SplitMix64
    private var usesAllComparisons = false
    private var hasVariables = false
    private var written: [String] = []

    package init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func chance(_ percent: Int) -> Bool { random.chance(percent) }
    private mutating func number(_ range: ClosedRange<Int>) -> Int { random.number(range) }
    private mutating func pick<Element>(_ elements: [Element]) -> Element { random.pick(elements) }

    private struct File {
        var defaults: [String] = []
        var variables: [String] = []
        var entries: [(apps: [String], defaults: [String], components: [[String]])] = []

        var json: String {
            let details = entries.map { entry in
                let apps = entry.apps.map { "\"\($0)\"" }.joined(separator: ",")
                let components = entry.components.map { "{\($0.joined(separator: ","))}" }.joined(separator: ",\n ")
                return """
                    {"appIDs":[\(apps)],"defaults":{\(entry.defaults.joined(separator: ","))},"components":[
                     \(components)]}
                    """
            }
            return """
                {"applinks":{"defaults":{\(defaults.joined(separator: ","))},"substitutionVariables":\
                {\(variables.joined(separator: ","))},"details":[\(details.joined(separator: ",\n"))]}}
                """
        }
    }

    /// Two files as JSON: two that have nothing to do with each other, or one and another made of it by some edits.
    package mutating func pair() -> (old: String, new: String) {
        written = []
        usesAllComparisons = chance(50)
        hasVariables = chance(30)
        let old = file()
        var new = chance(20) ? file() : old
        for _ in 0..<number(0...3) { edit(&new) }
        return (old.json, new.json)
    }

    private mutating func file() -> File {
        var file = File()
        if chance(15) { file.defaults = flags() }
        if hasVariables { file.variables = variables() }
        for _ in 0..<pick([1, 1, 2, 3]) {
            file.entries.append((apps: apps(), defaults: chance(10) ? flags() : [], components: []))
            for _ in 0..<number(1...4) { file.entries[file.entries.count - 1].components.append(component()) }
        }
        return file
    }

    private mutating func edit(_ file: inout File) {
        guard !file.entries.isEmpty else { return }
        let entry = number(0...file.entries.count - 1)
        let count = file.entries[entry].components.count
        switch number(0...7) {
        case 0, 1: file.entries[entry].components.insert(component(), at: number(0...count))
        case 2 where count > 0: file.entries[entry].components.remove(at: number(0...count - 1))
        case 3 where count > 1: file.entries[entry].components.swapAt(number(0...count - 1), number(0...count - 1))
        case 4 where count > 0: file.entries[entry].components[number(0...count - 1)] = component()
        case 5: file.entries[entry].apps = apps()
        case 6 where file.entries.count > 1: file.entries.swapAt(0, entry)
        case 7 where hasVariables: file.variables = variables()
        default: file.entries[entry].components.append(["\"comment\":\"x\""] + component())
        }
    }

    private mutating func apps() -> [String] { (0..<pick([1, 1, 2])).map { _ in "A.a\(number(1...2))" } }

    private mutating func flags() -> [String] {
        var keys: [String] = []
        if usesAllComparisons, chance(40) { keys.append("\"caseSensitive\":\(chance(50))") }
        if usesAllComparisons, chance(40) { keys.append("\"percentEncoded\":\(chance(50))") }
        if chance(10) { keys.append("\"exclude\":\(chance(50))") }
        if chance(5) { keys.append("\"/\":\"\(pattern(0...2))\"") }
        return keys
    }

    private mutating func variables() -> [String] {
        ["x", "digit"].filter { _ in chance(70) }.map { name in
            let values = (0..<number(0...3)).map { _ in chance(30) ? pattern(0...2, plain: true) : text(0...2) }
            return "\"\(name)\":[\(values.map { "\"\($0)\"" }.joined(separator: ","))]"
        }
    }

    private mutating func component() -> [String] {
        var keys: [String] = []
        if chance(90) { keys.append("\"/\":\"\(pattern(0...4))\"") }
        if chance(35) { keys.append("\"exclude\":true") }
        if usesAllComparisons, chance(40) {
            if chance(50) { keys.append("\"caseSensitive\":false") }
            if chance(50) { keys.append("\"percentEncoded\":false") }
        }
        if chance(30) { keys.append("\"?\":\(query())") }
        if chance(20) { keys.append("\"#\":\"\(pattern(0...2))\"") }
        return keys
    }

    private mutating func query() -> String {
        if chance(40) { return "\"\(pick(["a=", "b=*", "a=?", "", "*&a=b", "?*", "a=*&*", "%61=*"]))\"" }
        let items = ["a", "b", "A", "", "%61"].filter { _ in chance(35) }.map { "\"\($0)\":\"\(pattern(0...2))\"" }
        return "{\(items.joined(separator: ","))}"
    }

    private mutating func pattern(_ count: ClosedRange<Int>, plain: Bool = false) -> String {
        var result = chance(70) ? "/" : ""
        for _ in 0..<number(count) {
            switch number(0...9) {
            case 0...2: result += text(1...2)
            case 3: result += "/"
            case 4, 5: result += "*"
            case 6: result += "?"
            case 7 where hasVariables && !plain: result += pick(["$(x)", "$(x)", "$(alpha)", "$(digit)", "$(none)"])
            case 8 where usesAllComparisons: result += pick(["%2F", "é", "%C3%A9", "É", "%c3", "%", "%4", "k", "K"])
            default: result += "/*"
            }
        }
        written.append(result)
        return result
    }

    private mutating func text(_ count: ClosedRange<Int>) -> String {
        (0..<number(count)).map { _ in pick(["a", "b", "a", "A", "1"]) }.joined()
    }

    package mutating func url() -> String {
        var url = "https://example.com/"
        if chance(60), !written.isEmpty { url += instance(pick(written)) } else { url += sample(0...4) }
        if chance(50) {
            url += "?"
            let items = (0..<number(0...3)).map { _ in
                chance(80) ? "\(pick(["a", "b", "A", "", "c", "%61"]))=\(value())" : pick(["a", "b", "", "x", "%61"])
            }
            url += items.joined(separator: "&")
        }
        if chance(40) { url += "#" + value() }
        return url
    }

    private mutating func value() -> String {
        chance(50) && !written.isEmpty ? instance(pick(written)).filter { $0 != "?" } : sample(0...2)
    }

    private mutating func sample(_ count: ClosedRange<Int>) -> String {
        (0..<number(count)).map { _ in
            usesAllComparisons
                ? pick([
                    "a", "b", "A", "1", "c", "/", "%2F", "%61", "%C3%A9", "%c3%a9", "%", "%E2%84%AA", "%A9", "k", "%41",
                ])
                : pick(["a", "b", "A", "1", "c", "/", "é"])
        }.joined().filter(\.isASCII)
    }

    /// A text that a pattern matches, more or less.
    private mutating func instance(_ pattern: String) -> String {
        var result = ""
        var rest = Substring(pattern)
        while let character = rest.popFirst() {
            switch character {
            case "*": result += sample(0...2)
            case "?": result += sample(1...1)
            case "$":
                rest = rest.drop { $0 != ")" }.dropFirst()
                result += pick(["a", "b", "1", "", "aa", "A"])
            case "é", "É": result += pick(["%C3%A9", "%c3%89", "%C3%89"])
            default:
                let text = String(character)
                result +=
                    usesAllComparisons && chance(15)
                    ? pick([text.uppercased(), "%\(String(text.utf8.first ?? 65, radix: 16))"]) : text
            }
        }
        return result
    }
}
