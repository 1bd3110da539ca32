import Diagnostics
import DomainNames
import LinkImport
import LinkPages
import Testing

/// An export that was imported, as tests look at it.
struct Imported {
    let links: ImportedLinks

    init(
        _ export: String, as format: LinkExport.Format = .firebase, domain: String? = nil, name: String? = nil,
        archived: Bool = false
    ) {
        let export = LinkExport(Array(export.utf8), path: "links.csv", as: format)
        let options = ImportedLinks.Options(
            domain: domain.flatMap { Domain($0) }, appName: name, keepsArchived: archived)
        links = ImportedLinks(export, as: format, options)
    }

    init(_ list: ShortLinkList, _ answers: [ShortLinkAnswer]) {
        links = ImportedLinks(LinkExport(list, answers), as: .table, ImportedLinks.Options())
    }

    /// The findings as `LINE:COLUMN: severity [code]`.
    var findings: [String] {
        links.report.diagnostics.map { finding in
            let start = links.report.source.position(at: finding.range.start)
            return "\(start.line):\(start.column): \(finding.severity) [\(finding.code)]"
        }
    }

    /// The lines of the links in the file.
    var lines: [String] {
        (links.text ?? "").split(separator: "\n").map(String.init).filter { $0.hasPrefix("    ") }
            .map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }.map { String($0.dropFirst(4)) }
    }

    /// Whether the file is there, and 'aasa links check' finds no error in it.
    var isSound: Bool {
        links.text.map { LinksDocument.read(Array($0.utf8), domain: nil, images: nil).content != nil } ?? false
    }
}
