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
    /// - Throws: ``AssociationError`` if the bytes are not sound JSON. Nothing else in a file is refused.
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

    /// A document of nothing but universal links, which need not stand in the text.
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
