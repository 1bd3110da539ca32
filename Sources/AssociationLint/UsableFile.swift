package import Android
package import AppSiteAssociation
package import Diagnostics
internal import JSONSyntax

/// A file from which links can be decided.
package enum UsableFile: Sendable {
    case association(AssociationDocument)
    case assetLinks(AssetLinksDocument)
}

/// Why a file decides no links: the findings because of which it is not read as it is.
package struct UnusableFile: Error {
    package let report: FileReport
}

/// Reads files from which links are to be decided, without the repairs of the validator.
package struct UsableFileReader: Sendable {
    private let unwrap: @Sendable ([UInt8]) -> SignedFile?

    /// - Parameter unwrap: As of ``Linter``.
    package init(unwrap: @escaping @Sendable ([UInt8]) -> SignedFile?) {
        self.unwrap = unwrap
    }

    /// Reads a file of either kind, which its name or its content tells.
    package func read(_ bytes: [UInt8], path: String) throws(UnusableFile) -> UsableFile {
        FileKind(path: path, bytes) == .assetLinks
            ? .assetLinks(try assetLinks(bytes, path: path)) : .association(try association(bytes, path: path))
    }

    /// Reads an association file, a signed one without its signature.
    package func association(_ bytes: [UInt8], path: String) throws(UnusableFile) -> AssociationDocument {
        var bytes = bytes
        switch unwrap(bytes) {
        case .content(let content, _, _, _): bytes = content
        case .unreadable(let reason):
            throw UnusableFile(
                report: FileReport(SourceText([], path: path), [SignatureFindings.unreadable(reason)]))
        case nil: break
        }
        let document: AssociationDocument
        do throws(AssociationError) {
            document = try AssociationDocument(bytes, path: path)
        } catch {
            throw UnusableFile(report: FileReport(error.source, error.diagnostics))
        }
        if document.appLinks == nil, FileKind(path: path) == .assetLinks {
            let finding = Diagnostic(
                .androidAssetLinks, "the file is an asset links file for Android, not an association file")
            throw UnusableFile(report: FileReport(SourceText(bytes, path: path), [finding]))
        }
        return document
    }

    /// Reads an asset links file.
    package func assetLinks(_ bytes: [UInt8], path: String) throws(UnusableFile) -> AssetLinksDocument {
        let json = JSONReader.read(bytes, path: path, limits: .assetLinksFile)
        guard json.isUsableWithoutRepairs, let root = json.root else {
            throw UnusableFile(report: FileReport(json.source, json.fatalFindings))
        }
        guard root.array != nil else {
            let errors = Linter().checkAssetLinks(bytes, path: path).diagnostics.filter { $0.severity == .error }
            throw UnusableFile(report: FileReport(json.source, errors))
        }
        return AssetLinksDocument(json)
    }
}
