package import Android
package import FuzzingSupport

/// Makes lists of dynamic rules and URLs from a small alphabet, so that they meet often.
package struct RandomDynamicRules {
    package struct Component {
        package var path: String?
        package var query: [(name: String, value: String)] = []
        package var fragment: String?
        package var excludes = false
    }

    package private(set) var random: SplitMix64
    private var patterns: [String] = []

    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    package mutating func components() -> [Component] {
        let count = random.chance(5) ? random.number(100...400) : random.number(1...12)
        let result = (0..<count).map { _ in component() }
        patterns = result.compactMap(\.path)
        return result
    }

    private mutating func component() -> Component {
        var result = Component()
        if random.chance(90) { result.path = (random.chance(90) ? "/" : "") + pattern() }
        if result.path == "" { result.path = "*" }
        if random.chance(25) {
            var names = Set<String>()
            for _ in 0...random.number(below: 2) {
                let name = random.pick(["a", "b", "a*", "?", ".", "é"])
                if names.insert(name).inserted { result.query.append((name, valuePattern())) }
            }
        }
        if random.chance(15) { result.fragment = valuePattern() }
        result.excludes = random.chance(30)
        return result
    }

    private mutating func valuePattern() -> String {
        let text = pattern()
        return text.isEmpty ? "*" : text
    }

    package mutating func pattern() -> String {
        let pieces = ["a", "b", "/", "/a/", "*", "*", "?", ".", "**", "*?", "é", "😀", "%61", "=", "ab", "/*"]
        return random.list(of: pieces, upTo: 6).joined()
    }

    package mutating func url() -> String {
        var url = "https://a.b"
        if !patterns.isEmpty, random.chance(60) {
            url += fill(random.pick(patterns))
        } else if random.chance(90) {
            url += "/" + text()
        }
        if random.chance(50) {
            let items = (0...random.number(below: 3)).map { _ in
                random.pick(["a", "b", "ab", ".", "%C3%A9", "a%3D"]) + random.pick(["=", "=", "=", ""]) + text()
            }
            url += "?" + items.joined(separator: random.pick(["&", "&", ";", "%26"]))
        }
        if random.chance(30) { url += "#" + text() }
        return url
    }

    private mutating func text() -> String {
        let pieces = [
            "a", "b", "/", "/a/", ".", "*", "%61", "%2F", "%C3%A9", "é", "%F0%9F%98%80", "%FF", "%zz", "%", "%E2%82",
            "ab", "=", ";", "+", "%C3", ".*",
        ]
        return random.list(of: pieces, upTo: 7).joined()
    }

    /// A text that a pattern might match.
    private mutating func fill(_ pattern: String) -> String {
        var result = ""
        for character in pattern {
            switch character {
            case "*": result += random.pick(["", "a", "ab", "/", ".", "*", "b/a"])
            case "?": result += random.pick(["a", "b", "/", ".", "%3F", "", "%23"])
            case "#": result += "%23"
            default: result.append(character)
            }
        }
        return result.hasPrefix("/") ? result : "/" + result
    }
}

extension [RandomDynamicRules.Component] {
    package var components: [DynamicComponent] {
        enumerated().map { index, component in
            DynamicComponent(
                path: component.path, query: component.query, fragment: component.fragment,
                excludes: component.excludes, index: index)
        }
    }
}
