import FuzzingSupport
import PushCertificates
import PushSamples

/// Reads files that are almost right, judges them and writes all reports about them.
package struct CertificateFuzzer {
    private let seed: UInt64
    private var random: SplitMix64
    private let inputs: CertificateInputs
    private let derivations: DerivationFiles
    private let reader: CertificateFileReader
    private let renewal: RenewalInvariants
    private let passwords: [(text: String?, password: Password?)]
    /// The latest ones that were read, to be judged together.
    private var neighbours: [CertificateFile] = []
    /// The number of times that each error came up; of what was read, the number of each kind.
    package private(set) var outcomes: [String: Int] = [:]

    /// - Parameter files: More files to start from.
    package init(seed: UInt64, files: [[UInt8]]) throws {
        self.seed = seed
        random = SplitMix64(seed: seed)
        inputs = try CertificateInputs(files: files)
        derivations = try DerivationFiles()
        reader = try CertificateFileReader()
        renewal = try RenewalInvariants(reader)
        let texts: [String?] = [
            CertificateSeeds.password, CertificateSeeds.password, CertificateSeeds.password, CertificateSeeds.password,
            "",
            nil, nil, "zauberwort", "pässwörd",
        ]
        passwords = texts.map { text in (text, text.map { Password(utf8: $0.utf8) }) }
    }

    /// The file of a number. Those before it do not matter, except that the latest ones are judged together with it.
    package mutating func make(_ number: Int) throws -> [UInt8] {
        random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0xD129_0B26_8DEB_2B35)
        return try inputs.next(&random)
    }

    /// One that asks for much computing.
    package mutating func makeDerivations(_ number: Int) throws -> [UInt8] {
        random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15)
        return try derivations.next(&random)
    }

    /// Reads a file once; returns what is wrong with the result.
    package mutating func checkReading(_ bytes: [UInt8]) -> String? {
        // The second one is another text in NFC, in NFD, and with a character for each byte.
        let text = random.pick(["secret", "pa\u{308}ssw\u{F6}rd", "", nil])
        let content = read(bytes, text.map { Password(utf8: $0.utf8) })
        count(content)
        return CertificateInvariants.violation(in: content)
    }

    /// The invariant that the answer to a file violates.
    package mutating func check(_ bytes: [UInt8]) -> String? {
        let (text, password) = random.pick(passwords)
        let content = read(bytes, password)
        count(content)
        if let violation = CertificateInvariants.violation(in: content) { return violation }
        // Where a block of PEM is, that alone counts.
        if bytes.first == 0x30, random.chance(3), !String(decoding: bytes, as: UTF8.self).contains("-----BEGIN ") {
            let again = read(Array(SamplePEM.base64(bytes).utf8), password)
            guard CertificateInvariants.isSame(content, again) else { return "\(content) and, as base64, \(again)" }
        }
        let now = random.pick(Self.times)
        if random.chance(10) {
            let violation = renewal.violation(
                in: bytes, old: neighbours, now: now, password: password, isWritten: random.chance(3))
            if let violation { return "for a renewal: \(violation)" }
        }
        let checker = Checker(
            now: now,
            thresholds: Thresholds(warning: random.pick(Self.days), critical: random.pick(Self.days)))
        let isAlone = random.chance(75)
        let files = [content] + (isAlone ? [] : neighbours.map { .success($0) })
        let report = checker.check(zip(Self.paths, files).map { (path: $0, content: $1) })
        if case .success(let file) = content, file.certificates.count < 10 {
            neighbours.append(file)
            if neighbours.count > 2 { neighbours.removeFirst() }
        }
        if let violation = ReportInvariants.violation(in: report, of: files) { return violation }
        // Reports about errors only are much alike.
        if isAlone, case .failure = content, random.chance(80) { return nil }
        let texts = ReportTexts(report, width: random.pick([nil, 80, 120, 1, 0, 37]), isStrict: random.chance(20))
        return texts.violation ?? texts.violation(inSecret: text ?? "", in: bytes)
    }

    private func read(_ bytes: [UInt8], _ password: Password?) -> Result<CertificateFile, CertificateFileError> {
        do throws(CertificateFileError) {
            return .success(try reader.read(bytes, password: password))
        } catch {
            return .failure(error)
        }
    }

    private mutating func count(_ content: Result<CertificateFile, CertificateFileError>) {
        switch content {
        case .failure(let error): outcomes[error.code.description, default: 0] += 1
        case .success(let file): outcomes[file.certificates.first?.kind.rawValue ?? "nothing", default: 0] += 1
        }
    }

    private static let paths = ["push.p12", "a b|\"c\"\\\n\u{1B}[0m.cer", "日本/\u{202E}x.pem"]
    private static let times: [Int64] = [
        SampleTime.now, SampleTime.now, SampleTime.now, SampleTime.now + 1, SampleTime.days(8), 0, 1_500_000_000, -1,
        253_402_300_799, -62_167_219_200, .min, .max,
    ]
    private static let days = [30, 30, 30, 14, 14, 0, 7, 400, 1_000_000, .max, -1, .min]
}

