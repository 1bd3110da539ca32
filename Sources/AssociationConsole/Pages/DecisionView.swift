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
        var work = WorkBudget(LinkAPI.work)
        let answers = url.flatMap { url in deciders?.answer(url, explains: true, &work) }
        answer = answers?.apple
        android = answers?.android
    }

    /// The line of the file that decides, from 1.
    var line: Int? {
        if let answer { return answer.decision.rule?.position.line }
        return android?.apps.lazy.compactMap { $0.component?.position.line }.first
    }

    func write(_ html: inout HTML) {
        html.section("try", "Try a link") { html in
            html += #"""
                <form id="try" method="get"><label for="url">Link</label><div class="row"><input id="url" name="url" \#
                type="text" inputmode="url" autocomplete="off" spellcheck="false" placeholder="https://example.com/buy/7" \#
                value="\#(url ?? "")"><button type="submit">Decide</button></div></form>

                """#
            if let url { writeResult(url, &html) }
        }
    }

    private func writeResult(_ url: String, _ html: inout HTML) {
        guard deciders != nil else {
            html += #"""
                <p id="decision" class="decision" data-outcome="none">No links are decided until the errors are fixed.</p>

                """#
            return
        }
        guard answer != nil || android != nil else {
            html += #"<p id="decision" class="decision" data-outcome="error">\#(WebURL.refusal(of: url))</p>\#n"#
            return
        }
        if let answer { write(answer, &html) }
        if let android { write(android, &html) }
    }

    private func write(_ answer: RouteAnswer, _ html: inout HTML) {
        let outcome = answer.decision.outcome
        html += #"""
            <div id="decision" class="decision" data-outcome="\#(outcome.rawValue)"><p><strong>\#(Self.words(outcome))</strong>
            """#
        if let rule = answer.decision.rule {
            html += " by \(Self.link(rule)): <code>\(RuleText.patterns(rule))</code>"
        } else if let reason = answer.reason {
            html += ": \(reason)"
        }
        html += "</p>\n"
        if let encoded = answer.encodedURL { html += #"<p class="remark">decided as \#(encoded)</p>\#n"# }
        if !answer.decision.appIDs.isEmpty {
            html += "<ul class=\"apps\">\n"
            for app in answer.decision.appIDs { html += "<li><code>\(app)</code></li>\n" }
            html += "</ul>\n"
        }
        html += "</div>\n"
        if let misses = answer.nearMisses, !misses.isEmpty { write(misses, &html) }
        if let trace = answer.trace, !trace.isEmpty { write(trace, answer.isTraceComplete, &html) }
    }

    /// A link to the line of a rule.
    private static func link(_ rule: Rule) -> HTML {
        ##"<a href="#L\##(rule.position.line)">line \##(rule.position.line)</a>"##
    }

    private static func words(_ outcome: Outcome) -> String {
        switch outcome {
        case .open: "Opens the app"
        case .excluded: "Excluded: stays in the browser"
        case .noMatch: "Stays in the browser"
        case .notDecided: "Not decided"
        }
    }

    private func write(_ misses: [NearMiss], _ html: inout HTML) {
        html += "<h3>Near misses</h3>\n<ul id=\"near\">\n"
        for miss in misses { html += #"<li data-change="\#(miss.change.rawValue)">\#(miss.message)</li>\#n"# }
        html += "</ul>\n"
    }

    private func write(_ trace: [RuleEvaluation], _ isComplete: Bool, _ html: inout HTML) {
        html += "<h3>Rules that were tried</h3>\n<ol id=\"trace\">\n"
        for evaluation in trace {
            let rule = evaluation.rule
            let result: HTML =
                if let failure = evaluation.failure {
                    #"""
                    <span class="remark">\#(failure.part.rawValue) differs: \#
                    <code>\#(failure.value.isEmpty ? "(nothing)" : failure.value)</code> is not \#
                    <code>\#(failure.pattern)</code></span>
                    """#
                } else {
                    "<strong>matches</strong>"
                }
            html += #"""
                <li data-matched="\#(evaluation.failure == nil ? "true" : "false")">\#(Self.link(rule)) \#
                \#(rule.excludes ? "exclude" : "open") <code>\#(RuleText.patterns(rule))</code> \#(result)</li>

                """#
        }
        html += "</ol>\n"
        if !isComplete {
            html += #"""
                <p class="remark">The rules that follow are not shown: comparing them takes too many steps.</p>

                """#
        }
    }

    private func write(_ android: AndroidAnswer, _ html: inout HTML) {
        // The reason of an app is beside its name.
        let reason = android.apps.contains { $0.outcome == .unknown } ? nil : android.reason
        html += #"""
            <h3>Android</h3>
            <div id="android" class="decision" data-outcome="\#(android.outcome.rawValue)"><p><strong>\#
            \#(Self.words(android.outcome))</strong>\#(reason.map { ": \($0)" } ?? "")</p>
            <ul class="apps">

            """#
        for app in android.apps {
            html += "<li><code>\(app.package)</code> \(app.outcome.text)"
            if let location = app.location(android.path) { html += " – \(location)" }
            if let remark = Self.remark(app) { html += " (\(remark))" }
            html += "</li>\n"
        }
        html += "</ul>\n</div>\n"
    }

    /// On a page there are no options that give a manifest.
    static func remark(_ app: AndroidAppAnswer) -> String? {
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
