internal import AppSiteAssociation
internal import BoundedText
internal import Diagnostics
internal import DomainNames
internal import JSONSyntax
internal import URLPatterns

/// Reads the tree of a `links.json`: every value is checked, and what is right is kept.
struct LinksReader {
    let source: SourceText
    let site: LinkSite?
    let lookup: LinkImageLookup?
    var findings: LinkFindings
    var images = LinkImages()
    var content = LinksContent()
    /// The targets on the site's own host, which may lead back to their entry.
    var ownTargets: [OwnTarget] = []

    /// A target on the site's own host, and the entry that it is of.
    struct OwnTarget {
        let match: LinkMatch
        let range: SourceRange
        let container: LinkContainer
    }

    init(_ json: JSONDocument, domain: Domain?, images lookup: LinkImageLookup?) {
        source = json.source
        site = domain.map { LinkSite($0) }
        self.lookup = lookup
        findings = LinkFindings(json.findings)
    }

    mutating func read(_ root: JSONNode) {
        guard let object = root.object else {
            findings.report(
                .invalidLinksValue, "the file is \(root.kind); expected an object", at: root.range, JSONPointer())
            return
        }
        findings.unknownKeys(
            object,
            besides: ["app", "languages", "robots", "cacheMaxAge", "links", "pages", "fallback", "$schema"], in: .root)
        if let node = object["languages"] { content.languages = languages(node) ?? content.languages }
        if let node = object["robots"], let word = choice(node, "robots", ["noindex", "index"], in: .root) {
            content.isIndexed = word == 1
        }
        if let node = object["cacheMaxAge"],
            let seconds = number(node, "cacheMaxAge", 0...31_536_000, "a number of seconds up to 31536000", in: .root)
        {
            content.cacheMaxAge = seconds
        }
        if let node = object["app"] { content.app = app(node) }
        if let node = object["links"] { readLinks(node) }
        if let node = object["pages"] { readPages(node) }
        if let node = object["fallback"] { readFallback(node) }
        content.images = images.served
        let hasPage: Bool = if case .page = content.fallback { true } else { false }
        if object["app"] == nil,
            hasPage || content.links.records.contains(where: { $0.kind == .page })
                || content.pages.contains(where: { $0.kind == .page })
        {
            findings.missing("app", of: root, in: .root, "name the app that the pages are of: {\"name\": \"Shop\"}")
        }
        findUnreachablePages()
        findLoops()
    }

    private mutating func languages(_ node: JSONNode) -> [PageLanguage]? {
        let known = PageLanguage.allCases.map { "\($0.tag)" }.joined(separator: ", ")
        guard let values = node.array, !values.isEmpty else {
            findings.invalid(
                node, "languages", in: .root, node.array == nil ? nil : "empty",
                expected: "an array of languages, out of \(known)")
            return nil
        }
        var result: [PageLanguage] = []
        for (index, value) in values.enumerated() {
            let pointer = LinkContainer.root.pointer.member("languages").element(index)
            guard let language = value.string.flatMap({ PageLanguage(tag: $0.text.utf8) }) else {
                findings.report(
                    .invalidLinksValue, "\(value.described) in 'languages' is not a language of pages", at: value.range,
                    pointer, advice: "use some of \(known)")
                continue
            }
            guard !result.contains(language) else {
                findings.report(
                    .invalidLinksValue, "'\(language.tag)' is in 'languages' twice", at: value.range, pointer,
                    advice: "remove one of them")
                continue
            }
            result.append(language)
        }
        return result.isEmpty ? nil : result
    }

    private mutating func readLinks(_ node: JSONNode) {
        guard let object = node.object else {
            return findings.invalid(node, "links", in: .root, expected: "an object of paths")
        }
        guard object.members.count <= LinkLimits.maxLinks else {
            return findings.invalid(
                node, "links", in: .root, "an object of \(grouped(object.members.count)) links",
                expected: "at most \(grouped(LinkLimits.maxLinks))")
        }
        content.links.reserve(object.members.count)
        for member in object.members {
            let container = LinkContainer.link(member.key.text)
            let path = linkPath(member)
            guard let link = member.value.object else {
                findings.invalid(member.value, member.key.text, in: .links, expected: "an object")
                continue
            }
            guard let entry = entry(link, member.value, container, known: Self.entryKeys, .none), let path else {
                continue
            }
            if let first = path.withUnsafeBytes({ content.links.index(ofPath: $0) }) {
                reportDuplicate(member, of: content.links[first].keyRange)
            } else {
                if let own = entry.ownTarget {
                    ownTargets.append(OwnTarget(match: .link(content.links.count), range: own, container: container))
                }
                content.links.append(entry, path: path, keyRange: member.keyRange)
            }
        }
    }

