internal import Diagnostics

/// The part of an Android manifest in its source form that is about links.
package struct AppManifest: Sendable {
    /// The name of the app; nil if the manifest has none, or only a build tells.
    package let package: String?
    /// The filters for web links of all activities and aliases, in file order; also those that get none because they lack
    /// the category DEFAULT, or because their activity is not exported or not enabled.
    package let filters: [LinkFilter]
    /// All filters meant for the web, also those to which no link comes, such as one with a content type.
    let allFilters: [LinkFilter]
    /// The version of Android that reads it.
    let api: Int
    private let values: BuildValues

    /// - Parameters:
    ///   - api: The version of Android that reads it.
    ///   - values: The values that the build gives to names.
    package init(_ root: XMLElement, api: Int = ManifestDecisions.api, values: BuildValues = BuildValues()) {
        let tree = ManifestTree(root)
        let name = root.attribute("package").flatMap { values.value(of: $0.value) }
        self.package = name?.isEmpty == true ? nil : name
        self.api = api
        self.values = values
        allFilters = tree.applications.flatMap { application in
            tree.activities(of: application).flatMap { activity in
                tree.children(of: activity, named: "intent-filter").compactMap { element in
                    FilterReader(tree: tree, application: application, activity: activity, api: api, values: values)
                        .filter(element)
                }
            }
        }
        filters = allFilters.filter(\.takesWebLinks)
    }

    /// The values of the conditions on paths, in which a `*` stands for any text as in dynamic rules.
    package var pathTexts: [String] {
        filters.flatMap { filter -> [String] in
            let conditions = filter.groups.flatMap(\.conditions).filter { $0.part == .path }.map(\.condition)
            return (filter.paths + conditions).map(\.wildcardText)
        }
    }

    /// The advice about a value, as it is written, that only a build tells.
    ///
    /// - Parameter name: What the advice calls the value.
    package func advice(about raw: String, name: String = "it") -> String { values.advice(about: raw, name: name) }

    /// The first host, as it is written, that only a build tells; nil if there is none.
    package var unresolvedHost: String? { allFilters.lazy.flatMap(\.authorities).first { $0.host == nil }?.raw }
}

/// Reads a filter of an activity.
private struct FilterReader {
    let tree: ManifestTree
    let application: XMLElement
    let activity: XMLElement
    let api: Int
    let values: BuildValues

    /// - Returns: Nil if it has no data for the web. One with hosts and without a scheme is meant for the web.
    func filter(_ element: XMLElement) -> LinkFilter? {
        var filter = LinkFilter(
            range: element.tagRange, activity: tree.attribute("name", of: activity)?.value, api: api)
        func flag(_ name: String, of element: XMLElement, missing: Bool, _ part: FilterPart) -> Decision {
            let flag = tree.flag(name, of: element, missing: missing, values)
            if flag == .undecided, filter.unresolvedFlags[part] == nil {
                filter.unresolvedFlags[part] = tree.attribute(name, of: element)?.value
            }
            return flag
        }
        filter.isEnabled = .all([application, activity].map { flag("enabled", of: $0, missing: true, .enabled) })
        filter.isExported = flag(
            "exported", of: activity, missing: ManifestDecisions.filtersExportTheirActivity, .exported)
        filter.asksForVerification = flag("autoVerify", of: element, missing: false, .verification)
        let categories = Set(tree.names("category", in: element))
        filter.hasViewAction = tree.names("action", in: element).contains(IntentName.view)
        filter.hasBrowsableCategory = categories.contains(IntentName.browsable)
        filter.hasDefaultCategory = categories.contains(IntentName.defaultCategory)
        for child in tree.children(of: element) {
            if child.name == "data" {
                filter.add(values) { tree.attribute($0, of: child)?.value }
            } else if child.name == WrittenFilter.groupName {
                filter.add(FilterGroup(child, tree, values))
            }
        }
        return filter.isForWeb || filter.schemes.isEmpty && !filter.authorities.isEmpty ? filter : nil
    }
}
