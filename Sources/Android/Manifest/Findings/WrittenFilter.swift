internal import URLPatterns

/// An intent filter as it is written, with the values of all its `<data>`.
struct WrittenFilter {
    typealias Attribute = XMLElement.Attribute

    let element: XMLElement
    let data: [XMLElement]
    let groups: [(element: XMLElement, data: [XMLElement])]
    /// The names of its actions and categories.
    let actions: [Attribute]
    let categories: [Attribute]
    let schemes: [Attribute]
    let hosts: [Attribute]
    /// The first attribute for a type of content, which no link has.
    let contentType: Attribute?
    /// Whether it has `android:autoVerify="true"`.
    let asksForVerification: Decision
    /// Whether it can be for links of the web; also if a scheme is almost one of them.
    let isForWeb: Bool

    init(_ element: XMLElement, _ tree: ManifestTree, _ values: BuildValues) {
        let children = tree.children(of: element)
        func names(_ kind: String) -> [Attribute] {
            children.filter { $0.name == kind }.compactMap { tree.attribute("name", of: $0) }
        }
        self.element = element
        let data = children.filter { $0.name == "data" }
        self.data = data
        groups = children.filter { $0.name == Self.groupName }.map { ($0, tree.children(of: $0, named: "data")) }
        (actions, categories) = (names("action"), names("category"))
        let schemes = data.compactMap { tree.attribute("scheme", of: $0) }
        let hosts = data.compactMap { tree.attribute("host", of: $0) }
        (self.schemes, self.hosts) = (schemes, hosts)
        contentType =
            data.lazy.compactMap {
                tree.attribute("mimeType", of: $0) ?? tree.attribute("mimeGroup", of: $0)
            }.first
        let asks = tree.flag("autoVerify", of: element, missing: false, values)
        asksForVerification = asks
        isForWeb = schemes.contains { scheme in
            // An unknown one alone is that of the app itself, as for the redirect of a login.
            values.value(of: scheme.value).map { LinkFilter.isForWeb(Self.plain(scheme: $0)) }
                ?? (!hosts.isEmpty || asks != .no)
        }
    }

    static let groupName = "uri-relative-filter-group"

    var isView: Bool { actions.contains { $0.value == IntentName.view } }

    var isBrowsable: Bool { categories.contains { $0.value == IntentName.browsable } }

    /// Whether links from outside of the app are what it asks for.
    var wantsLinks: Bool { isView && isForWeb && contentType == nil && (isBrowsable || asksForVerification != .no) }

    /// The scheme that is meant: without what a URL has after it, without white space, in lower case.
    static func plain(scheme: String) -> String {
        let isSpace = \Unicode.Scalar.properties.isWhitespace
        let scalars = scheme.unicodeScalars.drop { $0[keyPath: isSpace] }
        return String(scalars.prefix { $0 != ":" && $0 != "/" && !$0[keyPath: isSpace] }).lowercased()
    }
}
