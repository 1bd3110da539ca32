import AppProjects
import AppSamples
import FuzzingSupport
import OpenSSL
import PushSamples
import SystemSupport

/// The part of a signed app that is mutated.
package enum SignatureFuzzTarget: String, CaseIterable, Sendable {
    /// The block of a signature scheme, in a signing block that is right.
    case scheme
    /// The signing block, in an archive that is right.
    case block
    /// The PKCS #7 of a JAR.
    case jar
    /// The whole archive.
    case archive
    /// A keystore, or certificates.
    case keystore

    /// The target of an input where all have their turn.
    package static func of(_ number: Int) -> SignatureFuzzTarget { allCases[number % allCases.count] }
}

/// Reads mutated APKs, JARs and keystores, and judges what was read.
package struct SignatureFuzzer {
    private let seed: UInt64
    private let seeds: SignatureSeeds
    /// The number of times that each answer came up.
    package private(set) var outcomes: [String: Int] = [:]
    /// The input of the latest check.
    package private(set) var latest: [UInt8] = []

    package init(seed: UInt64) throws {
        self.seed = seed
        seeds = try SignatureSeeds()
    }

    /// Checks an input, which depends on nothing but its number and the seed; returns what is wrong with the answer.
    package mutating func check(_ target: SignatureFuzzTarget, _ number: Int) -> String? {
        var random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0xD129_0B26_8DEB_2B35)
        latest = seeds.input(target, &random)
        let start = ThreadTime.nanoseconds
        var violation: String?
        do throws(SignatureError) {
            let file = try SignerFile.read(RandomAccessFile(bytes: latest), path: "file")
            outcomes["\(target.rawValue) \(file.kind.rawValue)", default: 0] += 1
            violation = Self.violation(in: file)
        } catch {
            outcomes["\(target.rawValue) \(error.code.rawValue)", default: 0] += 1
            violation = Self.violation(in: error)
        }
        let time = ThreadTime.nanoseconds - start
        if violation == nil, time > 2_000_000_000 { violation = "took \(time / 1_000_000) ms" }
        return violation.map { "\(target.rawValue), \(latest.count) bytes: \($0)" }
    }

    private static func violation(in file: SignerFile) -> String? {
        if file.signers.isEmpty { return "no signer" }
        if Set(file.certificates.map(\.sha256)).count != file.certificates.count { return "a certificate twice" }
        // Android 17 knows v3.2, and older systems one of the others.
        let schemes = Set(file.certificates.filter { $0.role == .signer && $0.scheme != .v32 }.map(\.scheme))
        if schemes.count > 1, schemes != [.v3, .v31] { return "signers of several schemes" }
        if file.identities.isEmpty { return "no identity" }
        if let package = file.package, package.utf8.count > 255 { return "the package '\(package)'" }
        for certificate in file.certificates {
            if certificate.sha256.utf8.count != 95 { return "the fingerprint '\(certificate.sha256)'" }
            let isArchive = file.kind != .pkcs12 && file.kind != .certificate
            if isArchive != (certificate.scheme != nil) { return "a scheme of a \(file.kind.rawValue)" }
            if !isArchive, certificate.role != .signer { return "a role of a \(file.kind.rawValue)" }
        }
        return nil
    }

    private static func violation(in error: SignatureError) -> String? {
        switch error.code {
        case .notFound, .unreadable, .missingLibrary: return "\(error.code.rawValue): \(error.message)"
        default: break
        }
        for text in [error.message, error.help ?? "x"] where text.isEmpty || text.hasSuffix(".") {
            return "the message '\(text)'"
        }
        let text = error.message + (error.help ?? "")
        return text.unicodeScalars.contains { $0.value < 0x20 } ? "a message with control characters" : nil
    }
}

/// Whole files and their parts, from which the mutated ones are made.
private struct SignatureSeeds {
    private let schemes: [(identifier: Int, value: [UInt8])]
    private let blocks: [[UInt8]]
    private let signatures: [[UInt8]]
    private let archives: [[UInt8]]
    private let keystores: [[UInt8]]
    private let unsigned: [UInt8]

