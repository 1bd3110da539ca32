public import Diagnostics
package import JSONSyntax
public import URLPatterns

/// An `apple-app-site-association` file, as the system reads it.
///
/// What can be used is used; what is unknown, or of a type that the system does not take, is as if it were not there
/// (matching.md, section 1). The validator reports such things.
public struct AssociationDocument: Sendable {
    /// The text that all ranges refer to.
    public let source: SourceText
    /// `applinks`: universal links. Nil if the file has no such object.
    public let appLinks: AppLinks?
    /// `webcredentials`: the apps that share passwords with the domain.
    public private(set) var webCredentials: ServiceApps?
    /// `activitycontinuation`: the apps that take over activities by Handoff.
    public private(set) var activityContinuation: ServiceApps?
    /// `appclips`: the app clips of the domain.
    public private(set) var appClips: ServiceApps?

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - bytes: The file's content, UTF-8, with or without a byte order mark.
    ///   - path: What messages call the file.
    /// - Throws: ``AssociationError`` if the bytes are not valid JSON. Nothing else in a file is refused.
    public init(_ bytes: [UInt8], path: String = "apple-app-site-association") throws(AssociationError) {
        let json = JSONReader.read(bytes, path: path)
        guard json.isUsableWithoutRepairs, let root = json.root else {
            throw AssociationError(.unreadable, source: json.source, diagnostics: json.fatalFindings)
        }
        self.init(root, source: json.source)
    }

    /// Reads a file that is at hand as text.
    public init(_ text: String, path: String = "apple-app-site-association") throws(AssociationError) {
        try self.init(Array(text.utf8), path: path)
    }

    /// A document of nothing but universal links, which need not be in the text.
    package init(appLinks: AppLinks?, source: SourceText) {
        self.source = source
        self.appLinks = appLinks
    }

    package init(_ root: JSONNode, source: SourceText) {
        let file = root.object
        let pointer = JSONPointer()
        self.source = source
        appLinks = file?["applinks"].flatMap { AppLinks($0, pointer: pointer.member("applinks"), source: source) }
        webCredentials = file?["webcredentials"].flatMap(ServiceApps.init)
        activityContinuation = file?["activitycontinuation"].flatMap(ServiceApps.init)
        appClips = file?["appclips"].flatMap(ServiceApps.init)
    }

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

/// Why bytes could not be read as an association file.
public struct AssociationError: Error, Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    public struct Code: Hashable, Sendable {
        private enum Value { case unreadable }
        private let value: Value

        /// The bytes are not valid JSON; the diagnostics say where.
        public static let unreadable = Code(value: .unreadable)
    }

    public let code: Code
    /// The text that the diagnostics refer to.
    public let source: SourceText
    /// The findings, in the order of the text.
    public let diagnostics: [Diagnostic]

    package init(_ code: Code, source: SourceText, diagnostics: [Diagnostic]) {
        self.code = code
        self.source = source
        self.diagnostics = diagnostics
    }

    public var description: String {
        diagnostics.map { $0.line(in: source) }.joined(separator: "\n")
    }
}

/// The apps of a service that has no URLs: `webcredentials`, `activitycontinuation` or `appclips`.
public struct ServiceApps: Sendable {
    public let range: SourceRange
    /// The app IDs of `apps`, as written; empty if there is no such list.
    public let apps: [Located<String>]

    init?(_ node: JSONNode) {
        guard let object = node.object else { return nil }
        range = node.range
        apps = object["apps"].flatMap { $0.strings } ?? []
    }
}

extension JSONNode {
    /// The strings of an array; what is not a string is left out. Nil if this is not an array.
    var strings: [Located<String>]? {
        array?.compactMap { node in node.string.map { Located($0.text, at: node.range) } }
    }
}

/// `applinks`: which apps open which URLs of the domain.
public struct AppLinks: Sendable {
    public let range: SourceRange
    /// `apps`, which must be there and empty for iOS 12 and older.
    public private(set) var apps: [Located<String>]?
    /// `defaults` for the components of all entries.
    public private(set) var defaults: Component?
    public let substitutionVariables: SubstitutionVariables
    /// The entries, in file order.
    public let details: [Detail]
    /// Whether `details` is a dictionary from app ID to entry, as in the betas of iOS 9.
    public private(set) var hasDetailsAsDictionary = false

