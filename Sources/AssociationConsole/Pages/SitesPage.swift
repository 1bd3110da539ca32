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
        let problems = SiteProblems(facts, now: now)
        let table = SiteTable(facts, query, problems)
        return frame.page("Sites", .sites) { html in
            writeForm(query, problems, &html)
            html += #"<p class="count">\#(count(table, query))</p>\#n"#
            let hasStore = table.rows.contains { $0.generation != nil }
            let worst = problems.worst(of: table.rows)
            html.table(
                "sites", "Table of sites", caption: "Sites and their states", headings: headings(query, hasStore)
            ) { html in
                for site in table.rows { html += row(site, worst[site.domain], hasStore) }
            }
            html.pager(offset: query.offset, length: Self.pageLength, count: table.matching) { offset in
                var other = query
                other.offset = offset
                return link(other)
            }
        }
    }

    private func writeForm(_ query: SiteTableQuery, _ problems: SiteProblems, _ html: inout HTML) {
        html += #"""
            <form class="filter" method="get" action="\#(frame.link("sites"))" role="search"><div><label for="q">Domain</label>\#
            <input id="q" name="q" type="search" autocomplete="off" spellcheck="false" value="\#(query.text)"></div><div>\#
            <label for="state">State</label><select id="state" name="state"><option value="">any</option>
            """#
        for state in SiteState.State.allCases {
            let selected: HTML = query.state == state ? " selected" : ""
            html += #"<option value="\#(state.rawValue)"\#(selected)>\#(state.words)</option>"#
        }
        html += #"""
            </select></div><div><label for="problem">Problem</label><select id="problem" name="problem">\#
            <option value="">any or none</option>
            """#
        for kind in HealthKind.known where problems.domains[kind] != nil || kind == query.problem {
            let selected: HTML = query.problem == kind ? " selected" : ""
            html += #"""
                <option value="\#(kind.rawValue)"\#(selected)>\#(kind.rawValue) (\#
                \#(grouped(problems.domains[kind]?.count ?? 0)))</option>
                """#
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
        let columns: [(SiteTableQuery.Column?, String)] = [
            (.domain, "Domain"), (.state, "State"), (nil, "Problem"),
            (.certificate, "Certificate"), (.fetch, "Apple’s last fetch"), (.findings, "Findings"),
        ]
        for (column, label) in columns {
            guard let column else {
                html += #"<th scope="col">\#(label)</th>"#
                continue
            }
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

    /// - Parameter worst: The worst of its problems.
    private func row(_ site: SiteFacts, _ worst: HealthProblem?, _ hasStore: Bool) -> HTML {
        let problem: HTML =
            worst.map { #"<span class="severity" title="\#($0.message)">\#($0.kind.rawValue)</span>"# } ?? "–"
        let certificate =
            site.certificate.map { Self.left($0.notAfter, now, site.judgement.severity) } ?? "none" as HTML
        let fetch = site.lastFetch.map { "\(Age.words(now - $0.at)) ago, \($0.status)" }
        let version =
            hasStore ? site.generation.map { grouped($0) } : site.loadedAt.map { "\(Age.words(now - $0)) ago" }
        return #"""
            <tr data-domain="\#(site.domain)" data-state="\#(site.site.state.rawValue)" \#
            data-severity="\#((worst?.severity ?? .ok).word)"><th scope="row">\#
            \#(frame.link(toSite: site.domain))</th><td><span class="state" data-state="\#(site.site.state.rawValue)">\#
            \#(site.site.state.words)</span></td><td>\#(problem)</td><td class="number">\#(certificate)</td><td>\#(fetch ?? "–")</td><td>\#
            \#(Self.findings(site.errors, site.warnings))</td><td class="number">\#(version ?? "–")</td></tr>

            """#
    }

    /// The time that a certificate has left, set off unless it is well.
    static func left(_ notAfter: Int64, _ now: Int64, _ severity: HealthSeverity) -> HTML {
        guard severity > .ok else { return "\(days(notAfter, now))" }
        return #"<span data-severity="\#(severity.word)"><span class="severity">\#(days(notAfter, now))</span></span>"#
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
        if let problem = query.problem { parts.append("problem=\(problem.rawValue)") }
        if query.sort != .domain { parts.append("sort=\(query.sort.rawValue)") }
        if query.order != .asc { parts.append("order=\(query.order.rawValue)") }
        if query.offset > 0 { parts.append("offset=\(query.offset)") }
        return frame.link("sites") + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))
    }
}

extension SiteState.State {
    /// As people read it.
    var words: String { self == .noCertificate ? "no certificate" : rawValue }
}

extension SiteTableQuery {
    init(text: String) { self.text = text }
}
