import AppSiteAssociation
import AssociationConsole
import Diagnostics
import PatternAnalysis
import PostgreSQLStore
import SiteStore

/// The files of a change, as `aasa publish` shows what changes: for the console of a server.
enum ChangeFiles {
    /// Compares the files, all of them with the work that one comparison may take.
    static func compared(_ files: [StoreAudit.File]) -> [ConsoleChange.File] {
        var limits = ComparisonLimits()
        return files.map { file in
            var report: DiffReport?
            var notes: [String]?
            switch limits.work > 0 ? diff(file, limits) : nil {
            case .association(let comparison, let old, let new)?:
                limits.work -= comparison.work
                report = DiffReport(comparison, old: old.source.path, new: new.source.path)
            case .links(let difference)?: notes = difference.lines
            case nil: break
            }
            let contents = [("old", file.old), ("new", file.new)].compactMap { name, content in
                content.map { "\(name): \($0.digest.hex), \(counted($0.size, "byte"))" }
            }
            let kind = file.new == nil ? ", removed" : file.old == nil ? ", new" : ""
            return ConsoleChange.File(
                name: file.key.description,
                summary: "version \(file.version)\(kind)" + (file.message.map { ": \($0)" } ?? ""),
                report.map { report in
                    (report.entries + report.undecided).map {
                        .init(kind: $0.kind, subject: $0.subject, details: $0.details)
                    }
                }, notes: notes ?? report?.notes ?? contents)
        }
    }

    private static func diff(_ file: StoreAudit.File, _ limits: ComparisonLimits) -> PublicationDiff? {
        guard let old = file.old?.bytes, let new = file.new?.bytes else { return nil }
        return PublicationDiff(
            of: file.key.name, old: old, oldPath: "version \(file.version - 1)", new: new,
            newPath: "version \(file.version)",
            host: DomainArgument(domain: file.key.domain).host, limits: limits)
    }
}
