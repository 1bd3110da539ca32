/// Values by the beginnings of texts that they are about, so that those for a text are found in one walk over it.
///
/// Beginnings are known by their hashes: for a text there may also be values of another beginning with the same hash.
package struct PrefixIndex<Value: Sendable>: Sendable {
    @usableFromInline var values: [UInt64: [Value]] = [:]
    /// For each length whether there is a beginning of it.
    @usableFromInline var hasLength: [Bool] = []

    @inlinable
    package init() {}

    @inlinable
    package var isEmpty: Bool { values.isEmpty }

    /// The number of steps that it takes at most to find the values for a text.
    @inlinable
    package func cost(of text: some Collection) -> Int { min(hasLength.count, text.count) }

    /// Adds a value behind those that have the same beginning.
    @inlinable
    package mutating func insert<Text: Collection>(_ value: Value, beginning: Text)
    where Text.Element: FixedWidthInteger {
        var hash = Self.seed
        for symbol in beginning { hash = Self.hash(hash, UInt64(truncatingIfNeeded: symbol)) }
        values[hash, default: []].append(value)
        let length = beginning.count
        while hasLength.count <= length { hasLength.append(false) }
        hasLength[length] = true
    }

    /// The values of each beginning that a text has, the shortest first.
    @inlinable
    package func candidates<Text: Collection>(for text: Text) -> [[Value]] where Text.Element: FixedWidthInteger {
        var result: [[Value]] = []
        var rest = text.makeIterator()
        var hash = Self.seed
        for length in hasLength.indices {
            if hasLength[length], let found = values[hash] { result.append(found) }
            guard let symbol = rest.next() else { break }
            hash = Self.hash(hash, UInt64(truncatingIfNeeded: symbol))
        }
        return result
    }

    @inlinable static var seed: UInt64 { 0xCBF2_9CE4_8422_2325 }

    @inlinable
    static func hash(_ hash: UInt64, _ symbol: UInt64) -> UInt64 {
        let mixed = (hash ^ symbol) &* 0x0000_0100_0000_01B3
        return mixed ^ mixed >> 29
    }
}
