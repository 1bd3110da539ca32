import Diagnostics
import DomainNames
import FuzzingSupport
package import LinkPages

/// The parts of link pages that are given random input.
package enum LinkFuzzTarget: String, CaseIterable, Sendable {
    /// Requests for random paths and queries to random routes and targets.
    case redirect
    /// Mutated files, and requests to those without errors.
    case file
    /// Values of `Accept-Language`.
    case language

    /// Most inputs are for redirects, each with 40 requests.
    package static func of(_ number: Int) -> LinkFuzzTarget {
        number % 8 == 0 ? .file : number % 8 == 1 ? .language : .redirect
    }
}

/// Gives files of links, their tables and the choice of a language hostile input.
package struct LinkFuzzer {
    private let seed: UInt64
    private let mutator: JSONMutator
    /// The number of times that each answer came up.
    package private(set) var outcomes: [String: Int] = [:]
    /// The input of the latest check.
    package private(set) var latest: [UInt8] = []

    package init(seed: UInt64) {
        self.seed = seed
        mutator = JSONMutator(
            seeds: Self.files,
            pieces: [
                "null", "true", "302", "308", "[]", "{}", "\"\"", "https://", "http://a", "//b", "javascript:", "shop:",
                "{id}", "{", "}", "/..", "%2e%2e", "\\u0000", "\\ud800", "é", "\u{301}\u{323}", "/_links/",
                "/.well-known/",
                "icon.png", "../icon.png", "zh-Hant", "go.example.com", " ?a={b:*}", " #c", " percentEncoded:false",
            ])
    }

    /// Checks an input, which depends on nothing but its number and the seed.
    ///
    /// - Returns: the rule that was broken, if one was.
    package mutating func check(_ target: LinkFuzzTarget, _ number: Int) -> String? {
        var random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9)
        return switch target {
        case .redirect: checkRedirects(&random)
        case .file: checkFile(&random)
        case .language: checkLanguage(&random)
        }
    }

    private mutating func checkRedirects(_ random: inout SplitMix64) -> String? {
        let sample = RedirectSample(&random)
        latest = Array(sample.file.utf8)
        let document = LinksDocument.read(latest, domain: Domain("go.example.com"), images: nil)
        guard let content = document.content else {
            return "the file has errors: \(document.diagnostics.map(\.message).joined(separator: "; "))"
        }
        let table = LinksTable(content)
        for _ in 0..<40 {
            let (path, query) = sample.request(&random)
            let violation = LinkRequestBytes(path: path, query: query).lend { request -> String? in
                var output = Array("before".utf8)
                switch table.answer(for: request, table.variant(of: request), into: &output) {
                case .redirect(let redirect):
                    outcomes["redirect", default: 0] += 1
                    guard redirect.location.lowerBound == 6, redirect.location.upperBound == output.count else {
                        return "a location at \(redirect.location) of \(output.count) bytes"
                    }
                    return sample.violation(in: Array(output[redirect.location]), path, query)
                case .notFound(let subject):
                    outcomes["not found", default: 0] += 1
                    return subject.url.isEmpty && subject.captures.isEmpty && output.count == 6
                        ? nil : "a 404 page with something of the request"
                case .page, .image: return "an answer that the file does not have"
                case .nothing:
                    outcomes["nothing", default: 0] += 1
                    return nil
                }
            }
            guard let violation else { continue }
            let request = String(decoding: path + [0x3F] + (query ?? []), as: UTF8.self)
            return "\(violation); \(sample.file), request \(request)"
        }
        return nil
    }

    private mutating func checkFile(_ random: inout SplitMix64) -> String? {
        latest = random.pick(Self.files)
        for _ in 0..<random.number(0...4) { mutator.mutate(&latest, &random) }
        let icon: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let document = LinksDocument.read(latest, domain: Domain("go.example.com")) { name, _ in
            name == "icon.png" ? .found(icon, sha256: [UInt8](repeating: 7, count: 32)) : .missing
        }
        let errors = document.diagnostics.filter { $0.severity >= .error }
        outcomes[errors.isEmpty ? "file read" : "file refused", default: 0] += 1
        if errors.isEmpty != (document.content != nil) { return "content, and \(errors.count) errors" }
        for finding in document.diagnostics {
            let range = finding.range
            if range.start > range.end || range.end > document.source.bytes.count { return "the range \(range)" }
            let texts = [finding.message, finding.help ?? "x"]
            if texts.contains(where: {
                $0.isEmpty || $0.hasSuffix(".") || $0.unicodeScalars.contains { $0.value < 0x20 }
            }) {
                return "the text of \(finding)"
            }
        }
        if document.diagnostics.map(\.range.start) != document.diagnostics.map(\.range.start).sorted() {
            return "findings out of order"
        }
        guard let content = document.content else { return nil }
        let table = LinksTable(content)
        let writer = PageWriter(content.app, languages: content.languages) { _ in [UInt8](repeating: 0, count: 32) }
        let accepts = ["", "text/html", "application/json", "application/ld+json", "*/*;q=0, application/json;q=0.1"]
        for _ in 0..<8 {
            let links = content.links.map(\.path)
            var path = links.isEmpty || random.chance(50) ? RedirectSample.text(&random) : random.pick(links)
            if random.chance(80), path.first != UInt8(ascii: "/") { path.insert(UInt8(ascii: "/"), at: 0) }
            let bytes = LinkRequestBytes(
                path: path, query: random.chance(50) ? RedirectSample.text(&random) : nil,
                accept: Array(random.pick(accepts).utf8), userAgent: Array(random.pick(["", "Android", "iPhone"]).utf8))
            let violation = bytes.lend { request -> String? in
                var output: [UInt8] = []
                switch table.answer(for: request, table.variant(of: request), into: &output) {
                case .page(let subject):
                    let urls =
                        [subject.url, subject.urlWithoutQuery, subject.canonical] + (subject.image.map { [$0] } ?? [])
                    let areURLs = urls.allSatisfy { $0.starts(with: "https://".utf8) && RedirectSample.isURL($0) }
                    let isForApp = subject.appURL.starts(with: "https://".utf8) || subject.app?.scheme != nil
                    guard areURLs, isForApp, RedirectSample.isURL(subject.appURL) else {
                        return "a page with other URLs"
                    }
                    return PageRules.violation(in: subject, writer)
                case .redirect(let redirect):
                    return RedirectSample.isURL(Array(output[redirect.location])) ? nil : "a location that is no URL"
                case .notFound(let subject): return PageRules.violation(in: subject, writer)
                case .image, .nothing: return nil
                }
            }
            if let violation { return violation }
        }
        return nil
    }

    private mutating func checkLanguage(_ random: inout SplitMix64) -> String? {
        let ranges = [
            "en", "de", "DE-at", "zh", "zh-TW", "zh-Hant-HK", "zh-Hans", "pt-BR", "ar", "x", "*", "fr-CA-x-y",
        ]
        let weights = ["", "", ";q=0", ";q=0.5", "; q=1.000", " ;Q=0.25", ";q=.", ";q=1.1", ";q="]
        let strays = [",", ";", "-", " ", "\t", "é", "abcdefghi", "1", ",,", "q=1"]
        var elements = (0..<random.number(0...6)).map { _ in random.pick(ranges) + random.pick(Array(weights.prefix(6)))
        }
        if random.chance(30) { elements.append(random.pick(ranges) + random.pick(weights)) }
        if random.chance(20) { elements.insert(random.pick(strays), at: random.number(0...elements.count)) }
        let text = elements.joined(separator: random.pick([",", ", ", "\t,"]))
        latest = Array(text.utf8)
        var offered = random.list(of: PageLanguage.allCases, upTo: 6)
        if offered.isEmpty { offered = [.german] }
        let chosen = latest.withUnsafeBufferPointer { AcceptLanguage.choose($0, from: offered) }
        let expected = SlowLanguageChoice.choose(text, from: offered)
        outcomes["language \(chosen == offered[0] ? "first" : "other")", default: 0] += 1
        return chosen == expected ? nil : "\(text) of \(offered): \(chosen), expected \(expected)"
    }

    private static let files: [[UInt8]] = [
        """
        {"app":{"name":"Shop","icon":"icon.png","appStore":{"id":"123","country":"de"},"play":{"package":"com.shop"},\
        "stores":[{"name":"A","url":"https://a.example/"}],"openHost":"open.example.com","scheme":"shop"},"languages":["en","ar"],\
        "links":{"/summer":{"title":{"en":"Sale","ar":"x"},"to":"https://www.example.com/a#b","appURL":"shop://sale/7",\
        "image":"icon.png"},"/a/b":{"answer":"redirect","status":307,"to":"https://x.example/","keepQuery":true}}}
        """,
        """
        {"app":{"name":"Shop"},"pages":[{"route":"/p/{id} ?ref={ref:*}","title":"P {id}","to":"https://w.example/{id}?r={ref}"},\
        {"route":"/b/{rest:*}","answer":"redirect","to":"https://b.example/{rest}"}],"fallback":{"redirect":"https://w.example"}}
        """,
        #"{"app":{"name":"x"},"robots":"index","cacheMaxAge":60,"fallback":"page","links":{"/":{},"/caf%C3%A9/":{}}}"#,
    ].map { Array($0.utf8) }
}

