/// Whether a certificate's private key is in the file with it.
public enum KeyPresence: Sendable, Equatable {
    case none
    case matching
    /// The key in its place is another one's.
    case mismatched
    /// There is one in its place, but it cannot be read.
    case unreadable
    /// The key is there and there is no certificate for it to match: a token key.
    case alone

    /// Whether there is a key at all.
    public var isPresent: Bool { self != .none }

    /// Whether it is the right one; nil if that cannot be told.
    public var matches: Bool? {
        switch self {
        case .matching: true
        case .mismatched: false
        case .none, .unreadable, .alone: nil
        }
    }
}