/// Makes files that are almost right.
struct CertificateInputs {
    private let certificates: [[UInt8]]
    private let trees: [[DERNode]]
    private let containers: [MutableContainer]
    private let containerTrees: [[DERNode]]
    private let texts: [[UInt8]]
    private let all: [[UInt8]]
    private let mutator: DERMutator

    /// - Parameter files: More to start from.
    init(files: [[UInt8]]) throws {
        let seeds = try CertificateSeeds()
        certificates = seeds.certificates
        containers = try seeds.containers.map(MutableContainer.init)
        texts = seeds.texts + files
        let bytes = containers.map(\.bytes)
        all = certificates + texts + bytes
        trees = certificates.compactMap { DERNode.parse($0[...]) }
        containerTrees = (bytes + files).compactMap { DERNode.parse($0[...]) }.filter { !$0.isEmpty }
        // All elements of some files: whole certificates, names, extensions, dates.
        mutator = DERMutator(donors: (trees.prefix(3) + containerTrees.prefix(3)).flatMap { Self.flattened($0) })
    }

    private static func flattened(_ nodes: [DERNode]) -> [DERNode] {
        nodes.flatMap { node in
            guard case .nodes(let inner, _) = node.content else { return [node] }
            return [node] + flattened(inner)
        }
    }

    func next(_ random: inout SplitMix64) throws -> [UInt8] {
        switch random.number(0...99) {
        case 0..<35: return wrapped(changed(random.pick(trees), &random), &random)
        case 35..<50: return changed(random.pick(containerTrees), &random)
        case 50..<75: return try random.pick(containers).changed(mutator, &random)
        case 75..<88: return spoilt(random.pick(texts), &random)
        default: return spoilt(random.pick(all), &random)
        }
    }

    private func changed(_ tree: [DERNode], _ random: inout SplitMix64) -> [UInt8] {
        var nodes = tree
        let isGentle = random.chance(40)
        for _ in 0..<random.pick([1, 1, 1, 2, 3, 6]) { mutator.mutate(&nodes, isGentle: isGentle, &random) }
        return DERNode.bytes(nodes)
    }

    private func spoilt(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<random.number(0...4) { ByteMutator.mutate(&bytes, others: all, &random) }
        return bytes
    }

    /// As PEM, as base64, among others, or as it is.
    private func wrapped(_ der: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        switch random.number(0...9) {
        case 0: return Array(SamplePEM.block("CERTIFICATE", der).utf8)
        case 1: return Array(SamplePEM.block("CERTIFICATE", der).utf8) + random.pick(texts)
        case 2: return Array(SamplePEM.base64(der).utf8)
        case 3: return der + random.pick([[0x0A], [0], [0x30], [UInt8](repeating: 0x20, count: 50)])
        default: return der
        }
    }
}

/// A PKCS #12 file whose inside is changed before it is encrypted and its MAC is made: what is changed outside never gets
/// past the MAC.
struct MutableContainer {
    private let file: SamplePKCS12
    /// The file itself.
    let bytes: [UInt8]
    /// The elements of each part that is encrypted or plain, and the encryption.
    private let parts: [(nodes: [DERNode], encryption: SampleEncryption?)]
    private let safe: [DERNode]

    init(_ file: SamplePKCS12) throws {
        self.file = file
        bytes = try file.der()
        parts = try file.parts.compactMap { part in
            switch part {
            case .plain(let bags): (try Self.nodes(bags), nil)
            case .encrypted(let bags, let encryption): (try Self.nodes(bags), encryption)
            case .plainBytes, .encryptedBytes, .raw: nil
            }
        }
        let content = DER.elements(of: DER.content(of: bytes) ?? [])
        // PFX, ContentInfo, [0], OCTET STRING.
        let octets = content.dropFirst().first.flatMap { DER.content(of: $0) }.map(DER.elements)?.last
        safe =
            octets.flatMap { DER.content(of: $0) }.flatMap { DER.content(of: $0) }.flatMap { DERNode.parse($0[...]) }
            ?? []
    }

    /// Other content in one of the parts, or another authenticated safe.
    func changed(_ mutator: DERMutator, _ random: inout SplitMix64) throws -> [UInt8] {
        var copy = file
        if random.chance(30) || parts.isEmpty {
            var nodes = safe
            mutator.mutate(&nodes, &random)
            copy.authenticatedSafe = DERNode.bytes(nodes)
        } else {
            var parts = parts
            let place = random.number(0...parts.count - 1)
            for _ in 0..<random.number(1...3) { mutator.mutate(&parts[place].nodes, &random) }
            copy.parts = parts.map { part in
                let bytes = DERNode.bytes(part.nodes)
                return part.encryption.map { .encryptedBytes(bytes, $0) } ?? .plainBytes(bytes)
            }
        }
        if random.chance(10) { copy.isIndefinite = true }
        if random.chance(20) { copy.mac = nil }
        return try copy.der()
    }

    private static func nodes(_ bags: [SampleBag]) throws -> [DERNode] {
        DERNode.parse(try SamplePKCS12.safeContents(bags)[...]) ?? []
    }
}
