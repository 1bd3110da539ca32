internal import BoundedText

/// Finds the names of a file of which one is probably a slip of another: by one letter inserted, deleted, changed or
/// swapped, by case only, or by its first label written twice (`com.com.shop.app`).
///
/// Names that differ by a digit, or by a label of one letter, are taken to be meant.
struct SimilarNames {
    /// The characters of which a difference is meant, besides digits.
    private let meant: Set<Unicode.Scalar>
    /// The number of labels before the name itself: 1 for the prefix of an app ID.
    private let prefixLabels: Int
    private var names: [[Unicode.Scalar]] = []
    private var known: Set<[Unicode.Scalar]> = []
    /// The names that are the same text, in lower case and without one of its letters, by the hash of that.
    private var byKey: [UInt64: [Int]] = [:]

    /// More names, longer ones, and more with one hash are not compared: real files have a few hundred.
    private static let (maxNames, maxLength, maxCandidates) = (2_000, 200, 8)

    init(meant: Set<Unicode.Scalar> = [], prefixLabels: Int = 0) {
        (self.meant, self.prefixLabels) = (meant, prefixLabels)
    }

    /// Adds a name; returns an earlier one that it is nearly.
    mutating func add(_ text: String) -> String? {
        guard names.count < Self.maxNames, text.utf8.count <= Self.maxLength else { return nil }
        let name = Array(text.unicodeScalars)
        guard known.insert(name).inserted else { return nil }
        let keys = keys(name)
        let other = keys.lazy.compactMap { [self] key in byKey[key]?.first { isSimilar(names[$0], name) } }.first
        for key in keys where byKey[key, default: []].count < Self.maxCandidates {
            byKey[key, default: []].append(names.count)
        }
        names.append(name)
        return other.map { String(String.UnicodeScalarView(names[$0])) }
    }

    /// The hashes of a name, as it is, without each of its letters, and without a label that is there twice at its
    /// beginning: two names that differ by one edit have one of them in common.
    private func keys(_ name: [Unicode.Scalar]) -> Set<UInt64> {
        let values = Self.lowered(name).map { UInt64($0.value) + 1 }
        let base: UInt64 = 0x9E37_79B9_7F4A_7C15
        // Of each beginning, and the factor and the hash of each end.
        let starts = values.reduce(into: [0 as UInt64]) { $0.append(($0.last ?? 0) &* base &+ $1) }
        var result: Set = [starts.last ?? 0]
        var (end, factor): (UInt64, UInt64) = (0, 1)
        for index in values.indices.reversed() {
            result.insert(starts[index] &* factor &+ end)
            end = values[index] &* factor &+ end
            factor = factor &* base
        }
        if let single = withoutRepeatedStart(name) {
            result.insert(Self.lowered(single).reduce(0) { $0 &* base &+ UInt64($1.value) + 1 })
        }
        return result
    }

    private func isSimilar(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Bool {
        if Self.lowered(left) == Self.lowered(right) { return left != right }
        if withoutRepeatedStart(left) == right || withoutRepeatedStart(right) == left { return true }
        guard OneEdit.leads(from: left, to: right) else { return false }
        // Where they differ: what is between their common beginning and end.
        let start = zip(left, right).prefix { $0 == $1 }.count
        let end = zip(left.dropFirst(start).reversed(), right.dropFirst(start).reversed()).prefix { $0 == $1 }.count
        // Another label is another word, as short as it is.
        if start == 0 || left[start - 1] == ".", end == 0 || left[left.count - end] == "." { return false }
        let different = left[start..<left.count - end] + right[start..<right.count - end]
        return !different.contains { ("0"..."9").contains($0) || meant.contains($0) }
    }

    /// Letters of ASCII are lowercased.
    private static func lowered(_ name: [Unicode.Scalar]) -> [Unicode.Scalar] {
        name.map { ("A"..."Z").contains($0) ? Unicode.Scalar(UInt8(ascii: $0) | 0x20) : $0 }
    }

    /// The name with its first label once; nil if the name does not begin with a label twice.
    private func withoutRepeatedStart(_ name: [Unicode.Scalar]) -> [Unicode.Scalar]? {
        var labels = name.split(separator: ".", maxSplits: prefixLabels + 2, omittingEmptySubsequences: false)
        guard labels.count == prefixLabels + 3, labels[prefixLabels] == labels[prefixLabels + 1] else { return nil }
        labels.remove(at: prefixLabels)
        return Array(labels.joined(separator: ["."]))
    }
}
