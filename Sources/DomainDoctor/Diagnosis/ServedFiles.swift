internal import AssociationFiles
internal import HTTPClient

/// The files that a host serves to Apple's and Google's fetchers, whatever is wrong in them.
package struct ServedFiles: Sendable {
    /// Nil for one that is not there or was not received whole, as the next one.
    package var association: [UInt8]?
    package var assetLinks: [UInt8]?

    /// The names of those that are there.
    var names: [String] {
        [(association, AssociationFileName.name), (assetLinks, "assetlinks.json")].filter { $0.0 != nil }.map(\.1)
    }
}

extension DomainDiagnoser {
    /// The files that were got, after all steps.
    var files: ServedFiles {
        var files = ServedFiles()
        if let response = live?.response, !response.isTruncated { files.association = response.body }
        let isRead = steps.contains { $0.id == .assetlinks && $0.status != .skipped }
        if isRead, case .success(let response)? = seen.assetLinks, response.status == 200, !response.isTruncated {
            files.assetLinks = response.body
        }
        return files
    }
}
