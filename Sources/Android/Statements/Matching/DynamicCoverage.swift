internal import BoundedText
package import URLPatterns

/// A component that decides nothing, since an earlier one matches all its URLs.
package struct CoveredComponent: Sendable {
    /// Its index in the list.
    package let component: Int
    /// The index of the earliest one before it that matches all its URLs.
    package let by: Int
    /// Whether both match the same URLs, so that to swap them changes nothing.
    package let isSame: Bool
    /// A URL that both match; nil if none is found that is short.
    package let witness: String?
}

/// Finds the components of a list that an earlier one leaves nothing to decide.
package struct DynamicCoverage {
    private let components: [DynamicComponent]
    /// The components so far, by the beginning of the paths that they match.
    private var byHead = PrefixIndex<Int>()
    private var paths: [Int: PatternAutomaton] = [:]
    private var budget: WorkBudget

    package init(_ components: [DynamicComponent], budget: WorkBudget = WorkBudget()) {
        self.components = components
        self.budget = budget
    }

    /// The work so far, in units of `WorkBudget`.
    package var work: Int { budget.spent }

    /// The covered components, in the order of the list; when the budget is spent, those that were found.
    package mutating func covered() -> [CoveredComponent] {
        var result: [CoveredComponent] = []
        for (index, component) in components.enumerated() where !component.isEmpty {
            if budget.isSpent { break }
            let head = component.path?.head ?? []
            if let by = earliestCover(of: index, head.isEmpty ? [AndroidPattern.slash] : head) {
                result.append(
                    CoveredComponent(
                        component: index, by: by, isSame: covers(index, by), witness: witness(index, by)))
            }
            byHead.insert(index, beginning: head)
        }
        return result
    }

    private mutating func earliestCover(of narrow: Int, _ head: [UInt16]) -> Int? {
        budget.spend(4 + byHead.cost(of: head))
        for wide in byHead.candidates(for: head).joined().sorted() {
            budget.spend(8)
            if budget.isSpent { return nil }
            if covers(wide, narrow) { return wide }
        }
        return nil
    }

    /// Whether one component matches every URL that another one matches.
    private mutating func covers(_ wide: Int, _ narrow: Int) -> Bool {
        guard hasItems(of: components[wide], components[narrow]), coversPath(wide, narrow) else { return false }
        guard let fragment = components[wide].fragment else { return true }
        guard let other = components[narrow].fragment else { return false }
        return covers(fragment, other)
    }

    private mutating func coversPath(_ wide: Int, _ narrow: Int) -> Bool {
        guard let path = components[wide].path, !path.isEverything else { return true }
        let other = components[narrow].path
        if let text = other?.literal {
            return path.matches(text, &budget) ?? false
        }
        // All texts begin so, and paths with a slash anyway.
        if let prefix = path.prefix {
            return (other?.head.starts(with: prefix) ?? false) || prefix == [AndroidPattern.slash]
        }
        if path.literal != nil { return false }
        return Containment.decide(automaton(wide), covers: pathsAutomaton(narrow), budget: &budget) == .proved
    }

    /// Whether each item that one component demands is demanded by another one.
    private mutating func hasItems(of wide: DynamicComponent, _ narrow: DynamicComponent) -> Bool {
        for item in wide.query {
            var isSatisfied = false
            for other in narrow.query where !isSatisfied { isSatisfied = covers(item.pattern, other.pattern) }
            if !isSatisfied { return false }
        }
        return true
    }

    private mutating func covers(_ wide: AndroidPattern, _ narrow: AndroidPattern) -> Bool {
        if wide.text == narrow.text || wide.isEverything { return true }
        if let text = narrow.literal {
            return wide.matches(text, &budget) ?? false
        }
        if wide.literal != nil { return false }
        return Containment.decide(wide.automaton(), covers: narrow.automaton(), budget: &budget) == .proved
    }

    /// The texts of a component's pattern for paths.
    private mutating func automaton(_ index: Int) -> PatternAutomaton {
        if let known = paths[index] { return known }
        let pattern = components[index].path ?? AndroidPattern("*")
        let automaton = pattern.automaton()
        budget.spend(16 * automaton.stateCount)
        paths[index] = automaton
        return automaton
    }

    /// The same without the texts that are no paths, as they do not begin with a slash.
    private mutating func pathsAutomaton(_ index: Int) -> PatternAutomaton {
        automaton(index).beginning(with: UInt32(AndroidPattern.slash))
    }
}

// URLs that show that a component is covered.
extension DynamicCoverage {
    private mutating func witness(_ narrow: Int, _ wide: Int) -> String? {
        let component = components[narrow]
        guard let path = text(pathsAutomaton(narrow)) else { return nil }
        var url = "https://example.com" + Self.encoded(path, except: "?#%")
        var separator = "?"
        for item in component.query {
            guard let text = text(item.pattern.automaton()) else { return nil }
            url += separator + Self.encoded(text, except: "#%&;")
            separator = "&"
        }
        if let fragment = component.fragment {
            guard let text = text(fragment.automaton()) else { return nil }
            url += "#" + Self.encoded(text, except: "%")
        }
        guard url.utf8.count <= 200, let decided = AndroidURL(url),
            component.matches(decided, &budget) == true,
            components[...wide].first(where: { $0.matches(decided, &budget) != false })?.component
                == components[wide].component
        else { return nil }
        return url
    }

    private mutating func text(_ automaton: PatternAutomaton) -> String? {
        automaton.shortestText(&budget) { _ in true }.map { units in
            String(units: units.map { UInt16(truncatingIfNeeded: $0) })
        }
    }

    private static func encoded(_ text: String, except characters: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if characters.unicodeScalars.contains(scalar) {
                result += "%" + String(scalar.value, radix: 16, uppercase: true)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return String(text: EncodedURL.encoded(result.utf8))
    }
}

extension AndroidPattern {
    static let slash = UInt16(UInt8(ascii: "/"))

    /// The beginning that all its texts have: what is before the first wildcard.
    var head: [UInt16] { Array(units.prefix { $0 != Self.star && $0 != Self.questionMark }) }

    /// The end that all its texts have, however `*` is read: what is after the last wildcard; nothing if there is none.
    var tail: ArraySlice<UInt16> {
        let last = units.lastIndex { $0 == Self.star || $0 == Self.questionMark }
        return last.map { units[($0 + 1)...] } ?? []
    }

    /// The only text that it matches; nil if it has a wildcard.
    var literal: [UInt16]? { units.contains { $0 == Self.star || $0 == Self.questionMark } ? nil : units }

    /// The beginning that is all that it asks for; nil if it asks for more.
    var prefix: [UInt16]? {
        let head = head
        return head.count + 1 == units.count && units.last == Self.star ? head : nil
    }

    /// Whether it matches every text.
    package var isEverything: Bool { steps == [.rest] }
}

extension PatternAutomaton {
    /// The texts of an automaton that begin with a symbol.
    func beginning(with symbol: UInt32) -> PatternAutomaton {
        var states = [
            starts.flatMap { edges(from: $0) }.filter { $0.label.contains(symbol) }
                .map { Edge(label: .symbol(symbol), target: $0.target + 1) }
        ]
        states += (0..<stateCount).map { edges(from: $0).map { Edge(label: $0.label, target: $0.target + 1) } }
        return PatternAutomaton(
            percentEncoded: percentEncoded, states: states,
            accepting: [false] + (0..<stateCount).map { isAccepting($0) })
    }
}
