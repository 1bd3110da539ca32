internal import Diagnostics
internal import ServiceHealth
internal import SystemSupport

/// Problems in the words of `aasa status`: what is wrong and where, since when, and what to do.
struct ProblemList {
    let frame: PageFrame
    /// In seconds since 1970.
    let now: Int64
    /// Whether all are those of one site; then each says its severity, and not its site.
    var isOfSite = false

    func item(_ problem: HealthProblem) -> HTML {
        var html: HTML = #"<li data-severity="\#(problem.severity.word)" data-kind="\#(problem.kind.rawValue)""#
        if let domain = problem.domain { html += #" data-domain="\#(domain)""# }
        html += "><p>"
        if isOfSite {
            html += #"<span class="severity">\#(problem.severity == .ok ? "remark" : problem.severity.word)</span> "#
        } else if let domain = problem.domain {
            html += #"\#(frame.link(toSite: domain)): "#
        }
        html += "\(problem.message) \(frame.code(DiagnosticCode(rawValue: problem.kind.rawValue)))"
        if let since = problem.since, since < now {
            html += #" <span class="since">since \#(HTML.time(since)) (\#(Age.words(now - since)))</span>"#
        }
        html += "</p>"
        if let location = problem.location { html += #"<p class="remark"><code>\#(location)</code></p>"# }
        if let help = problem.help { html += #"<p class="remark">help: \#(help)</p>"# }
        html += "</li>\n"
        return html
    }

    /// A link to the sites with problems of a kind.
    func link(to kind: HealthKind) -> HTML {
        #"<a href="\#(frame.link("sites?problem=\(kind.rawValue)"))">\#(kind.rawValue)</a>"#
    }
}

extension PageFrame {
    /// A link to the page of a site.
    func link(toSite domain: String) -> HTML {
        #"<a class="domain" href="\#(link("sites/\(SiteName.segment(domain))"))">\#(domain)</a>"#
    }
}
