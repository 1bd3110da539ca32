import Diagnostics
import FuzzingSupport

/// Makes documents, and URLs that their rules are likely to be about.
///
/// Both are made of a few letters and pieces, so that they meet often.
struct RandomDocuments {
    private var random: SplitMix64
    /// The path patterns of the last document, to make URLs from.
    private var patterns: [String] = []
    private var isFolded = false

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    mutating func document() -> RandomDocument {
        patterns = []
        isFolded = random.chance(50)
        var document = RandomDocument()
        let small = random.chance(75)
        let count =
            small ? random.number(1...random.pick([6, 30, 70])) : random.number(60...random.pick([120, 700, 2000]))
        document.variables = random.chance(40) ? variables() : []
        let hasVariables = !document.variables.isEmpty || random.chance(20)
        document.defaults = random.chance(15) ? flags() : []
        let detailCount = random.chance(60) ? 1 : random.number(1...random.pick([3, 6, 80]))
        let style = random.number(0...2)
        for _ in 0..<detailCount {
            var detail = RandomDocument.Detail(apps: apps(of: detailCount), defaults: [], components: [])
            if random.chance(10) { detail.defaults = flags() }
            for _ in 0..<max(1, count / detailCount) {
                detail.components.append(component(style: style, hasVariables: hasVariables))
            }
            document.details.append(detail)
        }
        return document
    }

    mutating func url() -> String {
        var url = random.chance(95) ? "https://" : "HTTP://"
        if random.chance(3) { url += "user:pw@" }
        url += "example.com"
        if random.chance(3) { url += ":8443" }
        url += path()
        if random.chance(40) { url += "?" + query() }
        if random.chance(30) { url += "#" + text(0...4) }
        return url
    }

    private mutating func apps(of details: Int) -> [String] {
        let names = details > 8 ? 100 : 4
        return (0..<random.number(1...3)).map { _ in "ABCDE12345.app\(random.number(1...names))" }
    }

    private mutating func flags() -> [String] {
        var keys: [String] = []
        if random.chance(50) { keys.append("\"caseSensitive\":\(random.chance(50))") }
        if random.chance(50) { keys.append("\"percentEncoded\":\(random.chance(50))") }
        if random.chance(10) { keys.append("\"exclude\":\(random.chance(50))") }
        if random.chance(5) { keys.append("\"/\":\(JSONText.quoted(pattern(0...3, false)))") }
        return keys
    }

    private mutating func variables() -> [String] {
        let names = ["x", "many", "empty", "opt", "digit"]
        return names.filter { _ in random.chance(70) }.map { name in
            let count = name == "many" ? random.number(20...80) : name == "empty" ? 0 : random.number(1...4)
            let values = (0..<count).map { number in
                name == "many" && random.chance(80)
                    ? "v\(number)" : random.chance(30) ? pattern(0...2, false) : text(0...2)
            }
            return "\(JSONText.quoted(name)):[\(values.map(JSONText.quoted).joined(separator: ","))]"
        }
    }

    /// `style` 0 is all features, 1 mostly paths in one comparison, 2 paths like those of real sites.
    private mutating func component(style: Int, hasVariables: Bool) -> [String] {
        var keys: [String] = []
        if random.chance(97) {
            let pattern = style == 2 && random.chance(80) ? sitePattern() : pattern(0...6, hasVariables)
            patterns.append(pattern)
            keys.append("\"/\":\(JSONText.quoted(pattern))")
        }
        if random.chance(30) { keys.append("\"exclude\":true") }
        if random.chance(style == 0 ? 50 : 10) {
            if random.chance(30) { keys.append("\"caseSensitive\":false") }
            if random.chance(30) { keys.append("\"percentEncoded\":false") }
        }
        if random.chance(style == 0 ? 25 : 8) { keys.append("\"?\":\(queryPattern(hasVariables))") }
        if random.chance(style == 0 ? 20 : 5) {
            keys.append("\"#\":\(JSONText.quoted(pattern(0...2, hasVariables)))")
        }
        return keys
    }

    private mutating func queryPattern(_ hasVariables: Bool) -> String {
        if random.chance(40) { return JSONText.quoted(query() + (random.chance(50) ? "*" : "")) }
        let items = ["a", "b", "A", "", "%61"].filter { _ in random.chance(35) }.map { name in
            let value = random.chance(5) ? "true" : JSONText.quoted(pattern(0...2, hasVariables))
            return "\(JSONText.quoted(name)):\(value)"
        }
        return "{\(items.joined(separator: ","))}"
    }

    private mutating func sitePattern() -> String {
        let words = ["help", "buy", "article", "a", "category-of-things", "this-segment-is-longer-than-16", "en", ""]
        let literal = (0..<random.number(1...3)).map { _ in "/" + random.pick(words) + String(random.number(0...3)) }
            .joined()
        switch random.number(0...9) {
        case 0...3: return literal + "/*"
        case 4, 5: return literal
        case 6: return "*" + literal + "/*"
        case 7: return literal + "/*" + literal
        case 8: return "/??" + literal + random.pick(["", "*", ".html"])
        default: return literal + "*"
        }
    }

