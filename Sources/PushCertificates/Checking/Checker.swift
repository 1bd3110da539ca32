internal import Diagnostics
internal import SystemSupport

/// Judges files by the time (push-certificates.md, section 7).
public struct Checker: Sendable {
    /// Seconds since 1970.
    public let now: Int64
    public let thresholds: Thresholds
    /// The topics of which each certificate must have one; empty if any will do.
    public let expectedTopics: [String]

    public init(now: Int64, thresholds: Thresholds = Thresholds(), expectedTopics: [String] = []) {
        self.now = now
        self.thresholds = thresholds
        self.expectedTopics = expectedTopics
    }

    /// - Parameter files: Paths and what was read there, in the order in which they are to be shown.
    public func check(
        _ files: [(path: String, content: Result<CertificateFile, CertificateFileError>)]
    ) -> CheckReport {
        let run = CertificateSet(files, now: now)
        let management = management(files, run)
        var checks: [FileCheck] = []
        var isFirst = true
        for (number, file) in files.enumerated() {
            switch file.content {
            case .failure(let error):
                checks.append(
                    FileCheck(path: file.path, status: .unknown, error: error, certificates: [], findings: []))
            case .success(let content):
                // The clock warning is about the whole run: it is reported once.
                let notes = isFirst ? clock : []
                isFirst = false
                checks.append(check(content, path: file.path, number, notes, run, management))
            }
        }
        return CheckReport(now: now, thresholds: thresholds, files: checks, status: checks.map(\.status).max() ?? .ok)
    }

    private var clock: [Diagnostic] {
        guard now < AppleAuthority.startOfG4 else { return [] }
        return [
            RuleDescription.clockSuspicious.finding(
                "the time is \(InternetDate.dayAndMinute(now)), earlier than any push certificate that Apple issues today: "
                    + "the dates in this report are not reliable", advice: "check the clock, or --now")
        ]
    }
}

extension Checker {
    /// Judges one file that could be read.
    ///
    /// - Parameters:
    ///   - number: The index of the file in the run.
    ///   - notes: What else is to be said of the file as a whole.
    private func check(
        _ content: CertificateFile, path: String, _ number: Int, _ notes: [Diagnostic], _ run: CertificateSet,
        _ management: DeviceManagementTopics
    ) -> FileCheck {
        let hasOthers = content.certificates.contains { $0.kind != .ca }
        var findings = notes
        var checks: [CertificateCheck] = []
        var obstacles: [Int: [SendingObstacle]] = [:]
        if let identities = run.identities(ofFile: number) {
            let finding = identities.finding(
                identities.severity { run.isCovered($0, ofFile: number) }, path: path)
            findings.append(finding)
            for index in identities.members where content.certificates[index].kind.isForPush {
                obstacles[index, default: []] += [SendingObstacle(finding, content.certificates[index])].compactMap {
                    $0
                }
            }
        }
        var known = content.findings
        for (index, certificate) in content.certificates.enumerated() where !(hasOthers && certificate.kind == .ca) {
            known += [unexpectedTopic(certificate), management.finding(certificate)].compactMap {
                $0?.about(certificate, index)
            }
        }
        for finding in known {
            guard let index = finding.certificate,
                let obstacle = SendingObstacle(finding, content.certificates[index])
            else { continue }
            obstacles[index, default: []].append(obstacle)
        }
        for (index, certificate) in content.certificates.enumerated() {
            let verdict = verdict(
                certificate, (number, index), run, isBesideOthers: hasOthers && certificate.kind == .ca,
                obstacle: SendingObstacle.worst(obstacles[index] ?? []))
            findings += verdict.findings
            checks.append(verdict.check)
        }
        return FileCheck(
            path: path, status: checks.map(\.status).max() ?? .ok, error: nil, certificates: checks,
            findings: Diagnostic.ordered(findings + known.map { softened($0, checks) }).map { $0.at(path) })
    }

    private func unexpectedTopic(_ certificate: PushCertificate) -> Diagnostic? {
        // A token key is for all topics of a team.
        guard !expectedTopics.isEmpty, certificate.kind != .tokenKey,
            !certificate.topics.contains(where: { topic in
                expectedTopics.contains { $0.utf8.elementsEqual(topic.name.utf8) }
            })
        else { return nil }
        let expected = expectedTopics.map { quotedIdentifier($0) }.joined(separator: ", ")
        return RuleDescription.unexpectedTopic.finding(
            "\(certificate.title) has none of the expected topics: \(expected)",
            advice: certificate.kind == .mdm
                ? "use the certificate with that topic: with another one every device has to enroll again"
                : "use the certificate with that topic")
    }

    private func management(
        _ files: [(path: String, content: Result<CertificateFile, CertificateFileError>)], _ run: CertificateSet
    ) -> DeviceManagementTopics {
        var topics = DeviceManagementTopics()
        for (number, file) in files.enumerated() {
            guard case .success(let content) = file.content else { continue }
            for (index, certificate) in content.certificates.enumerated() where certificate.kind == .mdm {
                let status = run.validity(of: index, ofFile: number)?.status(thresholds)
                topics.add(
                    certificate, path: file.path,
                    isEndangered: status != .ok && replacement(of: (number, index), run) == nil)
            }
        }
        topics.sort()
        return topics
    }

