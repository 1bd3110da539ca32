package import Diagnostics
package import DomainNames
internal import LinkPages

/// A `links.json` made from an export, and what is to be said about the export.
///
/// The file is judged as `aasa links check` judges it: a row for which it would have an error is left out, with that error.
package struct ImportedLinks: Sendable {
    package struct Options: Sendable {
        /// The domain whose links are taken; nil for the only one of the export.
        package var domain: Domain?
        /// The name of the app on pages; nil for the first label of the domain.
        package var appName: String?
        package var keepsArchived: Bool

        package init(domain: Domain? = nil, appName: String? = nil, keepsArchived: Bool = false) {
            (self.domain, self.appName, self.keepsArchived) = (domain, appName, keepsArchived)
        }
    }

    /// The text of the file; nil if no row can be used.
    package private(set) var text: String?
    /// The number of links in it.
    package private(set) var count = 0
    /// The findings in the export, in its order.
    package let report: FileReport
    /// The rows that were left out without being errors, in clauses.
    package let notes: [String]
    /// Whether nothing can be written because neither a name for the app nor a domain is known.
    package private(set) var needsName = false

    package init(_ export: LinkExport, as format: LinkExport.Format, _ options: Options) {
        var findings = ImportFindings(export.diagnostics)
        var rows = ImportRows(export, options, &findings)
        rows.limit(to: LinkLimits.maxLinks, &findings)
        var file = ImportedFile(rows, format, options, &findings)
        needsName = file.app == nil && file.hasPages
        // Each round leaves out what the one before has found; what is right is not touched.
        while !needsName, !file.links.isEmpty {
            let text = file.text
            let document = LinksDocument.read(Array(text.utf8), domain: rows.domain, images: nil)
            guard document.content == nil else {
                (self.text, count) = (text, file.links.count)
                break
            }
            var isChanged = false
            for error in document.diagnostics where error.severity >= .error {
                if file.leaveOut(error, &findings) { isChanged = true }
            }
            // What no row is about, such as the app's name, stays in the file.
            guard isChanged else { break }
        }
        report = FileReport(export.source, findings.sorted)
        notes = rows.notes + findings.notes
    }

    /// Whether rows were left out because of errors.
    package var hasErrors: Bool { report.diagnostics.contains { $0.severity >= .error } }
}

/// The findings of an import: of a code as many as somebody reads, and the number of the others.
struct ImportFindings {
    private var diagnostics: [Diagnostic]
    private var counts: [DiagnosticCode: Int] = [:]

    /// The most findings of a code that are shown.
    private static let maxShown = 100

    init(_ diagnostics: [Diagnostic]) {
        self.diagnostics = []
        for diagnostic in diagnostics { add(diagnostic) }
    }

    mutating func add(_ diagnostic: Diagnostic) {
        counts[diagnostic.code, default: 0] += 1
        if counts[diagnostic.code, default: 0] <= Self.maxShown { diagnostics.append(diagnostic) }
    }

    mutating func add(
        _ rule: RuleDescription, as severity: Severity? = nil, _ message: String, _ range: SourceRange,
        notes: [String] = []
    ) {
        add(Diagnostic(rule, as: severity, message, range: range, notes: notes))
    }

    var sorted: [Diagnostic] {
        diagnostics.sorted { ($0.range.start, $0.code.rawValue) < ($1.range.start, $1.code.rawValue) }
    }

    /// The findings that are not shown, by code.
    var notes: [String] {
        counts.filter { $0.value > Self.maxShown }.sorted { $0.key.rawValue < $1.key.rawValue }.map { code, count in
            "\(counted(count - Self.maxShown, "more finding")) of '\(code)' \(count - Self.maxShown == 1 ? "is" : "are") not shown"
        }
    }
}
