internal import Android
internal import AppProjects
internal import AppSiteAssociation
internal import AssociationFiles
package import Diagnostics
internal import URLPatterns
package import UniversalLinks

/// The decision of the live file on a URL.
package struct LinkResult: Sendable {
    package let url: String
    /// The decision with its trace; nil if the file could not be had.
    package let answer: RouteAnswer?
    /// The codes of the errors that keep the link from the app that was asked about, whatever the file decides.
    package internal(set) var obstacles: [String]

    package init(url: String, answer: RouteAnswer?, obstacles: [String] = []) {
        (self.url, self.answer, self.obstacles) = (url, answer, obstacles)
    }
}

/// Why a link does not open the app although the file, or a filter, gives it the link.
private struct LinkObstacle {
    /// The clause in place of `opens`.
    let clause: String
    /// The errors that say so in an earlier step; none if one about the app's files does.
    let codes: [DiagnosticCode]
}

// The URLs that were given.
extension DomainDiagnoser {
    /// At most this many rules are shown that do not match a link.
    private static let maxRules = 10

    mutating func examineLinks() {
        let urls = seen.target.urls
        guard !urls.isEmpty else { return steps.append(Step(.link, skipped: "no URL was given")) }
        let errors = options.settings.apply(to: findings).reported.filter { $0.diagnostic.severity >= .error }
        var shown: [String] = []
        var isBroken = false
        if let document = live?.content.document {
            shown = decide(urls, document, errors, &isBroken)
        } else {
            links = urls.map { LinkResult(url: $0, answer: nil) }
            guard options.projects.contains(where: \.isForAndroid) else {
                return steps.append(Step(.link, skipped: reasonForNoFile))
            }
        }
        shown += judgeFilters(urls, errors)
        var step = Step(.link, summary: shown.first ?? "", details: Array(shown.dropFirst()))
        // A fault of the app's files is reported once, where they are checked by themselves.
        if isBroken { step.status = .error }
        steps.append(step)
    }

    /// Decides the URLs by the live file.
    private mutating func decide(
        _ urls: [String], _ document: AssociationDocument, _ errors: [StepFinding], _ isBroken: inout Bool
    ) -> [String] {
        let answerer = answerer(document)
        let copy = staleCopy.map { self.answerer($0) }
        let apps = HostName(seen.target.host).flatMap { appChecks.appsForLinks(on: $0) }
        var shown: [String] = []
        for url in urls {
            if isOverdue() { setOverdue(.link) }
            guard !isUnfinished(.link), let answer = answerer.answer(url) else {
                links.append(LinkResult(url: url, answer: nil))
                continue
            }
            judge(answer, document, apps)
            let obstacle = answer.decision.outcome == .open ? obstacle(answer.decision, apps, errors) : nil
            if let obstacle {
                linkObstacles.formUnion(obstacle.codes)
                if obstacle.codes.isEmpty { isBroken = true }
            }
            links.append(LinkResult(url: url, answer: answer, obstacles: obstacle?.codes.map(\.rawValue) ?? []))
            shown += lines(answer, obstacle)
            if let decision = copy?.answer(url)?.decision,
                decision.outcome != answer.decision.outcome || decision.appIDs != answer.decision.appIDs
            {
                shown.append("in Apple's copy, which devices use, it \(Self.outcome(decision))")
            }
        }
        return shown
    }

    private func answerer(_ document: AssociationDocument) -> RouteAnswerer {
        RouteAnswerer(UniversalLinkRouter(anyDomain: document), domain: seen.target.host, explains: true, hints: true)
    }

    /// Apple's copy, if its rules are not those of the file.
    private var staleCopy: AssociationDocument? {
        guard findings.contains(where: { $0.diagnostic.is(.cdnStale) }), case .success(let response)? = seen.appleCopy
        else { return nil }
        var reader = reader
        return reader.file(response).content.document
    }

    /// The error that keeps a link from the app; nil if nothing that is known does.
    private func obstacle(
        _ decision: RoutingDecision, _ apps: [ApplicationIdentifier?]?, _ errors: [StepFinding]
    ) -> LinkObstacle? {
        let opened = Self.list(decision.appIDs)
        if let apps, apps.isEmpty {
            let rules = [RuleDescription.entitlementMissing]
            return LinkObstacle(
                clause: "does not open the app, which has no entry 'applinks:\(seen.target.host)'",
                codes: codes(of: rules))
        }
        if let ids = Self.withoutLink(decision, apps) {
            return LinkObstacle(
                clause: "is for \(opened), not for \(Self.list(Array(ids.prefix(3))))",
                codes: codes(of: [.linkOtherApp, .appNotInFile, .appPrefixMismatch]))
        }
        guard let error = errors.first(where: \.isHostError) else { return nil }
        return LinkObstacle(
            clause: "would open \(opened) but for an error of step '\(error.step.rawValue)'",
            codes: [error.diagnostic.code])
    }

    /// The IDs of the apps that are asked about, if all are known and the file gives the link to none of them.
    private static func withoutLink(_ decision: RoutingDecision, _ apps: [ApplicationIdentifier?]?) -> [String]? {
        let ids = (apps ?? []).compactMap { $0?.text }
        guard let apps, !ids.isEmpty, ids.count == apps.count else { return nil }
        let isOpened = decision.appIDs.contains { opened in ids.contains { $0.utf8.elementsEqual(opened.utf8) } }
        return isOpened ? nil : ids
    }

