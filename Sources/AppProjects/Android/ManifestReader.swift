internal import Diagnostics
internal import XMLDocuments

/// The filters of an Android manifest in its source form.
struct ManifestReader {
    private let document: XMLDocument
    /// The prefix of Android's attributes, with its colon.
    private let prefix: String

    private static let namespace = "http://schemas.android.com/apk/res/android"

    init(_ document: XMLDocument) {
        self.document = document
        let declaration = document.root.attributes.first { $0.value == Self.namespace && $0.name.hasPrefix("xmlns:") }
        prefix = declaration.map { "\($0.name.dropFirst("xmlns:".count)):" } ?? "android:"
    }

    func project(path: String) -> AppProject {
        var project = AppProject(path: path, kind: .manifest)
        if let package = document.root.attribute("package")?.value, !package.isEmpty, !LinkFilter.isUnresolved(package)
        {
            project.packages = [package]
        }
        for application in document.root.children where application.name == "application" {
            for activity in application.children where ["activity", "activity-alias"].contains(activity.name) {
                project.filters += activity.children.compactMap(filter)
            }
        }
        project.filterSource = document.source
        return project
    }

    private func filter(_ element: XMLElement) -> LinkFilter? {
        guard element.name == "intent-filter" else { return nil }
        func names(_ kind: String) -> [String] {
            element.children.filter { $0.name == kind }.compactMap { $0.attribute("\(prefix)name")?.value }
        }
        let categories = Set(names("category"))
        guard names("action").contains("android.intent.action.VIEW"),
            categories.contains("android.intent.category.BROWSABLE")
        else { return nil }
        var filter = LinkFilter(range: element.tagRange)
        let verification = element.attribute("\(prefix)autoVerify")?.value ?? ""
        filter.asksForVerification = verification == "true" || LinkFilter.isUnresolved(verification)
        filter.hasDefaultCategory = categories.contains("android.intent.category.DEFAULT")
        for child in element.children {
            if child.name == "data" {
                filter.add { child.attribute(prefix + $0)?.value }
            } else if child.name == "uri-relative-filter-group" {
                filter.addUndecidedPath()
            }
        }
        return filter.takesWebLinks ? filter : nil
    }
}
