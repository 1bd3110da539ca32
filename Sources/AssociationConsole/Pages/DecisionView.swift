internal import Android
internal import AppSiteAssociation
internal import Diagnostics
internal import URLPatterns
internal import UniversalLinks

/// The form that asks what a link does, and the answer.
struct DecisionView {
    /// As it was typed; nil if nothing was asked.
    let url: String?
    /// Nil if the file decides no links.
    let deciders: LinkDeciders?

    private let answer: RouteAnswer?
    private let android: AndroidAnswer?

    init(url: String?, _ deciders: LinkDeciders?) {
        self.url = url
        self.deciders = deciders
        var work = WorkBudget(FileAPI.work)
        let answers = url.flatMap { url in deciders?.answer(url, explains: true, &work) }
        answer = answers?.apple
        android = answers?.android
    }

    /// The line of the file that decides, from 1.
    var line: Int? {
        if let answer { return answer.decision.rule?.position.line }
        return android?.apps.lazy.compactMap { $0.component?.position.line }.first
    }

    func write(_ html: inout HTMLWriter) {
        html.markup("<section aria-labelledby=\"try-heading\">\n<h2 id=\"try-heading\">Try a link</h2>\n")
        html.markup("<form id=\"try\" method=\"get\"><label for=\"url\">Link</label>")
        html.markup(
            "<div class=\"row\"><input id=\"url\" name=\"url\" type=\"text\" inputmode=\"url\" autocomplete=\"off\" ")
        html.markup("spellcheck=\"false\" placeholder=\"https://example.com/buy/7\"")
        html.attribute("value", url ?? "")
        html.markup("><button type=\"submit\">Decide</button></div></form>\n")
        if let url { writeResult(url, &html) }
        html.markup("</section>\n")
    }

    private func writeResult(_ url: String, _ html: inout HTMLWriter) {
        guard deciders != nil else {
            html.markup(
                "<p id=\"decision\" class=\"decision\" data-outcome=\"none\">No links are decided until the errors are fixed.</p>\n"
            )
            return
        }
        guard answer != nil || android != nil else {
            html.markup("<p id=\"decision\" class=\"decision\" data-outcome=\"error\">")
            html.text(WebURL.refusal(of: url))
            html.markup("</p>\n")
            return
        }
        if let answer { write(answer, &html) }
        if let android { write(android, &html) }
    }

    private func write(_ answer: RouteAnswer, _ html: inout HTMLWriter) {
        html.markup("<div id=\"decision\" class=\"decision\"")
        html.attribute("data-outcome", answer.decision.outcome.rawValue)
        html.markup("><p><strong>")
        html.text(Self.words(answer.decision.outcome))
        html.markup("</strong>")
        if let rule = answer.decision.rule {
            html.markup(" by <a")
            html.attribute("href", "#L\(rule.position.line)")
            html.markup(">")
            html.text("line \(rule.position.line)")
            html.markup("</a>: <code>")
            html.text(RuleText.patterns(rule))
            html.markup("</code>")
        } else if let reason = answer.reason {
            html.markup(": ")
            html.text(reason)
        }
        html.markup("</p>\n")
        if let encoded = answer.encodedURL {
            html.markup("<p class=\"remark\">decided as ")
            html.text(encoded)
            html.markup("</p>\n")
        }
        if !answer.decision.appIDs.isEmpty {
            html.markup("<ul class=\"apps\">\n")
            for app in answer.decision.appIDs {
                html.markup("<li><code>")
                html.text(app)
                html.markup("</code></li>\n")
            }
            html.markup("</ul>\n")
        }
        html.markup("</div>\n")
        if let misses = answer.nearMisses, !misses.isEmpty { write(misses, &html) }
        if let trace = answer.trace, !trace.isEmpty { write(trace, answer.isTraceComplete, &html) }
    }

    private static func words(_ outcome: Outcome) -> String {
        switch outcome {
        case .open: "Opens the app"
        case .excluded: "Excluded: stays in the browser"
        case .noMatch: "Stays in the browser"
        case .notDecided: "Not decided"
        }
    }

    private func write(_ misses: [NearMiss], _ html: inout HTMLWriter) {
        html.markup("<h3>Near misses</h3>\n<ul id=\"near\">\n")
        for miss in misses {
            html.markup("<li")
            html.attribute("data-change", miss.change.rawValue)
            html.markup(">")
            html.text(miss.message)
            html.markup("</li>\n")
        }
        html.markup("</ul>\n")
    }

    private func write(_ trace: [RuleEvaluation], _ isComplete: Bool, _ html: inout HTMLWriter) {
        html.markup("<h3>Rules that were tried</h3>\n<ol id=\"trace\">\n")
        for evaluation in trace {
            let rule = evaluation.rule
            html.markup("<li")
            html.attribute("data-matched", evaluation.failure == nil ? "true" : "false")
            html.markup("><a")
            html.attribute("href", "#L\(rule.position.line)")
            html.markup(">")
            html.text("line \(rule.position.line)")
            html.markup("</a> ")
            html.text(rule.excludes ? "exclude " : "open ")
            html.markup("<code>")
            html.text(RuleText.patterns(rule))
            html.markup("</code> ")
            if let failure = evaluation.failure {
                html.markup("<span class=\"remark\">")
                html.text("\(failure.part.rawValue) differs: ")
                html.markup("<code>")
                html.text(failure.value.isEmpty ? "(nothing)" : failure.value)
                html.markup("</code> is not <code>")
                html.text(failure.pattern)
                html.markup("</code></span>")
            } else {
                html.markup("<strong>matches</strong>")
            }
            html.markup("</li>\n")
        }
        html.markup("</ol>\n")
        if !isComplete {
            html.markup(
                "<p class=\"remark\">The rules that follow are not shown: comparing them takes too many steps.</p>\n")
        }
    }

    private func write(_ android: AndroidAnswer, _ html: inout HTMLWriter) {
        html.markup("<h3>Android</h3>\n<div id=\"android\" class=\"decision\"")
        html.attribute("data-outcome", android.outcome.rawValue)
        html.markup("><p><strong>")
        html.text(Self.words(android.outcome))
        html.markup("</strong>")
        // The reason of an app is beside its name.
        if !android.apps.contains(where: { $0.outcome == .unknown }), let reason = android.reason {
            html.markup(": ")
            html.text(reason)
        }
        html.markup("</p>\n<ul class=\"apps\">\n")
        for app in android.apps {
            html.markup("<li><code>")
            html.text(app.package)
            html.markup("</code> ")
            html.text(app.outcome.text)
            if let location = app.location(android.path) { html.text(" – \(location)") }
            if let remark = Self.remark(app) { html.text(" (\(remark))") }
            html.markup("</li>\n")
        }
        html.markup("</ul>\n</div>\n")
    }

    /// On a page there are no options that give a manifest.
    private static func remark(_ app: AndroidAppAnswer) -> String? {
        switch app.reason {
        case .noManifest: "it has no dynamic rules, so its manifest decides"
        case .rulesDiscarded: "its dynamic rules are discarded, so its manifest decides"
        default: app.remark
        }
    }

    private static func words(_ outcome: AndroidOutcome) -> String {
        switch outcome {
        case .open: "Opens the app"
        case .excluded: "Excluded: stays in the browser"
        case .noMatch: "Stays in the browser"
        case .unknown: "Not known"
        }
    }
}
