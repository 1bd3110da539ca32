/// Pseudo-random numbers that are the same for the same seed (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014).
package struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    // Plain arithmetic: generic random numbers take most of the time of a fuzzer that is built for debugging.
    package mutating func number(below count: Int) -> Int { Int(truncatingIfNeeded: next() >> 1) % count }

    package mutating func number(_ range: ClosedRange<Int>) -> Int { range.lowerBound + number(below: range.count) }

    package mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next() >> 32) }

    /// True in so many of a hundred cases.
    package mutating func chance(_ percent: Int) -> Bool { number(below: 100) < percent }

    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(below: elements.count)] }

    /// Up to so many of the elements, with repetition.
    package mutating func list<Element>(of elements: [Element], upTo count: Int) -> [Element] {
        (0..<number(0...count)).map { _ in pick(elements) }
    }
}
