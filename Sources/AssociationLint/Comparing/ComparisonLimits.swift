/// How much a comparison of two files may take.
package struct ComparisonLimits: Sendable {
    /// The states of one walk over a joint automaton.
    package var states = 50_000
    /// The states of the automata that are joined.
    package var automata = 1_000_000
    /// Everything together, in steps of about ten nanoseconds.
    package var work = 300_000_000

    package init() {}
}
