internal import COpenSSL

/// Has OpenSSL draw its random numbers from a generator that gives the same ones again. For fuzzing: nothing is secret any
/// more.
package enum SampleRandom {
    nonisolated(unsafe) private static var state: UInt64 = 0

    /// - Returns: whether the library takes it.
    package static func install() -> Bool {
        c_RAND_set_bytes(
            { bytes, count in
                guard let bytes else { return 0 }
                for index in 0..<Int(count) { bytes[index] = SampleRandom.next() }
                return 1
            }, { 1 }) == 1
    }

    /// Where the numbers start.
    package static func seed(_ seed: UInt64) { state = seed }

    /// SplitMix64 (Steele, Lea and Flood, 2014).
    private static func next() -> UInt8 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return UInt8(truncatingIfNeeded: mixed ^ (mixed >> 31))
    }
}
