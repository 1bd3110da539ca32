import TLSSamples

/// Makes records of a client after its handshake, encrypted with the right keys: what only a client that has shaken hands
/// can send.
enum RecordMaker {
    /// - Returns: the record, and the text that it adds to the stream.
    static func next(
        _ sealer: inout SampleSealer, isTLS13: Bool, _ random: inout SplitMix64
    ) -> (record: [UInt8], text: [UInt8]) {
        switch random.number(0...9) {
        case 0...3:
            let text = (0..<random.pick([1, 1, 80, 500, 16_384])).map { UInt8(truncatingIfNeeded: $0) }
            let padding = isTLS13 && text.count < 1_000 ? random.pick([0, 0, 1, 255, 10_000]) : 0
            return (sealer.seal(text, padding: padding), text)
        case 4:
            let count = random.pick([1, 1, 31, 33, 100])
            return ((0..<count).flatMap { _ in sealer.seal([]) }, [])
        case 5 where isTLS13:
            let record = sealer.seal([24, 0, 0, 1, random.pick([0, 1])], type: 22)
            sealer.updateKeys()
            return (record, [])
        case 6:
            let alerts: [[UInt8]] = [
                [1, 0], [1, 90], [1, 100], [2, 40], [2, 0], [1], [], [1, 90, 1, 90], [9, 9],
            ]
            let alert = random.pick(alerts)
            return ((0..<random.pick([1, 1, 4, 10])).flatMap { _ in sealer.seal(alert, type: 21) }, [])
        case 7:
            let messages: [[UInt8]] = [
                [24, 0, 0, 1, 2], [24, 0, 0, 2, 0, 0], [24, 0, 0, 0], [24, 0, 0, 1, 0, 24], [4, 0, 0, 0], [0, 0, 0, 0],
                [20, 0, 0, 12] + [UInt8](repeating: 1, count: 12), [13, 0, 0, 3, 0, 0, 0], [1, 0, 0, 2, 3, 3],
                [8, 0xFF, 0xFF, 0xFF], [11, 0, 0, 4, 0, 0, 0, 0], [5, 0, 0, 0], [67, 0, 0, 0], [1, 0, 0],
            ]
            return (sealer.seal(random.pick(messages), type: 22), [])
        case 8:
            let content = [UInt8](repeating: 7, count: random.pick([0, 1, 2, 50, 16_384, 16_385, 16_640]))
            return (sealer.seal(content, type: random.pick([0, 20, 24, 25, 255])), [])
        default:
            let plain = [UInt8](repeating: 1, count: random.pick([0, 1, 5, 40]))
            return (SampleSealer.plain(plain, type: random.pick([20, 21, 22, 23])), [])
        }
    }
}
