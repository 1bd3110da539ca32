internal import URLPatterns

extension AssociationDocument {
    /// The file as iOS 12 and older read it: the `paths` of entries with a single app. Nil if they refuse the file, which they do
    /// without an empty `apps`.
    package var forOldSystems: AssociationDocument? {
        guard let appLinks, appLinks.apps?.isEmpty == true else { return nil }
        let details = appLinks.details.compactMap { detail in
            detail.singleApp.map { Detail(Detail(detail, appIDs: [$0]), rules: detail.legacyRules) }
        }
        return AssociationDocument(appLinks: AppLinks(details, SubstitutionVariables()), source: source)
    }
}
