/// An answer where a build, or something that takes too long, may decide.
package enum Decision: Sendable {
    case yes, no, undecided

    /// Whether any of several holds.
    package static func any(_ decisions: some Sequence<Decision>) -> Decision {
        var result = Decision.no
        for decision in decisions {
            if decision == .yes { return .yes }
            if decision == .undecided { result = .undecided }
        }
        return result
    }

    /// Whether all of several hold.
    package static func all(_ decisions: some Sequence<Decision>) -> Decision {
        var result = Decision.yes
        for decision in decisions {
            if decision == .no { return .no }
            if decision == .undecided { result = .undecided }
        }
        return result
    }

    init(_ isTrue: Bool) { self = isTrue ? .yes : .no }
}
