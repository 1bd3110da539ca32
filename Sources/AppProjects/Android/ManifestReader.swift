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

/// XML among the contents that a file can have.
enum XMLText {
    /// Whether the first character is a bracket, in any encoding that XML has.
    static func isOne(_ bytes: [UInt8]) -> Bool {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : bytes.first.map { $0 >= 0xFE ? 2 : 0 } ?? 0
        return bytes.dropFirst(start).first { ![0x20, 0x09, 0x0A, 0x0D, 0].contains($0) } == UInt8(ascii: "<")
    }

    /// - Returns: Nil if it does not begin like XML.
    static func read(_ bytes: [UInt8], path: String) throws(AppProjectError) -> XMLDocument? {
        guard isOne(bytes) else { return nil }
        do throws(XMLReadingError) {
            return try XMLReader.read(bytes, path: path)
        } catch {
            if case .missingLibrary(let library) = error.code { throw AppProjectError(library, path) }
            throw AppProjectError(
                .unusable, path, "the XML cannot be read: \(error.message)", help: help(error),
                position: error.source.position(at: error.offset))
        }
    }

    /// An `&` that is not the beginning of a reference is the most frequent mistake.
    private static func help(_ error: XMLReadingError) -> String? {
        guard case .malformed = error.code else { return nil }
        let before = error.source.bytes[..<min(error.offset + 1, error.source.bytes.count)].suffix(20)
        guard let mark = before.lastIndex(of: UInt8(ascii: "&")), !before[mark...].contains(UInt8(ascii: ";")) else {
            return nil
        }
        return "write '&amp;' for '&'"
    }
}