    /// Entries that need not be in a file.
    package init(_ details: [Detail], _ substitutionVariables: SubstitutionVariables) {
        range = SourceRange(start: 0, end: 0)
        self.substitutionVariables = substitutionVariables
        self.details = details
    }

    init?(_ node: JSONNode, pointer: JSONPointer, source: SourceText) {
        guard let object = node.object else { return nil }
        let defaults = object["defaults"].flatMap { Component($0, ListPointer(pointer.member("defaults"))) }
        range = node.range
        apps = object["apps"]?.strings
        self.defaults = defaults
        substitutionVariables = SubstitutionVariables(object["substitutionVariables"])

        let here = pointer.member("details")
        let details = object["details"]
        hasDetailsAsDictionary = details?.object != nil
        if let entries = details?.array {
            self.details = entries.enumerated().compactMap { index, entry in
                Detail(
                    entry, index: index, app: nil, pointer: here.element(index), domainDefaults: defaults,
                    source: source)
            }
        } else {
            let entries = details?.object?.distinctMembers ?? []
            self.details = entries.enumerated().compactMap { index, entry in
                Detail(
                    entry.value, index: index, app: Located(entry.key.text, at: entry.keyRange),
                    pointer: here.member(entry.key.text), domainDefaults: defaults, source: source)
            }
        }
    }
}

extension SubstitutionVariables {
    init(_ node: JSONNode?) {
        let members = node?.object?.distinctMembers ?? []
        self.init(
            members.compactMap { member in
                member.value.strings.map { SubstitutionVariable(name: member.key.text, values: $0.map(\.value)) }
            })
    }
}

/// An entry of `details`: apps, and the rules that say which URLs they open.
public struct Detail: Sendable {
    public let range: SourceRange
    /// The index of the entry in `details`, counted from 0; entries that are not objects count too.
    public let index: Int
    /// The apps, as the system takes them: `appIDs` if it is there, else `appID`.
    public private(set) var appIDs: [Located<String>]
    /// `defaults` for the components of this entry.
    public private(set) var defaults: Component?
    /// `components`; nil if it is not there.
    public private(set) var components: [Component]?
    /// The legacy `paths`, as written; nil if it is not there. Ignored beside `components`.
    public private(set) var paths: [Located<String>]?
    /// The rules that decide about a URL, in the order in which they are asked.
    public private(set) var rules: [Rule]
    /// The rules of `paths` beside `components`, which only iOS 12 and older ask; empty if `rules` are all that there are.
    package private(set) var rulesBesideComponents: [Rule] = []
    /// The app for which iOS 12 and older read `paths`: that of `appID`, or of the key; they do not know `appIDs`.
    package private(set) var singleApp: Located<String>?

    /// An entry that is in no file.
    package init(app: String, rules: [Rule]) {
        range = SourceRange(start: 0, end: 0)
        index = 0
        appIDs = [Located(app, at: range)]
        self.rules = rules
    }

    /// The same entry for some of its apps.
    package init(_ detail: Detail, appIDs: [Located<String>]) {
        self = detail
        self.appIDs = appIDs
    }

    /// The same entry with other rules.
    package init(_ detail: Detail, rules: [Rule]) {
        self = detail
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
        let single = object["appID"].flatMap { node in node.string.map { Located($0.text, at: node.range) } }
        singleApp = app ?? single
        appIDs = app.map { [$0] } ?? object["appIDs"]?.strings ?? single.map { [$0] } ?? []
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
        }
    }

    /// The legacy rules, which iOS 12 and older ask.
    package var legacyRules: [Rule] {
        rulesBesideComponents.isEmpty ? rules.filter(\.isLegacyPath) : rulesBesideComponents
    }

    /// Whether the entry decides about any URL.
    package var canDecide: Bool { OpenDecisions.canDecide(hasApps: !appIDs.isEmpty, hasRules: !rules.isEmpty) }
}

extension [Detail] {
    /// The app IDs of all entries, each once.
    package var appIDs: [String] { OpenDecisions.listed(flatMap(\.appIDs).map(\.value)) }
}
