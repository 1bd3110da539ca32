import Android

/// Android's dynamic rules once more, word for word as android.md says them, and as slow as that is.
enum SlowDynamicRules {
    /// The index of the first component that matches; nil if none does, or if it is no URL.
    static func firstMatch(_ components: [RandomDynamicRules.Component], _ url: String) -> Int? {
        guard let parts = Parts(url) else { return nil }
        return components.firstIndex { matches($0, parts) }
    }

    private struct Parts {
        let path: [UInt16]
        let items: [[UInt16]]
        let fragment: [UInt16]?

        /// For URLs as the generator makes them: `https://a.b`, and what follows.
        init?(_ url: String) {
            let start = "https://a.b"
            guard url.hasPrefix(start) else { return nil }
            var rest = Array(url.utf8.dropFirst(start.utf8.count))
            var fragment: [UInt8]?
            if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
                fragment = Array(rest[(hash + 1)...])
                rest = Array(rest[..<hash])
            }
            var query: [UInt8]?
            if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
                query = Array(rest[(mark + 1)...])
                rest = Array(rest[..<mark])
            }
            guard rest.isEmpty || rest[0] == UInt8(ascii: "/") else { return nil }
            path = rest.isEmpty ? [0x2F] : Self.decoded(rest)
            self.fragment = fragment.map(Self.decoded)
            guard let query else {
                items = []
                return
            }
            let text = Self.decoded(query)
            let separator: UInt16 = text.contains(0x26) ? 0x26 : 0x3B
            var items: [[UInt16]] = [[]]
            for unit in text {
                if unit == separator { items.append([]) } else { items[items.count - 1].append(unit) }
            }
            self.items = items
        }

        private static func decoded(_ bytes: [UInt8]) -> [UInt16] {
            var result: [UInt8] = []
            var rest = bytes[...]
            while let byte = rest.popFirst() {
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                if byte == UInt8(ascii: "%"), digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
                    digits.allSatisfy(\.isASCII), let value = UInt8(digits, radix: 16)
                {
                    result.append(value)
                    rest = rest.dropFirst(2)
                } else {
                    result.append(byte)
                }
            }
            return Array(String(decoding: result, as: UTF8.self).utf16)
        }
    }

    private static func matches(_ component: RandomDynamicRules.Component, _ url: Parts) -> Bool {
        if component.path == nil, component.query.isEmpty, component.fragment == nil { return false }
        if let path = component.path, !covers(path, url.path) { return false }
        for (name, value) in component.query {
            guard url.items.contains(where: { covers("\(name)=\(value)", $0) }) else { return false }
        }
        guard let fragment = component.fragment else { return true }
        return url.fragment.map { covers(fragment, $0) } ?? false
    }

    static func covers(_ pattern: String, _ text: [UInt16]) -> Bool { covers(Array(pattern.utf16)[...], text[...]) }

    private static func covers(_ pattern: ArraySlice<UInt16>, _ text: ArraySlice<UInt16>) -> Bool {
        let star = UInt16(UInt8(ascii: "*"))
        let question = UInt16(UInt8(ascii: "?"))
        guard let first = pattern.first else { return text.isEmpty }
        if first == star {
            guard let next = pattern.dropFirst().first else { return true }
            let wanted = next == star || next == question ? UInt16(UInt8(ascii: ".")) : next
            guard let found = text.firstIndex(of: wanted) else { return false }
            let rest = text[(found + 1)...]
            guard next == star else { return covers(pattern.dropFirst(2), rest) }
            // The second star has lost its meaning.
            return rest.first == star && covers(pattern.dropFirst(2), rest.dropFirst())
        }
        guard let unit = text.first, first == question || first == unit else { return false }
        return covers(pattern.dropFirst(), text.dropFirst())
    }

    /// The reading with backtracking.
    static func coversBacktracking(_ pattern: ArraySlice<UInt16>, _ text: ArraySlice<UInt16>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == UInt16(UInt8(ascii: "*")) {
            return (0...text.count).contains { coversBacktracking(pattern.dropFirst(), text.dropFirst($0)) }
        }
        guard let unit = text.first, first == UInt16(UInt8(ascii: "?")) || first == unit else { return false }
        return coversBacktracking(pattern.dropFirst(), text.dropFirst())
    }
}
