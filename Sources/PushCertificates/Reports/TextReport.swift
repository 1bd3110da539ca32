package import Diagnostics

/// A report for people: a table of the certificates, or all about the only one; then what to do, and a summary.
package struct TextReport: Sendable {
    private let style: TextStyle
    private let width: Int?

    /// - Parameters:
    ///   - style: Colours, or none.
    ///   - width: The columns of the terminal; nil if there is none: then nothing is wrapped or cut.
    package init(style: TextStyle, width: Int?) {
        self.style = style
        // What a terminal says of itself may be anything.
        self.width = width.map { min(max($0, 20), 1000) }
    }

    /// Lines without an end of line behind the last one.
    package func render(_ report: CheckReport) -> String {
        let entries = ReportEntry.all(in: report)
        let shown = entries.filter { !$0.isBesideOthers }
        let remarks = Remark.all(in: report, entries)
        var parts: [[String]] = []
        if shown.count == 1, let entry = shown.first, let check = entry.check {
            let card = CertificateCard(style: style, width: width)
            parts.append(card.lines(check, in: entry.file))
            parts += AdviceList(style: style, width: width, namesPlaces: false).blocks(remarks)
        } else {
            if shown.contains(where: { $0.check != nil }) {
                parts.append(CertificateTable(style: style, width: width).lines(shown))
            }
            parts += AdviceList(style: style, width: width, namesPlaces: true).blocks(remarks)
            parts.append(revocation(shown) + ReportSummary(report).lines(style, width: width))
        }
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    /// Where a certificate looks good, what was not looked at.
    private func revocation(_ entries: [ReportEntry]) -> [String] {
        let isThere = entries.contains { entry in
            entry.check.map { !$0.certificate.topics.isEmpty && $0.validity?.isValid == true } ?? false
        }
        guard isThere else { return [] }
        let text = "Revocation is not checked (offline)."
        return (width.map { WrappedText.lines(text, columns: $0) } ?? [text]).map(style.dim)
    }
}
