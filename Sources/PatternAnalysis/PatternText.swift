/// The text of a pattern as a key: thousands of rules may have theirs from the same defaults, and look up what is known of it.
///
/// Texts are compared byte by byte, and not at all where they are stored in the same place.
struct PatternText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: PatternText, right: PatternText) -> Bool {
        let isSameStorage = left.text.utf8.withContiguousStorageIfAvailable { left in
            right.text.utf8.withContiguousStorageIfAvailable {
                left.count == $0.count && left.baseAddress == $0.baseAddress
            } ?? false
        }
        return isSameStorage == true || left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Ends are enough, because the texts of one file cannot have many in common without being short.
    func hash(into hasher: inout Hasher) {
        let bytes = text.utf8
        hasher.combine(bytes.count)
        for byte in bytes.prefix(Self.hashedLength) { hasher.combine(byte) }
        for byte in bytes.suffix(Self.hashedLength) { hasher.combine(byte) }
    }

    private static let hashedLength = 64
}

/// The place in memory where the elements of a list are: lists that several rules have from the same defaults share it.
///
/// It is a key only as long as the list is kept.
struct ListStorage: Hashable {
    private let address: UnsafeRawPointer

    /// Nil for an empty list.
    init?<Element>(_ list: [Element]) {
        guard let address = list.withUnsafeBytes({ $0.baseAddress }), !list.isEmpty else { return nil }
        self.address = address
    }
}
