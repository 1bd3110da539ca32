internal import Diagnostics
internal import HTTP1
internal import ServiceHealth
internal import SystemSupport

/// The table of sites.
struct SitesPage {
    let frame: PageFrame
    let source: any ConsoleSource
    /// In seconds since 1970.
    let now: Int64

    private static let pageLength = 50

    func answer(_ query: String?) -> ConsoleAnswer {
        let parameters = Parameters(form: query)
        // A mistyped address is no reason for an error page.
        var query =
            (try? SiteTableQuery(parameters, limit: Self.pageLength)) ?? SiteTableQuery(text: parameters["q"] ?? "")
        query.limit = Self.pageLength
        let table = SiteTable(source.sites, query)
        return frame.page("Sites", .overview) { html in
            writeProblems(&html)
            writeForm(query, &html)
            writeCount(table, query, &html)
            writeTable(table, query, &html)
            writePager(table, query, &html)
        }
    }

    /// The problems of the whole server, the worst first.
    private func writeProblems(_ html: inout HTMLWriter) {
        let problems = source.health.problems.filter { $0.domain == nil }
        guard !problems.isEmpty else { return }
        html.markup("<ul class=\"problems\">\n")
        for problem in problems.prefix(Self.maxProblems) {
            html.markup("<li")
            html.attribute("data-severity", problem.severity.word)
            html.markup("><span class=\"state\"")
            html.attribute("data-state", problem.severity.color ?? "published")
            html.markup(">")
            html.text(problem.kind.rawValue)
            html.markup("</span> ")
            html.text(problem.message)
            if let help = problem.help { html.text("; help: \(help)") }
            html.markup("</li>\n")
        }
        html.markup("</ul>\n")
    }

    private static let maxProblems = 20

    private func writeForm(_ query: SiteTableQuery, _ html: inout HTMLWriter) {
        html.markup("<form class=\"filter\" method=\"get\"")
        html.attribute("action", frame.link(""))
        html.markup(" role=\"search\"><div><label for=\"q\">Domain</label>")
        html.markup("<input id=\"q\" name=\"q\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\"")
        html.attribute("value", query.text)
        html.markup("></div><div><label for=\"state\">State</label><select id=\"state\" name=\"state\">")
        html.markup("<option value=\"\">any</option>")
        for state in SiteState.State.allCases {
            html.markup("<option")
            html.attribute("value", state.rawValue)
            if query.state == state { html.markup(" selected") }
            html.markup(">")
            html.text(state.words)
            html.markup("</option>")
        }
        html.markup("</select></div><div><button type=\"submit\">Show</button></div></form>\n")
    }

    private func writeCount(_ table: SiteTable, _ query: SiteTableQuery, _ html: inout HTMLWriter) {
        html.markup("<p class=\"count\">")
        if table.rows.isEmpty {
            html.text(
                table.total == 0 ? "The server has no sites." : "None of \(counted(table.total, "site")) matches.")
        } else {
            let (first, last) = (query.offset + 1, query.offset + table.rows.count)
            let of = table.matching == table.total ? "" : ", of \(grouped(table.total)) in all"
            html.text("\(grouped(first))–\(grouped(last)) of \(grouped(table.matching))\(of)")
        }
        html.markup("</p>\n")
    }

    private func writeTable(_ table: SiteTable, _ query: SiteTableQuery, _ html: inout HTMLWriter) {
        html.markup(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table of sites\">\n<table id=\"sites\">\n"
        )
        html.markup("<caption class=\"visually-hidden\">Sites and their states</caption>\n<thead><tr>")
        let hasStore = table.rows.contains { $0.generation != nil }
        for (column, label) in [
            (SiteTableQuery.Column.domain, "Domain"), (.state, "State"), (.certificate, "Certificate"),
            (.fetch, "Apple’s last fetch"), (.findings, "Findings"),
        ] {
            writeHeading(column, label, query, &html)
        }
        html.markup("<th scope=\"col\">")
        html.text(hasStore ? "Generation" : "Loaded")
        html.markup("</th></tr></thead>\n<tbody>\n")
        for site in table.rows { write(site, hasStore, &html) }
        html.markup("</tbody>\n</table>\n</div>\n")
    }

