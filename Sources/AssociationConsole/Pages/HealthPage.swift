internal import Diagnostics
internal import ServiceHealth
internal import SystemSupport

/// What is wrong, the worst first, as `aasa status` has it; below it the numbers of the server.
struct HealthPage {
    let frame: PageFrame
    let source: any ConsoleSource
    /// In seconds since 1970.
    let now: Int64

    private static let maxProblems = 100
    /// The bytes of problems after which no other is written, so that a page stays small whatever they say.
    private static let maxBytes = 45_000
    private static let maxRemarks = 10

    private var list: ProblemList { ProblemList(frame: frame, now: now) }

    func answer() -> ConsoleAnswer {
        let facts = source.facts
        let problems = SiteProblems(facts, now: now)
        return frame.page("Health", .overview) { html in
            writeSummary(problems, &html)
            html += "<div class=\"beside\">\n<div>\n"
            writeProblems(problems.health, &html)
            writeRemarks(problems.health, &html)
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
        let isWell = health.severity == .ok && health.problems.isEmpty
        html += #"""
            <p id="health" data-severity="\#(health.severity.word)"><span class="severity">\#(health.severity.word)</span> \#
            \#(isWell ? "All is well. " : "")\#(HealthText(health, now: now).summary)</p>

            """#
        guard !problems.domains.isEmpty else { return }
        let severities = Dictionary(health.problems.lazy.map { ($0.kind, $0.severity) }, uniquingKeysWith: max)
        html += "<ul id=\"kinds\" aria-label=\"Problems of sites by kind\">\n"
        for kind in problems.kinds {
            html += #"""
                <li data-kind="\#(kind.rawValue)" data-severity="\#((severities[kind] ?? .ok).word)">\#(list.link(to: kind)) \#
                \#(grouped(problems.domains[kind]?.count ?? 0))</li>

                """#
        }
        html += "</ul>\n"
    }

    // MARK: What is wrong

    private func writeProblems(_ health: SiteHealth, _ html: inout HTML) {
        let start = html.bytes.count
        var written = 0
        for severity in HealthSeverity.allCases.reversed() where severity > .ok {
            let problems = health.problems.filter { $0.severity == severity }
            guard !problems.isEmpty else { continue }
            let title = severity == .critical ? "critical problem" : "warning"
            html.section(severity.word, counted(problems.count, title)) { html in
                var rest = problems[...]
                while written < Self.maxProblems, html.bytes.count - start < Self.maxBytes,
                    let problem = rest.popFirst()
                {
                    if rest.count == problems.count - 1 { html += "<ul class=\"problems\">\n" }
                    html += list.item(problem)
                    written += 1
                }
                if rest.count < problems.count { html += "</ul>\n" }
                writeRest(rest, &html)
            }
        }
    }

    /// Counts the problems that are not listed, with links to the sites that have them.
    private func writeRest(_ rest: ArraySlice<HealthProblem>, _ html: inout HTML) {
        guard !rest.isEmpty else { return }
        html += "<p class=\"more\">\(grouped(rest.count)) more: "
        let counts = Dictionary(rest.map { ($0.kind, 1) }, uniquingKeysWith: +)
        let kinds = counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        for (index, (kind, count)) in kinds.enumerated() {
            html += "\(index > 0 ? ", " : "")\(list.link(to: kind)) \(grouped(count))"
        }
        html += "</p>\n"
    }

    private func writeRemarks(_ health: SiteHealth, _ html: inout HTML) {
        guard !health.remarks.isEmpty else { return }
        html += #"""
            <details id="remarks"><summary>\#(counted(health.remarks.count, "remark")), which \#
            \#(health.remarks.count == 1 ? "changes" : "change") no severity</summary>
            <ul class="problems">

            """#
        let start = html.bytes.count
        var rest = health.remarks[...]
        while health.remarks.count - rest.count < Self.maxRemarks, html.bytes.count - start < Self.maxBytes / 10,
            let remark = rest.popFirst()
        { html += list.item(remark) }
        html += "</ul>\n"
        writeRest(rest, &html)
        html += "</details>\n"
    }

    // MARK: Numbers

    private typealias Tile = (name: String, number: String, lines: [HTML])

    private func tiles(_ facts: HealthFacts, _ problems: SiteProblems) -> [Tile] {
        let health = problems.health
        let states: [(SiteState.State, Int)] = [
            (.published, health.sites.published), (.stale, health.sites.stale), (.refused, health.sites.refused),
            (.noCertificate, health.sites.withoutCertificate),
        ]
        var tiles: [Tile] = [
            (
                "Sites", grouped(health.sites.total),
                states.filter { $0.1 > 0 }.map { state, count in
                    #"<a href="\#(frame.link("sites?state=\(state.rawValue)"))">\#(state.words)</a> \#(grouped(count))"#
                }
            ),
            ("Certificates", grouped(Set(source.certificates.map(\.folder)).count), expiry(health.nextExpiry)),
            fetches(facts, problems),
        ]
        if !facts.nodes.isEmpty || !facts.store.isEmpty {
            let kinds: [(HealthKind, String)] = [(.nodeBehind, "behind"), (.nodeSilent, "silent")]
            let lines = kinds.compactMap { kind, word -> HTML? in
                let count = health.problems.count { $0.kind == kind }
                return count > 0 ? "\(grouped(count)) \(word)" : nil
            }
            let expected = facts.expectedNodes.map { " of \(grouped($0))" } ?? ""
            let state: HTML = facts.store.isEmpty ? "the store answers" : "the store has problems"
            tiles.append(("Nodes that follow the store", grouped(facts.nodes.count) + expected, lines + [state]))
        }
        var lines: [HTML] = []
        if let program = facts.program {
            lines.append("aasa \(program.version)")
            if let start = program.startedAt { lines.append("up \(Age.words(now - start))") }
            if let reload = program.reloadedAt { lines.append("last reload \(Age.words(now - reload)) ago") }
        }
        return tiles + [("Server", facts.serving.rawValue, lines)]
    }

    private func expiry(_ next: SiteHealth.Expiry?) -> [HTML] {
        guard let next else { return [] }
        let validity = CertificateValidity(notBefore: 0, notAfter: next.notAfter)
        let left = next.notAfter < now ? "expired" : "in \(validity.timeLeft(at: now))"
        return ["next to expire: \(frame.link(toSite: next.domain))", "\(left), \(HTML.time(next.notAfter))"]
    }

    private func fetches(_ facts: HealthFacts, _ problems: SiteProblems) -> Tile {
        var (count, last) = (0, nil as SiteFacts?)
        for site in facts.sites {
            guard let fetch = site.lastFetch else { continue }
            count += 1
            if fetch.at > last?.lastFetch?.at ?? .min { last = site }
        }
        var lines: [HTML] = ["of \(counted(facts.sites.count, "site")) since the start"]
        if let last, let fetch = last.lastFetch {
            lines.append("last \(Age.words(now - fetch.at)) ago: \(frame.link(toSite: last.domain)), \(fetch.status)")
        }
        if let failed = problems.domains[.appleError]?.count {
            lines.append("\(list.link(to: .appleError)) \(grouped(failed))")
        }
        return ("Fetched by Apple", grouped(count), lines)
    }
}