    init() throws {
        let ders = try (0..<4).map { try SampleSignature.certificate($0).der() }
        schemes = [
            (SampleSigningBlock.v2, SampleSignature.scheme([SampleSignature.signer([ders[0], ders[1]])])),
            (SampleSigningBlock.v2, SampleSignature.scheme(ders.map { SampleSignature.signer([$0]) })),
            (SampleSigningBlock.v3, SampleSignature.scheme([SampleSignature.rotatingSigner([ders[0]])])),
            (
                SampleSigningBlock.v31,
                SampleSignature.scheme([SampleSignature.rotatingSigner([ders[2]], lineage: Array(ders.prefix(3)))])
            ),
            (
                SampleSigningBlock.v32,
                SampleSignature.hybrid(
                    [ders[3]], [try SampleSignature.postQuantumCertificate(6).der()], ancestors: [ders[0]])
            ),
        ]
        let padding: (identifier: Int, value: [UInt8]) = (SampleSigningBlock.padding, [UInt8](repeating: 0, count: 50))
        unsigned = try SampleSignature.application().bytes
        blocks = [
            SampleSigningBlock([schemes[0], padding]), SampleSigningBlock([schemes[2], schemes[1]]),
            SampleSigningBlock([schemes[0], schemes[2], schemes[3], padding]),
            SampleSigningBlock([schemes[2], schemes[4]]),
        ].map(\.bytes)
        signatures = [
            try SampleSignature.pkcs7([SampleSignature.certificate(0)]),
            try SampleSignature.pkcs7([SampleSignature.certificate(1), SampleSignature.certificate(2)]),
        ]
        let signed = try SampleSignature.application([SampleSignature.certificate(0)]).bytes
        archives = [
            signed, SampleSigningBlock([schemes[0]]).inserted(into: unsigned),
            SampleSigningBlock([schemes[3], schemes[2]]).inserted(into: signed),
            try SampleSignature.application(
                [SampleSignature.certificate(0)], manifest: SampleSignature.manifest("com.shop.app")
            ).bytes,
        ]
        let certificate = SampleSignature.certificate(0)
        keystores = [
            try SamplePKCS12.export(certificate, password: "android").der(),
            try SamplePKCS12.export(certificate, password: "", as: .plain).der(), ders[0],
            Array(try certificate.pem().utf8), [0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2],
        ]
    }

    func input(_ target: SignatureFuzzTarget, _ random: inout SplitMix64) -> [UInt8] {
        switch target {
        case .scheme:
            let (identifier, value) = random.pick(schemes)
            return SampleSigningBlock([(identifier, Self.mutated(value, &random))]).inserted(into: unsigned)
        case .block:
            let bytes = Self.mutated(random.pick(blocks), &random)
            // Between the entries and the directory, whatever it is.
            guard bytes.count >= 32 else { return unsigned }
            var block = SampleSigningBlock()
            block.content = Array(bytes[8..<bytes.count - 24])
            if random.chance(30) { block.firstSize = bytes.count - random.number(0...16) }
            if random.chance(30) { block.lastSize = bytes.count - random.number(0...16) }
            return block.inserted(into: unsigned)
        case .jar:
            var archive = SampleArchive()
            for number in 0..<(random.chance(10) ? random.number(1...12) : 1) {
                archive.add("META-INF/\(number).SF", [])
                archive.add("META-INF/\(number).RSA", Self.mutated(random.pick(signatures), &random))
            }
            return archive.bytes
        case .archive: return Self.mutated(random.pick(archives), &random)
        case .keystore: return Self.mutated(random.pick(keystores), &random)
        }
    }

    /// Bytes that are almost right.
    private static func mutated(_ seed: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = seed
        for _ in 0..<random.number(0...3) where !bytes.isEmpty {
            // More often at the end, where an archive says where everything is.
            let offset =
                random.chance(20) ? max(0, bytes.count - 1 - random.number(0...80)) : random.number(below: bytes.count)
            switch random.number(below: 8) {
            case 0: bytes[offset] = random.byte()
            case 1: bytes[offset] ^= 1 << UInt8(random.number(below: 8))
            case 2: bytes.insert(random.byte(), at: offset)
            case 3: bytes.removeSubrange(offset..<min(bytes.count, offset + 1 + random.number(below: 16)))
            case 4: bytes.removeSubrange(offset...)
            case 5:
                let end = min(bytes.count, offset + 1 + random.number(below: 200))
                bytes.insert(contentsOf: bytes[offset..<end], at: random.number(below: bytes.count))
            case 6: bytes[offset] = random.pick([0, 0x7F, 0x80, 0xFF])
            default:
                let numbers = [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF, bytes.count, bytes.count - offset, 65_535, 1 << 24, -1]
                let number = SampleArchive.little(random.pick(numbers), random.pick([2, 4, 8]))
                bytes.replaceSubrange(offset..<min(bytes.count, offset + number.count), with: number)
            }
        }
        return bytes
    }
}