    private mutating func reportDuplicate(_ member: JSONMember, of first: SourceRange) {
        // Equal keys are a finding about the syntax.
        guard source.bytes[first.start..<first.end] != source.bytes[member.keyRange.start..<member.keyRange.end] else {
            return
        }
        findings.report(
            .duplicateLink,
            "\(quoted(member.key.text)) is the same path as the link in line \(source.position(at: first.start).line)",
            at: member.keyRange, LinkContainer.link(member.key.text).pointer,
            advice: "remove one of them: slashes at the ends do not count, and %61 is the same as 'a'",
            labels: [Diagnostic.Label(first, "the first one")])
    }

    /// The path that a key is, in the form in which paths are compared; nil where no link can have it.
    private mutating func linkPath(_ member: JSONMember) -> [UInt8]? {
        let text = Array(member.key.text.utf8)
        if let fault = LinkPathFault(text) {
            findings.report(
                fault.isReserved ? .reservedPath : .invalidLinkPath, "\(quoted(member.key.text)) \(fault.message)",
                at: member.keyRange, LinkContainer.link(member.key.text).pointer, advice: fault.advice)
            return nil
        }
        return ComparedPath.bytes(of: text)
    }

    private mutating func readPages(_ node: JSONNode) {
        guard let values = node.array else {
            return findings.invalid(node, "pages", in: .root, expected: "an array of objects")
        }
        guard values.count <= LinkLimits.maxPages else {
            return findings.invalid(
                node, "pages", in: .root, "an array of \(grouped(values.count)) pages",
                expected: "at most \(grouped(LinkLimits.maxPages))")
        }
        for (index, value) in values.enumerated() {
            guard let object = value.object else {
                findings.report(
                    .invalidLinksValue, "an element of 'pages' is \(value.kind); expected an object", at: value.range,
                    LinkContainer.page(index).pointer)
                continue
            }
            readPage(object, value, .page(index))
        }
    }

    private mutating func readPage(_ object: JSONObject, _ node: JSONNode, _ container: LinkContainer) {
        var route: RoutePattern?
        if let value = object["route"] {
            route = self.route(value, container)
        } else {
            findings.missing(
                "route", of: node, in: container, "write the route of its URLs, such as \"/products/{id}\"")
        }
        // Without the route nothing is known of its captures.
        let captures = route.map { TargetCaptures($0) } ?? .unknown
        let entry = entry(object, node, container, known: ["route"] + Self.entryKeys, captures)
        guard let route, let range = object["route"]?.range, let entry else { return }
        if let own = entry.ownTarget {
            ownTargets.append(OwnTarget(match: .page(content.pages.count), range: own, container: container))
        }
        content.pages.append(
            LinkPage(
                route: route, range: range, kind: entry.kind, title: entry.title, description: entry.description,
                image: entry.image, to: entry.to, appURL: entry.appURL, keepsQuery: entry.keepsQuery))
    }

