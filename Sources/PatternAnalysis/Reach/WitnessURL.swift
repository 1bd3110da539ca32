internal import AppSiteAssociation
internal import BoundedText
internal import URLPatterns

/// Makes a URL that a rule matches: a short one, to be shown to people.
struct WitnessURL {
    let shape: RuleShape

    private static let longest = 200

    /// Nil if there is no such URL, or none that would help.
    func text(_ comparer: inout PatternComparer) -> String? {
        guard let path = text(shape.path, Self.isPathCharacter, &comparer),
            let query = query(&comparer),
            let fragment = text(shape.fragment, Self.isQueryCharacter, &comparer)
        else { return nil }
        var url = Array("https://example.com/".utf8) + path
        if !query.isEmpty { url += [UInt8(ascii: "?")] + query }
        if !fragment.isEmpty { url += [UInt8(ascii: "#")] + fragment }
        return url.count <= Self.longest ? String(text: url) : nil
    }

    private func query(_ comparer: inout PatternComparer) -> [UInt8]? {
        switch shape.query.condition {
        case .any: return []
        case .text(let pattern): return text(pattern, Self.isQueryCharacter, &comparer)
        case .items(let items):
            var query: [UInt8] = []
            for item in items {
                guard query.count <= Self.longest,
                    let value = text(item.value, Self.isValueCharacter, &comparer)
                else { return nil }
                // An item that is missing counts as empty.
                if value.isEmpty { continue }
                let symbols = PatternSymbol.symbols(of: item.name, percentEncoded: shape.comparison.percentEncoded)
                guard let name = written(symbols, Self.isNameCharacter) else { return nil }
                if !query.isEmpty { query.append(UInt8(ascii: "&")) }
                query += name + [UInt8(ascii: "=")] + value
            }
            return query
        }
    }

    /// A shortest text of a pattern as a URL has it.
    private func text(
        _ pattern: PatternShape, _ isAllowed: (UInt8) -> Bool, _ comparer: inout PatternComparer
    ) -> [UInt8]? {
        if pattern.isAny { return [] }
        guard pattern.minimumLength <= Self.longest else { return nil }
        if let text = plainText(pattern) { return written(text, isAllowed) }
        guard let automaton = comparer.automaton(of: pattern, acceptsParent: pattern.hasRecordedParent) else {
            return nil
        }
        let text = automaton.shortestText(&comparer.automataBudget) { symbol in
            guard shape.comparison.percentEncoded else { return symbol < PatternSymbol.strayByte }
            return symbol < 0x80 && isAllowed(UInt8(truncatingIfNeeded: symbol))
        }
        return text.flatMap { written($0, isAllowed) }
    }

    /// A text that the pattern matches, found without an automaton where that is easy.
    private func plainText(_ pattern: PatternShape) -> [UInt32]? {
        guard !pattern.hasVariables else { return nil }
        // What is not recorded of parents makes no good example.
        let shortest = pattern.parent(.recorded) ?? pattern.tokens
        var text: [UInt32] = []
        for token in shortest where token != PatternToken.anyRun {
            if PatternToken.isSet(token) { return nil }
            text.append(token == PatternToken.anyCharacter ? UInt32(UInt8(ascii: "a")) : token)
        }
        guard pattern.isPath else { return text }
        return text.first == PatternSymbol.slash || text.last == PatternSymbol.slash ? nil : text
    }

    /// As the URL has it: as it is, or else encoded. Nil if it cannot be in a URL.
    private func written(_ symbols: [UInt32], _ isAllowed: (UInt8) -> Bool) -> [UInt8]? {
        let percentEncoded = shape.comparison.percentEncoded
        let bytes = PatternSymbol.text(of: symbols, percentEncoded: percentEncoded)
        if percentEncoded { return bytes.allSatisfy(isAllowed) ? bytes : nil }
        return bytes.flatMap { byte in
            byte != UInt8(ascii: "%") && isAllowed(byte) ? [byte] : URLSymbol.escape(byte)
        }
    }

    /// RFC 3986, 3.3 to 3.5, and `%`, which begins an escape.
    private static let pathCharacters = ByteSet(
        "/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@%".utf8)

    private static func isPathCharacter(_ byte: UInt8) -> Bool { pathCharacters.contains(byte) }
    private static func isQueryCharacter(_ byte: UInt8) -> Bool {
        isPathCharacter(byte) || byte == UInt8(ascii: "?")
    }
    private static func isValueCharacter(_ byte: UInt8) -> Bool {
        isQueryCharacter(byte) && byte != UInt8(ascii: "&")
    }
    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        isValueCharacter(byte) && byte != UInt8(ascii: "=")
    }
}