    /// A replaced certificate is no longer used to send.
    private func softened(_ finding: Diagnostic, _ checks: [CertificateCheck]) -> Diagnostic {
        guard let index = finding.certificate, checks[index].isSuperseded,
            SendingObstacle(finding, checks[index].certificate) != nil
        else {
            return finding
        }
        var finding = finding
        finding.severity = .note
        return finding
    }

    private func verdict(
        _ certificate: PushCertificate, _ position: (file: Int, index: Int), _ run: CertificateSet,
        isBesideOthers: Bool, obstacle: SendingObstacle?
    ) -> (check: CertificateCheck, findings: [Diagnostic]) {
        let (number, index) = position
        guard let validity = run.validity(of: index, ofFile: number) else {
            return (CertificateCheck(certificate: certificate, status: .ok, counts: false, validity: nil), [])
        }
        let time = TimeFindings(certificate: certificate, index: index, validity: validity, thresholds: thresholds)
        if isBesideOthers {
            let check = CertificateCheck(certificate: certificate, status: .ok, counts: false, validity: validity)
            return (check, time.besideOthers)
        }
        if let newer = replacement(of: position, run), let notAfter = newer.validity?.notAfter {
            let check = CertificateCheck(
                certificate: certificate, status: .ok, supersededBy: newer.reference, counts: false, validity: validity)
            return (check, time.superseded(by: newer.reference, until: notAfter))
        }
        let status = max(validity.status(thresholds), obstacle?.status ?? .ok)
        let check = CertificateCheck(
            certificate: certificate, status: status, counts: true, obstacle: obstacle, validity: validity)
        return (check, time.all)
    }

    /// The certificate that replaces one that ends soon or has ended.
    private func replacement(
        of position: (file: Int, index: Int), _ run: CertificateSet
    ) -> Replacements.Candidate? {
        guard let validity = run.validity(of: position.index, ofFile: position.file), !validity.isReversed,
            !validity.isNotYetValid, validity.status(thresholds) != .ok
        else { return nil }
        return run.newest(replacing: position.index, ofFile: position.file)
    }
}

/// All certificates of a run, by their positions.
struct CertificateSet {
    private let candidates: [Replacements.Candidate]
    /// Where the certificates of each file begin.
    private let starts: [Int]
    private let replacements: Replacements
    /// One for each file with several certificates to take.
    private var identities: [Int: SeveralIdentities] = [:]

    init(_ files: [(path: String, content: Result<CertificateFile, CertificateFileError>)], now: Int64) {
        var candidates: [Replacements.Candidate] = []
        var starts: [Int] = []
        for (number, file) in files.enumerated() {
            starts.append(candidates.count)
            guard case .success(let content) = file.content else { continue }
            let several = SeveralIdentities(content, now: now)
            identities[number] = several
            // No sender can use a file that mixes what is valid with what is not.
            let isOffer = several.map { $0.severity { _ in false } < .critical } ?? true
            for (index, certificate) in content.certificates.enumerated() {
                candidates.append(
                    Replacements.Candidate(
                        certificate: certificate, validity: Validity(of: certificate, now: now), file: number,
                        hasRivals: several != nil, isOffer: isOffer,
                        reference: CertificateReference(path: file.path, index: index)))
            }
        }
        self.candidates = candidates
        self.starts = starts
        replacements = Replacements(candidates)
    }

    /// The certificates of a file of which a sender may take any; nil if there is one at most.
    func identities(ofFile number: Int) -> SeveralIdentities? { identities[number] }

    /// The position of the present time in the validity of a certificate of a file.
    func validity(of index: Int, ofFile number: Int) -> Validity? { candidates[starts[number] + index].validity }

    /// Whether a certificate of another file does all that one does, for as long.
    func isCovered(_ index: Int, ofFile number: Int) -> Bool {
        replacements.newest(replacing: starts[number] + index, orEqual: true) != nil
    }

    /// The newest certificate of another file that replaces one of a file.
    func newest(replacing index: Int, ofFile number: Int) -> Replacements.Candidate? {
        replacements.newest(replacing: starts[number] + index)
    }
}

/// Finds the newer certificate of a run that does all that an older one does (push-certificates.md, section 7).
struct Replacements {
    /// A certificate of the run.
    struct Candidate {
        let certificate: PushCertificate
        /// Nil for a token key.
        let validity: Validity?
        /// The index of its file in the run.
        let file: Int
        /// Whether its file has other certificates to send with.
        let hasRivals: Bool
        /// Whether its file can be used to send.
        let isOffer: Bool
        let reference: CertificateReference
    }

    private struct Offer {
        let capabilities: CertificateCapabilities
        /// Its index among the candidates.
        let index: Int
        let file: Int
        let notAfter: Int64

        /// The latest end first; else in the order of the run.
        static func isBefore(_ left: Offer, _ right: Offer) -> Bool {
            left.notAfter != right.notAfter ? left.notAfter > right.notAfter : left.index < right.index
        }
    }

