/// What two lists have in common, in order.
enum CommonOrder {
    /// Which elements of each list belong to a longest common subsequence. No list has an element twice.
    static func kept<Element: Hashable>(_ old: [Element], _ new: [Element]) -> (old: [Bool], new: [Bool]) {
        let places = Dictionary(new.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        // A longest ascending sequence of the places in the new list: for each length the sequence with the lowest end.
        var ends: [(old: Int, new: Int)] = []
        var before = [Int?](repeating: nil, count: old.count)
        for (index, element) in old.enumerated() {
            guard let place = places[element] else { continue }
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if ends[middle].new < place { low = middle + 1 } else { high = middle }
            }
            before[index] = low > 0 ? ends[low - 1].old : nil
            if low == ends.count { ends.append((index, place)) } else { ends[low] = (index, place) }
        }
        var keptOld = [Bool](repeating: false, count: old.count)
        var keptNew = [Bool](repeating: false, count: new.count)
        var next = ends.last?.old
        while let index = next {
            keptOld[index] = true
            if let place = places[old[index]] { keptNew[place] = true }
            next = before[index]
        }
        return (keptOld, keptNew)
    }
}
