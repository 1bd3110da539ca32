internal import BoundedText
internal import Diagnostics

/// Where a short link leads, by what its host has answered.
package enum ShortLinkAnswer: Equatable, Sendable {
    /// To an http or https URL; the app's IDs as the page declares them.
    case leads(to: String, appStoreID: String? = nil, package: String? = nil)
    /// Why that could not be found out, as a clause.
    case unknown(String)
}

/// The questions about one short link, without the asking: redirects are followed within its own host only.
package struct ShortLinkInquiry: Sendable {
    package enum Step: Equatable, Sendable {
        /// Ask for this URL, without following redirects.
        case ask(String)
        case done(ShortLinkAnswer)
    }

    /// The most requests for one link.
    static let maxRequests = 5

    private var url: WebAddress
    private var requests = 1

    /// Nil for what is not an http or https URL with a host.
    ///
    /// - Parameter text: A URL, or one without its scheme, such as `go.example.com/summer`.
    package init?(_ text: String) {
        let hasScheme = text.utf8.prefix { $0 != UInt8(ascii: "/") }.contains(UInt8(ascii: ":"))
        guard let url = WebAddress(text) ?? (hasScheme ? nil : WebAddress("https://\(text)")) else { return nil }
        self.url = url
    }

    /// The URL to begin with.
    package var start: String { url.text }

    /// Takes the answer to the last question.
    ///
    /// - Parameters:
    ///   - location: The value of `Location`.
    ///   - body: The beginning of the page.
    package mutating func next(status: Int, location: [UInt8]?, body: [UInt8]) -> Step {
        switch status {
        case 300...399:
            guard let location, !location.isEmpty, location.allSatisfy({ 0x21...0x7E ~= $0 }) else {
                return .done(.unknown("the redirect (status \(status)) has no usable 'Location'"))
            }
            guard let next = url.resolving(String(text: location)) else {
                return .done(.unknown("it redirects to \(quoted(String(text: location))), which is not a web page"))
            }
            guard next.host == url.host else { return .done(.leads(to: next.text)) }
            guard requests < Self.maxRequests else {
                return .done(.unknown("it redirects within its own host more than \(Self.maxRequests - 1) times"))
            }
            requests += 1
            url = next
            return .ask(next.text)
        case 200...299: return .done(declared(by: DeclaredLinks(body)))
        default: return .done(.unknown("the host answers with status \(status)"))
        }
    }

    /// The first destination that a page declares, and that is not the short link itself again.
    private func declared(by page: DeclaredLinks) -> ShortLinkAnswer {
        for name in ["og:url", "canonical", "al:web:url"] {
            guard let text = page[name], let target = url.resolving(text), target.host != url.host else { continue }
            return .leads(
                to: target.text, appStoreID: page["al:ios:app_store_id"], package: page["al:android:package"])
        }
        return .unknown("its page declares no destination on another host (og:url, canonical, al:web:url)")
    }
}

/// An http or https URL, as far as it takes to follow it.
private struct WebAddress: Sendable {
    let text: String
    /// In lower case, without the port.
    let host: String
    /// Up to the end of the host and the port, and up to the end of the path.
    private let (origin, path): (Substring, Substring)

    init?(_ text: String) {
        guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\\") }),
            let start = text.firstRange(of: "://")?.upperBound,
            ["http", "https"].contains(text[..<start].dropLast(3).lowercased())
        else { return nil }
        let authority = text[start...].prefix { !"/?#".contains($0) }
        let host = authority.prefix { $0 != ":" }
        guard !host.isEmpty, !authority.contains("@") else { return nil }
        self.text = text
        self.host = host.lowercased()
        origin = text[..<authority.endIndex]
        path = text.prefix { !"?#".contains($0) }
    }

    /// The URL that a reference means which was found here (RFC 3986, section 5.2, without dot segments).
    func resolving(_ reference: String) -> WebAddress? {
        if reference.hasPrefix("//") { return WebAddress("\(origin.prefix { $0 != ":" }):\(reference)") }
        if reference.hasPrefix("/") { return WebAddress(origin + reference) }
        if reference.hasPrefix("?") { return WebAddress(path + reference) }
        if reference.prefix(while: { !"/?#".contains($0) }).contains(":") { return WebAddress(reference) }
        let folder = path.count > origin.count ? path[...(path.lastIndex(of: "/") ?? path.startIndex)] : origin + "/"
        return WebAddress(folder + reference)
    }
}