    /// The key by which an offer is known once: for a file with several certificates those of the file, as they replace nothing in it.
    private struct OfferKey: Hashable {
        let capabilities: CertificateCapabilities
        let file: Int?
    }

    private let candidates: [Candidate]
    private let capabilities: [CertificateCapabilities?]
    /// The certificates that are valid now, by topic: of those that can do the same, the one that ends last.
    private let offers: [Int: [Offer]]

    /// - Parameter candidates: All certificates of the run, in its order.
    init(_ candidates: [Candidate]) {
        var numbers = TopicNumbers()
        let all = candidates.map { CertificateCapabilities(of: $0.certificate, numbers: &numbers) }
        var best: [OfferKey: Offer] = [:]
        for (index, (candidate, capabilities)) in zip(candidates, all).enumerated() {
            guard let capabilities, candidate.isOffer, let validity = candidate.validity, validity.isValid else {
                continue
            }
            let offer = Offer(
                capabilities: capabilities, index: index, file: candidate.file, notAfter: validity.notAfter)
            let key = OfferKey(capabilities: capabilities, file: candidate.hasRivals ? candidate.file : nil)
            if let other = best[key], Offer.isBefore(other, offer) { continue }
            best[key] = offer
        }
        var offers: [Int: [Offer]] = [:]
        for offer in best.values.sorted(by: Offer.isBefore) {
            for topic in offer.capabilities.topics { offers[topic, default: []].append(offer) }
        }
        self.candidates = candidates
        capabilities = all
        self.offers = offers
    }

    /// The one that ends last of those of other files that replace a certificate; the first one of the run if several
    /// end then. A sender with a file of both may take either.
    ///
    /// - Parameters:
    ///   - index: The certificate's index among the candidates.
    ///   - isEqualEnough: Whether one that ends at the same time will do.
    func newest(replacing index: Int, orEqual isEqualEnough: Bool = false) -> Candidate? {
        guard let notAfter = candidates[index].validity?.notAfter, let need = capabilities[index] else { return nil }
        // All its topics must be offered, so the shortest list is enough.
        let lists = need.topics.map { offers[$0] ?? [] }
        guard let shortest = lists.min(by: { $0.count < $1.count }) else { return nil }
        let later = shortest.prefix { $0.notAfter > notAfter || isEqualEnough && $0.notAfter == notAfter }
        let file = candidates[index].file
        return later.first { $0.file != file && $0.capabilities.covers(need) }.map { candidates[$0.index] }
    }
}

/// The uses of a push certificate, as far as one is compared with another.
struct CertificateCapabilities: Hashable {
    /// Numbers of topics of a team, ascending.
    let topics: [Int]
    private let environments: Set<APNsEnvironment>
    private let chainsToApple: Bool
    private let key: Key
    /// The certainty that a replacement needs: a wrong key beside a certificate is meant to send with it.
    private let needed: Key
    /// A bit for the number of each topic, by which most that do not fit are told apart at once.
    private let mask: UInt64

    /// Nil for what is not for push, or without topics.
    init?(of certificate: PushCertificate, numbers: inout TopicNumbers) {
        guard !certificate.topics.isEmpty else { return nil }
        let topics = Set(certificate.topics.map { numbers.number(of: $0, team: certificate.team) })
        self.topics = topics.sorted()
        environments = Set(certificate.environments)
        chainsToApple = certificate.issuer?.chainsToApple ?? false
        key = Key(certificate.key)
        needed = certificate.key == .mismatched ? .there : key
        mask = topics.reduce(0) { $0 | 1 << UInt64($1 % 64) }
    }

    /// Whether it can do all that another one can.
    func covers(_ other: CertificateCapabilities) -> Bool {
        guard other.mask & ~mask == 0, key >= other.needed, chainsToApple || !other.chainsToApple,
            environments.isSuperset(of: other.environments)
        else { return false }
        var rest = topics[...]
        return other.topics.allSatisfy { topic in
            rest = rest.drop { $0 < topic }
            return rest.first == topic
        }
    }

    /// The certainty that the private key is there; one that is another certificate's counts for nothing.
    private enum Key: Int, Comparable {
        case missing, unreadable, there

        init(_ presence: KeyPresence) {
            switch presence {
            case .none, .mismatched: self = .missing
            case .unreadable: self = .unreadable
            case .matching, .alone: self = .there
            }
        }

        static func < (left: Key, right: Key) -> Bool { left.rawValue < right.rawValue }
    }
}

/// Gives each topic of each team a number, so that comparing them is cheap; names are compared by their bytes.
struct TopicNumbers {
    private struct Name: Hashable {
        let team: [UInt8]?
        let topic: [UInt8]
    }

    private var numbers: [Name: Int] = [:]

    mutating func number(of topic: Topic, team: String?) -> Int {
        let name = Name(team: team.map { Array($0.utf8) }, topic: Array(topic.name.utf8))
        if let number = numbers[name] { return number }
        let number = numbers.count
        numbers[name] = number
        return number
    }
}
