package import AssociationLint
internal import BoundedText
package import Diagnostics
internal import JSONSyntax
package import LinkPages

/// A file that a site may have below `/.well-known/`, as far as its name and its content type describe it.
package struct SiteFile: Equatable, Sendable {
    /// As in the folder of the site and in paths.
    package let name: String
    package let contentType: String
    package let kind: FileKind

    package static let association = SiteFile(name: AssociationFileName.name, contentType: jsonType)
    package static let assetLinks = SiteFile(name: "assetlinks.json", contentType: jsonType)
    /// The links and pages of a site, which are answered and not served.
    package static let links = SiteFile(name: "links.json", contentType: jsonType)

    private static let jsonType = "application/json"

    package init(name: String, contentType: String) {
        self.name = name
        self.contentType = contentType
        switch FileKind(path: name) {
        case .association: kind = .association
        case .assetLinks: kind = .assetLinks
        case .links: kind = .links
        default: kind = Self.isJSON(contentType) ? .json : .other
        }
    }

    /// A file of a name for which no configuration has a content type.
    package init(name: String) {
        let type: String
        switch name.split(separator: ".").last?.lowercased() {
        case "json": type = Self.jsonType
        case "txt": type = "text/plain"
        default: type = "application/octet-stream"
        }
        self.init(name: name, contentType: FileKind(path: name) == .association ? Self.jsonType : type)
    }

    /// A file that is checked as a kind, whatever it is called.
    package init(kind: FileKind, name: String) {
        self.name = name
        self.kind = kind
        contentType = Self.jsonType
    }

    /// Whether clients take it for text: then it has to be some.
    package var isText: Bool { contentType.prefix(5).lowercased() == "text/" }

    /// Whether a media type is `application/json`, with parameters or without.
    private static func isJSON(_ type: String) -> Bool {
        type.prefix { $0 != ";" && $0 != " " }.lowercased() == jsonType
    }

    /// The reason why bytes are not published as this file, whatever is in them; nil if there is none.
    ///
    /// - Parameters:
    ///   - path: What messages call the file.
    ///   - limit: The most bytes that the file may have.
    func refusal(of bytes: [UInt8], path: String, limit: Int) -> Diagnostic? {
        guard bytes.count <= limit else { return tooLarge(limit) }
        // First: what the validator says quotes the text.
        if let finding = PrivateKeyDetector.finding(in: bytes) { return finding }
        guard isText, !Self.isText(bytes) else { return nil }
        return Diagnostic(
            code: .unnamed, severity: .error,
            message: """
                the file is served as '\(contentType)', but is not text; expected UTF-8 without control characters other \
                than tab, line feed and carriage return
                """, subject: .file(path))
    }

    private func tooLarge(_ limit: Int) -> Diagnostic {
        let isLowered = limit < FileSizes.published
        return Diagnostic(
            .fileTooLarge,
            "the file has more than \(grouped(limit)) bytes" + (isLowered ? " ('limits.fileBytes')" : ""),
            notes: kind == .association && limit >= FileSizes.association
                ? ["the system ignores files of more than \(grouped(FileSizes.association))"] : [])
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validUnbounded: bytes) else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .control || scalar == "\t" || scalar == "\n" || scalar == "\r"
        }
    }
}

/// The decision about the bytes of a file.
package struct FileJudgement {
    /// The findings in the file, and what was suppressed of them.
    package let report: FileReport
    /// The findings in the `.aasa.json` that came with the file: they are no fault of the file.
    package let configuration: FileReport?
    /// The entries of the nearest `.aasa.json` that are about the file; nil without one.
    package let suppression: SuppressionUse?
    /// The content of a `links.json` without errors; nil for every other file.
    package var links: LinksContent?

    /// Whether the file may be published and served: it has no errors.
    package var isAcceptable: Bool { !report.diagnostics.contains { $0.severity >= .error } }

    /// The findings in the file, then those in its configuration.
    package var findings: [LocatedDiagnostic] { report.located + (configuration?.located ?? []) }
}

extension FileReport {
    /// The findings with their places, which need no text any more.
    package var located: [LocatedDiagnostic] {
        diagnostics.map { finding in
            if case .text = finding.subject { return LocatedDiagnostic(finding, in: source) }
            return LocatedDiagnostic(finding, at: source.path)
        }
    }
}
