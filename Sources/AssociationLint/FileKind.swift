package import Diagnostics
internal import JSONSyntax

/// The kind of file that a check expects.
package enum FileKind: Equatable, Sendable {
    /// An association file of Apple's.
    case association
    /// An `assetlinks.json` of Android's.
    case assetLinks
    /// An `AndroidManifest.xml`, whose text ``Linter`` does not read: it checks the tree.
    case manifest
    /// A `links.json`, whose rules are not those of ``Linter``.
    case links
    /// Any JSON text.
    case json
    /// Something that nothing is known about.
    case other

    /// The kind of a file by its name; nil if the name does not tell.
    package init?(path: String) {
        switch path.split(separator: "/").last {
        case "apple-app-site-association", "apple-app-site-association.json": self = .association
        case "assetlinks.json": self = .assetLinks
        case "AndroidManifest.xml": self = .manifest
        case "links.json": self = .links
        default: return nil
        }
    }

    /// The kind of a file by its name, and by its content if the name does not tell.
    package init(path: String, _ bytes: [UInt8]) {
        self =
            FileKind(path: path)
            ?? (ManifestText.isOne(bytes)
                ? .manifest : JSONReader.isListOfStatements(bytes) ? .assetLinks : .association)
    }
}

extension FileKind {
    /// The note on the name of a file that Apple's systems never ask for; nil for any other name.
    package static func note(onName path: String) -> Report.Note? {
        guard path.split(separator: "/").last == "apple-app-site-association.json" else { return nil }
        return Report.Note(
            path: path, message: "Apple never asks for this name; publish it as 'apple-app-site-association'")
    }
}

/// The bytes with which a manifest begins.
private enum ManifestText {
    /// Whether a text is XML with the root `manifest`, or such a manifest as the build compiles it.
    static func isOne(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: [0x03, 0x00, 0x08, 0x00]) { return true }
        var rest = bytes[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        while true {
            rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
            guard rest.first == UInt8(ascii: "<") else { return false }
            // The declaration, comments and instructions come before the root.
            if rest.starts(with: "<?".utf8) {
                rest = after("?>", in: rest)
            } else if rest.starts(with: "<!--".utf8) {
                rest = after("-->", in: rest.dropFirst(4))
            } else {
                let name = rest.dropFirst()
                guard name.starts(with: "manifest".utf8), let end = name.dropFirst(8).first else { return false }
                return end == 0x20 || (0x09...0x0D).contains(end) || end == UInt8(ascii: ">")
                    || end == UInt8(ascii: "/")
            }
        }
    }

    private static func after(_ mark: String, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let mark = Array(mark.utf8)
        var rest = text
        while let start = rest.firstIndex(of: mark[0]) {
            rest = rest[start...]
            if rest.starts(with: mark) { return rest.dropFirst(mark.count) }
            rest = rest.dropFirst()
        }
        return rest.suffix(0)
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
