internal import Diagnostics
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

extension Linter {
    /// Checks a file by the rules of its kind; `.other` has none.
    package func check(_ bytes: [UInt8], path: String, as kind: FileKind) -> LintResult {
        switch kind {
        case .association: check(bytes, path: path)
        case .assetLinks: checkAssetLinks(bytes, path: path)
        case .json: checkJSON(bytes, path: path)
        case .other: result(SourceText(bytes, path: path), [], [], isTreeReliable: false, isAsInFile: true)
        }
    }

    /// As `check`, with all findings about the syntax as far as anybody would fix them, not the first 20.
    func checkAll(_ bytes: [UInt8], path: String, as kind: FileKind) -> LintResult {
        switch kind {
        case .association: checkAll(bytes, path: path)
        case .assetLinks:
            checkAssetLinks(
                bytes, path: path, syntaxFindings: Self.mostSyntaxFindings, findingLimit: Self.mostFindings)
        case .json, .other: check(bytes, path: path, as: kind)
        }
    }
}
