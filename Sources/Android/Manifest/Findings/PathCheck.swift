internal import BoundedText
internal import Diagnostics
internal import URLPatterns

/// Finds conditions on the path, the query or the fragment that do not mean what is written.
struct PathCheck {
    /// The work of all searches for texts in a manifest.
    private var budget = WorkBudget(6_000_000)

    private static let takesAll = "each repetition takes all that it can, and gives nothing back"

    /// The finding about characters that the value is not meant to have; nil if there are none.
    mutating func spelling(of value: PatternValue) -> Diagnostic? {
        if let finding = placeholder(value) ?? URLInValue.finding(about: value) { return finding }
        if value.isPattern {
            return regularExpression(value) ?? malformed(value) ?? starAfterLiteral(value) ?? unusual(value)
        }
        return patternInText(value) ?? unusual(value)
    }

    /// The finding about texts that the value does not match, as its automaton shows; nil if there are none to report.
    mutating func meaning(of value: PatternValue) -> Diagnostic? {
        let units = value.pattern.units
        // A value without a pattern matches a text, unless it is an item of a query with the separator in it.
        guard value.isPattern || value.isItem && value.text.contains(UInt8(ascii: "&")),
            let own = automaton(value.pattern.automaton)
        else { return nil }
        if PatternSearch.text(value.texts, [own], units: units, &budget) == .none {
            var advice = value.isItem ? "write a <data> for each item of the query" : "write '/' at its beginning"
            var notes =
                value.isItem ? ["the items between '&' are compared one by one"] : ["every path begins with '/'"]
            if PatternSearch.text(.all, [own], units: units, &budget) == .none {
                advice = "write a repetition that stops, as '[^/]*' does at the end of a segment"
                notes = [Self.takesAll]
            }
            return value.finding(
                .manifestMatchesNothing,
                "no \(value.isItem ? "item of a query" : value.part.rawValue) matches \(value.shown)", .advice(advice),
                notes: notes)
        }
        guard let expected = automaton({ value.pattern.expectedAutomaton() }),
            let lost = lostText(value, own, expected)
        else { return nil }
        var notes = [Self.takesAll]
        if case .glob(let glob) = value.pattern, let stop = glob.read(lost).stop {
            notes = ["'.*' ends at the first \(quoted(String(units: [stop]))), and does not try a later one"]
        }
        return value.finding(
            .manifestStarStopsEarly, "\(value.shown) loses \(quoted(String(units: lost)))",
            value.suffix.map { .other(.suffix, $0) }
                ?? .advice("write a pattern for each form of the \(value.part.rawValue)"), notes: notes)
    }

    /// A plain text that a reader expects to match, and that does not.
    private mutating func lostText(
        _ value: PatternValue, _ own: PatternAutomaton, _ expected: PatternAutomaton?
    ) -> [UInt16]? {
        guard let expected else { return nil }
        let result = PatternSearch.text(
            value.part == .path ? .plainPaths : .plainTexts, [expected], butNot: [own], units: value.pattern.units,
            &budget)
        return if case .text(let text) = result { text } else { nil }
    }

    /// An automaton as far as there is work left; it is paid for after it was made, as its size is bounded.
    private mutating func automaton(_ make: () -> PatternAutomaton?) -> PatternAutomaton? {
        guard !budget.isSpent else { return nil }
        let made = make()
        budget.spend(made.map { 4 * ($0.stateCount + $0.edgeCount) } ?? 2 * TextPattern.maxStates)
        return made
    }

    private func placeholder(_ value: PatternValue) -> Diagnostic? {
        guard let first = value.placeholders.first else { return nil }
        return value.finding(
            .manifestRouterPlaceholder, "\(value.quoted(first)) is plain text to Android, not a placeholder",
            value.replacing(value.placeholders))
    }

    private mutating func regularExpression(_ value: PatternValue) -> Diagnostic? {
        guard let sign = value.foreignSign else { return nil }
        let name = value.attribute.name
        let units = value.pattern.units
        var result = ""
        if let own = automaton(value.pattern.automaton) {
            let itself = TextPattern(.exact, String(text: value.text)).automaton().map { [$0] } ?? []
            if PatternSearch.text(value.texts, [own], units: units, &budget) == .none {
                result = ", so that it matches nothing"
            } else if PatternSearch.text(value.texts, [own], butNot: itself, units: units, &budget) == .none {
                result = ", so that nothing but this text matches"
            }
        }
        let isClass = value.bytes[sign.lowerBound] == UInt8(ascii: "\\")
        let meaning = isClass ? "the letter \(value.quoted(sign.dropFirst()))" : "plain text"
        return value.finding(
            .manifestRegexInPattern, as: result.isEmpty ? nil : .error,
            "\(value.quoted(sign)) in \(value.shown) is \(meaning)\(result)", advanced(value),
            notes: [
                value.form == .glob
                    ? "'\(name)' has only '.', '*' and '\\': '.*' is any text"
                    : "'\(name)' has '.', '[a-z]', '*', '+', '{2,3}' and '\\', but no groups, alternatives or classes"
            ])
    }

