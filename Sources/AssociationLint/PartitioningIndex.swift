extension RandomAccessCollection {
    /// The index of the first element that meets a condition, in a collection where all after such an element do, too; the
    /// end if none does.
    func partitioningIndex(where isMet: (Element) -> Bool) -> Index {
        var (low, count) = (startIndex, count)
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if isMet(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}
