import DomainNames
import Fuzzing
import FuzzingSupport
import LinkPages
import Testing

/// A file of links that answers requests, with the page or the document that they get.
struct PageSite {
    let table: LinksTable
    let writer: PageWriter

    static let host = "go.example.com"
    /// Not the hash of anything: its base64 is easy to recognize.
    static let hash = [UInt8](repeating: 0, count: 32)
    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: 40)

    static let app = """
        "app": { "name": "Shop", "icon": "icon.png", "appStore": {"id": "1234567890", "country": "de"},
                 "play": {"package": "com.example.shop"}, "stores": [{"name": "AppGallery", "url": "https://store.example/shop"}],
                 "openHost": "open.example.com", "scheme": "shop" }
        """

    /// One of everything.
    static let whole = """
        { \(app),
          "links": { "/summer": { "title": {"en": "Summer sale", "de": "Sommerschlussverkauf"}, "description": "Up to 50 %",
                                  "image": "summer.png", "to": "https://www.example.com/sale",
                                  "appURL": "https://go.example.com/sale/7,8" },
                     "/other": { "title": "Other", "appURL": "https://shop.example.com/a" },
                     "/scheme": { "title": "Scheme", "appURL": "shop://sale" } },
          "pages": [ { "route": "/products/{id} ?ref={ref:*}", "title": "Product {id}", "description": "By {ref}",
                       "to": "https://www.example.com/p/{id}?r={ref}" },
                     { "route": "/plain/{id}", "title": "Product {id}" },
                     { "route": "/untitled/{id}" } ] }
        """

    init(_ file: String = whole) throws {
        let document = LinksDocument.read(Array(file.utf8), domain: Domain(Self.host)) { _, _ in
            .found(Self.png, sha256: Self.hash)
        }
        let content = try #require(document.content, "\(document.diagnostics)")
        table = LinksTable(content)
        writer = PageWriter(content.app, languages: content.languages) { _ in Self.hash }
    }

    /// An answer that is no page of either kind.
    struct NoPage: Error {}

    /// An answer with its body.
    struct Answer {
        let isFound: Bool
        let head: PageHead
        let body: String

        /// The page as its tags.
        func markup() throws -> Markup { try Markup(body) }
    }

    /// The answer to a request.
    ///
    /// - Parameter target: the path, and after a `?` the query.
    func answer(
        _ target: String, accept: String = "text/html", language: String = "", agent: String = ""
    ) throws -> Answer {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map { Array($0.utf8) }
        let bytes = LinkRequestBytes(
            host: Array(Self.host.utf8), path: parts[0], query: parts.count > 1 ? parts[1] : nil,
            accept: Array(accept.utf8), acceptLanguage: Array(language.utf8), userAgent: Array(agent.utf8))
        return try bytes.lend { request in Result { try answer(request) } }.get()
    }

    private func answer(_ request: LinkRequest) throws -> Answer {
        var location: [UInt8] = []
        let subject: PageSubject
        let isFound: Bool
        switch table.answer(for: request, table.variant(of: request), into: &location) {
        case .page(let page): (subject, isFound) = (page, true)
        case .notFound(let page): (subject, isFound) = (page, false)
        case .redirect, .image, .nothing: throw NoPage()
        }
        // What is in the buffer stays.
        var body: [UInt8] = Array("before".utf8)
        writer.write(subject, to: &body)
        #expect(body.starts(with: "before".utf8))
        return Answer(
            isFound: isFound, head: writer.head(of: subject), body: String(decoding: body.dropFirst(6), as: UTF8.self))
    }
}

extension Markup {
    /// The attributes of the element with an ID.
    func element(_ id: String) -> [String: String]? { tags.first { $0.attributes["id"] == id }?.attributes }

    /// The content of a `meta` with a name or a property.
    func meta(_ name: String) -> String? {
        tags.first { $0.name == "meta" && ($0.attributes["name"] ?? $0.attributes["property"]) == name }?
            .attributes["content"]
    }

    func link(_ relation: String) -> String? {
        tags.first { $0.name == "link" && $0.attributes["rel"] == relation }?.attributes["href"]
    }

    /// The links of the page in their order: their IDs, or their classes.
    var links: [String] {
        tags.filter { $0.name == "a" }.map { $0.attributes["id"] ?? $0.attributes["class"] ?? "" }
    }
}
