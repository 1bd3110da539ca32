import AppSiteAssociation
import AssociationFiles
import AssociationLint
import PatternAnalysis

/// The changes for links when bytes replace others.
struct PublicationDiff {
    let comparison: LinkComparison
    let old: AssociationDocument
    let new: AssociationDocument

    /// - Returns: nil if one of them is no association file that can be read.
    init?(
        old: [UInt8], oldPath: String, new: [UInt8], newPath: String, host: String,
        limits: ComparisonLimits = ComparisonLimits()
    ) {
        guard let old = Self.document(old, oldPath), let new = Self.document(new, newPath) else { return nil }
        self.old = old
        self.new = new
        comparison = LinkComparison(old: old, new: new, host: host, limits: limits)
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
