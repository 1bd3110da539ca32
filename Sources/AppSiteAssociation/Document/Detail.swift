public import Diagnostics
internal import JSONSyntax

/// An entry of `details`: apps, and the rules that say which URLs they open.
public struct Detail: Sendable {
    public let range: SourceRange
    /// The index of the entry in `details`, counted from 0; entries that are not objects count too.
    public let index: Int
    /// The apps, as the system takes them: `appIDs` if it is there, else `appID`.
    public let appIDs: [Located<String>]
    /// `defaults` for the components of this entry.
    public let defaults: Component?
    /// `components`; nil if it is not there.
    public let components: [Component]?
    /// The legacy `paths`, as written; nil if it is not there. Ignored beside `components`.
    public let paths: [Located<String>]?
    /// What decides about a URL, in the order in which it is asked.
    public let rules: [Rule]
    /// The rules of `paths` beside `components`, which only iOS 12 and older ask; empty if `rules` are all that there are.
    package let rulesBesideComponents: [Rule]

    /// An entry that is in no file.
    package init(app: String, rules: [Rule]) {
        range = SourceRange(start: 0, end: 0)
        index = 0
        appIDs = [Located(app, at: range)]
        defaults = nil
        components = nil
        paths = nil
        self.rules = rules
        rulesBesideComponents = []
    }

    /// The same entry for some of its apps.
    package init(_ detail: Detail, appIDs: [Located<String>]) {
        range = detail.range
        index = detail.index
        self.appIDs = appIDs
        defaults = detail.defaults
        components = detail.components
        paths = detail.paths
        rules = detail.rules
        rulesBesideComponents = detail.rulesBesideComponents
    }

    /// The same entry with other rules.
    package init(_ detail: Detail, rules: [Rule]) {
        range = detail.range
        index = detail.index
        appIDs = detail.appIDs
        defaults = detail.defaults
        components = detail.components
        paths = detail.paths
        self.rules = rules
        rulesBesideComponents = []
    }

    init?(
        _ node: JSONNode, index: Int, app: Located<String>?, pointer: JSONPointer, domainDefaults: Component?,
        source: SourceText
    ) {
        guard let object = node.object else { return nil }
        range = node.range
        self.index = index
        let single = object["appID"].flatMap { node in node.string.map { [Located($0.text, at: node.range)] } }
        appIDs = app.map { [$0] } ?? object["appIDs"]?.strings ?? single ?? []
        let defaults = object["defaults"].flatMap { Component($0, ListPointer(pointer.member("defaults"))) }
        self.defaults = defaults

        let list = pointer.member("components")
        let components: [(Int, Component)]? = object["components"]?.array.map { nodes in
            nodes.enumerated().compactMap { index, node in
                Component(node, ListPointer(list, index)).map { (index, $0) }
            }
        }
        let paths: [(Int, Located<String>)]? = object["paths"]?.array.map { nodes in
            nodes.enumerated().compactMap { index, node in
                node.string.map { (index, Located($0.text, at: node.range)) }
            }
        }
        self.components = components?.map { $0.1 }
        self.paths = paths?.map { $0.1 }
        let here = pointer.member("paths")
        let legacy = (paths ?? []).map {
            Rule(legacyPath: $0.1, index: $0.0, detail: index, pointer: here, source: source)
        }
        if let components {
            let levels = [defaults, domainDefaults].compactMap { $0 }
            rules = components.map { Rule($0.1, index: $0.0, detail: index, defaults: levels, source: source) }
            rulesBesideComponents = legacy
        } else {
            rules = legacy
            rulesBesideComponents = []
        }
    }

    /// Whether the entry decides about any URL.
    package var canDecide: Bool { OpenDecisions.canDecide(hasApps: !appIDs.isEmpty, hasRules: !rules.isEmpty) }
}

extension [Detail] {
    /// The app IDs of all entries, each once.
    package var appIDs: [String] { OpenDecisions.listed(flatMap(\.appIDs).map(\.value)) }
}
