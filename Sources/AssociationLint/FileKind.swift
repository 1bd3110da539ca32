package import Diagnostics
internal import JSONSyntax

/// The kind of file that a check expects.
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

extension RuleDescription {
    package static let unreadableFile = RuleDescription(
        "unreadable-file", .error, subject: .path,
        summary: "a file or folder cannot be read, or a folder has no file to check",
        reason: """
            A file that cannot be read is not checked. This is an error, so that the result is never mistaken for a good \
            one; the exit code is 66.
            """, basis: [.lint],
        bad: "no-such-folder/apple-app-site-association", good: "apple-app-site-association")
}
