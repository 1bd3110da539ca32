/// Finds the newer certificate of a run that does all that an older one does (push-certificates.md, section 7).
struct Replacements {
    /// A certificate of the run.
    struct Candidate {
        let certificate: PushCertificate
        /// Nil for a token key.
        let validity: Validity?
        /// The place of its file in the run.
        let file: Int
        let place: CertificatePlace
    }

    private struct Offer {
        let ability: Ability
        /// Its place among the candidates.
        let index: Int
        let notAfter: Int64

        /// The latest end first; else in the order of the run.
        static func isBefore(_ left: Offer, _ right: Offer) -> Bool {
            left.notAfter != right.notAfter ? left.notAfter > right.notAfter : left.index < right.index
        }
    }

    private let candidates: [Candidate]
    private let abilities: [Ability?]
    /// By topic: of the certificates that are valid now and can do the same, the one that ends last.
    private let offers: [Int: [Offer]]

    /// - Parameter candidates: All certificates of the run, in its order.
    init(_ candidates: [Candidate]) {
        var numbers = TopicNumbers()
        let abilities = candidates.map { Ability(of: $0.certificate, numbers: &numbers) }
        var best: [Ability: Offer] = [:]
        for (index, (candidate, ability)) in zip(candidates, abilities).enumerated() {
            guard let ability, let validity = candidate.validity, validity.isValid else { continue }
            let offer = Offer(ability: ability, index: index, notAfter: validity.notAfter)
            if let other = best[ability], Offer.isBefore(other, offer) { continue }
            best[ability] = offer
        }
        var offers: [Int: [Offer]] = [:]
        for offer in best.values.sorted(by: Offer.isBefore) {
            for topic in offer.ability.topics { offers[topic, default: []].append(offer) }
        }
        self.candidates = candidates
        self.abilities = abilities
        self.offers = offers
    }

    /// The one that ends last of those that replace a certificate; the first one of the run if several end then.
    ///
    /// - Parameter index: The certificate's place among the candidates.
    func newest(replacing index: Int) -> Candidate? {
        guard let notAfter = candidates[index].validity?.notAfter, let need = abilities[index] else { return nil }
        // All its topics must be offered, so the shortest list is enough.
        let lists = need.topics.map { offers[$0] ?? [] }
        guard let shortest = lists.min(by: { $0.count < $1.count }) else { return nil }
        let later = shortest.prefix { $0.notAfter > notAfter }
        return later.first { $0.ability.covers(need) }.map { candidates[$0.index] }
    }
}
