import FuzzingSupport
import PushSamples

/// Makes PKCS #12 files that ask for as much computing as they may, and for a little more: nothing in them decrypts.
struct DerivationFiles {
    private let certificate: SampleBag

    init() throws {
        certificate = .certificate(try SampleProfile.universal.certificate().der())
    }

    func next(_ random: inout SplitMix64) throws -> [UInt8] {
        let scale = random.pick([1, 1, 8, 64])
        var parts: [SamplePKCS12.Part] = []
        for _ in 0..<random.pick([0, 1, 1, 2, 8]) { parts.append(encrypted(scale, &random)) }
        let keys = (0..<random.pick([0, 1, 2, 20, 1_100])).map { _ in shrouded(scale, &random) }
        parts.append(.plain([certificate] + keys))
        let safe = try SamplePKCS12(parts).der()
        // The MAC is not the content's: it takes all forms of the password to find that out.
        guard random.chance(60), let elements = DER.content(of: safe).map(DER.elements) else { return safe }
        return DER.sequence(of: elements + [mac(scale, &random)])
    }

    private func encrypted(_ scale: Int, _ random: inout SplitMix64) -> SamplePKCS12.Part {
        let content = DER.sequence(
            DER.oid("1.2.840.113549.1.7.1"), encryption(scale, &random), DER.element(0x80, text(&random)))
        return .raw(
            DER.sequence(
                DER.oid("1.2.840.113549.1.7.6"), DER.tagged(0, DER.sequence(DER.integer(0), content))))
    }

    private func shrouded(_ scale: Int, _ random: inout SplitMix64) -> SampleBag {
        .any(
            "1.2.840.113549.1.12.10.1.2",
            DER.sequence(encryption(scale, &random), DER.octets([UInt8](repeating: 0x55, count: 64))))
    }

    private func mac(_ scale: Int, _ random: inout SplitMix64) -> [UInt8] {
        if random.chance(50) {
            let (oid, size) = random.pick(Self.digests)
            return DER.sequence(
                DER.sequence(
                    DER.sequence(DER.oid(oid), DER.null), DER.octets([UInt8](repeating: 1, count: size))),
                DER.octets(salt(&random)), iterations(scale, &random))
        }
        let (oid, size) = random.pick(Self.hmacs)
        let derivation = random.chance(80) ? pbkdf2(scale, oid, needsLength: true, &random) : scrypt(&random)
        let algorithm = DER.sequence(
            DER.oid("1.2.840.113549.1.5.14"), DER.sequence(derivation, DER.sequence(DER.oid(oid), DER.null)))
        return DER.sequence(
            DER.sequence(algorithm, DER.octets([UInt8](repeating: 1, count: size))), DER.octets([1]), DER.integer(1))
    }

    private func encryption(_ scale: Int, _ random: inout SplitMix64) -> [UInt8] {
        switch random.number(0...9) {
        case 0, 1:
            // Of PKCS #12 itself.
            return DER.sequence(
                DER.oid("1.2.840.113549.1.12.1.\(random.number(1...6))"),
                DER.sequence(DER.octets(salt(&random)), iterations(scale, &random)))
        case 2:
            return DER.sequence(
                DER.oid("1.2.840.113549.1.5.\(random.pick([3, 6, 10, 11]))"),
                DER.sequence(DER.octets(salt(&random)), iterations(scale, &random)))
        case 3: return pbes2(scrypt(&random), &random)
        default: return pbes2(pbkdf2(scale, random.pick(Self.hmacs).oid, needsLength: false, &random), &random)
        }
    }

    private func pbes2(_ derivation: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        let block = DER.octets([UInt8](repeating: 7, count: 16))
        let cipher = random.pick([
            DER.sequence(DER.oid("2.16.840.1.101.3.4.1.42"), block),
            DER.sequence(DER.oid("2.16.840.1.101.3.4.1.2"), block),
            DER.sequence(DER.oid("1.2.840.113549.3.4"), DER.null),
            DER.sequence(
                DER.oid("1.2.840.113549.3.2"),
                DER.sequence(DER.integer(1_024), DER.octets([UInt8](repeating: 7, count: 8)))),
            DER.sequence(DER.oid("1.2.840.113549.3.7"), DER.octets([UInt8](repeating: 7, count: 8))),
        ])
        return DER.sequence(DER.oid("1.2.840.113549.1.5.13"), DER.sequence(derivation, cipher))
    }

    private func pbkdf2(
        _ scale: Int, _ hmac: String, needsLength: Bool, _ random: inout SplitMix64
    ) -> [UInt8] {
        let length = needsLength || random.chance(30) ? DER.integer(random.pick([16, 32, 63, 64, 65, 128, 1_024])) : []
        return DER.sequence(
            DER.oid("1.2.840.113549.1.5.12"),
            DER.sequence(
                DER.octets(salt(&random)), iterations(scale, &random), length, DER.sequence(DER.oid(hmac), DER.null)))
    }

    private func scrypt(_ random: inout SplitMix64) -> [UInt8] {
        let (cost, blockSize, parallelization) = random.pick(
            [
                (1 << 20, 8, 1), (1 << 18, 8, 1), (1 << 18, 8, 2), (2, 8, 1 << 16), (2, 1, 1 << 20), (1 << 14, 512, 1),
                (1 << 10, 8, 1 << 9), (1 << 21, 8, 1),
            ] as [(Int, Int, Int)])
        return DER.sequence(
            DER.oid("1.3.6.1.4.1.11591.4.11"),
            DER.sequence(
                DER.octets(salt(&random)), DER.integer(cost), DER.integer(blockSize), DER.integer(parallelization),
                DER.integer(random.pick([16, 32, 64, 128]))))
    }

    private func iterations(_ scale: Int, _ random: inout SplitMix64) -> [UInt8] {
        // Now and then one more than is allowed, which ends everything.
        DER.integer(random.chance(1) ? 5_000_001 : random.pick([5_000_000, 2_000_000, 600_000]) / scale)
    }

    private func salt(_ random: inout SplitMix64) -> [UInt8] {
        [UInt8](repeating: 3, count: random.chance(3) ? random.pick([100_000, 1_000_000]) : 8)
    }

    private func text(_ random: inout SplitMix64) -> [UInt8] {
        [UInt8](repeating: 0x55, count: random.chance(5) ? 1_000_000 : 64)
    }

    private static let digests: [(oid: String, size: Int)] = [
        ("1.2.840.113549.2.5", 16), ("1.3.14.3.2.26", 20), ("2.16.840.1.101.3.4.2.1", 32),
        ("2.16.840.1.101.3.4.2.3", 64), ("2.16.840.1.101.3.4.2.7", 28), ("2.16.840.1.101.3.4.2.10", 64),
        ("1.0.10118.3.0.55", 64), ("1.3.36.3.2.1", 20),
    ]
    private static let hmacs: [(oid: String, size: Int)] = [
        ("1.2.840.113549.2.6", 16), ("1.2.840.113549.2.7", 20), ("1.2.840.113549.2.9", 32),
        ("1.2.840.113549.2.11", 64), ("1.2.840.113549.2.12", 28), ("2.16.840.1.101.3.4.2.13", 28),
        ("2.16.840.1.101.3.4.2.16", 64),
    ]
}
