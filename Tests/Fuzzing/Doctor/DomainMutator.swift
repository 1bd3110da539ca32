import DomainDoctor
import DomainNames
import FuzzingSupport
import HTTPClient
import OpenSSL

/// Makes domains of which something was seen that is not as it should be.
struct DomainMutator {
    /// 2026-11-21T12:00:00Z
    private static let now: Int64 = 1_795_262_400
    private static let day: Int64 = 86_400
    private static let addresses = [IPAddress(ipv4: 0xC000_020A), IPAddress(high: 0x2001_0DB8_0000_0000, low: 0x10)]
    private static let urls = [
        "https://\(AnswerSeeds.host)/buy/7?a=1", "https://\(AnswerSeeds.host)/help/",
        "http://\(AnswerSeeds.host)/old/x#y",
    ]
    private let answers: AnswerMutator
    private let target: Target

    init(_ answers: AnswerMutator) throws {
        self.answers = answers
        target = try Target(AnswerSeeds.host, allowsAddresses: false)
    }

    func observation(_ part: DoctorFuzzTarget, _ random: inout SplitMix64) -> Observation {
        var target = target
        if random.chance(30) { target.urls = random.list(of: Self.urls, upTo: 2) }
        var seen = Observation(target, checkedAt: Self.now, timeLimit: .seconds(50))
        seen.names = Observation.Names(a: .success([Self.addresses[0]]), aaaa: .success([Self.addresses[1]]))
        seen.addresses = Self.addresses
        seen.handshakes = Self.addresses.map { handshake($0, mutatedIn: 3, &random) }
        seen.versions = Observation.Versions(tls12: true, tls13: true)
        seen.appleCopyURL = "https://app-site-association.cdn-apple.com/a/v1/\(AnswerSeeds.host)"
        seen.googleURL = "https://digitalassetlinks.googleapis.com/v1/statements:list"
        switch part {
        case .origin:
            mutateOrigin(&seen, &random)
            if random.chance(10) {
                seen.failedConnections = [answers.failure(at: random.pick(Self.addresses), &random)]
            }
        case .cdn:
            seen.wellKnown = usualFile(&random)
            seen.appleCopy = copy(of: .copy, &random)
        case .android, .header:
            seen.wellKnown = usualFile(&random)
            seen.assetLinks = random.chance(60) ? exchange(.assetLinks, &random) : Self.answer(AnswerSeeds.statements)
            switch random.number(below: 20) {
            case 0: seen.googleView = nil
            case 1...4: seen.googleView = .success(Self.view)
            default: seen.googleView = copy(of: .google, &random)
            }
        }
        if random.chance(5) { mutateRest(&seen, &random) }
        return seen
    }

    private func exchange(_ sender: AnswerMutator.Sender, _ random: inout SplitMix64) -> Observation.Exchange {
        answers.exchange(of: sender, from: random.pick(Self.addresses), &random)
    }

    private static func answer(_ body: [UInt8], status: Int = 200) -> Observation.Exchange {
        .success(
            Response(
                head: ResponseHead(
                    status: status, statusLine: Array("HTTP/1.1 \(status) Text".utf8),
                    fields: [HeaderField("Content-Type", "application/json")]),
                body: body, address: addresses[0], times: TransferTimes(header: .milliseconds(84))))
    }

    /// The file that the other steps go by.
    private func usualFile(_ random: inout SplitMix64) -> Observation.Exchange? {
        switch random.number(below: 10) {
        case 0: Self.answer([], status: 404)
        case 1: exchange(.origin, &random)
        case 2: nil
        default: Self.answer(AnswerSeeds.file("/buy/*"))
        }
    }

    /// Most clients get the same.
    private func mutateOrigin(_ seen: inout Observation, _ random: inout SplitMix64) {
        let first = exchange(.origin, &random)
        func other() -> Observation.Exchange? {
            switch random.number(below: 10) {
            case 0, 1: exchange(.origin, &random)
            case 2: Self.answer(AnswerSeeds.file("/buy/*"))
            case 3: nil
            default: first
            }
        }
        seen.wellKnown = first
        (seen.root, seen.device, seen.browser) = (other(), other(), other())
        if let other = other() { seen.others = [(Self.addresses[1], other)] }
        seen.appleCopy = random.chance(20) ? .success(Self.copy) : nil
        seen.assetLinks = random.chance(20) ? first : nil
    }

    private static let copy = Response(
        head: ResponseHead(
            status: 200, statusLine: Array("HTTP/1.1 200 OK".utf8), fields: [HeaderField("Age", "3600")]),
        body: AnswerSeeds.file("/buy/*"), address: addresses[0])

    /// Google's, of the usual statements.
    private static let view = Response(
        head: ResponseHead(status: 200, statusLine: Array("HTTP/1.1 200 OK".utf8), fields: []),
        body: AnswerSeeds.views[0], address: addresses[0])

    private func copy(
        of sender: AnswerMutator.Sender, _ random: inout SplitMix64
    ) -> Result<Response, Observation.CopyFailure> {
        if random.chance(1) { return .failure(.notResolved("example.com", .failed("x"))) }
        return exchange(sender, &random).mapError { .request($0) }
    }

    /// Changes a handshake; what comes from a certificate is received, too.
    private func handshake(
        _ address: IPAddress, mutatedIn percent: Int, _ random: inout SplitMix64
    ) -> Observation.Handshake {
        let text = String(decoding: random.pick(AnswerSeeds.hostile), as: UTF8.self)
        let isMutated = random.chance(percent)
        if isMutated, random.chance(30) {
            return Observation.Handshake(address, .failure(answers.failure(at: address, &random)))
        }
        let verdicts: [ChainVerdict] = [
            .expired(Self.now - 1), .notYetValid(Self.now + 1), .nameMismatch([text, "*.\(text)"]),
            .missingIntermediate(text), .untrusted(.selfSigned), .untrusted(.unknownIssuer(text)),
            .untrusted(.issuerExpired(text)), .untrusted(.issuerNotYetValid(text)), .untrusted(.other(text)), .good,
        ]
        let leaf = PresentedChain.LeafFacts(
            notBefore: Self.now - 30 * Self.day,
            notAfter: isMutated ? random.pick([Self.now, -1, 253_402_300_799, 0]) : Self.now + 60 * Self.day,
            issuer: isMutated ? text : "R11", names: [AnswerSeeds.host] + (isMutated ? [text] : []))
        return Observation.Handshake(
            address, .success(Observation.Judged(isMutated ? random.pick(verdicts) : .good, leaf)))
    }

    /// Mutates the names and addresses, and what was not finished.
    private func mutateRest(_ seen: inout Observation, _ random: inout SplitMix64) {
        let failures: [ResolutionFailure] = [.noSuchName, .noAddress, .timedOut, .cancelled, .failed("\u{1B}[2J")]
        switch random.number(below: 5) {
        case 0:
            seen.names = Observation.Names(a: .failure(random.pick(failures)), aaaa: .failure(random.pick(failures)))
        case 1: seen.refused = [IPAddress(ipv4: 0x7F00_0001)]
        case 2: (seen.addresses, seen.handshakes, seen.refused) = ([], [], [IPAddress(ipv4: 0x7F00_0001)])
        case 3: seen.unfinished = random.list(of: Step.ID.allCases, upTo: 4)
        default: seen.handshakes = Self.addresses.map { handshake($0, mutatedIn: 100, &random) }
        }
    }
}
