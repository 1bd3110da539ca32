internal import AndroidManifest
internal import AppProjects
internal import AppSiteAssociation
package import Diagnostics
internal import URLPatterns
package import UniversalLinks

/// The decision of the live file on a URL.
package struct LinkResult: Sendable {
    package let url: String
    /// The decision with its trace; nil if the file could not be had.
    package let answer: RouteAnswer?

    package init(url: String, answer: RouteAnswer?) {
        self.url = url
        self.answer = answer
    }
}

// The URLs that were given.
extension StepJudge {
    /// So many rules are shown that do not take a link.
    private static let mostRules = 10

    mutating func examineLinks() {
        let urls = seen.target.urls
        guard !urls.isEmpty else { return steps.append(Step(.link, skipped: "no URL was given")) }
        var shown: [String] = []
        if let document = live?.content.document {
            shown = decide(urls, document)
        } else {
            links = urls.map { LinkResult(url: $0, answer: nil) }
            guard options.projects.contains(where: \.isForAndroid) else {
                return steps.append(Step(.link, skipped: reasonForNoFile))
            }
        }
        shown += judgeFilters(urls)
        steps.append(Step(.link, summary: shown.first ?? "", details: Array(shown.dropFirst())))
    }

    /// Decides the URLs by the live file.
    private mutating func decide(_ urls: [String], _ document: AssociationDocument) -> [String] {
        let answerer = RouteAnswerer(
            UniversalLinkRouter(anyDomain: document), domain: seen.target.host, explains: true, hints: true)
        var shown: [String] = []
        for url in urls {
            if isOverdue() { setOverdue(.link) }
            guard !isUnfinished(.link), let answer = answerer.answer(url) else {
                links.append(LinkResult(url: url, answer: nil))
                continue
            }
            links.append(LinkResult(url: url, answer: answer))
            shown += Self.lines(answer)
            judge(answer, document)
        }
        return shown
    }

    /// Judges the URLs by the filters of the Android app.
    private mutating func judgeFilters(_ urls: [String]) -> [String] {
        guard options.projects.contains(where: \.isForAndroid) else { return [] }
        let checks = appChecks
        return urls.compactMap { url in
            guard let link = AndroidLink(url), let host = HostName(seen.target.host) else { return nil }
            let found = checks.findings(for: link)
            for finding in found { findings.append(StepFinding(.link, finding)) }
            // That no filter names the host is reported where the app is checked.
            let isNamed = !checks.findings(for: host, isTarget: true).contains {
                $0.diagnostic.is(.manifestHostMissing)
            }
            let taker =
                found.isEmpty
                ? (isNamed ? "an intent filter takes it" : "no intent filter names the host")
                : found.contains { $0.diagnostic.severity >= .error } ? "no intent filter takes it" : "not decided"
            return "\(Self.path(url)) on Android: \(taker)"
        }
    }

    private static func path(_ url: String) -> String {
        let path = url.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" && $0 != "?" && $0 != "#" }
        return path.isEmpty ? "/" : String(path).cut(to: 300)
    }

    /// The lines about a link: where it leads, and the rule that decides.
    private static func lines(_ answer: RouteAnswer) -> [String] {
        let decision = answer.decision
        let outcome =
            switch decision.outcome {
            case .open: "opens \(decision.appIDs.joined(separator: ", "))"
            case .excluded: "is excluded"
            case .noMatch: "opens no app"
            case .notDecided: "is not decided"
            }
        let rule = decision.rule.map { "line \($0.position.line): \(RuleText.asInFile($0).cut(to: 300))" }
        let encoded = answer.encodedURL.map { "decided as \(path($0))" }
        return ["\(path(answer.url)) \(outcome)"] + [encoded].compactMap { $0 }
            + [rule ?? answer.reason].compactMap { $0 }
    }

