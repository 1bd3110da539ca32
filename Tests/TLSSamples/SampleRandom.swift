internal import COpenSSL
internal import FuzzingSupport

/// Has OpenSSL draw its random numbers from a generator that gives the same ones again. For fuzzing: nothing is secret any
/// more.
package enum SampleRandom {
    nonisolated(unsafe) private static var random = SplitMix64(seed: 0)

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
    package static func seed(_ seed: UInt64) { random = SplitMix64(seed: seed) }

    private static func next() -> UInt8 { UInt8(truncatingIfNeeded: random.next()) }
}
