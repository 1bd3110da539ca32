internal import BoundedText
package import Diagnostics
package import URLPatterns

/// Decides which Android apps a URL opens, from the statements of its site and the manifests of its apps
/// (docs/spec/android.md, section 4).
package struct AndroidRouter: Sendable {
    /// The manifest of an app, and where it was read.
    package struct Manifest: Sendable {
        let manifest: AppManifest
        let source: SourceText

        package init(_ manifest: AppManifest, source: SourceText) {
            self.manifest = manifest
            self.source = source
        }

        func line(_ range: SourceRange) -> Int { source.position(at: range.start).line }

        func filter(_ filter: LinkFilter) -> AndroidAppAnswer.Filter {
            AndroidAppAnswer.Filter(path: source.path, line: line(filter.range), activity: filter.activity)
        }

        func trace(_ evaluation: FilterEvaluation) -> AndroidAppAnswer.FilterTrace {
            AndroidAppAnswer.FilterTrace(
                filter: filter(evaluation.filter), evaluation: evaluation, groupLine: evaluation.group.map(line))
        }
    }

    private struct App: Sendable {
        let app: AssetLinksApp
        let matcher: DynamicRuleMatcher?
        let manifest: Manifest?
    }

    package let document: AssetLinksDocument
    private let apps: [App]
    private let api: Int
    private let hasManifest: Bool
    private let isForHost: @Sendable (_ host: String) -> Bool

    /// The first version of Android that has dynamic rules: Android 15, with Google's services.
    package static let dynamicRulesAPI = 35

    /// - Parameters:
    ///   - manifests: The manifests, by the packages of their apps.
    ///   - packages: The apps that are asked about; nil for all of the file.
    ///   - api: The version of Android on the device.
    ///   - isForHost: Whether the file is that of a host, which is in lower case and in Punycode.
    package init(
        _ document: AssetLinksDocument, manifests: [String: Manifest] = [:], packages: Set<String>? = nil,
        api: Int = ManifestDecisions.api, isForHost: @escaping @Sendable (_ host: String) -> Bool = { _ in true }
    ) {
        self.document = document
        self.api = api
        self.isForHost = isForHost
        apps = document.apps.filter { packages?.contains($0.package) ?? true }.map { app in
            App(
                app: app, matcher: api >= Self.dynamicRulesAPI ? DynamicRuleMatcher(app) : nil,
                manifest: manifests[app.package])
        }
        hasManifest = apps.contains { $0.manifest != nil }
    }

    /// The components of the rules in force, in the order of the apps.
    package var components: [DynamicComponent] { apps.flatMap { $0.matcher?.components ?? [] } }

    /// Decides a URL; nil if it is not an http or https URL with a host.
    ///
    /// - Parameter explains: Whether the answer has every component that was tried.
    package func answer(_ url: String, explains: Bool = false) -> AndroidAnswer? {
        var work = WorkBudget.unlimited
        return answer(url, explains: explains, within: &work)
    }

    /// The same answer, which is paid from a budget that the answers about other URLs share.
    package func answer(_ url: String, explains: Bool, within work: inout WorkBudget) -> AndroidAnswer? {
        guard let parted = PartedURL(url.utf8) else { return nil }
        let host = parted.host
        let parsed = AndroidURL(parted)
        let link = hasManifest ? host.map { AndroidLink(parted, host: $0) } : nil
        let isOfFile = isForHost(host?.ascii ?? "")
        var budget = WorkBudget.decision
        defer { work.spend(budget.spent) }
        // What explains an answer has a budget of its own, so that answers are the same with and without it.
        var searching = WorkBudget.decision
        defer { if explains { work.spend(searching.spent) } }
        return AndroidAnswer(
            path: document.source.path, hasInclude: isOfFile && document.hasInclude,
            apps: apps.map { app in
                guard isOfFile else {
                    var found = AndroidAppAnswer(app.app.package, .noMatch, refusal: .otherHost)
                    if explains { found.nearMisses = nearMisses(of: url, app, &searching) }
                    return found
                }
                var checking = WorkBudget.decision
                var found = answer(app, parsed, link, explains: explains, &budget, manifest: &checking)
                work.spend(checking.spent)
                if explains { explain(&found, url, parsed, link, app, &searching) }
                return found
            })
    }

    /// Adds what each filter does where they do not open a URL, what the dynamic rules would do, and the near misses.
    private func explain(
        _ answer: inout AndroidAppAnswer, _ url: String, _ parsed: AndroidURL, _ link: AndroidLink?, _ app: App,
        _ budget: inout WorkBudget
    ) {
        if let manifest = app.manifest, let link, answer.refusal != nil || answer.reason == .unresolvedValue {
            answer.filters = manifest.manifest.evaluations(of: link, &budget).map { manifest.trace($0) }
            if answer.trace.isEmpty { answer.trace = app.matcher?.explain(parsed, &budget)?.trace ?? [] }
        }
        if answer.outcome == .noMatch { answer.nearMisses = nearMisses(of: url, app, &budget) }
    }

    /// The URLs that one which does not open an app could be instead.
    private func nearMisses(of url: String, _ app: App, _ budget: inout WorkBudget) -> [AndroidNearMiss] {
        guard let search = AndroidNearMissSearch(url) else { return [] }
        let patterns =
            (app.matcher?.components.compactMap(\.path?.text) ?? []) + (app.manifest?.manifest.pathTexts ?? [])
        return search.misses(like: patterns, &budget) { opener($0, app, &$1) }
    }

    /// The file and line of what opens a URL in an app; nil if it does not, or not for certain.
    private func opener(_ url: String, _ app: App, _ budget: inout WorkBudget) -> (path: String, line: Int)? {
        guard let parted = PartedURL(url.utf8) else { return nil }
        let host = parted.host
        guard isForHost(host?.ascii ?? "") else { return nil }
        let link = app.manifest == nil ? nil : host.map { AndroidLink(parted, host: $0) }
        var (deciding, checking) = (WorkBudget.decision, WorkBudget.decision)
        let found = answer(app, AndroidURL(parted), link, explains: false, &deciding, manifest: &checking)
        budget.spend(deciding.spent + checking.spent)
        guard found.outcome == .open, found.isCertain || found.doubt == .noStatement else { return nil }
        return found.component.map { (document.source.path, $0.position.line) }
            ?? found.filter.map { ($0.path, $0.line) }
    }

    private func answer(
        _ app: App, _ url: AndroidURL, _ link: AndroidLink?, explains: Bool, _ budget: inout WorkBudget,
        manifest checking: inout WorkBudget
    ) -> AndroidAppAnswer {
        var answer = AndroidAppAnswer(app.app.package, .unknown)
        var verdict: ManifestVerdict?
        if let manifest = app.manifest, let link {
            let found = manifest.manifest.verdict(on: link, &checking)
            answer.filter = found.filter.map { manifest.filter($0) }
            answer.unresolved = found.unresolved.map { ($0, manifest.manifest.advice(about: $0)) }
            let together = manifest.manifest.hostsVerifiedTogether
            answer.otherHosts = together.filter { !$0.utf8.elementsEqual(link.host.utf8) }
            verdict = found
        }
        if app.manifest != nil, verdict == nil || verdict?.decision == .no {
            answer.outcome = .noMatch
            answer.basis = .manifest
            answer.refusal = verdict?.filter != nil ? .notVerified(host: link?.host ?? "") : .noFilter
            answer.verificationFailure = link.flatMap { app.manifest?.manifest.verificationFailure(of: $0.host) }
            return answer
        }
        if verdict?.isTooLarge == true { return answer.undecided(.tooLarge) }
        guard let matcher = app.matcher else {
            // A list that was dropped is one of rules that would have decided; an older device would not have read it.
            let isTooOld = api < Self.dynamicRulesAPI && app.app.components != nil
            answer.reason =
                isTooOld ? .api : app.app.isDiscarded && api >= Self.dynamicRulesAPI ? .rulesDiscarded : nil
            if app.app.hasTwoLists, api >= Self.dynamicRulesAPI { answer.doubt = .twoLists }
            switch verdict?.decision {
            case nil: answer.reason = answer.reason ?? .noManifest
            case .undecided?: return answer.undecided(.unresolvedValue)
            case .yes?, .no?:
                answer.outcome = .open
                answer.basis = .manifest
                if document.isAssumed { answer.doubt = .noStatement }
            }
            return answer
        }
        guard let decision = decide(matcher, url, explains: explains, &answer, &budget) else {
            return answer.undecided(.tooLarge)
        }
        answer.outcome = decision.outcome
        answer.basis = .dynamic
        answer.component = decision.component
        guard let isCertain = app.app.isCertain(decision, of: matcher, url, &budget) else {
            return answer.undecided(.tooLarge)
        }
        if verdict?.decision == .undecided {
            guard decision.outcome != .open else { return answer.undecided(.unresolvedValue) }
            answer.reason = .unresolvedValue
        } else if !isCertain {
            answer.doubt = app.app.hasTwoLists ? .twoLists : .wildcards
        } else if verdict?.isByWildcard == true {
            answer.doubt = .hostWildcard
        }
        return answer
    }

    private func decide(
        _ matcher: DynamicRuleMatcher, _ url: AndroidURL, explains: Bool, _ answer: inout AndroidAppAnswer,
        _ budget: inout WorkBudget
    ) -> DynamicDecision? {
        guard explains else { return matcher.decide(url, &budget) }
        guard let explained = matcher.explain(url, &budget) else { return nil }
        answer.trace = explained.trace
        return explained.decision
    }
}
