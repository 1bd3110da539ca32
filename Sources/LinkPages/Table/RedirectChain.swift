internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax
internal import URLPatterns

extension LinksReader {
    /// Looks for redirects that lead back to themselves, and for other targets on the site's own host, as long as that is
    /// quick.
    mutating func findLoops() {
        guard let site, !ownTargets.isEmpty else { return }
        var chain = RedirectChain(table: LinksTable(content), site: site)
        for target in ownTargets {
            if chain.leadsBack(target.match) {
                let isFallback = if case .fallback = target.match { true } else { false }
                findings.report(
                    .redirectLoop, "the redirect leads back to itself", at: target.range,
                    target.container.pointer.member(isFallback ? "redirect" : "to"),
                    advice: "name a page that is not on the host of the links")
            } else if case .fallback = target.match {
                continue
            } else {
                findings.report(
                    .targetOnThisHost, "'to' is on the host of the link itself", at: target.range,
                    target.container.pointer.member("to"),
                    advice: "name another host: there a browser stays, and does not open the app")
            }
        }
    }
}

/// Follows redirects from one entry of a file to the next, as a browser would.
private struct RedirectChain {
    /// The redirects that browsers follow in a row, about.
    private static let maxHops = 20

    let table: LinksTable
    let site: LinkSite
    private var budget = WorkBudget()

    init(table: LinksTable, site: LinkSite) {
        self.table = table
        self.site = site
    }

    /// Whether a browser that opens a URL of an entry gets there again, and never to an end.
    mutating func leadsBack(_ start: LinkMatch) -> Bool {
        guard var (path, query) = sample(of: start) else { return false }
        var match = start
        var isBack = false
        for _ in 0..<Self.maxHops {
            budget.spend(1 + table.content.pages.count * (path.count + query.count))
            guard !budget.isSpent, let next = follow(match, path, query) else { return false }
            (path, query) = (next.path, next.query)
            guard let found = entry(path, query) else { return false }
            match = found
            if match == start { isBack = true }
        }
        return isBack
    }

    /// The redirect that answers a path; nil where something else does.
    private func entry(_ path: [UInt8], _ query: [UInt8]) -> LinkMatch? {
        let match = path.withUnsafeBufferPointer { path in
            query.withUnsafeBufferPointer { query in
                LinkPath.kind(of: path) == .ordinary ? table.match(path: path, query: query) : nil
            }
        }
        guard let match, case .redirect = table.kind(of: match) else { return nil }
        return match
    }

    /// The path and the query that a redirect leads to; nil where that is on another host.
    private func follow(
        _ match: LinkMatch, _ path: [UInt8], _ query: [UInt8]
    ) -> (path: [UInt8], query: [UInt8])? {
        var captures: RouteCaptures?
        if case .page(let index) = match {
            captures = table.content.pages[index].route.captures(path: path, query: query)
            guard captures != nil else { return nil }
        }
        var location: [UInt8] = []
        let isWritten = path.withUnsafeBufferPointer { path in
            query.withUnsafeBufferPointer { query in
                table.writeTarget(of: match, captures, path: path, query: query, to: &location)
            }
        }
        guard isWritten, let url = PartedURL(location) else { return nil }
        let port = url.bytes[url.parts.host.upperBound..<url.parts.path.lowerBound]
        guard port.isEmpty || port.elementsEqual(":443".utf8), let host = url.host, site.covers(host.ascii.utf8) else {
            return nil
        }
        return (Array(url.bytes[url.parts.path]), Array(url.bytes[url.parts.query]))
    }

    /// The path and the query of a URL that a redirect answers; nil for a page.
    private func sample(of match: LinkMatch) -> (path: [UInt8], query: [UInt8])? {
        guard case .redirect = table.kind(of: match) else { return nil }
        switch match {
        case .link(let index): return (table.content.links[index].path, [])
        case .page(let index):
            let page = table.content.pages[index]
            let items = page.route.query.map { Array($0.name.utf8) + [UInt8(ascii: "=")] + Self.sample($0.value) }
            return (Self.sample(page.route.path), Array(items.joined(separator: [UInt8(ascii: "&")])))
        // A path that hardly any entry has.
        case .fallback: return (Array("/~~".utf8), [])
        }
    }

    /// A text that the pieces of a route cover.
    private static func sample(_ pieces: [RoutePiece]) -> [UInt8] {
        var text: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .text(let pattern): text += sample(pattern)
            case .capture(_, let pattern): text += pattern.map(sample) ?? Array("x".utf8)
            }
        }
        return text
    }

    private static func sample(_ pattern: String) -> [UInt8] {
        PatternParser.pieces(Array(pattern.utf8)).flatMap { piece -> [UInt8] in
            switch piece {
            case .text(let text):
                return EncodedURL.encoded(
                    text.map { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") ? UInt8(ascii: "x") : $0 })
            case .variable(let name):
                let known = BuiltInVariable.allCases.first { $0.rawValue.utf8.elementsEqual(name) }
                return switch known {
                case .digit, .xdigit: Array("1".utf8)
                case .upper: Array("A".utf8)
                case .region: Array("US".utf8)
                case .lang: Array("en".utf8)
                case .alpha, .lower, .alnum, nil: Array("a".utf8)
                }
            }
        }
    }
}
