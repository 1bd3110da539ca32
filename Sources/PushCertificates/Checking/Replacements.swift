/// Finds the newer certificate of a run that does all that an older one does (push-certificates.md, section 7).
struct Replacements {
    /// A certificate of the run.
    struct Candidate {
        let certificate: PushCertificate
        /// Nil for a token key.
        let validity: Validity?
        /// The index of its file in the run.
        let file: Int
        let reference: CertificateReference
    }

    private struct Offer {
        let capabilities: CertificateCapcapabilities
        /// Its index among the candidates.
        let index: Int
        let notAfter: Int64

        /// The latest end first; else in the order of the run.
        static func isBefore(_ left: Offer, _ right: Offer) -> Bool {
            left.notAfter != right.notAfter ? left.notAfter > right.notAfter : left.index < right.index
        }
    }

    private let candidates: [Candidate]
    private let capabilities: [CertificateCapcapabilities?]
    /// By topic: of the certificates that are valid now and can do the same, the one that ends last.
    private let offers: [Int: [Offer]]

    /// - Parameter candidates: All certificates of the run, in its order.
    init(_ candidates: [Candidate]) {
        var numbers = TopicNumbers()
        let all = candidates.map { CertificateCapcapabilities(of: $0.certificate, numbers: &numbers) }
        var best: [CertificateCapcapabilities: Offer] = [:]
        for (index, (candidate, capabilities)) in zip(candidates, all).enumerated() {
            guard let capabilities, let validity = candidate.validity, validity.isValid else { continue }
            let offer = Offer(capabilities: capabilities, index: index, notAfter: validity.notAfter)
            if let other = best[capabilities], Offer.isBefore(other, offer) { continue }
            best[capabilities] = offer
        }
        var offers: [Int: [Offer]] = [:]
        for offer in best.values.sorted(by: Offer.isBefore) {
            for topic in offer.capabilities.topics { offers[topic, default: []].append(offer) }
        }
        self.candidates = candidates
        capabilities = all
        self.offers = offers
    }

    /// The one that ends last of those that replace a certificate; the first one of the run if several end then.
    ///
    /// - Parameter index: The certificate's index among the candidates.
    func newest(replacing index: Int) -> Candidate? {
        guard let notAfter = candidates[index].validity?.notAfter, let need = capabilities[index] else { return nil }
        // All its topics must be offered, so the shortest list is enough.
        let lists = need.topics.map { offers[$0] ?? [] }
        guard let shortest = lists.min(by: { $0.count < $1.count }) else { return nil }
        let later = shortest.prefix { $0.notAfter > notAfter }
        return later.first { $0.capabilities.covers(need) }.map { candidates[$0.index] }
    }
}

/// What a push certificate can be used for, as far as one is compared with another.
struct CertificateCapcapabilities: Hashable {
    /// Numbers of topics of a team, ascending.
    let topics: [Int]
    private let environments: Set<APNsEnvironment>
    private let chainsToApple: Bool
    private let key: Key
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
        mask = topics.reduce(0) { $0 | 1 << UInt64($1 % 64) }
    }

    /// Whether it can do all that another one can.
    func covers(_ other: CertificateCapcapabilities) -> Bool {
        guard other.mask & ~mask == 0, key >= other.key, chainsToApple || !other.chainsToApple,
            environments.isSuperset(of: other.environments)
        else { return false }
        var rest = topics[...]
        return other.topics.allSatisfy { topic in
            rest = rest.drop { $0 < topic }
            return rest.first == topic
        }
    }

    /// How surely the private key is there; one that is another certificate's counts for nothing.
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
