/// What a push certificate can be used for, as far as one is compared with another.
struct Ability: Hashable {
    /// Numbers of topics of a team, ascending.
    let topics: [Int]
    private let environments: Set<APNsEnvironment>
    private let chainsToApple: Bool
    private let key: Key
    /// A bit for the number of each topic, by which most that do not fit are told apart at once.
    private let mask: UInt64

    /// Nil for what is not for push, or for nobody knows what.
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
    func covers(_ other: Ability) -> Bool {
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
