/// The first elements of an order, of however many are added: hardly more than these are kept in memory.
package struct Foremost<Element> {
    private let most: Int
    private let isBefore: (Element, Element) -> Bool
    private var kept: [Element] = []
    /// The number of elements that were added.
    package private(set) var count = 0

    package init(_ most: Int, by isBefore: @escaping (Element, Element) -> Bool) {
        (self.most, self.isBefore) = (most, isBefore)
    }

    package mutating func add(_ element: Element) {
        count += 1
        kept.append(element)
        // Seldom, so that sorting costs little for each.
        if kept.count - most > most / 4 { cut() }
    }

    private mutating func cut() {
        kept.sort(by: isBefore)
        if kept.count > most { kept.removeLast(kept.count - most) }
    }

    /// At most as many as are wanted, sorted.
    package var sorted: [Element] {
        var copy = self
        copy.cut()
        return copy.kept
    }
}
