/// A text in which `⟦` and `⟧` stand around the part that is meant.
struct MarkedText {
    let text: String
    /// The bytes between the marks, as offsets in the text without them; nil if there are none.
    let range: Range<Int>?

    init(_ marked: String) {
        let parts = marked.split(separator: "⟦", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            text = marked
            range = nil
            return
        }
        let rest = parts[1].split(separator: "⟧", maxSplits: 1, omittingEmptySubsequences: false)
        text = String(parts[0]) + rest.joined()
        let start = parts[0].utf8.count
        range = start..<start + (rest.first?.utf8.count ?? 0)
    }
}
