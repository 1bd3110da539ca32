package import AppSiteAssociation

/// Apps that came or went in a service that has no URLs.
package struct ServiceChange: Sendable, Equatable {
    /// `webcredentials`, `activitycontinuation` or `appclips`.
    package let service: String
    /// In the order of the new file.
    package let added: [String]
    /// In the order of the old file.
    package let removed: [String]

    /// The changes from a file to another, in the order of the services' names.
    package static func changes(from old: AssociationDocument, to new: AssociationDocument) -> [ServiceChange] {
        let services: [(String, KeyPath<AssociationDocument, ServiceApps?>)] = [
            ("activitycontinuation", \.activityContinuation), ("appclips", \.appClips),
            ("webcredentials", \.webCredentials),
        ]
        return services.compactMap { name, service in
            let before = old[keyPath: service]?.apps.map(\.value) ?? []
            let after = new[keyPath: service]?.apps.map(\.value) ?? []
            let change = ServiceChange(
                service: name, added: difference(after, without: before), removed: difference(before, without: after))
            return change.added.isEmpty && change.removed.isEmpty ? nil : change
        }
    }

    private static func difference(_ apps: [String], without others: [String]) -> [String] {
        // App IDs are compared byte by byte.
        var seen = Set(others.map { Array($0.utf8) })
        return apps.filter { seen.insert(Array($0.utf8)).inserted }
    }
}
