/// A point in the history of a store.
package struct StorePosition: Hashable, Sendable {
    /// The store itself: a UUID in lowercase, made by `aasa store init`.
    package let storeID: String
    /// The number of changes so far.
    package let generation: Int64
    /// A UUID in lowercase, new with each generation: a restored backup counts up to the same numbers with other tokens.
    package let token: String

    package init(storeID: String, generation: Int64, token: String) {
        self.storeID = storeID
        self.generation = generation
        self.token = token
    }
}

/// The changes that a node reads of a store at once, consistent in themselves.
package struct StoreChanges: Sendable {
    /// The position that holds after these changes.
    package let position: StorePosition
    /// Whether this is all that the store has: what is not in it is gone. Otherwise it is what has changed.
    package let isComplete: Bool
    /// The current versions of files, also of removed ones.
    package var files: [StoredFile]
    package var certificates: [StoredCertificate]
    /// The files that are left out because a node would have kept too much; nil if there are none.
    package var omitted: StoreOmission?

    package init(
        position: StorePosition, isComplete: Bool, files: [StoredFile] = [], certificates: [StoredCertificate] = []
    ) {
        self.position = position
        self.isComplete = isComplete
        self.files = files
        self.certificates = certificates
    }

    /// Whether nothing but the position is in it.
    package var isEmpty: Bool { files.isEmpty && certificates.isEmpty }
}
