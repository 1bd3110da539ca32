internal import Diagnostics

/// The part of an Android manifest in its source form that is about links.
package struct AppManifest: Sendable {
    /// The name of the app; nil if the manifest has none, or only a build tells.
    package let package: String?
    /// The filters for web links of all activities and aliases, in file order; also those that get none because they lack
    /// the category DEFAULT, or because their activity is not exported.
    package let filters: [LinkFilter]

    /// - Parameters:
    ///   - api: The version of Android that reads it.
    ///   - values: The values that the build gives to names.
    package init(_ root: ManifestElement, api: Int = ManifestDecisions.api, values: BuildValues = BuildValues()) {
        let tree = ManifestTree(root)
        let name = root.attribute("package").flatMap { values.value(of: $0.value) }
        self.package = name?.isEmpty == true ? nil : name
        filters = tree.activities.flatMap { activity in
            tree.children(of: activity, named: "intent-filter").compactMap { element in
                FilterReader(tree: tree, activity: activity, api: api, values: values).filter(element)
            }
        }
    }
}

/// Reads a filter of an activity.
private struct FilterReader {
    let tree: ManifestTree
    let activity: ManifestElement
    let api: Int
    let values: BuildValues

    /// - Returns: Nil if it takes no web links.
    func filter(_ element: ManifestElement) -> LinkFilter? {
        let categories = Set(tree.names("category", in: element))
        guard tree.names("action", in: element).contains(IntentName.view), categories.contains(IntentName.browsable)
        else { return nil }
        var filter = LinkFilter(
            range: element.tagRange, activity: tree.attribute("name", of: activity)?.value, api: api)
        // What only a build tells is taken for what it is there for.
        filter.asksForVerification = flag("autoVerify", of: element, missing: false) ?? true
        filter.hasDefaultCategory = categories.contains(IntentName.defaultCategory)
        filter.isExported =
            flag("exported", of: activity, missing: ManifestDecisions.filtersExportTheirActivity) ?? true
        for child in tree.children(of: element) {
            if child.name == "data" {
                filter.add(values) { tree.attribute($0, of: child)?.value }
            } else if child.name == "uri-relative-filter-group" {
                var group = FilterGroup(allows: flag("allow", of: child, missing: true))
                for data in tree.children(of: child, named: "data") {
                    group.add(values) { tree.attribute($0, of: data)?.value }
                }
                filter.add(group)
            }
        }
        return filter.takesWebLinks ? filter : nil
    }

    /// The value of an attribute that is true or false; nil if only a build tells.
    private func flag(_ name: String, of element: ManifestElement, missing: Bool) -> Bool? {
        guard let raw = tree.attribute(name, of: element)?.value else { return missing }
        return values.value(of: raw).map { $0.lowercased() == "true" }
    }
}
