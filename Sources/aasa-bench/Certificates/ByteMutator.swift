import PushSamples

/// Changes bytes without a thought of what they mean.
enum ByteMutator {
    /// - Parameter others: Files from which pieces are taken.
    static func mutate(_ bytes: inout [UInt8], others: [[UInt8]], _ random: inout SplitMix64) {
        guard !bytes.isEmpty else {
            bytes = noise(&random)
            return
        }
        let start = random.number(0...bytes.count - 1)
        let end = min(bytes.count, start + random.number(0...16))
        switch random.number(0...9) {
        case 0, 1: bytes[start] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 2: bytes[start] = random.pick([0, 1, 0x7F, 0x80, 0xFF, 0x30, 0x0A, 0x2D])
        case 3: bytes[start] = UInt8.random(in: 0...255, using: &random)
        case 4: bytes.removeSubrange(start..<end)
        case 5: bytes.insert(contentsOf: noise(&random), at: start)
        case 6: bytes.insert(contentsOf: bytes[start..<end], at: random.number(0...bytes.count))
        case 7: bytes.removeSubrange(start...)
        case 8: bytes += noise(&random)
        default:
            guard !others.isEmpty, case let other = random.pick(others), !other.isEmpty else { return }
            let from = random.number(0...other.count - 1)
            bytes.replaceSubrange(start..., with: other[from...])
        }
    }

    static func noise(_ random: inout SplitMix64) -> [UInt8] {
        if random.chance(40) { return Array(random.pick(pieces).utf8) }
        return (0..<random.number(0...20)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private static let pieces = [
        "\n", "\r\n", " ", "-", "--", "-----", "-----BEGIN ", "-----BEGIN CERTIFICATE-----\n",
        "-----END CERTIFICATE-----\n",
        SamplePEM.begin("PRIVATE KEY"), SamplePEM.end("PRIVATE KEY"), SamplePEM.begin("ENCRYPTED PRIVATE KEY"),
        SamplePEM.begin("EC PRIVATE KEY"), "-----BEGIN TRUSTED CERTIFICATE-----\n",
        "-----BEGIN X509 CERTIFICATE-----\n",
        "-----BEGIN -----\n", "-----BEGIN X\u{1B}-----\n", "-----END -----\n", "Proc-Type: 4,ENCRYPTED\n",
        "DEK-Info: AES-128-CBC,00\n", "DEK-Info: X\n\n", "\u{FEFF}", "=", "==", "====", "AAAA", "MII",
        "<!DOCTYPE html>",
        "<html>", "Bag Attributes\n", "\0", "# x\n",
    ]
}