/// The bytes of a request, and lending them.
package struct LinkRequestBytes {
    package var host: [UInt8]
    package var path: [UInt8]
    package var query: [UInt8]?
    package var accept: [UInt8]
    package var acceptLanguage: [UInt8]
    package var userAgent: [UInt8]

    package init(
        host: [UInt8] = Array("go.example.com".utf8), path: [UInt8], query: [UInt8]? = nil, accept: [UInt8] = [],
        acceptLanguage: [UInt8] = [], userAgent: [UInt8] = []
    ) {
        self.host = host
        self.path = path
        self.query = query
        self.accept = accept
        self.acceptLanguage = acceptLanguage
        self.userAgent = userAgent
    }

    package func lend<Result>(_ body: (LinkRequest) -> Result) -> Result {
        let parts = [host, path, query ?? [], accept, acceptLanguage, userAgent]
        let bytes = parts.flatMap { $0 }
        return bytes.withUnsafeBufferPointer { buffer in
            var start = 0
            let slices = parts.map { part in
                defer { start += part.count }
                return UnsafeBufferPointer(rebasing: buffer[start..<start + part.count])
            }
            return body(
                LinkRequest(
                    host: slices[0], path: slices[1], query: query == nil ? nil : slices[2], accept: slices[3],
                    acceptLanguage: slices[4], userAgent: slices[5]))
        }
    }
}
