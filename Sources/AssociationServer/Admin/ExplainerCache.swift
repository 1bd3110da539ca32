internal import AppSiteAssociation
internal import AssociationLint
internal import Diagnostics
internal import HTTP1
internal import UniversalLinks

/// Keeps what explains the decisions of a few files: to make one costs more than to ask it.
struct ExplainerCache {
    /// The longest file that is explained, in bytes: eight times what Apple's systems read.
    ///
    /// A longer one would keep the admin listener busy for seconds.
    static let longestFile = 1 << 20
    /// No more are kept, nor more than of `longestFile` bytes together: each takes many times the memory of its file.
    static let capacity = 16

    private struct Key: Equatable {
        let sha256: String
        let domain: String?
    }

    /// The one that was asked last comes last.
    private var entries: [(key: Key, bytes: Int, explainer: RoutingExplainer)] = []

    /// - Parameters:
    ///   - site: names the file in messages.
    ///   - domain: for which the file speaks; `nil` is any.
    mutating func explainer(
        _ file: ServedSite.File, of site: String, domain: String?
    ) throws(AdminRefusal) -> RoutingExplainer {
        let key = Key(sha256: file.sha256, domain: domain)
        if let place = entries.firstIndex(where: { $0.key == key }) {
            let entry = entries.remove(at: place)
            entries.append(entry)
            return entry.explainer
        }
        let explainer = try Self.make(file, of: site, domain: domain)
        while !entries.isEmpty, entries.count >= Self.capacity || bytes + file.bytes.count > Self.longestFile {
            entries.removeFirst()
        }
        entries.append((key, file.bytes.count, explainer))
        return explainer
    }

    private var bytes: Int { entries.reduce(0) { $0 + $1.bytes } }

    private static func make(
        _ file: ServedSite.File, of site: String, domain: String?
    ) throws(AdminRefusal) -> RoutingExplainer {
        guard file.bytes.count <= longestFile else {
            throw AdminRefusal(
                .serviceUnavailable,
                "the file of \(site) has more than \(longestFile) bytes; ask 'aasa route' about it")
        }
        let document = try document(file.bytes, of: site)
        do throws(RouterError) {
            return RoutingExplainer(
                try domain.map { name throws(RouterError) in try UniversalLinkRouter(document, domain: name) }
                    ?? UniversalLinkRouter(anyDomain: document))
        } catch {
            throw AdminRefusal(.badRequest, "parameter 'domain': \(error)")
        }
    }

    private static func document(_ bytes: [UInt8], of site: String) throws(AdminRefusal) -> AssociationDocument {
        var bytes = bytes
        // What is published has passed the validator; a file that cannot be read here would be a bug there.
        switch SignedAssociationFile.unwrap(bytes) {
        case .content(let content, _, _, _): bytes = content
        case .unreadable(let reason):
            throw AdminRefusal(.serviceUnavailable, "the signature of the file of \(site): \(reason)")
        case nil: break
        }
        do throws(AssociationError) {
            return try AssociationDocument(bytes)
        } catch {
            throw AdminRefusal(.serviceUnavailable, "the file of \(site) cannot be read: \(error)")
        }
    }
}