    /// An advanced pattern for what looks like a regular expression, if one can say it.
    private mutating func advanced(_ value: PatternValue) -> PatternValue.Remedy {
        if let text = value.advanced {
            let pattern = TextPattern(.advanced, String(text: text))
            if let own = automaton(pattern.automaton),
                case .text = PatternSearch.text(value.texts, [own], units: pattern.units, &budget)
            {
                return .other(.advanced, text)
            }
        }
        return .advice("write a <data> for each of the \(value.part == .path ? "paths" : "values")")
    }

    private func malformed(_ value: PatternValue) -> Diagnostic? {
        guard value.form == .advanced, let problem = AdvancedGlob.problem(String(text: value.text)) else { return nil }
        return value.finding(
            .manifestMalformedPattern, "\(value.shown) is malformed: \(problem)",
            .advice("write '\\\\' before a character that stands for itself"),
            notes: ["Android refuses to install an app with it, or ignores the activity"])
    }

    private mutating func starAfterLiteral(_ value: PatternValue) -> Diagnostic? {
        guard let rewritten = value.withAnyStars else { return nil }
        var lost: [UInt16]?
        let meant = PatternValue(
            value.attribute, value.part, value.form, String(text: rewritten), isInGroup: value.isInGroup)
        if let own = automaton(value.pattern.automaton) {
            lost = lostText(value, own, automaton { value.pattern.expectedAutomaton(starsAreAny: true) })
        }
        let effect = lost.map { ": \(quoted(String(units: $0))) does not match" } ?? ""
        return value.finding(
            .manifestStarAfterLiteral, as: value.form == .advanced ? .warning : nil,
            "the '*' in \(value.shown) only repeats the character before it\(effect)",
            meant.suffix.map { .other(.suffix, $0) } ?? .write(rewritten),
            notes: ["'.*' is any text"])
    }

    private mutating func patternInText(_ value: PatternValue) -> Diagnostic? {
        guard let sign = value.foreignSign else { return nil }
        return value.finding(
            .manifestPatternInText,
            "\(value.quoted(sign)) in \(value.shown) is plain text, which '\(value.attribute.name)' compares as it is",
            value.bytes[sign.upperBound - 1] == UInt8(ascii: "*") ? value.withoutStars : advanced(value))
    }

    private func unusual(_ value: PatternValue) -> Diagnostic? {
        let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        let scalars = Array(BoundedText.scalars(of: value.text))
        if let first = scalars.first, let last = scalars.last, isSpace(first) || isSpace(last) {
            let trimmed = scalars.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
            return value.finding(
                .manifestUnusualPath, "\(value.shown) begins or ends with white space, and matches only with it",
                .write(trimmed.flatMap { Array($0.utf8) }))
        }
        guard value.part == .path else { return nil }
        let slash = UInt8(ascii: "/")
        let single = value.text.indices.filter { $0 == 0 || value.bytes[$0] != slash || value.bytes[$0 - 1] != slash }
        guard single.count == value.text.count else {
            return value.finding(
                .manifestUnusualPath, "'//' in \(value.shown) matches only paths with as many slashes there",
                .write(single.map { value.text[$0] }))
        }
        let segments = value.text.split(separator: slash)
        guard !value.isPattern, segments.contains(where: { $0.elementsEqual([dot]) || $0.elementsEqual([dot, dot]) })
        else { return nil }
        return value.finding(
            .manifestUnusualPath, "\(value.shown) has a segment '.' or '..', which browsers resolve before they ask",
            .advice("write the path without it"))
    }

    private var dot: UInt8 { UInt8(ascii: ".") }
}

/// Parts of a URL in a value that is compared with another one.
private enum URLInValue {
    static func finding(about value: PatternValue) -> Diagnostic? {
        guard value.part == .path else {
            let mark = value.part == .query ? "?" : "#"
            guard value.text.starts(with: mark.utf8) else { return nil }
            return value.finding(
                .manifestURLInPath,
                "the \(value.part.rawValue) \(value.shown) begins with '\(mark)', which is not part of it",
                .write(Array(value.text.dropFirst())))
        }
        let bytes = value.bytes
        if let end = URLInPath.originEnd(bytes, bytes.indices) {
            let path = Array(value.text[end..<(bytes[end...].firstIndex { "?#".utf8.contains($0) } ?? bytes.count)])
            return value.finding(
                .manifestURLInPath, "\(value.shown) is a URL, but only the path is compared, so it never matches",
                path.isEmpty ? .advice("write the path alone, as in '/buy/'") : .write(path))
        }
        if let (part, start) = value.otherPart {
            let path = quoted(PatternValue.written(Array(value.text[..<start])))
            let other = "android:\(part)"
            return value.finding(
                .manifestURLInPath, "\(value.quoted(start..<bytes.count)) in \(value.shown) is not part of the path",
                .advice(
                    value.isInGroup
                        ? "write \(path), and a condition '\(other)'"
                        : "write \(path), in a <uri-relative-filter-group> with '\(other)', which Android 15 and later read"
                ), notes: ["a path ends before '?' and '#'"])
        }
        guard let host = URLInPath.host(bytes, bytes.indices) else { return nil }
        return value.finding(
            .manifestURLInPath, as: .warning, "\(value.shown) begins with what looks like a host name",
            .write(Array(value.text[host.upperBound...])),
            notes: ["only the path is compared: it is a folder \(value.quoted(host)) of the site"])
    }
}
