/// How it is with the files of one certificate.
package struct PairReport: Equatable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        case loaded
        /// Its certificate or key does not fit yet, and is tried again; an earlier pair stays in use meanwhile.
        case waiting
        /// It cannot be used; an earlier pair stays in use.
        case refused
    }

    package let folder: String
    package let state: State
    /// The file that is at fault.
    package let path: String?
    /// Why it is not loaded.
    package let message: String?
    /// Of one that is waited for, in seconds since 1970.
    package let retriedUntil: Int64?

    package init(
        folder: String, state: State, path: String? = nil, message: String? = nil, retriedUntil: Int64? = nil
    ) {
        self.folder = folder
        self.state = state
        self.path = path
        self.message = message
        self.retriedUntil = retriedUntil
    }
}
