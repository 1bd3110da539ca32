internal import Diagnostics
internal import ServiceHealth
internal import SystemSupport

/// The first page: problems, the worst first, as `aasa status` has them, and the numbers of the server.
struct HealthPage {
    let frame: PageFrame
    let source: any ConsoleSource
    /// In seconds since 1970.
    let now: Int64

    private static let maxProblems = 100
    /// The bytes of problems after which no other is written, so that a page stays small whatever they say.
    private static let maxBytes = 46_000
    /// The same for those of sites, so that those of the whole server are listed, too.
    private static let maxSiteBytes = 40_000
    private static let maxRemarks = 10

    private var list: ProblemList { ProblemList(frame: frame, now: now) }

    func answer() -> ConsoleAnswer {
        let facts = source.facts
        let problems = SiteProblems(facts, now: now)
        return frame.page("Health", .overview) { html in
            writeSummary(problems, &html)
            html += "<div class=\"beside\">\n<div>\n"
            writeProblems(problems, &html)
            writeRemarks(problems, &html)
            html += "</div>\n"
            html.section("numbers", "Numbers") { html in
                html += "<dl id=\"numbers\" class=\"tiles\">\n"
                for (name, number, lines) in tiles(facts, problems) {
                    html += #"<div><dt>\#(name)</dt><dd class="figure">\#(number)</dd>"#
                    for line in lines { html += "<dd>\(line)</dd>" }
                    html += "</div>\n"
                }
                html += "</dl>\n"
            }
            html += "</div>\n"
        }
    }

