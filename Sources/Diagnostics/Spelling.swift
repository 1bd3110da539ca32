/// Finds what somebody meant to write.
package enum Spelling {
    /// The candidate that is at most two edits away, the closest first.
    package static func closest(to word: String, among candidates: [String]) -> String? {
        let scored = candidates.map { (candidate: $0, distance: distance(word.lowercased(), $0.lowercased())) }
        let best = scored.min { $0.distance < $1.distance }
        return best.flatMap { $0.distance <= 2 ? $0.candidate : nil }
    }

    /// The number of letters to insert, delete or replace (Levenshtein).
    package static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left)
        let right = Array(right)
        var row = Array(0...right.count)
        for (place, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = place + 1
            for column in right.indices {
                let replaced = diagonal + (letter == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[right.count]
    }
}
