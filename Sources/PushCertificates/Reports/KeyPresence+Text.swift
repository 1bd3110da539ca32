extension KeyPresence {
    /// In a sentence.
    var explanation: String {
        switch self {
        case .none: "not in this file"
        case .matching: "in this file, and it fits"
        case .mismatched: "in this file is another certificate's"
        case .unreadable: "in this file, but it cannot be read"
        case .alone: "in this file"
        }
    }

    /// In a word, for a table.
    var word: String {
        switch self {
        case .none: "no"
        case .matching, .alone: "yes"
        case .mismatched: "wrong"
        case .unreadable: "locked"
        }
    }
}
