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
        let facts = source.facts
        let table = SiteTable(facts.sites, query)
        return frame.page("Sites", .overview) { html in
            writeProblems(facts, &html)
            writeForm(query, &html)
            html += #"<p class="count">\#(count(table, query))</p>\#n"#
            let hasStore = table.rows.contains { $0.generation != nil }
            html.table(
                "sites", "Table of sites", caption: "Sites and their states", headings: headings(query, hasStore)
            ) { html in
                for site in table.rows { html += row(site, hasStore) }
            }
            html.pager(offset: query.offset, length: Self.pageLength, count: table.matching) { offset in
                var other = query
                other.offset = offset
                return link(other)
            }
        }
    }

    /// The problems of the whole server, the worst first.
    private func writeProblems(_ facts: HealthFacts, _ html: inout HTML) {
        let problems = SiteHealth.problems(of: facts).sorted(by: HealthProblem.isBefore)
        guard !problems.isEmpty else { return }
        html += "<ul class=\"problems\">\n"
        for problem in problems.prefix(Self.maxProblems) {
            html += #"""
                <li data-severity="\#(problem.severity.word)"><span class="state" \#
                data-state="\#(problem.severity.color ?? "published")">\#(problem.kind.rawValue)</span> \#(problem.message)
                """#
            if let help = problem.help { html += "; help: \(help)" }
            html += "</li>\n"
        }
        html += "</ul>\n"
    }

    private static let maxProblems = 20

    private func writeForm(_ query: SiteTableQuery, _ html: inout HTML) {
        html += #"""
            <form class="filter" method="get" action="\#(frame.link(""))" role="search"><div><label for="q">Domain</label>\#
            <input id="q" name="q" type="search" autocomplete="off" spellcheck="false" value="\#(query.text)"></div><div>\#
            <label for="state">State</label><select id="state" name="state"><option value="">any</option>
            """#
        for state in SiteState.State.allCases {
            let selected: HTML = query.state == state ? " selected" : ""
            html += #"<option value="\#(state.rawValue)"\#(selected)>\#(state.words)</option>"#
        }
        html += #"</select></div><div><button type="submit">Show</button></div></form>\#n"#
    }

    private func count(_ table: SiteTable, _ query: SiteTableQuery) -> String {
        guard !table.rows.isEmpty else {
            return table.total == 0 ? "The server has no sites." : "None of \(counted(table.total, "site")) matches."
        }
        let (first, last) = (query.offset + 1, query.offset + table.rows.count)
        let of = table.matching == table.total ? "" : ", of \(grouped(table.total)) in all"
        return "\(grouped(first))–\(grouped(last)) of \(grouped(table.matching))\(of)"
    }

    private func headings(_ query: SiteTableQuery, _ hasStore: Bool) -> HTML {
        var html: HTML = ""
        for (column, label) in [
            (SiteTableQuery.Column.domain, "Domain"), (.state, "State"), (.certificate, "Certificate"),
            (.fetch, "Apple’s last fetch"), (.findings, "Findings"),
        ] {
            let isSorted = query.sort == column
            var other = query
            other.sort = column
            other.order = isSorted && query.order == .asc ? .desc : .asc
            other.offset = 0
            let order: HTML =
                isSorted ? #" aria-sort="\#(query.order == .asc ? "ascending" : "descending")""# : ""
            html += #"""
                <th scope="col"\#(order)><a data-sort="\#(column.rawValue)" href="\#(link(other))">\#(label)</a></th>
                """#
        }
        html += #"<th scope="col">\#(hasStore ? "Generation" : "Loaded")</th>"#
        return html
    }

    private func row(_ site: SiteFacts, _ hasStore: Bool) -> HTML {
        let worst = SiteHealth.problems(of: site, now: now).filter { $0.severity > .ok }.max {
            $0.severity < $1.severity
        }
        let title: HTML = worst.map { #" title="\#($0.message)""# } ?? ""
        let left = site.certificate.map { Self.days($0.notAfter, now) } ?? "none"
        let certificate: HTML =
            if site.certificate != nil, let color = site.judgement.severity.color {
                #"<span class="state" data-state="\#(color)">\#(left)</span>"#
            } else {
                "\(left)"
            }
        let fetch = site.lastFetch.map { "\(Age.words(now - $0.at)) ago, \($0.status)" }
        let version =
            hasStore ? site.generation.map { grouped($0) } : site.loadedAt.map { "\(Age.words(now - $0)) ago" }
        return #"""
            <tr data-domain="\#(site.domain)" data-state="\#(site.site.state.rawValue)" \#
            data-severity="\#((worst?.severity ?? .ok).word)"><th scope="row">\#
            <a href="\#(frame.link("sites/\(SiteName.segment(site.domain))"))">\#(site.domain)</a></th><td>\#
            <span class="state" data-state="\#(worst?.severity.color ?? site.site.state.rawValue)"\#(title)>\#
            \#(site.site.state.words)</span></td><td class="number">\#(certificate)</td><td>\#(fetch ?? "–")</td><td>\#
            \#(Self.findings(site.errors, site.warnings))</td><td class="number">\#(version ?? "–")</td></tr>

            """#
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
