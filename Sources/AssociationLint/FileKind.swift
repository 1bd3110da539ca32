internal import JSONSyntax

/// What a file is checked for.
package enum FileKind: Equatable, Sendable {
    /// An association file of Apple's.
    case association
    /// An `assetlinks.json` of Android's.
    case assetLinks
    /// Any JSON text.
    case json
    /// Something that nothing is known about.
    case other

    /// The kind of an association or asset links file by its name; nil if the name does not tell.
    package init?(path: String) {
        switch path.split(separator: "/").last {
        case "apple-app-site-association", "apple-app-site-association.json": self = .association
        case "assetlinks.json": self = .assetLinks
        default: return nil
        }
    }

    /// The kind of an association or asset links file by its name, and by its content if the name does not tell.
    package init(path: String, _ bytes: [UInt8]) {
        self = FileKind(path: path) ?? (JSONReader.isListOfStatements(bytes) ? .assetLinks : .association)
    }
}
