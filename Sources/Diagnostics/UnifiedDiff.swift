/// The difference of two texts in the unified format of `diff -u`, which `patch` and `git apply` read.
package struct UnifiedDiff {
    private typealias Line = ArraySlice<UInt8>

    /// Lines around a change that are shown.
    private static let context = 3
    /// At most this many different lines are searched for; of texts that differ in more, all lines between the first and the last
    /// difference count as changed.
    private static let maxDifferences = 1_000

    private let old: [Line]
    private let new: [Line]
    private let path: String

    /// - Parameter path: What the file is called in the headers.
    package init(old: [UInt8], new: [UInt8], path: String) {
        self.old = Self.lines(old)
        self.new = Self.lines(new)
        self.path = path
    }

    /// The lines of the diff, without their ends; none if the texts are equal.
    package var lines: [[UInt8]] {
        let hunks = self.hunks
        guard !hunks.isEmpty else { return [] }
        let header = ["--- \(path)", "+++ \(path)"].map { Array($0.utf8) }
        return header + hunks.flatMap(lines)
    }

    /// Lines with their ends, so that the last one shows whether it has one.
    private static func lines(_ text: [UInt8]) -> [Line] {
        var lines: [Line] = []
        var start = 0
        while start < text.count {
            let end = text[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.count
            lines.append(text[start..<end])
            start = end
        }
        return lines
    }

    /// A run of lines that are replaced.
    private struct Change {
        var old: Range<Int>
        var new: Range<Int>
    }

    private var hunks: [[Change]] {
        var hunks: [[Change]] = []
        for change in changes {
            if let last = hunks.last?.last, change.old.lowerBound - last.old.upperBound <= 2 * Self.context {
                hunks[hunks.count - 1].append(change)
            } else {
                hunks.append([change])
            }
        }
        return hunks
    }

    private func lines(_ hunk: [Change]) -> [[UInt8]] {
        guard let first = hunk.first, let last = hunk.last else { return [] }
        let before = min(Self.context, first.old.lowerBound)
        let after = min(Self.context, old.count - last.old.upperBound)
        let oldRange = (first.old.lowerBound - before)..<(last.old.upperBound + after)
        let newRange = (first.new.lowerBound - before)..<(last.new.upperBound + after)
        var lines = [Array("@@ -\(Self.span(oldRange)) +\(Self.span(newRange)) @@".utf8)]
        var next = oldRange.lowerBound
        for change in hunk {
            lines += old[next..<change.old.lowerBound].flatMap { shown(" ", $0) }
            lines += old[change.old].flatMap { shown("-", $0) }
            lines += new[change.new].flatMap { shown("+", $0) }
            next = change.old.upperBound
        }
        return lines + old[next..<oldRange.upperBound].flatMap { shown(" ", $0) }
    }

    /// The first line and the number of lines; of no lines the one before.
    private static func span(_ range: Range<Int>) -> String {
        let first = range.isEmpty ? range.lowerBound : range.lowerBound + 1
        return range.count == 1 ? "\(first)" : "\(first),\(range.count)"
    }

    private func shown(_ mark: Character, _ line: Line) -> [[UInt8]] {
        let hasEnd = line.last == UInt8(ascii: "\n")
        let text = Array(String(mark).utf8) + (hasEnd ? line.dropLast() : line)
        return hasEnd ? [text] : [text, Array("\\ No newline at end of file".utf8)]
    }

    /// The runs that differ, in order.
    private var changes: [Change] {
        var start = 0
        while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
        var (oldEnd, newEnd) = (old.count, new.count)
        while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
            oldEnd -= 1
            newEnd -= 1
        }
        guard start < oldEnd || start < newEnd else { return [] }
        let kept = Self.common(Array(old[start..<oldEnd]), Array(new[start..<newEnd]))
        var changes: [Change] = []
        var (i, j) = (start, start)
        for (a, b) in kept.map({ ($0 + start, $1 + start) }) + [(oldEnd, newEnd)] {
            if i < a || j < b { changes.append(Change(old: i..<a, new: j..<b)) }
            (i, j) = (a + 1, b + 1)
        }
        return changes
    }

    /// The places of lines that stay, by Myers' algorithm ("An O(ND) Difference Algorithm", 1986); none if there are too many
    /// differences.
    private static func common(_ old: [Line], _ new: [Line]) -> [(Int, Int)] {
        let most = min(old.count + new.count, maxDifferences)
        // The furthest place in the old text on each diagonal, before each number of differences.
        var furthest = [Int](repeating: 0, count: 2 * most + 3)
        let middle = most + 1
        var history: [[Int]] = []
        for differences in 0...most {
            history.append(Array(furthest[(middle - differences - 1)...(middle + differences + 1)]))
            for diagonal in stride(from: -differences, through: differences, by: 2) {
                let isDown =
                    diagonal == -differences
                    || diagonal != differences && furthest[middle + diagonal - 1] < furthest[middle + diagonal + 1]
                var x = isDown ? furthest[middle + diagonal + 1] : furthest[middle + diagonal - 1] + 1
                while x < old.count, x - diagonal < new.count, old[x] == new[x - diagonal] { x += 1 }
                furthest[middle + diagonal] = x
                if x >= old.count, x - diagonal >= new.count {
                    return wayBack(history, old.count, new.count)
                }
            }
        }
        return []
    }

    private static func wayBack(_ history: [[Int]], _ oldCount: Int, _ newCount: Int) -> [(Int, Int)] {
        var kept: [(Int, Int)] = []
        var (x, y) = (oldCount, newCount)
        for differences in history.indices.reversed() {
            func furthest(_ diagonal: Int) -> Int { history[differences][diagonal + differences + 1] }
            let diagonal = x - y
            guard differences > 0 else {
                while x > 0, y > 0 {
                    (x, y) = (x - 1, y - 1)
                    kept.append((x, y))
                }
                break
            }
            let isDown =
                diagonal == -differences
                || diagonal != differences && furthest(diagonal - 1) < furthest(diagonal + 1)
            let previous = isDown ? diagonal + 1 : diagonal - 1
            let start = furthest(previous)
            while x > start + (isDown ? 0 : 1), y > start - previous + (isDown ? 1 : 0) {
                (x, y) = (x - 1, y - 1)
                kept.append((x, y))
            }
            (x, y) = (start, start - previous)
        }
        return kept.reversed()
    }
}
