import PushCertificates
import PushSamples

/// Reads files that are almost right, judges them and writes all reports about them.
struct CertificateFuzzer {
    private let seed: UInt64
    private var random: SplitMix64
    private let inputs: CertificateInputs
    private let derivations: DerivationFiles
    private let reader: CertificateFileReader
    private let renewal: RenewalProof
    private let passwords: [(text: String?, password: Password?)]
    /// The latest ones that were read, to be judged together.
    private var neighbours: [CertificateFile] = []
    /// How often each error came up; of what was read, how often each kind.
    private(set) var outcomes: [String: Int] = [:]

    /// - Parameter files: More files to start from.
    init(seed: UInt64, files: [[UInt8]]) throws {
        self.seed = seed
        random = SplitMix64(seed: seed)
        inputs = try CertificateInputs(files: files)
        derivations = try DerivationFiles()
        reader = try CertificateFileReader()
        renewal = try RenewalProof(reader)
        let texts: [String?] = [
            CertificateSeeds.password, CertificateSeeds.password, CertificateSeeds.password, CertificateSeeds.password,
            "",
            nil, nil, "zauberwort", "pässwörd",
        ]
        passwords = texts.map { text in (text, text.map { Password(utf8: $0.utf8) }) }
    }

    /// The file of a number. Those before it do not matter, except that the latest ones are judged together with it.
    mutating func make(_ number: Int) throws -> [UInt8] {
        random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0xD129_0B26_8DEB_2B35)
        return try inputs.next(&random)
    }

    /// One that asks for much computing.
    mutating func makeDerivations(_ number: Int) throws -> [UInt8] {
        random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15)
        return try derivations.next(&random)
    }

    /// Reads a file once, and says what is impossible about it.
    mutating func checkReading(_ bytes: [UInt8]) -> String? {
        // The second one is another text in NFC, in NFD, and with a character for each byte.
        let text = random.pick(["secret", "pa\u{308}ssw\u{F6}rd", "", nil])
        let content = read(bytes, text.map { Password(utf8: $0.utf8) })
        count(content)
        return CertificateProof.complaint(about: content)
    }

    /// Says what is impossible about the answer to a file.
    mutating func check(_ bytes: [UInt8]) -> String? {
        let (text, password) = random.pick(passwords)
        let content = read(bytes, password)
        count(content)
        if let complaint = CertificateProof.complaint(about: content) { return complaint }
        // Where a block of PEM is, that alone counts.
        if bytes.first == 0x30, random.chance(3), !String(decoding: bytes, as: UTF8.self).contains("-----BEGIN ") {
            let again = read(Array(SamplePEM.base64(bytes).utf8), password)
            guard CertificateProof.isSame(content, again) else { return "\(content) and, as base64, \(again)" }
        }
        let now = random.pick(Self.times)
        if random.chance(10) {
            let complaint = renewal.complaint(
                about: bytes, old: neighbours, now: now, password: password, isWritten: random.chance(3))
            if let complaint { return "for a renewal: \(complaint)" }
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
        if let complaint = ReportProof.complaint(about: report, of: files) { return complaint }
        // Reports about errors only are much alike.
        if isAlone, case .failure = content, random.chance(80) { return nil }
        let texts = ReportTexts(report, width: random.pick([nil, 80, 120, 1, 0, 37]), isStrict: random.chance(20))
        return texts.complaint ?? texts.complaint(aboutSecret: text ?? "", in: bytes)
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
