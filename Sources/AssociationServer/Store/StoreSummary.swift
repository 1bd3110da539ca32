internal import Diagnostics
internal import SiteStore

/// The line in the log about a change in a store.
struct StoreSummary: CustomStringConvertible {
    /// No more names are listed.
    private static let mostNames = 10

    let changes: StoreSites.Changes
    let position: StorePosition
    let snapshot: ServerSnapshot
    /// The names of the certificates that are new, other, or gone.
    let certificates: [String]
    /// From when the change was noticed to when all loops served it.
    let milliseconds: Int64

    /// `store: generation 811 → 812: 1 site changed (example.com); now 3 sites, 1 certificate; 12 ms`.
    var description: String {
        var left = Self.mostNames
        let parts = [
            Self.phrase(changes.added, "site", "added", &left),
            Self.phrase(changes.changed, "site", "changed", &left),
            Self.phrase(changes.removed, "site", "removed", &left),
            Self.phrase(certificates, "certificate", "changed", &left),
            Self.phrase(changes.refused.map(\.description), "file", "refused", &left),
        ].compactMap { $0 }
        let what = parts.isEmpty ? "nothing that is served has changed" : parts.joined(separator: ", ")
        let time =
            milliseconds < 1_000 ? "\(milliseconds) ms" : "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
        return "store: generation \(generations): \(what); now \(snapshot.summary); \(time)"
    }

    /// Whether nothing that is served has changed, and nothing is refused.
    var isEmpty: Bool { changes.isEmpty && certificates.isEmpty }

    private var generations: String {
        guard let before = changes.before, before.generation != position.generation else {
            return "\(position.generation)"
        }
        return "\(before.generation) → \(position.generation)"
    }

    /// - Parameter left: how many names may still be listed.
    private static func phrase(_ names: [String], _ noun: String, _ change: String, _ left: inout Int) -> String? {
        guard !names.isEmpty else { return nil }
        let shown = names.prefix(left)
        left -= shown.count
        let start = "\(counted(names.count, noun)) \(change)"
        if shown.isEmpty { return start }
        return "\(start) (\(shown.joined(separator: ", "))\(shown.count < names.count ? ", …" : ""))"
    }
}

extension StoreSites {
    /// The changes of an update, and how they are served.
    struct Changes {
        var added: [String] = []
        var changed: [String] = []
        var removed: [String] = []
        /// The files whose new versions are refused.
        var refused: [StoreFileKey] = []
        /// The indices at which there is another site than before, or one before or afterwards only.
        var indices: Set<Int> = []
        var outcome = StoreOutcome()
        /// The generation before.
        var before: StorePosition?

        /// Whether any site is new or gone.
        var hasOtherSites: Bool { !added.isEmpty || !removed.isEmpty }

        /// Whether every site serves what it served before, and nothing is refused.
        var isEmpty: Bool { !hasOtherSites && changed.isEmpty && refused.isEmpty }
    }
}

extension StoreSites {
    /// The finding about files that were too much to be kept.
    static func finding(_ omitted: StoreOmission) -> LocatedDiagnostic {
        let problem =
            switch omitted.limit {
            case .sites(let limit):
                "there are more than \(grouped(limit)) sites; others, such as \(quoted(omitted.first.domain))"
            case .bytes(let limit):
                "the files take more than \(grouped(limit)) bytes; others, or newer versions, such as \(quoted(omitted.first.description))"
            }
        let key = if case .sites = omitted.limit { "limits.sites" } else { "limits.storeBytes" }
        return .error(
            "store", "\(problem), are not served",
            help: "raise '\(key)' in server.json if the memory allows it, and send SIGHUP")
    }
}
