internal import Android
internal import AppSiteAssociation
internal import AssociationLint
internal import Diagnostics
internal import HTTP1
internal import URLPatterns
internal import UniversalLinks

/// Reads the files of a request that have to be usable.
struct RequestFileReader {
    let unwrap: @Sendable ([UInt8]) -> SignedFile?
    let manifests: ConsoleManifest.Reader

    private var reader: UsableFileReader { UsableFileReader(unwrap: unwrap) }

    /// - Parameter key: The key of the file in the request, which an error names; nil for the request's own.
    func assetLinks(_ file: RequestFile, of key: String? = nil) throws(APIError) -> AssetLinksDocument {
        do throws(UnusableFile) {
            return try reader.assetLinks(file.bytes, path: file.name)
        } catch {
            throw .unusable(error.report, in: key)
        }
    }

    func association(_ file: RequestFile, of key: String? = nil) throws(APIError) -> AssociationDocument {
        do throws(UnusableFile) {
            return try reader.association(file.bytes, path: file.name)
        } catch {
            throw .unusable(error.report, in: key)
        }
    }

    func manifest(_ file: RequestFile, of key: String? = nil) throws(APIError) -> (root: XMLElement, source: SourceText)
    {
        switch manifests(file.bytes, file.name) {
        case .read(let root, let source, _): return (root, source)
        case .unusable(let report): throw .unusable(report, in: key)
        case .unavailable: throw .noManifests(file)
        }
    }
}

extension RequestObject {
    /// The value of `domain`, checked.
    func domain() throws(APIError) -> String? {
        guard let text = try string("domain") else { return nil }
        do throws(RouterError) {
            _ = try DomainName(text)
            return text
        } catch {
            throw refusal(of: "domain", "'domain': \(error)")
        }
    }

    /// - Parameter name: Where the file has none.
    func file(_ key: String, name: String) throws(APIError) -> RequestFile? {
        try object(key, known: RequestFile.keys).map { object throws(APIError) in try RequestFile(object, name: name) }
    }
}

extension APIError {
    static func noManifests(_ file: RequestFile) -> APIError {
        APIError(
            status: .unprocessableContent, code: .unusableFile,
            message: "'\(file.name)' is a manifest, which 'aasa validate' checks")
    }
}
