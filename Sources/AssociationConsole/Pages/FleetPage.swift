internal import Diagnostics
internal import ServiceHealth
internal import SiteStore

/// The nodes that follow a store, and who has changed what in it.
struct FleetPage {
    let frame: PageFrame
    let source: any ConsoleSource
    /// In seconds since 1970.
    let now: Int64

    private static let pageLength = 50
    private static let silence: HTML = "<p class=\"notice\">The store does not answer.</p>\n"

    /// - Parameter generation: That the changes are older than, as it was sent.
    func answer(before generation: String?) -> ConsoleAnswer {
        guard source.hasStore else { return withoutStore }
        let facts = source.facts
        // One more says whether there are older ones.
        let changes = source.changes(before: generation.flatMap { Int64($0) }, limit: Self.pageLength + 1)
        let newest = max(changes?.first?.generation ?? 0, facts.nodes.map(\.generation).max() ?? 0)
        return frame.page("Fleet", .fleet) { html in
            html += #"<p class="lead">\#(counted(facts.nodes.count, "node")), generation \#(grouped(newest))</p>\#n"#
            let problems = SiteHealth.nodes(facts)
            if !problems.isEmpty {
                let list = ProblemList(frame: frame, now: now, isOfSite: true)
                html += "<ul class=\"findings\">\n"
                for problem in problems { html += list.item(problem) }
                html += "</ul>\n"
            }
            html.section("nodes", "Nodes") { html in write(facts.nodes, newest, &html) }
            html.section("changes", "Changes") { html in
                guard let changes else {
                    html += Self.silence
                    return
                }
                write(changes, &html)
            }
        }
    }

    private var withoutStore: ConsoleAnswer { frame.notFound("The sites of this server come from no store.") }

    // MARK: nodes

    private func write(_ nodes: [StoredNode], _ newest: Int64, _ html: inout HTML) {
        guard !nodes.isEmpty else {
            html += "<p>No node is known: the store has not answered yet.</p>\n"
            return
        }
        html.table(
            "nodes", "Table of nodes", caption: "Nodes that follow the store",
            ["Node", "State", "Generation", "Seen", "Sites", "Program", "Remarks"]
        ) { html in
            for node in nodes { html += row(node, newest) }
        }
    }

    private func row(_ node: StoredNode, _ newest: Int64) -> HTML {
        let behind = newest - node.generation
        let lag = node.state != .current && behind > 0 ? ", \(grouped(behind)) behind" : ""
        let color = node.state == .current ? "published" : "stale"
        let remarks = [
            node.isListening ? nil : "not listening", node.stale > 0 ? "\(grouped(node.stale)) stale" : nil,
            node.refused > 0 ? "\(grouped(node.refused)) refused" : nil,
        ].compactMap { $0 }
        return #"""
            <tr data-node="\#(node.name)" data-state="\#(node.state.rawValue)"><th scope="row">\#(node.name)</th><td>\#
            <span class="state" data-state="\#(color)">\#(node.state.rawValue)</span></td><td class="number">\#
            \#(grouped(node.generation))\#(lag)</td><td class="number">\#(Age.words(now - node.seenAt / 1_000_000)) ago</td>\#
            <td class="number">\#(grouped(node.sites))</td><td class="number">\#
            \#(node.programVersion.map { "aasa \($0)" } ?? "–")</td><td>\#
            \#(remarks.isEmpty ? "–" : remarks.joined(separator: ", "))</td></tr>

            """#
    }

    // MARK: changes

    private func write(_ changes: [StoredChange], _ html: inout HTML) {
        guard !changes.isEmpty else {
            html += "<p>There are no older ones.</p>\n"
            return
        }
        html.table(
            "changes", "Table of changes", caption: "Changes of the store, the newest first",
            ["Generation", "When", "By", "Action", "What", "Message"]
        ) { html in
            for change in changes.prefix(Self.pageLength) {
                html += #"""
                    <tr data-generation="\#(String(change.generation))"><th scope="row" class="number">\#
                    <a href="\#(frame.link("fleet/\(change.generation)"))">\#(grouped(change.generation))</a></th>\#
                    <td class="number">\#(time(change))</td><td class="number">\#(change.by)</td><td>\#(change.action)</td><td>\#
                    \#(Self.subject(change))</td><td>\#(change.message ?? "–")</td></tr>

                    """#
            }
        }
        guard changes.count > Self.pageLength else { return }
        html += #"""
            <nav class="pager" aria-label="Pages"><a rel="next" \#
            href="\#(frame.link("fleet?before=\(changes[Self.pageLength - 1].generation)"))">Older</a></nav>

            """#
    }

    private func time(_ change: StoredChange) -> HTML { HTML.time(change.at / 1_000_000) }

    /// The files or certificates in a few words.
    private static func subject(_ change: StoredChange) -> String {
        if let domain = change.domain, let name = change.name { return "\(domain)/\(name)" }
        let noun = change.action == "certificate" ? "certificate" : "file"
        let parts = [change.count.map { counted(Int(clamping: $0), noun) }, change.domain].compactMap { $0 }
        return parts.isEmpty ? "–" : parts.joined(separator: " of ")
    }

    // MARK: one change

    func change(_ generation: Int64) -> ConsoleAnswer {
        guard source.hasStore else { return withoutStore }
        let title = "Change \(grouped(generation))"
        switch source.change(generation) {
        case .unavailable: return frame.page(title, .fleet) { $0 += Self.silence }
        case .unknown: return frame.notFound("The store has no change \(grouped(generation)).")
        case .change(let change, let files):
            return frame.page(title, .fleet) { html in
                html += #"""
                    <p class="lead">\#(change.action) by \#(change.by), \#(time(change)) (\#
                    \#(Age.words(now - change.at / 1_000_000)) ago): \#(Self.subject(change))</p>

                    """#
                html += #"<p><a href="\#(frame.link("fleet"))">All changes</a></p>\#n"#
                for (index, file) in files.enumerated() {
                    html.section("file-\(index + 1)", file.name) { html in write(file, &html) }
                }
                if let count = change.count, count > files.count, !files.isEmpty {
                    html += #"<p class="remark">The first \#(files.count) of \#(counted(Int(count), "file")).</p>\#n"#
                }
            }
        }
    }

    private func write(_ file: ConsoleChange.File, _ html: inout HTML) {
        html += "<p>\(file.summary)</p>\n"
        if file.differences?.isEmpty == true { html += "<p>no link changes</p>\n" }
        if let differences = file.differences, !differences.isEmpty {
            html += "<ul class=\"changes\">\n"
            for difference in differences {
                html += #"""
                    <li data-kind="\#(difference.kind)"><p><strong>\#(difference.kind)</strong> <code>\#
                    \#(difference.subject)</code></p>
                    """#
                for detail in difference.details { html += "<p class=\"remark\"><code>\(detail)</code></p>" }
                html += "</li>\n"
            }
            html += "</ul>\n"
        }
        for note in file.notes { html += "<p class=\"remark\">\(note)</p>\n" }
    }
}