    private mutating func judge(_ answer: RouteAnswer, _ document: AssociationDocument) {
        let decision = answer.decision
        let line = decision.rule?.position.line ?? 0
        switch decision.outcome {
        case .open:
            let listed = Set(document.appLinks?.details.flatMap { $0.appIDs.map(\.value) } ?? [])
            let wanted = appIDs.filter(listed.contains)
            guard let first = wanted.first, !wanted.contains(where: decision.appIDs.contains) else { return }
            report(
                .link, .linkOtherApp, subject: answer.url,
                "the link opens \(Self.list(decision.appIDs.prefix(3).map { quoted($0) })), not \(quoted(first))",
                evidence: Self.trace(answer),
                help: "add a rule for it to the entry of \(quoted(first)) in the file")
        case .excluded:
            report(
                .link, .linkNotOpened, subject: answer.url,
                "the link opens no app: line \(line) of the file excludes it", evidence: Self.trace(answer),
                help: answer.hint?.message ?? "narrow that rule, or put one before it that opens the link")
        case .notDecided:
            report(
                .link, .urlNotDecided, subject: answer.url,
                "whether the link opens an app is not decided: \(answer.reason ?? "")", help: RouteAnswer.tooLargeHelp)
        case .noMatch:
            report(
                .link, .linkNotOpened, subject: answer.url,
                "the link opens no app: \(answer.reason ?? "no rule matches")", evidence: Self.trace(answer),
                help: answer.hint?.message ?? "add a rule for it to the file, and deploy the file")
        }
    }

    /// A line per rule that was tried, the deciding one last.
    private static func trace(_ answer: RouteAnswer) -> [String] {
        let all = answer.trace ?? []
        let tried = all.filter { $0.failure != nil }
        let deciding = all.filter { $0.failure == nil }.suffix(mostRules)
        let more = tried.count > mostRules ? ["\(counted(tried.count - mostRules, "more rule")) without a match"] : []
        let cut = answer.isTraceComplete ? [] : ["more rules, which take too many steps to compare"]
        return tried.prefix(mostRules).map(text) + more + deciding.map(text) + cut
    }

    private static func text(_ evaluation: RuleEvaluation) -> String {
        let rule = evaluation.rule
        let result = evaluation.failure.map { "\($0.part.rawValue) does not match" } ?? "matches"
        return "line \(rule.position.line): \(RuleText.asInFile(rule).cut(to: 300)): \(result)"
    }
}

/// The rules about a link, as the live file decides it (doctor.md, section 7).
package enum LinkRules {
    package static let all: [RuleDescription] = [
        .linkNotOpened, .linkOtherApp, .urlNotDecided,
    ]
}

extension RuleDescription {
    private static func link(
        _ code: String, _ summary: String, _ reason: String, bad: String, good: String, _ advice: String
    ) -> RuleDescription {
        RuleDescription(
            code, .error, subject: .link, summary: summary, reason: reason, basis: [.apple], bad: bad, good: good,
            advice: advice)
    }

    static let linkNotOpened = link(
        "link-not-opened", "the live file opens no app for the link",
        """
        No rule of the live file matches the link, or the first one that matches excludes it. On devices that have \
        this file the link opens the browser. The finding lists the rules that were tried.
        """,
        bad: """
            https://www.example.com/sell/7
            line 6: "/": "/buy/*": path does not match
            """,
        good: """
            https://www.example.com/buy/7
            line 6: "/": "/buy/*": matches
            """,
        """
        Add a rule that matches the link, or change the one that excludes it, and deploy the file. \
        'aasa route --explain' decides the link with a file that is not deployed yet.
        """)
    static let linkOtherApp = link(
        "link-other-app", "the live file opens another app for the link",
        """
        A rule matches, but its entry is not for the app that was given, although the file lists that app, too. The \
        link opens the other app, or the browser if that app is not installed.
        """,
        bad: "https://www.example.com/buy/7 opens 7K3QWZ9PLM.com.shop.web, not 7K3QWZ9PLM.com.shop.app",
        good: "https://www.example.com/buy/7 opens 7K3QWZ9PLM.com.shop.app",
        "Add a rule for the link to the entry of the app that should open it, or put both apps into one entry.")
}
