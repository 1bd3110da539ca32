public import Diagnostics
package import JSONSyntax

/// An `apple-app-site-association` file, as the system reads it.
///
/// What can be used is used; what is unknown, or of a type that the system does not take, is as if it were not there
/// (matching.md, section 1). To be told about such things is what the validator is for.
public struct AssociationDocument: Sendable {
    /// The text that all ranges refer to.
    public let source: SourceText
    /// `applinks`: universal links. Nil if the file has no such object.
    public let appLinks: AppLinks?
    /// `webcredentials`: the apps that share passwords with the domain.
    public let webCredentials: ServiceApps?
    /// `activitycontinuation`: the apps that take over activities by Handoff.
    public let activityContinuation: ServiceApps?
    /// `appclips`: the app clips of the domain.
    public let appClips: ServiceApps?

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
        webCredentials = nil
        activityContinuation = nil
        appClips = nil
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
    /// What is wrong, in the order of the text.
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

extension JSONObject {
    /// The members that count: of those with equal keys the last, at its own position.
    package var distinctMembers: [JSONMember] {
        var seen = Set<[UInt8]>()
        let kept = members.reversed().filter { seen.insert(Array($0.key.text.utf8)).inserted }
        return kept.reversed()
    }
}
