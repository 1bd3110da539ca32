/// The relation of what a node holds to what a store says (store.md, section 7, "Rewritten history").
package enum StoreHistory: Equatable, Sendable {
    /// Nothing was changed since.
    case unchanged
    /// There are changes that the node has not seen.
    case behind
    /// The history that the node has seen is not that of the store: a backup was restored, or it is another store.
    case rewritten

    /// - Parameters:
    ///   - held: where the node is.
    ///   - current: where the store is.
    ///   - token: that of the held generation in the history of the store; nil if it does not have that generation.
    package init(held: StorePosition, current: StorePosition, token: String?) {
        if held.storeID != current.storeID || current.generation < held.generation {
            self = .rewritten
        } else if held.generation == current.generation {
            self = held.token == current.token ? .unchanged : .rewritten
        } else if held.generation == 0 {
            // Before the first change there is nothing that could have been another.
            self = .behind
        } else {
            self = held.token == token ? .behind : .rewritten
        }
    }
}
