internal import Diagnostics

/// What a reload has changed: the line that each one ends with.
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

    /// What is wrong with the files other than association files; their contents count as a change of the site.
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
