import AssociationServer
import Diagnostics

/// What `aasa serve --check` prints for people: a table of the sites that are not right, then counts.
struct ServeHealthText {
    let report: HealthReport

    var lines: [String] {
        var lines = table
        let fine = report.siteCount - report.sites.count
        if fine > 0, fine < report.siteCount {
            lines.append(fine == 1 ? "1 more site is fine." : "\(fine) more sites are fine.")
        }
        return lines + [summary]
    }

    /// `500 sites, 3 certificates: 2 broken, 1 needs attention`.
    var summary: String {
        let looked = "\(Self.count(report.siteCount, "site")), \(Self.count(report.certificateCount, "certificate"))"
        return "\(looked): \(result)"
    }

    /// `2 broken, 1 needs attention`, or that all is well.
    var result: String {
        var parts: [String] = []
        let (broken, attention) = (report.count(.broken), report.count(.warning))
        if broken > 0 { parts.append("\(broken) broken") }
        if attention > 0 { parts.append("\(attention) \(attention == 1 ? "needs" : "need") attention") }
        let errors = report.problems.count { $0.severity == .error }
        let warnings = report.problems.count - errors
        if errors > 0 { parts.append(Self.count(errors, "other error")) }
        if warnings > 0 { parts.append(Self.count(warnings, "other warning")) }
        return parts.isEmpty ? "all is well" : parts.joined(separator: ", ")
    }

    // MARK: The table

    private var table: [String] {
        guard !report.sites.isEmpty else { return [] }
        let rows = [["SITE", "FILE", "CERTIFICATE", ""]] + report.sites.map(Self.cells)
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        let marks = [" "] + report.sites.map { $0.status == .broken ? "x" : "!" }
        return zip(marks, rows).map { mark, row in
            let padded = zip(row, widths).map { text, width in text + String(repeating: " ", count: width - text.count)
            }
            let line = "\(mark) \((padded + [row[3]]).joined(separator: "   "))"
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    private static func cells(_ site: HealthReport.Site) -> [String] {
        var places: [String] = []
        if let finding = site.findings.first { places.append(place(finding)) }
        if site.certificate != .ok, let folder = site.folder { places.append(folder) }
        return [site.domain, file(site), certificate(site), places.joined(separator: ", ")].map(VisibleText.escaped)
    }

    static func file(_ site: HealthReport.Site) -> String {
        if site.errors > 0 { return count(site.errors, "error") }
        return site.warnings > 0 ? count(site.warnings, "warning") : "ok"
    }

    /// `ok`, `expires in 5 days (2026-11-27)`, `none: nobody can fetch this file`.
    static func certificate(_ site: HealthReport.Site) -> String {
        let date = site.notAfter?.prefix(10) ?? ""
        return switch site.certificate {
        case .ok: "ok"
        case .expires(inDays: 0): "expires within a day (\(date))"
        case .expires(let days): "expires in \(count(days, "day")) (\(date))"
        case .expired: "expired on \(date)"
        case .notYetValid: "not valid yet"
        case .partial(let example): "only for some names, like \(example)"
        case .missing: "none: nobody can fetch this file"
        }
    }

    private static func place(_ finding: Finding) -> String {
        guard let start = finding.start else { return finding.path }
        return "\(finding.path):\(start.line):\(start.column)"
    }

    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
