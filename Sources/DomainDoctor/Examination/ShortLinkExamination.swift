package import HTTPClient
package import LinkImport
package import OpenSSL
package import SystemSupport

/// Asks short links where they lead: each once, with nothing of a visitor, and at public addresses only.
package struct ShortLinkExamination: Sendable {
    /// The most links that are asked at a time.
    package static let maxAtATime = 8
    /// Redirects are in the header, and what a page declares is at its beginning.
    private static let limits = Request.Limits(body: 64 << 10, otherBody: 4_096)

    private let services: CopyServices

    package init(_ settings: ExaminationSettings, transport: any HTTPTransport, resolver: any NameResolver) {
        services = CopyServices(settings, transport: transport, resolver: resolver, limits: Self.limits)
    }

    /// One over libcurl and the system's resolver.
    ///
    /// - Throws: `MissingLibrary` if libcurl is missing or cannot be used.
    package init(_ settings: ExaminationSettings, trust: TrustStore) throws(MissingLibrary) {
        let transport = try CurlTransport { trust.install(inTLSContext: $0) }
        self.init(settings, transport: transport, resolver: SystemResolver())
    }

    /// The answers to the links of a list, in its order.
    package func answers(to list: ShortLinkList) async -> [ShortLinkAnswer] {
        let links = list.links
        return await withTaskGroup(of: (Int, ShortLinkAnswer).self) { group in
            var answers = [ShortLinkAnswer](repeating: .unknown("it was not asked"), count: links.count)
            for index in links.indices {
                if index >= Self.maxAtATime, let (index, answer) = await group.next() { answers[index] = answer }
                group.addTask { (index, await answer(to: links[index].text)) }
            }
            for await (index, answer) in group { answers[index] = answer }
            return answers
        }
    }

    private func answer(to link: String) async -> ShortLinkAnswer {
        guard var inquiry = ShortLinkInquiry(link) else {
            return .unknown("it is not an http or https URL with a host")
        }
        while true {
            let url: RequestURL
            do throws(RequestURL.Problem) {
                url = try RequestURL(inquiry.url)
            } catch {
                return .unknown("it cannot be asked: \(error)")
            }
            switch await services.response(to: url) {
            case .failure(let failure): return .unknown("\(failure)")
            case .success(let response):
                let location = response.head["Location"]
                switch inquiry.next(status: response.status, location: location, body: response.body) {
                case .ask: continue
                case .done(let answer): return answer
                }
            }
        }
    }
}
