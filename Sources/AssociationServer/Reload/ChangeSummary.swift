internal import Diagnostics
internal import ServiceHealth
internal import SiteStore

/// The lines in the log that each change of what is served ends with.
enum ChangeSummary {
    /// The line of a reload.
    ///
    /// - Parameters:
    ///   - keys: of the configuration, that have taken effect.
    ///   - unreadable: folders that could not be read: nothing is known of what is in them.
    static func reload(
        _ sites: SiteChanges, _ catalog: SiteCatalog, _ certificates: CertificateChanges, _ new: ServerSnapshot,
        keys: [String], unreadable: [String]
    ) -> String {
        let changes =
            [
                phrase(keys, "setting", "changed"),
                phrase(unreadable, "folder", "unreadable (its earlier content stays)"),
            ] + site(sites, catalog) + certificate(certificates, new)
        let what = changes.compactMap { $0 }.joined(separator: ", ")
        return "reloaded: \(what.isEmpty ? "nothing has changed" : what); now \(new.summary)"
    }

    private static func site(_ changes: SiteChanges, _ catalog: SiteCatalog) -> [String?] {
        let association = SiteState.File.association
        func names(_ keys: Set<StoreFileKey>, isAssociation: Bool) -> [String] {
            keys.lazy.filter { ($0.name == association) == isAssociation }.sorted()
                .map { isAssociation ? $0.domain : $0.description }
        }
        return [
            phrase(changes.added.filter { !$0.isRefused }.map(\.domain), "site", "added"),
            phrase(changes.changed.filter { !$0.isRefused }.map(\.domain), "site", "changed"),
            phrase(changes.removed, "site", "removed"), phrase(changes.recovered, "site", "valid again"),
            kept(names(catalog.stale, isAssociation: true), "site"),
            phrase(names(catalog.refused, isAssociation: true), "site", "without a good version"),
            phrase(changes.recoveredFiles, "file", "valid again"),
            kept(names(catalog.stale, isAssociation: false), "file"),
            phrase(names(catalog.refused, isAssociation: false), "file", "without a good version"),
        ]
    }

    private static func certificate(_ changes: CertificateChanges, _ new: ServerSnapshot) -> [String?] {
        let kept = new.allPairs.filter(\.isKept).map(\.path)
        let waiting = new.pairProblems.filter { $0.waitingSince != nil }.map(\.folder)
        let failures = new.pairProblems.filter { $0.waitingSince == nil }.map(\.folder)
        let used = failures.isEmpty ? [] : Set(new.allPairs.map(\.path))
        return [
            phrase(changes.added, "certificate", "added"), phrase(changes.changed, "certificate", "changed"),
            phrase(changes.removed, "certificate", "removed"),
            phrase(changes.recovered, "certificate", "valid again"),
            self.kept(kept.filter { !waiting.contains($0) }, "certificate"),
            phrase(failures.filter { !used.contains($0) }, "certificate", "refused"),
            self.waiting(waiting),
        ]
    }

    /// `waiting for a matching key: certs/a (retrying for 60 s)`; nothing for none.
    static func waiting(_ folders: [String]) -> String? {
        guard !folders.isEmpty else { return nil }
        return "waiting for a matching key: \(listed(folders, 5)) (retrying for \(PairRetries.seconds) s)"
    }

    private static func kept(_ names: [String], _ noun: String) -> String? {
        phrase(names, noun, "kept at \(names.count == 1 ? "its" : "their") last good version")
    }

    /// The line of a change in a store: `store: generation 811 → 812: 1 site changed (example.com); now 3 sites; 12 ms`.
    ///
    /// - Parameters:
    ///   - certificates: the names of those that are new, other, or gone.
    ///   - milliseconds: from when the change was noticed to when all loops served it.
    static func store(
        _ changes: SiteChanges, _ certificates: [String], from before: StorePosition?, to position: StorePosition,
        _ snapshot: ServerSnapshot, _ milliseconds: Int64
    ) -> String {
        var left = 10
        let parts = [
            phrase(changes.added.map(\.domain), "site", "added", &left),
            phrase(changes.changed.map(\.domain), "site", "changed", &left),
            phrase(changes.removed, "site", "removed", &left),
            phrase(certificates, "certificate", "changed", &left),
            phrase(changes.refused.map(\.description), "file", "refused", &left),
        ].compactMap { $0 }
        let what = parts.isEmpty ? "nothing that is served has changed" : parts.joined(separator: ", ")
        let time =
            milliseconds < 1_000 ? "\(milliseconds) ms" : "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
        let start = before.flatMap { $0.generation == position.generation ? nil : "\($0.generation) → " } ?? ""
        return "store: generation \(start)\(position.generation): \(what); now \(snapshot.summary); \(time)"
    }

    /// `2 sites changed (a.example, b.example)`; nothing for none.
    private static func phrase(_ names: [String], _ noun: String, _ change: String) -> String? {
        var left = 5
        return phrase(names, noun, change, &left)
    }

    /// - Parameter left: how many names may still be listed.
    private static func phrase(_ names: [String], _ noun: String, _ change: String, _ left: inout Int) -> String? {
        guard !names.isEmpty else { return nil }
        let start = "\(counted(names.count, noun)) \(change)"
        let list = left == 0 ? "" : " (\(listed(names, left)))"
        left -= min(left, names.count)
        return start + list
    }

    private static func listed(_ names: [String], _ most: Int) -> String {
        names.prefix(most).joined(separator: ", ") + (names.count > most ? ", …" : "")
    }
}

/// The certificates that are others than before, by their folders.
///
/// Snapshots are compared for it, and not what was read: where nothing that was read can be used, the choice brings back
/// all pairs of the snapshot before. It costs what reading the names of all folders of certificates costs.
struct CertificateChanges {
    private(set) var added: [String] = []
    private(set) var changed: [String] = []
    private(set) var removed: [String] = []
    private(set) var recovered: [String] = []
    /// Whether a pair cannot be used that could be, or was waited for, or could not for another reason.
    private(set) var hasNewProblems = false

    /// Whether a pair is used that was not, or one is gone.
    var hasNews: Bool { !added.isEmpty || !changed.isEmpty || !removed.isEmpty || !recovered.isEmpty }

    /// None, as no certificate was read.
    init() {}

    init(from old: ServerSnapshot, to new: ServerSnapshot) {
        let before = Dictionary(old.allPairs.map { ($0.path, $0) }) { first, _ in first }
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
        let now = Set(new.allPairs.map(\.path))
        removed = old.allPairs.map(\.path).filter { !now.contains($0) }
        let known = Dictionary(old.pairProblems.map { ($0.folder, $0) }) { first, _ in first }
        hasNewProblems =
            new.pairProblems.contains { $0.waitingSince == nil && known[$0.folder] != $0 }
            || new.choiceFindings.contains { $0.isError && !old.choiceFindings.contains($0) }
    }
}