    private mutating func route(_ node: JSONNode, _ container: LinkContainer) -> RoutePattern? {
        guard let string = node.string else {
            findings.invalid(node, "route", in: container, expected: "a string such as \"/products/{id}\"")
            return nil
        }
        func report(_ rule: RuleDescription, _ message: String, _ range: Range<Int>, _ advice: String? = nil) {
            findings.report(
                rule, message, at: string.sourceRange(ofUTF8: range, in: source), container.pointer.member("route"),
                advice: advice)
        }
        let text = Array(string.text.utf8)
        let route: RoutePattern
        do throws(RoutePatternError) {
            route = try RoutePattern(string.text)
        } catch {
            report(.invalidRoute, error.message, error.offset..<error.offset + error.length)
            return nil
        }
        if route.host != nil {
            let start = text.firstIndex { $0 > 0x20 } ?? 0
            let path = text[min(start + "https://".utf8.count, text.count)...].firstIndex(of: UInt8(ascii: "/"))
            report(
                .fragmentInPage, "a page has no host: the file is for one site", start..<(path ?? text.count),
                "begin the route with its path")
            return nil
        }
        if route.fragment != nil {
            let column = text.indices.first { index in
                text[index] == UInt8(ascii: "#") && index > 0 && text[index - 1] <= 0x20
            }
            let start = column ?? 0
            report(
                .fragmentInPage, "a page has no fragment: browsers do not send it to the server",
                start..<start + text[start...].prefix { $0 > 0x20 }.count, "remove the column that begins with '#'")
            return nil
        }
        guard route.captureNames.count <= LinkLimits.maxCaptures else {
            findings.invalid(
                node, "route", in: container, "a route with \(route.captureNames.count) captures",
                expected: "at most \(LinkLimits.maxCaptures)")
            return nil
        }
        return route
    }

    /// Looks for pages of which an earlier one takes all URLs, as long as that is quick.
    private mutating func findUnreachablePages() {
        var budget = WorkBudget()
        for (index, page) in content.pages.enumerated() where !budget.isSpent {
            let cover = content.pages[..<index].first { $0.route.covers(page.route, budget: &budget) }
            guard let cover else { continue }
            findings.report(
                .unreachablePage,
                "\(quoted(cover.route.description)) in line \(source.position(at: cover.range.start).line) "
                    + "takes every URL of this page",
                at: page.range, LinkContainer.page(index).pointer.member("route"),
                advice: "put this page before it, or remove it")
        }
    }

    private mutating func readFallback(_ node: JSONNode) {
        if node.string != nil {
            if let word = choice(
                node, "fallback", ["not-found", "page"], in: .root, or: " or an object with \"redirect\"")
            {
                content.fallback = word == 1 ? .page : .notFound
            }
            return
        }
        guard let object = node.object else {
            return findings.invalid(
                node, "fallback", in: .root, expected: "\"not-found\", \"page\" or an object with \"redirect\"")
        }
        findings.unknownKeys(object, besides: ["redirect", "keepPath", "keepQuery", "status"], in: .fallback)
        let keepsPath = boolean(object, "keepPath", otherwise: true, in: .fallback)
        let keepsQuery = boolean(object, "keepQuery", otherwise: true, in: .fallback)
        let status = status(object, in: .fallback)
        guard let value = object["redirect"] else {
            return findings.missing(
                "redirect", of: node, in: .fallback, "write the site to lead to, such as \"https://www.example.com\"")
        }
        guard let target = target(value, "redirect", in: .fallback, TargetReader(key: "fallback.redirect")),
            let url = target.constant
        else { return }
        if keepsPath, let mark = url.first(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
            let what = mark == UInt8(ascii: "#") ? "fragment" : "query"
            return findings.report(
                .invalidLinksValue, "'fallback.redirect' has a \(what), and 'keepPath' puts the path after it",
                at: value.range, LinkContainer.fallback.pointer.member("redirect"),
                advice: "remove the \(what), or set \"keepPath\": false")
        }
        content.fallback = .redirect(to: url, keepsPath: keepsPath, keepsQuery: keepsQuery, status: status)
        if isOwn(target) { ownTargets.append(OwnTarget(match: .fallback, range: value.range, container: .fallback)) }
    }
}

extension TargetCaptures {
    fileprivate init(_ route: RoutePattern) {
        let inPath = route.path.count { piece in if case .capture = piece { true } else { false } }
        let patterns = (route.path + route.query.flatMap(\.value)).compactMap { piece -> String?? in
            if case .capture(_, let pattern) = piece { .some(pattern) } else { nil }
        }
        // A name of a variable has no star.
        let free = patterns.indices.filter { patterns[$0]?.utf8.contains(UInt8(ascii: "*")) ?? true }
        self.init(
            names: route.captureNames, inPath: inPath, isPercentEncoded: route.percentEncoded, freeText: Set(free))
    }
}
