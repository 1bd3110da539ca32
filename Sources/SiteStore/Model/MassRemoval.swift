internal import Diagnostics

/// A change of a store that would end many sites at once, and that a node takes over only when it is confirmed (store.md,
/// section 7): a database that was made anew must not take away the links of all apps.
package struct MassRemoval: Equatable, Sendable {
    /// The sites that would end by one change; 0 if it is about certificates alone.
    package let sites: Int
    /// All sites that the node has.
    package let of: Int
    /// The certificates that would end, which are then all that the node has.
    package let certificates: Int
    /// The subject of the confirmation: the generation of the change, or, where it is not known because the store has another history,
    /// the last one that has changed a file or certificate.
    package let generation: Int64
    /// Whether it is the generation of the change.
    package let isDated: Bool

    package init(
        sites: Int, of total: Int, certificates: Int = 0, generation: Int64, isDated: Bool
    ) {
        self.sites = sites
        of = total
        self.certificates = certificates
        self.generation = generation
        self.isDated = isDated
    }

    /// Whether the sites that end are more than a mistake may take away: more than 10, and more than a tenth.
    package static func isMass(_ sites: Int, of total: Int) -> Bool { sites > 10 && sites > total / 10 }

    /// The removal that is to be confirmed first, of sites that would end; nil if none is.
    ///
    /// - Parameters:
    ///   - generations: those of the changes that have removed the sites; nil for a site that the store never had.
    ///   - confirmed: the generation up to which removals are confirmed.
    ///   - last: the last generation that has changed a file or certificate.
    package static func first(
        of generations: [Int64?], total: Int, confirmed: Int64?, last: Int64
    ) -> MassRemoval? {
        var counts: [Int64?: Int] = [:]
        for generation in generations { counts[generation, default: 0] += 1 }
        let removals = counts.filter { generation, count in
            isMass(count, of: total) && generation.map { $0 > confirmed ?? -1 } ?? true
        }
        // The last generation: who confirms it confirms those before.
        guard let (generation, count) = removals.max(by: { ($0.key ?? -1) < ($1.key ?? -1) }) else { return nil }
        return MassRemoval(
            sites: count, of: total, generation: generation ?? last, isDated: generation != nil)
    }

    /// The same, confirmed by an earlier generation if that is one.
    func named(_ earlier: Int64) -> MassRemoval {
        MassRemoval(
            sites: sites, of: of, certificates: certificates, generation: min(earlier, generation), isDated: isDated)
    }

    /// The effect that it would have, as a clause.
    package var text: String {
        let parts = [
            sites > 0 ? "\(grouped(sites)) of \(grouped(of)) sites" : nil,
            certificates > 0 ? counted(certificates, "certificate") : nil,
        ]
        return "generation \(generation) of the store would end \(parts.compactMap { $0 }.joined(separator: " and "))"
    }
}

extension StoreImage {
    /// The domains that would have no file after these changes; a change costs its own size.
    package func domainsEnded(by changes: StoreChanges) -> Set<String> {
        if changes.isComplete { return Set(fileCounts.keys).subtracting(changes.files.lazy.map(\.key.domain)) }
        let removed = Set(changes.files.lazy.filter { $0.contents == nil && files[$0.key] != nil }.map(\.key))
        let counts = Dictionary(removed.lazy.map { ($0.domain, 1) }, uniquingKeysWith: +)
        let kept = Set(changes.files.lazy.filter { $0.contents != nil }.map(\.key.domain))
        return Set(counts.lazy.filter { fileCounts[$0] == $1 && !kept.contains($0) }.map(\.key))
    }
}
