package import Android
package import AppSiteAssociation
internal import BoundedText
package import Diagnostics
package import DomainNames
package import LinkPages
package import PatternAnalysis
internal import URLPatterns

/// Whether the apps of a site open its links and pages, as the files beside `links.json` say.
package enum LinkOpening {
    /// The files that say which links open apps; those that are not at hand are not compared.
    package struct Files: Sendable {
        package var association: AssociationDocument?
        package var assetLinks: AssetLinksDocument?
        /// The association file of `app.openHost`.
        package var openHost: AssociationDocument?

        package init(
            association: AssociationDocument? = nil, assetLinks: AssetLinksDocument? = nil,
            openHost: AssociationDocument? = nil
        ) {
            (self.association, self.assetLinks, self.openHost) = (association, assetLinks, openHost)
        }
    }

    /// Finds the links and pages that an app does not open, and URLs that it opens and that have neither, in the order of
    /// the text; nothing for a file with errors.
    ///
    /// - Parameters:
    ///   - domain: Of the site, for the URLs that are shown; nil if it is not known.
    ///   - limits: What each of the files may take.
    package static func diagnostics(
        _ document: LinksDocument, domain: Domain?, _ files: Files, limits: ComparisonLimits = ComparisonLimits()
    ) -> [Diagnostic] {
        guard let content = document.content else { return [] }
        let host = domain?.exampleHost ?? "example.com"
        var check = OpeningCheck(document, content, host: host, limits: limits)
        if let association = files.association { check.compareApple(association) }
        if let assetLinks = files.assetLinks { check.compareAndroid(assetLinks) }
        if let openHost = files.openHost, let name = content.app?.openHost {
            check = check.onHost(String(text: name))
            check.compareApple(openHost)
        }
        return check.diagnostics.sorted { ($0.range.start, $0.code.rawValue) < ($1.range.start, $1.code.rawValue) }
    }
}

/// The comparison of one `links.json` with the files of the platforms.
private struct OpeningCheck {
    private let document: LinksDocument
    private let content: LinksContent
    private var host: String
    private let limits: ComparisonLimits
    /// Whether the URLs are those of the host that opens links for this one.
    private var isOpenHost = false
    /// The links that comparisons of all URLs know, as routes, and then the pages: as requests are answered.
    private let routes: [RoutePattern]
    private let comparedLinks: Int
    /// The paths of links if these comparisons do not know all of them.
    private let paths: Set<[UInt8]>
    private(set) var diagnostics: [Diagnostic] = []
    private var counts: [DiagnosticCode: Int] = [:]

    /// The most findings of one code.
    private static let maxFindings = 100
    /// The most links that comparisons of all URLs know; of more they know none, and the pages only.
    private static let maxComparedLinks = 500

    init(_ document: LinksDocument, _ content: LinksContent, host: String, limits: ComparisonLimits) {
        (self.document, self.content, self.host, self.limits) = (document, content, host, limits)
        let links: [RoutePattern] =
            content.links.count > Self.maxComparedLinks ? [] : content.links.compactMap { Self.route($0.path) }
        comparedLinks = links.count
        paths = links.count == content.links.count ? [] : Set(content.links.lazy.map(\.path))
        routes = links + content.pages.map(\.route)
    }

    /// The same for the URLs of another host.
    func onHost(_ name: String) -> OpeningCheck {
        var other = self
        (other.host, other.isOpenHost) = (name, true)
        return other
    }

    /// The route that matches a path only; nil for one that has characters with a meaning in routes.
    private static func route(_ path: [UInt8]) -> RoutePattern? {
        guard !path.contains(where: { "*?${}#".utf8.contains($0) }) else { return nil }
        return try? RoutePattern(String(text: path))
    }

    /// A file that opens in an app, which no file names, what is a link or a page; a shortest URL of it has no empty segment.
    private var linksFile: AssociationDocument {
        AssociationDocument(routes: routes, app: "links.json", excluding: "*//?*")
    }

    /// Whether a URL is that of a link which comparisons do not know.
    private func isLink(_ url: String) -> Bool {
        guard !paths.isEmpty, var path = WebURL(url.utf8)?.path else { return false }
        while path.count > 1, path.last == UInt8(ascii: "/") { path.removeLast() }
        return paths.contains(path)
    }

    private func url(_ path: [UInt8]) -> String { "https://\(host)" + String(text: path) }

    /// The index of the page whose route a rule of `linksFile` is; nil for that of a link.
    private func page(_ rule: Rule?) -> Int? {
        rule.flatMap { $0.component >= comparedLinks ? $0.component - comparedLinks : nil }
    }

