internal import Diagnostics

/// The results of reloads, for the metrics.
package struct ReloadCounts: Equatable, Sendable {
    package enum What: String, CaseIterable, Sendable {
        case sites, certificates, configuration
    }

    package enum Result: String, CaseIterable, Sendable {
        /// Something good is new, or something is gone.
        case changed
        case unchanged
        /// Something cannot be used as it is now, and this was not so before, or for another reason. A reload may count as
        /// `changed`, too.
        case failed
    }

    private var counts: [What: [Result: UInt64]] = [:]

    package init() {}

    package subscript(what: What, result: Result) -> UInt64 { counts[what]?[result] ?? 0 }

    package mutating func add(_ what: What, _ result: Result) { counts[what, default: [:]][result, default: 0] &+= 1 }
}

extension ReloadCounts {
    /// Counts a reload. Something that fails as it did before is not counted again.
    mutating func add(_ reading: ServerSnapshot.Reading, from old: ServerSnapshot) {
        let new = reading.snapshot
        let sites = Self.results(
            isSame: new.sites === old.sites,
            hasFailed: reading.unreadable.contains(new.configuration.sites)
                || new.loadedSites.contains { $0.changedFiles.contains(where: \.isRefused) },
            hasNews: Self.hasNewSites(old, new))
        if reading.hasSites { for result in sites { add(.sites, result) } }
        let certificates = Self.results(
            isSame: new.identities === old.identities,
            hasFailed: reading.unreadable.contains(new.configuration.certs) || Self.hasNewProblems(old, new),
            hasNews: Self.hasNewPairs(old, new))
        for result in certificates { add(.certificates, result) }
    }

    private static func results(
        isSame: Bool, hasFailed: Bool, hasNews: @autoclosure () -> Bool
    ) -> [Result] {
        guard hasFailed else { return [isSame ? .unchanged : .changed] }
        return !isSame && hasNews() ? [.changed, .failed] : [.failed]
    }

    /// Whether a file is published that was not, or a site or a file is gone.
    private static func hasNewSites(_ old: ServerSnapshot, _ new: ServerSnapshot) -> Bool {
        let before = Dictionary(old.loadedSites.map { ($0.domain, $0) }) { first, _ in first }
        let now = Set(new.loadedSites.map(\.domain))
        if before.keys.contains(where: { !now.contains($0) }) { return true }
        return new.loadedSites.contains { site in
            let previous = before[site.domain]?.files ?? []
            let names = Set(site.files.map(\.name))
            return previous.contains { !names.contains($0.name) }
                || site.files.contains { file in
                    guard !file.isRefused else { return false }
                    guard let previous = previous.first(where: { $0.name == file.name }) else { return true }
                    return previous.isRefused || !file.serves(sameAs: previous)
                }
        }
    }

    /// Whether a pair cannot be used that could be, or was waited for, or could not for another reason.
    private static func hasNewProblems(_ old: ServerSnapshot, _ new: ServerSnapshot) -> Bool {
        let waiting = Set(new.pendingPairs.map(\.folder))
        let waitedFor = Set(old.pendingPairs.map(\.folder))
        let known = Dictionary(old.pairProblems.map { ($0.folder, $0) }) { first, _ in first }
        return new.pairProblems.contains {
            !waiting.contains($0.folder) && (waitedFor.contains($0.folder) || known[$0.folder] != $0)
        } || new.choiceFindings.contains { $0.isError && !old.choiceFindings.contains($0) }
    }

    /// Whether a pair is used that was not, or one is gone.
    private static func hasNewPairs(_ old: ServerSnapshot, _ new: ServerSnapshot) -> Bool {
        let before = Dictionary(old.allPairs.map { ($0.path, $0) }) { first, _ in first }
        let now = Set(new.allPairs.map(\.path))
        if before.keys.contains(where: { !now.contains($0) }) { return true }
        return new.allPairs.contains { pair in
            guard !pair.isKept else { return false }
            guard let previous = before[pair.path] else { return true }
            return previous.isKept || previous.digest != pair.digest
        }
    }
}