    private func writeSummary(_ problems: SiteProblems, _ html: inout HTML) {
        let health = problems.health
        let text = HealthText(health, now: now)
        let isWell = health.severity == .ok && health.problems.isEmpty
        html += #"""
            <p id="health" data-severity="\#(health.severity.word)"><span class="severity">\#(health.severity.word)</span> \#
            \#(isWell ? "All is well. " : "")\#(text.summary)</p>

            """#
        if let program = text.program { html += "<p class=\"count\">\(program)</p>\n" }
        let severities = Self.severities.filter { !problems[$0].isEmpty }
        if !severities.isEmpty {
            html += "<p class=\"count\">"
            for (index, severity) in severities.enumerated() {
                let link: HTML =
                    ##"<a href="#\##(severity.word)-heading">\##(Self.title(severity, problems[severity].count))</a>"##
                html += "\(index > 0 ? ", " : "")\(link)"
            }
            html += "</p>\n"
        }
        guard !problems.domains.isEmpty else { return }
        html += "<ul id=\"kinds\" aria-label=\"Problems of sites by kind\">\n"
        for kind in problems.kinds {
            html += #"""
                <li data-kind="\#(kind.rawValue)" data-severity="\#((problems.severities[kind] ?? .ok).word)">\#(list.link(to: kind)) \#
                \#(grouped(problems.domains[kind]?.count ?? 0))</li>

                """#
        }
        html += "</ul>\n"
    }

    // MARK: What is wrong

    /// Those of problems, the worst first.
    private static let severities: [HealthSeverity] = [.critical, .warning]

    private static func title(_ severity: HealthSeverity, _ count: Int) -> String {
        counted(count, severity == .critical ? "critical problem" : "warning")
    }

    private func writeProblems(_ all: SiteProblems, _ html: inout HTML) {
        let start = html.bytes.count
        var written = 0
        for severity in Self.severities {
            let problems = all[severity]
            guard !problems.isEmpty else { continue }
            html.section(severity.word, Self.title(severity, problems.count)) { html in
                var rest = problems
                // Those of the whole server come first.
                while let problem = rest.first {
                    let isOfSite = problem.domain != nil
                    guard !isOfSite || written < Self.maxProblems,
                        html.bytes.count - start < (isOfSite ? Self.maxSiteBytes : Self.maxBytes)
                    else { break }
                    if rest.count == problems.count { html += "<ul class=\"problems\">\n" }
                    html += list.item(problem)
                    rest.removeFirst()
                    if isOfSite { written += 1 }
                }
                if rest.count < problems.count { html += "</ul>\n" }
                writeRest(rest, of: problems.count, all, &html)
            }
        }
    }

    /// Counts the problems that are not listed, with links to the sites that have them.
    private func writeRest(
        _ rest: ArraySlice<HealthProblem>, of count: Int, _ all: SiteProblems, _ html: inout HTML
    ) {
        guard !rest.isEmpty else { return }
        let more = rest.count < count ? "\(grouped(rest.count)) more in" : "In"
        html += #"<p class="more" data-count="\#(rest.count)">\#(more) the table of sites: "#
        let counts = rest.indices.reduce(into: [:] as [HealthKind: Int]) { $0[rest[$1].kind, default: 0] += 1 }
        let kinds = counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        for (index, (kind, count)) in kinds.enumerated() {
            let name = all.domains[kind] == nil ? "\(kind.rawValue)" : list.link(to: kind)
            html += "\(index > 0 ? ", " : "")\(name) \(grouped(count))"
        }
        html += "</p>\n"
    }

    private func writeRemarks(_ all: SiteProblems, _ html: inout HTML) {
        let remarks = all.health.remarks
        guard !remarks.isEmpty else { return }
        html += #"""
            <details id="remarks"><summary>\#(counted(remarks.count, "remark")), which \#
            \#(remarks.count == 1 ? "changes" : "change") no severity</summary>
            <ul class="problems">

            """#
        let start = html.bytes.count
        var rest = remarks[...]
        while remarks.count - rest.count < Self.maxRemarks, html.bytes.count - start < Self.maxBytes / 10,
            let remark = rest.popFirst()
        { html += list.item(remark) }
        html += "</ul>\n"
        writeRest(rest, of: remarks.count, all, &html)
        html += "</details>\n"
    }

    // MARK: Numbers

    private typealias Tile = (name: String, number: String, lines: [HTML])

    private func tiles(_ facts: HealthFacts, _ problems: SiteProblems) -> [Tile] {
        let health = problems.health
        let soonest: HTML = #"<a href="\#(frame.link("certificates"))">soonest to expire</a>"#
        let tiles: [Tile] = [
            (
                "Sites", grouped(health.sites.total),
                health.sites.byState.filter { $0.count > 0 }.map { state, count in
                    #"<a href="\#(frame.link("sites?state=\(state.rawValue)"))">\#(state.words)</a> \#(grouped(count))"#
                }
            ),
            ("Certificates", grouped(Set(source.certificates.map(\.folder)).count), [soonest]),
            fetches(facts, problems),
        ]
        guard frame.hasStore else { return tiles }
        let expected = facts.expectedNodes.map { " of \(grouped($0))" } ?? ""
        let fleet: HTML = #"<a href="\#(frame.link("fleet"))">fleet and changes</a>"#
        return tiles + [("Nodes that follow the store", grouped(facts.nodes.count) + expected, [fleet])]
    }

    private func fetches(_ facts: HealthFacts, _ problems: SiteProblems) -> Tile {
        let sites = facts.sites
        var (count, last) = (0, (at: Int64.min, index: 0))
        for index in sites.indices {
            guard let time = sites[index].lastFetch?.at else { continue }
            count += 1
            if time > last.at { last = (time, index) }
        }
        var lines: [HTML] = ["of \(counted(sites.count, "site")) since the start"]
        if count > 0, let fetch = sites[last.index].lastFetch {
            let site = frame.link(toSite: sites[last.index].domain)
            lines.append("last \(Age.words(now - fetch.at)) ago: \(site), \(fetch.status)")
        }
        if let failed = problems.domains[.appleError]?.count {
            lines.append("\(list.link(to: .appleError)) \(grouped(failed))")
        }
        return ("Fetched by Apple", grouped(count), lines)
    }
}