    private func writeHeading(
        _ column: SiteTableQuery.Column, _ label: String, _ query: SiteTableQuery, _ html: inout HTMLWriter
    ) {
        let isSorted = query.sort == column
        html.markup("<th scope=\"col\"")
        if isSorted { html.attribute("aria-sort", query.order == .asc ? "ascending" : "descending") }
        html.markup("><a")
        html.attribute("data-sort", column.rawValue)
        var other = query
        other.sort = column
        other.order = isSorted && query.order == .asc ? .desc : .asc
        other.offset = 0
        html.attribute("href", link(other))
        html.markup(">")
        html.text(label)
        html.markup("</a></th>")
    }

    private func write(_ site: ConsoleSite, _ hasStore: Bool, _ html: inout HTMLWriter) {
        html.markup("<tr")
        html.attribute("data-domain", site.domain)
        html.attribute("data-state", site.state.rawValue)
        let worst = site.worst
        html.attribute("data-severity", (worst?.severity ?? .ok).word)
        html.markup("><th scope=\"row\"><a")
        html.attribute("href", frame.link("sites/\(SiteName.segment(site.domain))"))
        html.markup(">")
        html.text(site.domain)
        html.markup("</a></th><td><span class=\"state\"")
        html.attribute("data-state", worst?.severity.color ?? site.state.rawValue)
        if let worst { html.attribute("title", worst.message) }
        html.markup(">")
        html.text(site.state.words)
        html.markup("</span></td><td class=\"number\">")
        write(daysUntil: site.certificateNotAfter, site.urgency, &html)
        html.markup("</td><td>")
        html.text(site.lastFetch.map { "\(Age.words(now - $0.at)) ago, \($0.status)" } ?? "–")
        html.markup("</td><td>")
        html.text(Self.findings(site.errors, site.warnings))
        html.markup("</td><td class=\"number\">")
        if hasStore {
            html.text(site.generation.map { grouped($0) } ?? "–")
        } else {
            html.text(site.loadedAt.map { "\(Age.words(now - $0)) ago" } ?? "–")
        }
        html.markup("</td></tr>\n")
    }

    private func write(daysUntil notAfter: Int64?, _ urgency: HealthSeverity, _ html: inout HTMLWriter) {
        guard let notAfter else { return html.text("none") }
        guard let color = urgency.color else { return html.text(Self.days(notAfter, now)) }
        html.markup("<span class=\"state\"")
        html.attribute("data-state", color)
        html.markup(">")
        html.text(Self.days(notAfter, now))
        html.markup("</span>")
    }

    static func days(_ notAfter: Int64, _ now: Int64) -> String {
        let days = wholeDays(notAfter - now)
        return days < 0 ? "expired" : counted(days, "day")
    }

    static func findings(_ errors: Int, _ warnings: Int) -> String {
        let parts = [
            errors > 0 ? counted(errors, "error") : nil, warnings > 0 ? counted(warnings, "warning") : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }

    private func writePager(_ table: SiteTable, _ query: SiteTableQuery, _ html: inout HTMLWriter) {
        let hasPrevious = query.offset > 0
        let hasNext = query.offset + table.rows.count < table.matching && !table.rows.isEmpty
        guard hasPrevious || hasNext else { return }
        html.markup("<nav class=\"pager\" aria-label=\"Pages\">")
        for (isThere, rel, label, offset) in [
            (hasPrevious, "prev", "Previous", max(0, query.offset - Self.pageLength)),
            (hasNext, "next", "Next", query.offset + Self.pageLength),
        ] where isThere {
            var other = query
            other.offset = offset
            html.markup("<a")
            html.attribute("rel", rel)
            html.attribute("href", link(other))
            html.markup(">")
            html.text(label)
            html.markup("</a>")
        }
        html.markup("</nav>\n")
    }

    private func link(_ query: SiteTableQuery) -> String {
        var parts: [String] = []
        if !query.text.isEmpty { parts.append("q=\(PercentEncoding.encoded(query.text))") }
        if let state = query.state { parts.append("state=\(state.rawValue)") }
        if query.sort != .domain { parts.append("sort=\(query.sort.rawValue)") }
        if query.order != .asc { parts.append("order=\(query.order.rawValue)") }
        if query.offset > 0 { parts.append("offset=\(query.offset)") }
        return frame.link("") + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))
    }
}

extension SiteState.State {
    /// As people read it.
    var words: String { self == .noCertificate ? "no certificate" : rawValue }
}

extension SiteTableQuery {
    init(text: String) { self.text = text }
}

extension HealthSeverity {
    /// The state of a site that has the same color; nil for what is well.
    var color: String? {
        switch self {
        case .ok: nil
        case .warning: "stale"
        case .critical: "refused"
        }
    }
}