    /// The pages for which a comparison has found a URL, each with a shortest one.
    private func shortest<Found>(
        _ found: [Found], _ page: (Found) -> Int?, _ witness: (Found) -> String
    ) -> [(page: Int, found: Found)] {
        var best: [Int: Found] = [:]
        // A fragment never reaches the server: rules that look at it say nothing about a page.
        for one in found where !witness(one).utf8.contains(UInt8(ascii: "#")) && !isLink(witness(one)) {
            guard let number = page(one), content.pages.indices.contains(number) else { continue }
            if let known = best[number], witness(known).utf8.count <= witness(one).utf8.count { continue }
            best[number] = one
        }
        return best.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private mutating func add(
        _ rule: RuleDescription, as severity: Severity? = nil, _ message: String, at match: LinkMatch,
        notes: [String] = []
    ) {
        counts[rule.code, default: 0] += 1
        let location = document.location(of: match)
        diagnostics.append(
            Diagnostic(
                rule, as: severity, message, range: location?.range ?? SourceRange(start: 0, end: 0),
                pointer: location?.pointer, notes: notes))
    }

    /// Whether as many findings of a code are there as anybody reads; the last one says so.
    private mutating func isFull(_ rule: RuleDescription) -> Bool {
        guard counts[rule.code, default: 0] >= Self.maxFindings else { return false }
        if let last = diagnostics.lastIndex(where: { $0.is(rule) }) {
            diagnostics[last].notes.append("those after it are not listed")
        }
        return true
    }
}

extension OpeningCheck {
    /// Compares with an association file: that of the site, or that of the open host.
    mutating func compareApple(_ file: AssociationDocument) {
        var budget = WorkBudget(limits.work / 2)
        let matcher = ReferenceMatcher(file)
        let links = isOpenHost ? RuleDescription.openHostNotOpened : .linkNotOpened
        for link in content.links.indices {
            let path = content.links[link].path
            guard let url = WebURL(url(path).utf8), let decision = matcher.decide(url, &budget) else { break }
            guard decision.outcome != .open else { continue }
            if isFull(links) { break }
            add(
                links, as: .warning,
                isOpenHost
                    ? "\(quoted(host)) opens no app for this link" : "the association file opens no app for this link",
                at: .link(link), notes: [Self.reason(decision.rule, in: file)])
        }
        guard !content.pages.isEmpty || content.fallback.isNotFound else { return }
        var half = limits
        half.work /= 2
        let comparison = LinkComparison(old: file, new: linksFile, host: host, limits: half)
        let pages = isOpenHost ? RuleDescription.openHostNotOpened : .pageNotOpened
        let opens = comparison.changes.filter { $0.kind == .opens }
        for (number, change) in shortest(opens, { page($0.new.rule) }, { $0.witness }) {
            if isFull(pages) { break }
            add(
                pages,
                isOpenHost
                    ? "\(quoted(host)) opens no app for some URLs of this page"
                    : "the association file opens no app for some URLs of this page",
                at: .page(number), notes: Self.example(change.witness) + [Self.reason(change.old.rule, in: file)])
        }
        if !isOpenHost, content.fallback.isNotFound { reportMissingPages(comparison, file) }
    }

    /// Reports a shortest URL that an app opens and that has neither a link nor a page.
    private mutating func reportMissingPages(_ comparison: LinkComparison, _ file: AssociationDocument) {
        let missing = comparison.changes.filter { $0.kind == .noLongerOpens && !isLink($0.witness) }
        guard let first = missing.min(by: { $0.witness.utf8.count < $1.witness.utf8.count }) else { return }
        let rule = first.old.rule.map { ["the rule at \(Self.location($0, in: file)) opens \(RuleText.patterns($0))"] }
        add(
            .openedWithoutPage, "the association file opens URLs that get the 404 page", at: .fallback,
            notes: Self.example(first.witness) + (rule ?? []))
    }

    /// Compares with an asset links file and its dynamic rules. Without such rules the manifest decides, which is not at
    /// hand.
    mutating func compareAndroid(_ file: AssetLinksDocument) {
        let matchers = file.apps.map { DynamicRuleMatcher($0) }
        guard !matchers.isEmpty, !file.hasInclude, matchers.allSatisfy({ $0 != nil }) else { return }
        var budget = WorkBudget(limits.work / 2)
        for link in content.links.indices {
            guard let url = AndroidURL(url(content.links[link].path)) else { continue }
            let decisions = matchers.compactMap { $0?.decide(url, &budget) }
            guard decisions.count == matchers.count else { break }
            guard decisions.allSatisfy({ $0.outcome != .open }) else { continue }
            if isFull(.linkNotOpenedAndroid) { break }
            let component = decisions.lazy.compactMap(\.component).first
            add(
                .linkNotOpenedAndroid, "the asset links file opens no app for this link", at: .link(link),
                notes: [Self.reason(component?.position, in: file)])
        }
        guard !content.pages.isEmpty else { return }
        var half = limits
        half.work /= 2
        let apps = file.apps.map { ComparedAndroidApp($0.package, components: $0.components) }
        let comparison = PlatformComparison(linksFile, android: apps, host: host, limits: half)
        let opens = comparison.changes.filter { $0.kind == .onlyIOS }
        for (number, change) in shortest(opens, { page($0.ios.rule) }, { $0.witness }) {
            if isFull(.pageNotOpenedAndroid) { break }
            add(
                .pageNotOpenedAndroid, "the asset links file opens no app for some URLs of this page",
                at: .page(number),
                notes: Self.example(change.witness) + [Self.reason(change.android.decider?.position, in: file)]
            )
        }
    }

    /// A URL that can be copied.
    private static func example(_ witness: String) -> [String] {
        ["a shortest one is \(quoted(witness, limit: 2_000))"]
    }

    private static func location(_ rule: Rule, in file: AssociationDocument) -> String {
        "\(file.source.path):\(rule.position.line)"
    }

    private static func reason(_ rule: Rule?, in file: AssociationDocument) -> String {
        guard let rule else { return "no rule of \(quoted(file.source.path)) matches it" }
        return "the rule at \(location(rule, in: file)) excludes \(RuleText.patterns(rule))"
    }

    private static func reason(_ position: SourcePosition?, in file: AssetLinksDocument) -> String {
        guard let position else { return "no dynamic rule of \(quoted(file.source.path)) matches it" }
        return "the rule at \(file.source.path):\(position.line) excludes it"
    }
}

extension LinkFallback {
    fileprivate var isNotFound: Bool { if case .notFound = self { true } else { false } }
}
