package import Diagnostics

/// An element of a manifest, with where it is: what is needed of an XML tree, whoever has read it.
package struct ManifestElement: Sendable {
    package struct Attribute: Sendable {
        /// The name with its prefix, as it is written.
        package let name: String
        /// References resolved.
        package let value: String
        /// The bytes between the quotes.
        package let range: SourceRange

        package init(name: String, value: String, range: SourceRange) {
            self.name = name
            self.value = value
            self.range = range
        }
    }

    /// The name with its prefix, as it is written.
    package let name: String
    package let attributes: [Attribute]
    package let children: [ManifestElement]
    /// The start tag.
    package let tagRange: SourceRange

    package init(name: String, attributes: [Attribute], children: [ManifestElement], tagRange: SourceRange) {
        self.name = name
        self.attributes = attributes
        self.children = children
        self.tagRange = tagRange
    }

    /// The value of an attribute, by its name with its prefix.
    package func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }
}

/// The parts of a manifest that are about links, without what `tools:node="remove"` takes away.
struct ManifestTree {
    let root: ManifestElement
    /// The prefix of Android's attributes, with its colon.
    private let android: String
    /// The prefix of the build tools' attributes, with its colon.
    private let tools: String

    init(_ root: ManifestElement) {
        self.root = root
        func prefix(of namespace: String, else usual: String) -> String {
            let declaration = root.attributes.first { $0.value == namespace && $0.name.hasPrefix("xmlns:") }
            return "\(declaration?.name.dropFirst("xmlns:".count) ?? Substring(usual)):"
        }
        android = prefix(of: "http://schemas.android.com/apk/res/android", else: "android")
        tools = prefix(of: "http://schemas.android.com/tools", else: "tools")
    }

    var applications: [ManifestElement] { children(of: root, named: "application") }

    /// The activities and aliases of an application.
    func activities(of application: ManifestElement) -> [ManifestElement] {
        children(of: application).filter { $0.name == "activity" || $0.name == "activity-alias" }
    }

    func children(of element: ManifestElement) -> [ManifestElement] {
        element.children.filter { $0.attribute("\(tools)node")?.value != "remove" }
    }

    func children(of element: ManifestElement, named name: String) -> [ManifestElement] {
        children(of: element).filter { $0.name == name }
    }

    /// One of Android's attributes, by its name without a prefix.
    func attribute(_ name: String, of element: ManifestElement) -> ManifestElement.Attribute? {
        element.attribute(android + name)
    }

    /// The name of one of Android's attributes, with the prefix that the manifest has for them.
    func prefixed(_ name: String) -> String { android + name }

    /// The name of one of Android's attributes without its prefix; nil for any other.
    func unprefixed(_ name: String) -> String? {
        name.hasPrefix(android) ? String(name.dropFirst(android.count)) : nil
    }

    /// The value of an attribute that is true or false.
    func flag(_ name: String, of element: ManifestElement, missing: Bool, _ values: BuildValues) -> Decision {
        guard let raw = attribute(name, of: element)?.value else { return Decision(missing) }
        return values.value(of: raw).map { Decision($0.lowercased().utf8.elementsEqual("true".utf8)) } ?? .undecided
    }

    /// The names of the actions or categories of a filter.
    func names(_ kind: String, in filter: ManifestElement) -> [String] {
        children(of: filter, named: kind).compactMap { attribute("name", of: $0)?.value }
    }
}

/// The names in a filter that make it one for links.
enum IntentName {
    static let view = "android.intent.action.VIEW"
    static let browsable = "android.intent.category.BROWSABLE"
    static let defaultCategory = "android.intent.category.DEFAULT"
}
