/// The parts of a manifest that are about links, without what `tools:node="remove"` takes away.
struct ManifestTree {
    let root: XMLElement
    /// The prefix of Android's attributes, with its colon.
    private let android: String
    /// The prefix of the build tools' attributes, with its colon.
    private let tools: String

    init(_ root: XMLElement) {
        self.root = root
        func prefix(of namespace: String, else usual: String) -> String {
            let declaration = root.attributes.first { $0.value == namespace && $0.name.hasPrefix("xmlns:") }
            return "\(declaration?.name.dropFirst("xmlns:".count) ?? Substring(usual)):"
        }
        android = prefix(of: "http://schemas.android.com/apk/res/android", else: "android")
        tools = prefix(of: "http://schemas.android.com/tools", else: "tools")
    }

    var applications: [XMLElement] { children(of: root, named: "application") }

    /// The activities and aliases of an application.
    func activities(of application: XMLElement) -> [XMLElement] {
        children(of: application).filter(\.isActivity)
    }

    func children(of element: XMLElement) -> [XMLElement] {
        element.children.filter { $0.attribute("\(tools)node")?.value != "remove" }
    }

    func children(of element: XMLElement, named name: String) -> [XMLElement] {
        children(of: element).filter { $0.name == name }
    }

    /// One of Android's attributes, by its name without a prefix.
    func attribute(_ name: String, of element: XMLElement) -> XMLElement.Attribute? {
        element.attribute(android + name)
    }

    /// The name of one of Android's attributes, with the prefix that the manifest has for them.
    func prefixed(_ name: String) -> String { android + name }

    /// The name of one of Android's attributes without its prefix; nil for any other.
    func unprefixed(_ name: String) -> String? {
        name.hasPrefix(android) ? String(name.dropFirst(android.count)) : nil
    }

    /// The value of an attribute that is true or false.
    func flag(_ name: String, of element: XMLElement, missing: Bool, _ values: BuildValues) -> Decision {
        guard let raw = attribute(name, of: element)?.value else { return Decision(missing) }
        return values.value(of: raw).map { Decision($0.lowercased().utf8.elementsEqual("true".utf8)) } ?? .undecided
    }

    /// The names of the actions or categories of a filter.
    func names(_ kind: String, in filter: XMLElement) -> [String] {
        children(of: filter, named: kind).compactMap { attribute("name", of: $0)?.value }
    }
}

extension XMLElement {
    /// Whether it is an activity of an application, or an alias of one.
    var isActivity: Bool { name == "activity" || name == "activity-alias" }
}

/// The names in a filter that make it one for links.
enum IntentName {
    static let view = "android.intent.action.VIEW"
    static let browsable = "android.intent.category.BROWSABLE"
    static let defaultCategory = "android.intent.category.DEFAULT"
}
