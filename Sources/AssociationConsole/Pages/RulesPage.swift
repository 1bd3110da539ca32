internal import Diagnostics
internal import HTTP1

/// The pages of finding codes: all of them with a search, and the explanation of one, as `aasa rules` and `aasa explain`.
struct RulesPage {
    let frame: PageFrame

    func list(_ query: String) -> ConsoleAnswer {
        let groups = query.isEmpty ? frame.rules.groups : frame.rules.groups(about: [query])
        return frame.page("Finding codes", .rules) { html in
            html += #"""
                <form class="filter" role="search"><label for="q">Search</label><div class="row">\#
                <input id="q" name="q" type="search" autocomplete="off" spellcheck="false" value="\#(query)">\#
                <button type="submit">Search</button></div></form>

                """#
            if groups.isEmpty { html += "<p>No code is about this.</p>\n" }
            for group in groups {
                html += "<h2>\(group.title)</h2>\n<dl class=\"rules\">\n"
                for rule in group.rules {
                    html += #"""
                        <dt data-code="\#(rule.code.rawValue)">\#(frame.code(rule.code)) \#
                        <span class="severity">\#(rule.shownSeverity)</span></dt>
                        <dd>\#(rule.summary)</dd>

                        """#
                }
                html += "</dl>\n"
            }
        }
    }

    func rule(_ code: String) -> ConsoleAnswer {
        guard let rule = frame.rules[code] else { return frame.notFound("There is no code \(code).") }
        return frame.page(rule.code.rawValue, nil) { html in
            html += #"<p class="lead"><span class="severity">\#(rule.shownSeverity)</span> \#(rule.summary)</p>\#n"#
            html += "<p>\(rule.reason)</p>\n"
            if let advice = rule.advice { html += "<p><strong>What to do:</strong> \(advice)</p>\n" }
            if rule.subject.finder == nil { html += "<p><strong>Fix:</strong> \(rule.fixWords)</p>\n" }
            let source = rule.basis.map(\.words).joined(separator: ", ")
            if !source.isEmpty { html += "<p><strong>Source:</strong> \(source)</p>\n" }
            for (title, example) in [("Bad", rule.badShown), ("Good", rule.goodShown)] where !example.isEmpty {
                html += #"<h2>\#(title)</h2>\#n<pre class="example" tabindex="0"><code>\#(example)</code></pre>\#n"#
            }
            html += #"<p><a href="\#(frame.link("rules"))">All codes</a></p>\#n"#
        }
    }
}

extension PageFrame {
    /// A code, with a link to its explanation where there is one.
    func code(_ code: DiagnosticCode) -> HTML {
        let name: HTML = #"<code class="finding-code">\#(code.rawValue)</code>"#
        guard rules[code.rawValue] != nil else { return name }
        return #"<a href="\#(link("rules/\(PercentEncoding.encoded(code.rawValue))"))">\#(name)</a>"#
    }
}
