internal import AppSiteAssociation
internal import URLPatterns

extension LinksTable {
    /// The variant of an answer that a request asks for; with host, path and query it is the key of a cached answer.
    package func variant(of request: LinkRequest) -> LinkVariant {
        LinkVariant(
            representation: LinkVariant.Representation(accept: request.accept),
            language: AcceptLanguage.choose(request.acceptLanguage, from: content.languages),
            platform: LinkVariant.Platform(userAgent: request.userAgent))
    }

    /// Decides a request.
    ///
    /// - Parameters:
    ///   - variant: That of the request.
    ///   - output: Bytes of a redirect's location are appended to it.
    package func answer(for request: LinkRequest, _ variant: LinkVariant, into output: inout [UInt8]) -> LinkAnswer {
        switch LinkPath.kind(of: request.path) {
        case .association, .wellKnown: return .nothing
        case .image: return image(at: request.path).map { .image($0) } ?? .nothing
        case .dotSegment: return .notFound(notFound(variant))
        case .ordinary: break
        }
        let query = request.query ?? UnsafeBufferPointer(start: nil, count: 0)
        guard let (match, captures) = find(path: request.path, query: query) else {
            return .notFound(notFound(variant))
        }
        let isForPrograms: Bool = if case .html = variant.representation { false } else { true }
        // Programs ask about links and pages, and the fallback is neither.
        if isForPrograms, case .fallback = match { return .notFound(notFound(variant)) }
        guard case .redirect(let status) = kind(of: match), !isForPrograms else {
            return subject(match, captures, request, query, variant).map { .page($0) } ?? .notFound(notFound(variant))
        }
        let start = output.count
        guard writeTarget(of: match, captures, path: request.path, query: query, to: &output) else {
            return .notFound(notFound(variant))
        }
        return .redirect(
            LinkRedirect(
                status: status, location: start..<output.count, maxAge: content.cacheMaxAge, match: match))
    }

    /// The 404 page, in which nothing of a request is.
    private func notFound(_ variant: LinkVariant) -> PageSubject {
        PageSubject(
            kind: .notFound, variant: variant, app: content.app, title: nil, description: nil, host: [], url: [],
            urlWithoutQuery: [], to: nil, appURL: [], image: nil, captures: [], isIndexed: false,
            maxAge: content.cacheMaxAge)
    }

    /// The page of an entry; nil where a capture cannot be inserted into one of its URLs.
    private func subject(
        _ match: LinkMatch, _ captures: RouteCaptures?, _ request: LinkRequest,
        _ query: UnsafeBufferPointer<UInt8>, _ variant: LinkVariant
    ) -> PageSubject? {
        let host = Array(request.host)
        var url = Array("https://".utf8) + host
        if request.path.first != UInt8(ascii: "/") { url.append(UInt8(ascii: "/")) }
        URLBytes.writePath(request.path, to: &url)
        let urlWithoutQuery = url
        if let query = request.query {
            url.append(UInt8(ascii: "?"))
            URLBytes.writeQuery(query, to: &url)
        }
        var (title, description): (PageText?, PageText?)
        var (to, appURL): ([UInt8]?, [UInt8]?)
        var image: LinkImageReference?
        var taken: [PageSubject.Capture] = []
        switch match {
        case .link(let index):
            let link = content.links[index]
            title = link.title(in: variant.language).map { PageText([.literal($0)]) }
            description = link.description(in: variant.language).map { PageText([.literal($0)]) }
            image = link.image
            appURL = link.appURL
            if link.to != nil {
                var target: [UInt8] = []
                guard writeTarget(of: match, nil, path: request.path, query: query, to: &target) else { return nil }
                to = target
            }
        case .page(let index):
            guard let captures else { return nil }
            let page = content.pages[index]
            title = page.title?.text(in: variant.language, captures)
            description = page.description?.text(in: variant.language, captures)
            image = page.image
            taken = captures.names.indices.map { number in
                PageSubject.Capture(
                    name: captures.names[number], value: Array(EscapedText.decoded(captures.bytes(number)).utf8))
            }
            if page.to != nil {
                var target: [UInt8] = []
                guard writeTarget(of: match, captures, path: request.path, query: query, to: &target) else {
                    return nil
                }
                to = target
            }
            if let template = page.appURL {
                var target: [UInt8] = []
                guard template.write(captures, to: &target), target.count <= LinkLimits.maxLocationBytes else {
                    return nil
                }
                appURL = target
            }
        case .fallback: break
        }
        return PageSubject(
            kind: .found(match), variant: variant, app: content.app, title: title, description: description,
            host: host, url: url, urlWithoutQuery: urlWithoutQuery, to: to, appURL: appURL ?? url,
            image: image.map { absolute($0, host) }, captures: taken, isIndexed: content.isIndexed,
            maxAge: content.cacheMaxAge)
    }

    private func absolute(_ image: LinkImageReference, _ host: [UInt8]) -> [UInt8] {
        switch image {
        case .url(let url): url
        case .served(let index): Array("https://".utf8) + host + content.images[index].path
        }
    }
}

extension LinkVariant.Representation {
    /// The kind of document that a client asks for: one for programs only if it names that, and not HTML.
    fileprivate init(accept value: UnsafeBufferPointer<UInt8>) {
        var (json, linkedData) = (false, false)
        var elements = FieldElements(value)
        while let element = elements.next() {
            let end = value[element].firstIndex(of: UInt8(ascii: ";")) ?? element.upperBound
            let type = UnsafeBufferPointer(rebasing: value[value.trimmed(element.lowerBound..<end)])
            let isJSON = type.reads("application/json")
            let isLinkedData = type.reads("application/ld+json")
            guard isJSON || isLinkedData || type.reads("text/html") else { continue }
            guard !Self.isExcluded(value, end..<element.upperBound) else { continue }
            guard isJSON || isLinkedData else {
                self = .html
                return
            }
            if isJSON { json = true } else { linkedData = true }
        }
        self = json ? .json : linkedData ? .linkedData : .html
    }

    /// Whether one of the parameters of a media range is a weight of 0.
    private static func isExcluded(_ value: UnsafeBufferPointer<UInt8>, _ parameters: Range<Int>) -> Bool {
        var start = parameters.lowerBound
        while start < parameters.upperBound {
            let end = value[start + 1..<parameters.upperBound].firstIndex(of: UInt8(ascii: ";"))
            let parameter = value.trimmed(start + 1..<(end ?? parameters.upperBound))
            if QualityValue.parse(value[parameter]) == 0 { return true }
            start = end ?? parameters.upperBound
        }
        return false
    }
}

extension LinkVariant.Platform {
    /// The system that a browser says it runs on; it may lie, so that nothing but an order depends on it.
    fileprivate init(userAgent: UnsafeBufferPointer<UInt8>) {
        self = .other
        for index in 0..<userAgent.count {
            switch userAgent[index] {
            case UInt8(ascii: "A") where userAgent.has("Android", at: index):
                self = .android
                return
            case UInt8(ascii: "i")
            where userAgent.has("iPhone", at: index) || userAgent.has("iPad", at: index)
                || userAgent.has("iPod", at: index):
                self = .apple
            case UInt8(ascii: "M") where userAgent.has("Macintosh", at: index): self = .apple
            default: break
            }
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether a text begins at an index.
    fileprivate func has(_ text: StaticString, at start: Int) -> Bool {
        guard count - start >= text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount where self[start &+ index] != text.utf8Start[index] { return false }
        return true
    }
}
