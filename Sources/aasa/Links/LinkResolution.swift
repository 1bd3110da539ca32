import BoundedText
import Diagnostics
import LinkPages
import URLPatterns

/// The answer of a server to a URL, by a `links.json`.
struct LinkResolution {
    /// The kinds of answers.
    enum Kind: String {
        case page, redirect, association, reserved, image
        case notFound = "not-found"
    }

    let url: String
    private(set) var kind = Kind.reserved
    /// The status; nil for an association file, which other files decide about.
    private(set) var status: Int? = 404
    private(set) var location: String?
    private(set) var to: String?
    private(set) var appURL: String?
    private(set) var captures: [(name: String, value: String)] = []
    /// The entry of the file that answers.
    private(set) var match: (pointer: String, line: Int)?

    /// Nil for what is not an http or https URL with a host.
    init?(_ text: String, _ document: LinksDocument, _ table: LinksTable) {
        guard let parts = WebURL((EncodedURL.text(of: text) ?? text).utf8) else { return nil }
        url = text
        let hasQuery = text.utf8.prefix { $0 != UInt8(ascii: "#") }.contains(UInt8(ascii: "?"))
        var location: [UInt8] = []
        let answer = Self.answer(to: parts, hasQuery: hasQuery, accepting: "text/html", table, &location)
        switch answer {
        case nil:
            (kind, status) = (.association, nil)
            return
        case .nothing: return
        case .image:
            (kind, status) = (.image, 200)
            return
        case .notFound:
            kind = .notFound
            return
        case .page(let subject):
            (kind, status) = (.page, 200)
            add(subject, document)
        case .redirect(let redirect):
            (kind, status) = (.redirect, Int(redirect.status.rawValue))
            self.location = String(text: location[redirect.location])
            add(redirect.match, document)
            // For an app the same URL is answered with what a page would have.
            if case .page(let subject) = Self.answer(
                to: parts, hasQuery: hasQuery, accepting: "application/json", table, &location)
            {
                add(subject, document)
            }
        }
    }

    /// The answer to a request; nil for the path of an association file.
    private static func answer(
        to url: WebURL, hasQuery: Bool, accepting accept: String, _ table: LinksTable, _ location: inout [UInt8]
    ) -> LinkAnswer? {
        let fields = [url.host, url.path, url.query, Array(accept.utf8)]
        var start = 0
        let ranges = fields.map { field in
            defer { start += field.count }
            return start..<start + field.count
        }
        return fields.flatMap { $0 }.withUnsafeBufferPointer { bytes in
            let parts = ranges.map { UnsafeBufferPointer(rebasing: bytes[$0]) }
            switch LinkPath.kind(of: parts[1]) {
            case .association: return nil
            case .wellKnown: return .nothing
            case .image, .dotSegment, .ordinary: break
            }
            let nothing = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
            let request = LinkRequest(
                host: parts[0], path: parts[1], query: hasQuery ? parts[2] : nil, accept: parts[3],
                acceptLanguage: nothing, userAgent: nothing)
            return table.answer(for: request, table.variant(of: request), into: &location)
        }
    }

    private mutating func add(_ subject: PageSubject, _ document: LinksDocument) {
        to = subject.to.map { String(text: $0) }
        appURL = String(text: subject.appURL)
        captures = subject.captures.map { ($0.name, String(text: $0.value)) }
        if case .found(let match) = subject.kind { add(match, document) }
    }

    private mutating func add(_ match: LinkMatch, _ document: LinksDocument) {
        self.match = document.location(of: match).map {
            ($0.pointer, document.source.position(at: $0.range.start).line)
        }
    }

    /// For programs.
    var json: JSONOutput {
        .object([
            "version": .number(1), "url": .string(url), "kind": .string(kind.rawValue),
            "status": status.map { .number($0) } ?? .null, "location": .optional(location), "to": .optional(to),
            "appURL": .optional(appURL),
            "captures": .object(
                Dictionary(captures.map { ($0.name, .string($0.value)) }, uniquingKeysWith: { first, _ in first })),
            "match": match.map { .object(["pointer": .string($0.pointer), "line": .number($0.line)]) } ?? .null,
        ])
    }

    /// For people.
    func lines(path: String, style: TextStyle) -> [String] {
        let what =
            switch kind {
            case .page: "a page"
            case .redirect: "a redirect (\(status ?? 302)) to \(location ?? "")"
            case .notFound: "not found (404)"
            case .association: "the association file, if there is one"
            case .reserved: "never a link (404)"
            case .image: "an image of the file"
            }
        var lines = [style.bold(url), "  \(what)"]
        if let match { lines.append("  by \(path):\(match.line), \(match.pointer)") }
        if kind == .page, let to { lines.append("  web page: \(to)") }
        if let appURL { lines.append("  for the app: \(appURL)") }
        lines += captures.map { "  {\($0.name)}: \($0.value)" }
        return lines.map(VisibleText.escapedKeepingTabs)
    }
}