    /// The codes of those rules that something was found by.
    private func codes(of rules: [RuleDescription]) -> [DiagnosticCode] {
        rules.filter { rule in findings.contains { $0.diagnostic.is(rule) } }.map(\.code)
    }

    /// Judges the URLs by the filters of the Android app.
    private mutating func judgeFilters(_ urls: [String], _ errors: [StepFinding]) -> [String] {
        guard options.projects.contains(where: \.isForAndroid), let host = HostName(seen.target.host) else { return [] }
        let checks = appChecks
        // That no filter names the host, or that none is verified, is reported where the app is checked.
        let ofHost = checks.findings(for: host, isTarget: true)
        let unproved = errors.first {
            [.dns, .tls, .assetlinks].contains($0.step) && !$0.diagnostic.is(.tlsExpiresSoon)
        }
        return urls.compactMap { url in
            guard let link = AndroidLink(url) else { return nil }
            let found = checks.findings(for: link)
            for finding in found { findings.append(StepFinding(.link, finding)) }
            var taker = "an intent filter takes it"
            var code: DiagnosticCode?
            if !found.isEmpty {
                taker =
                    found.contains { $0.diagnostic.severity >= .error } ? "no intent filter takes it" : "not decided"
            } else if ofHost.contains(where: { $0.diagnostic.is(.manifestHostMissing) }) {
                taker = "no intent filter that gets links names the host"
                code = RuleDescription.manifestHostMissing.code
            } else if let unproved {
                taker += ", but an error of step '\(unproved.step.rawValue)' keeps it from the app"
                code = unproved.diagnostic.code
            } else if ofHost.contains(where: { $0.diagnostic.is(.manifestAutoVerify) }) {
                taker += ", but does not have it verified"
            }
            if let code {
                linkObstacles.insert(code)
                if let index = links.firstIndex(where: { $0.url == url }) {
                    links[index].obstacles.append(code.rawValue)
                }
            }
            return "\(Self.path(url)) on Android: \(taker)"
        }
    }

    private static func path(_ url: String) -> String {
        let path = url.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" && $0 != "?" && $0 != "#" }
        return path.isEmpty ? "/" : String(path).cut(to: 300)
    }

    private static func outcome(_ decision: RoutingDecision) -> String {
        switch decision.outcome {
        case .open: "opens \(decision.appIDs.joined(separator: ", "))"
        case .excluded: "is excluded"
        case .noMatch: "opens no app"
        case .notDecided: "is not decided"
        }
    }

    /// The lines about a link: where it leads, and the rule that decides.
    private func lines(_ answer: RouteAnswer, _ obstacle: LinkObstacle?) -> [String] {
        let decision = answer.decision
        let rule = decision.rule.map { "line \($0.position.line): \(RuleText.asInFile($0).cut(to: 300))" }
        let encoded = answer.encodedURL.map { "decided as \(Self.path($0))" }
        return ["\(Self.path(answer.url)) \(obstacle?.clause ?? Self.outcome(decision))"] + [encoded].compactMap { $0 }
            + [rule ?? answer.reason].compactMap { $0 }
    }

    /// - Parameter apps: Those that the links of the host can open; nil if nothing says which app is meant.
    private mutating func judge(
        _ answer: RouteAnswer, _ document: AssociationDocument, _ apps: [ApplicationIdentifier?]?
    ) {
        let decision = answer.decision
        let line = decision.rule?.position.line ?? 0
        switch decision.outcome {
        case .open:
            guard let ids = Self.withoutLink(decision, apps) else { return }
            let listed = document.appLinks?.details.flatMap { $0.appIDs.map(\.value) } ?? []
            let isReported = !codes(of: [.appNotInFile, .appPrefixMismatch]).isEmpty
            let first = ids.first { id in listed.contains { $0.utf8.elementsEqual(id.utf8) } }
            // An app that the file does not list at all is reported where the app is checked.
            guard let first = first ?? (isReported ? nil : ids.first) else { return }
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
        let deciding = all.filter { $0.failure == nil }.suffix(maxRules)
        let more = tried.count > maxRules ? ["\(counted(tried.count - maxRules, "more rule")) without a match"] : []
        let cut = answer.isTraceComplete ? [] : ["more rules, which take too many steps to compare"]
        return tried.prefix(maxRules).map(text) + more + deciding.map(text) + cut
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
    static let linkOtherApp = live(
        "link-other-app", .error, subject: .link, "the live file opens another app for the link",
        """
        A rule matches, but its entry is not for the app that was given, although the file lists that app, too. The \
        link opens the other app, or the browser if that app is not installed.
        """,
        "https://www.example.com/buy/7 opens 7K3QWZ9PLM.com.shop.web, not 7K3QWZ9PLM.com.shop.app",
        "https://www.example.com/buy/7 opens 7K3QWZ9PLM.com.shop.app",
        "Add a rule for the link to the entry of the app that should open it, or put both apps into one entry.",
        basis: [.apple])
}
