internal import AssociationLint
internal import Diagnostics

/// A file that a site may have, as it is known before anything is read.
struct SiteFile: Equatable, Sendable {
    /// As in the folder of the site and in paths.
    let name: String
    let contentType: String
    let kind: FileKind
    /// Whether clients take it for text: then it has to be some.
    var isText: Bool { contentType.prefix(5).lowercased() == "text/" }

    static let association = SiteFile(
        name: "apple-app-site-association", contentType: "application/json", kind: .association)
    static let assetLinks = SiteFile(name: "assetlinks.json", contentType: "application/json", kind: .assetLinks)

    /// Those that are served below `/.well-known/` only.
    ///
    /// - Throws: `ServerError.Code.configuration` for a name or a content type that would not do in an answer.
    static func others(_ configuration: ServerConfiguration) throws(ServerError) -> [SiteFile] {
        var files = [assetLinks]
        for file in configuration.wellKnown where !files.contains(where: { $0.name == file.name }) {
            guard isName(file.name), isContentType(file.contentType) else {
                let expected = "expected the name of a file like 'security.txt', and a media type like 'text/plain'"
                let given = "\(quoted(file.name)) as \(quoted(file.contentType))"
                throw ServerError(.configuration, "'wellKnown' has \(given), which cannot be served; \(expected)")
            }
            files.append(
                SiteFile(
                    name: file.name, contentType: file.contentType, kind: isJSON(file.contentType) ? .json : .other))
        }
        return files
    }

    private static func isName(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count) && !name.hasPrefix(".") && name != association.name
            && name.utf8.allSatisfy { isPrintable($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: " ") }
    }

    /// Whether it can be in the head of an answer, and leaves room there for the other fields.
    private static func isContentType(_ type: String) -> Bool {
        (1...255).contains(type.utf8.count) && type.utf8.allSatisfy(isPrintable)
    }

    private static func isPrintable(_ byte: UInt8) -> Bool { (0x20..<0x7F).contains(byte) }

    /// Whether it is `application/json`, with parameters or without.
    private static func isJSON(_ type: String) -> Bool {
        type.prefix { $0 != ";" && $0 != " " }.lowercased() == "application/json"
    }
}
