/// An answer where a build, or something that takes too long, may decide.
package enum Decision: Sendable {
    case yes, no, undecided

    /// Whether any of several holds.
    package static func any(_ decisions: some Sequence<Decision>) -> Decision { any(of: decisions) { $0 } }

    /// Whether something holds for any of several elements; those after the first for which it does are not asked.
    static func any<Element>(of elements: some Sequence<Element>, _ decide: (Element) -> Decision) -> Decision {
        var result = Decision.no
        for element in elements {
            let decision = decide(element)
            if decision == .yes { return .yes }
            if decision == .undecided { result = .undecided }
        }
        return result
    }

    /// Whether all of several hold.
    package static func all(_ decisions: some Sequence<Decision>) -> Decision { all(of: decisions) { $0 } }

    /// Whether something holds for all of several elements; those after the first for which it does not are not asked.
    static func all<Element>(of elements: some Sequence<Element>, _ decide: (Element) -> Decision) -> Decision {
        var result = Decision.yes
        for element in elements {
            let decision = decide(element)
            if decision == .no { return .no }
            if decision == .undecided { result = .undecided }
        }
        return result
    }

    init(_ isTrue: Bool) { self = isTrue ? .yes : .no }
}
