/// How much a comparison of two files may take.
package struct ComparisonLimits: Sendable {
    /// The states of one walk over a joint automaton.
    package var states = 50_000
    /// The states of the automata that are joined.
    package var automata = 300_000
    /// How many numbers the states and kinds of texts of one walk may hold together.
    package var held = 4_000_000
    /// Everything together, in steps of about ten nanoseconds.
    package var work = 80_000_000

    package init() {}
}
