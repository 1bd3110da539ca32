/// Compares two words that differ by one slip of the pen.
enum OneEdit {
    /// Whether one letter inserted, deleted or replaced, or two neighbours swapped, make one word of the other.
    static func leads(from left: [Unicode.Scalar], to right: [Unicode.Scalar]) -> Bool {
        guard abs(left.count - right.count) <= 1 else { return false }
        let common = zip(left, right).prefix { $0 == $1 }.count
        let leftRest = left.dropFirst(common)
        let rightRest = right.dropFirst(common)
        if leftRest.isEmpty && rightRest.isEmpty { return false }
        if left.count != right.count {
            let (longer, shorter) = left.count > right.count ? (leftRest, rightRest) : (rightRest, leftRest)
            return longer.dropFirst().elementsEqual(shorter)
        }
        if leftRest.dropFirst().elementsEqual(rightRest.dropFirst()) { return true }
        return leftRest.count >= 2 && leftRest.prefix(2).reversed().elementsEqual(rightRest.prefix(2))
            && leftRest.dropFirst(2).elementsEqual(rightRest.dropFirst(2))
    }
}