    private mutating func pattern(_ pieces: ClosedRange<Int>, _ hasVariables: Bool) -> String {
        var result = random.chance(80) ? "/" : ""
        for _ in 0..<random.number(pieces) {
            switch random.number(0...11) {
            case 0...2: result += text(1...3)
            case 3, 4: result += "/"
            case 5, 6: result += "*"
            case 7: result += "?"
            case 8: result += "/" + text(0...6)
            case 9 where hasVariables:
                let name = random.pick([
                    "x", "many", "empty", "opt", "digit", "alpha", "upper", "lang", "region", "none",
                ])
                result += "$(\(name))"
            case 10: result += random.pick(["%2F", "%zz", "%", "é", "%C3%A9", "É", "ẞ", "\u{1F600}", "%ff", "$", "$("])
            default: result += "/*"
            }
        }
        return result
    }

    private mutating func text(_ count: ClosedRange<Int>) -> String {
        var result = ""
        for _ in 0..<random.number(count) {
            result += random.pick(["a", "b", "a", "b", "A", "B", "/", "v1", "0", "us"])
        }
        return result
    }

    private mutating func query() -> String {
        (0..<random.number(0...3)).map { _ in
            let name = random.pick(["a", "b", "A", "", "c", "%61", "a%62"])
            return random.chance(80) ? "\(name)=\(text(0...2))\(random.chance(10) ? "%2f" : "")" : name
        }.joined(separator: "&")
    }

    private mutating func path() -> String {
        if random.chance(70), !patterns.isEmpty { return instance(random.pick(patterns)) }
        if random.chance(5) { return "/" + text(0...150) }
        return random.chance(90) ? "/" + text(0...8) : text(0...2)
    }

    /// A path that a pattern matches, more or less.
    private mutating func instance(_ pattern: String) -> String {
        var result = ""
        var rest = Substring(pattern)
        while let character = rest.popFirst() {
            switch character {
            case "*": result += text(0...random.pick([0, 1, 3, 8]))
            case "?": result += random.pick(["a", "b", "/", "é", "%C3%A9"])
            case "$" where rest.first == "(":
                rest = rest.drop { $0 != ")" }.dropFirst()
                result += random.pick(["a", "b", "v7", "en", "US", "us", "1", "Q", "", "deu"])
            case "é", "É": result += random.pick(["é", "É", "%C3%A9", "%c3%89", "%C3%89"])
            default:
                let text = String(character)
                let changed = isFolded && random.chance(30) ? text.uppercased() : text
                result += random.chance(4) ? "%\(String(text.utf8.first ?? 0x41, radix: 16))" : changed
            }
        }
        if random.chance(10) { result += random.pick(["/", "a", "//", "%2F"]) }
        return result.hasPrefix("/") || random.chance(20) ? result : "/" + result
    }
}

/// An association document that was made at random, in a form that can be made smaller.
package struct RandomDocument {
    struct Detail {
        var apps: [String]
        /// Keys and values of `defaults`, as JSON.
        var defaults: [String]
        /// The components, each as its keys and values, as JSON.
        var components: [[String]]
    }

    /// Keys and values of `defaults` of the domain, as JSON.
    var defaults: [String] = []
    /// Names and values of variables, as JSON.
    var variables: [String] = []
    var details: [Detail] = []

    package var json: String {
        let entries = details.map { detail in
            let apps = detail.apps.map(JSONText.quoted).joined(separator: ",")
            let components = detail.components.map { "{\($0.joined(separator: ","))}" }.joined(separator: ",\n")
            return """
                {"appIDs":[\(apps)],"defaults":{\(detail.defaults.joined(separator: ","))},"components":[
                \(components)]}
                """
        }
        return """
            {"applinks":{"defaults":{\(defaults.joined(separator: ","))},
            "substitutionVariables":{\(variables.joined(separator: ","))},
            "details":[\(entries.joined(separator: ",\n"))]}}
            """
    }

    /// All documents that are a little smaller than this one.
    var smaller: [RandomDocument] {
        var result: [RandomDocument] = []
        func add(_ change: (inout RandomDocument) -> Void) {
            var copy = self
            change(&copy)
            result.append(copy)
        }
        for detail in details.indices {
            add { $0.details.remove(at: detail) }
            let count = details[detail].components.count
            var size = count / 2
            while size > 0 {
                for start in stride(from: 0, to: count, by: size) {
                    add { $0.details[detail].components.removeSubrange(start..<min(start + size, count)) }
                }
                size /= 2
            }
            for component in details[detail].components.indices where count <= 4 {
                for key in details[detail].components[component].indices {
                    add { $0.details[detail].components[component].remove(at: key) }
                }
            }
            for key in details[detail].defaults.indices { add { $0.details[detail].defaults.remove(at: key) } }
        }
        for key in defaults.indices { add { $0.defaults.remove(at: key) } }
        for key in variables.indices { add { $0.variables.remove(at: key) } }
        return result
    }
}

/// Writes JSON strings.
enum JSONText {
    static func quoted(_ text: String) -> String { JSONOutput.string(text).text }
}
