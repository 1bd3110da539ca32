import AppSiteAssociation
import AssociationFiles
import AssociationLint
import PatternAnalysis

/// The changes when bytes replace others.
enum PublicationDiff {
    /// The changes of an association file, for links.
    case association(LinkComparison, old: AssociationDocument, new: AssociationDocument)
    /// The changes of a `links.json`: of links and pages.
    case links(LinksDifference)

    /// - Returns: nil if one of them cannot be read, or nothing is known of such files.
    init?(
        of name: String, old: [UInt8], oldPath: String, new: [UInt8], newPath: String, host: String,
        limits: ComparisonLimits = ComparisonLimits()
    ) {
        switch name {
        case FileNameOption.standard:
            guard let old = Self.document(old, oldPath), let new = Self.document(new, newPath) else { return nil }
            self = .association(LinkComparison(old: old, new: new, host: host, limits: limits), old: old, new: new)
        case SiteFile.links.name:
            guard let difference = LinksDifference(old: old, new: new) else { return nil }
            self = .links(difference)
        default: return nil
        }
    }

    private static func document(_ bytes: [UInt8], _ path: String) -> AssociationDocument? {
        var bytes = bytes
        switch SignedAssociationFile.unwrap(bytes) {
        case .content(let content, _, _, _): bytes = content
        case .unreadable: return nil
        case nil: break
        }
        return try? AssociationDocument(bytes, path: path)
    }
}
