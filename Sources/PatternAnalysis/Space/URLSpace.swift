/// The URLs that are compared.
enum URLSpace: Sendable {
    /// Those that occur: no empty or dotted segment, items with a name and a value and of different names, a fragment that is
    /// not empty, ASCII that is not escaped but for what patterns write (android.md, section 7).
    case ordinary
    /// All those that Android's rules tell apart.
    case android
    /// All those that Apple's rules tell apart.
    case apple
}

/// A part of a URL that is read by itself.
enum URLPart {
    /// A path without its first slash; as Apple's rules see it also without the slashes at its end.
    case path
    case query(hasItems: Bool)
    case fragment
}
