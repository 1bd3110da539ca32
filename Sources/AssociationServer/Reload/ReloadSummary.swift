internal import Diagnostics

/// The changes of a reload: the line that each one ends with.
struct ReloadSummary: CustomStringConvertible {
    /// No more names of a kind are listed.
    private static let mostNames = 5

    private let changes: [String]
    private let state: String

    /// - Parameters:
    ///   - keys: of the configuration, that have taken effect.
    ///   - unreadable: folders that could not be read: nothing is known of what is in them.
    init(from old: ServerSnapshot, to new: ServerSnapshot, keys: [String] = [], unreadable: [String] = []) {
        let settings = Self.phrase(keys, "setting", "changed")
        changes =
            [settings, Self.phrase(unreadable, "folder", "unreadable (its earlier content stays)")]
            .compactMap { $0 } + Self.siteChanges(old, new) + Self.certificateChanges(old, new)
        state = new.summary
    }

    var description: String {
        "reloaded: \(changes.isEmpty ? "nothing has changed" : changes.joined(separator: ", ")); now \(state)"
    }

    private static func siteChanges(_ old: ServerSnapshot, _ new: ServerSnapshot) -> [String] {
        let before = Dictionary(old.loadedSites.map { ($0.domain, $0) }) { first, _ in first }
        var added: [String] = []
        var changed: [String] = []
        var recovered: [String] = []
        for site in new.loadedSites where !site.isRefused {
            guard let previous = before[site.domain] else {
                added.append(site.domain)
                continue
            }
            if !site.serves(sameAs: previous) {
                changed.append(site.domain)
            } else if previous.isRefused {
                recovered.append(site.domain)
            }
        }
        let now = Set(new.loadedSites.map(\.domain))
        return [
            phrase(added, "site", "added"), phrase(changed, "site", "changed"),
            phrase(old.loadedSites.map(\.domain).filter { !now.contains($0) }, "site", "removed"),
            phrase(recovered, "site", "valid again"),
            kept(new.loadedSites.filter(\.isStale).map(\.domain), "site"),
            phrase(
                new.loadedSites.filter { $0.isRefused && !$0.isStale }.map(\.domain), "site", "without a good version"),
        ].compactMap { $0 } + fileChanges(before, new)
    }

    /// The changed findings of files other than association files; their contents count as a change of the site.
    private static func fileChanges(_ before: [String: LoadedSite], _ new: ServerSnapshot) -> [String] {
        var recovered: [String] = []
        var stale: [String] = []
        var faulty: [String] = []
        for site in new.loadedSites {
            for file in site.otherFiles {
                let name = "\(site.domain)/\(file.name)"
                let previous = before[site.domain]?.otherFiles.first { $0.name == file.name }
                if file.isStale {
                    stale.append(name)
                } else if file.isRefused {
                    faulty.append(name)
                } else if previous?.isStale == true, file.serves(sameAs: previous) {
                    recovered.append(name)
                }
            }
        }
        return [
            phrase(recovered, "file", "valid again"), kept(stale, "file"),
            phrase(faulty, "file", "without a good version"),
        ].compactMap { $0 }
    }

    private static func certificateChanges(_ old: ServerSnapshot, _ new: ServerSnapshot) -> [String] {
        let before = Dictionary(old.allPairs.map { ($0.path, $0) }) { first, _ in first }
        let now = Set(new.allPairs.map(\.path))
        let waiting = Set(new.pendingPairs.map(\.folder))
        let refused = new.pairProblems.map(\.folder).filter { !waiting.contains($0) && !now.contains($0) }
        var added: [String] = []
        var changed: [String] = []
        var recovered: [String] = []
        for pair in new.allPairs where !pair.isKept {
            guard let previous = before[pair.path] else {
                added.append(pair.path)
                continue
            }
            if previous.digest != pair.digest {
                changed.append(pair.path)
            } else if previous.isKept {
                recovered.append(pair.path)
            }
        }
        return [
            phrase(added, "certificate", "added"), phrase(changed, "certificate", "changed"),
            phrase(old.allPairs.map(\.path).filter { !now.contains($0) }, "certificate", "removed"),
            phrase(recovered, "certificate", "valid again"),
            kept(new.allPairs.filter { $0.isKept && !waiting.contains($0.path) }.map(\.path), "certificate"),
            phrase(refused, "certificate", "refused"),
            Self.waiting(new.pendingPairs.map(\.folder)),
        ].compactMap { $0 }
    }

    /// `waiting for a matching key: certs/a (retrying for 60 s)`; nothing for none.
    static func waiting(_ folders: [String]) -> String? {
        guard !folders.isEmpty else { return nil }
        let rest = folders.count > mostNames ? ", …" : ""
        let names = folders.prefix(mostNames).joined(separator: ", ")
        return "waiting for a matching key: \(names)\(rest) (retrying for \(PairRetries.seconds) s)"
    }

    private static func kept(_ names: [String], _ noun: String) -> String? {
        phrase(names, noun, "kept at \(names.count == 1 ? "its" : "their") last good version")
    }

    /// `2 sites changed (a.example, b.example)`; nothing for none.
    private static func phrase(_ names: [String], _ noun: String, _ change: String) -> String? {
        guard !names.isEmpty else { return nil }
        let rest = names.count > mostNames ? ", …" : ""
        return "\(counted(names.count, noun)) \(change) (\(names.prefix(mostNames).joined(separator: ", "))\(rest))"
    }
}

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
