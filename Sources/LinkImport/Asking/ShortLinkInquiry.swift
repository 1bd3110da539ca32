internal import BoundedText
internal import Diagnostics
internal import URLPatterns

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

    /// The URL to ask for.
    package private(set) var url: String
    private let host: String
    private var requests = 1

    /// Nil for what is not an http or https URL with a host.
    ///
    /// - Parameter text: A URL, or one without its scheme, such as `go.example.com/summer`.
    package init?(_ text: String) {
        url = text.contains("://") ? text : "https://\(text)"
        guard let host = Self.host(of: url) else { return nil }
        self.host = host
    }

    /// The host in lower case; nil for what is not an http or https URL in the characters that URLs have.
    private static func host(of url: String) -> String? {
        guard url.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\\") }) else { return nil }
        return WebURL(url.utf8).map { String(text: $0.host).lowercased() }
    }

    /// Takes the answer to the last question.
    ///
    /// - Parameters:
    ///   - location: The value of `Location`.
    ///   - body: The beginning of the page.
    package mutating func next(status: Int, location: [UInt8]?, body: [UInt8]) -> Step {
        switch status {
        case 300...399:
            guard let location, let next = target(String(text: location)) else {
                let place = location.map { quoted(String(text: $0)) } ?? "nowhere"
                return .done(.unknown("it redirects to \(place), which is not an http or https URL"))
            }
            guard next.host == host else { return .done(.leads(to: next.url)) }
            guard requests < Self.maxRequests else {
                return .done(.unknown("it redirects within its own host more than \(Self.maxRequests - 1) times"))
            }
            requests += 1
            url = next.url
            return .ask(url)
        case 200...299: return .done(declared(by: DeclaredLinks(body)))
        default: return .done(.unknown("the host answers with status \(status)"))
        }
    }

    /// The first destination that a page declares, and that is not the short link itself again.
    private func declared(by page: DeclaredLinks) -> ShortLinkAnswer {
        for name in ["og:url", "canonical", "al:web:url"] {
            guard let text = page[name], let target = target(text), target.host != host else { continue }
            return .leads(
                to: target.url, appStoreID: page["al:ios:app_store_id"], package: page["al:android:package"])
        }
        return .unknown("its page declares no destination on another host (og:url, canonical, al:web:url)")
    }

    /// The URL that is meant by one, or by a path, in the answer to the last question.
    private func target(_ reference: String) -> (url: String, host: String)? {
        let scheme = url.prefix { $0 != ":" }
        let authority = url.dropFirst(scheme.count + 3).prefix { !"/?#".contains($0) }
        let text =
            reference.hasPrefix("//")
            ? "\(scheme):\(reference)" : reference.hasPrefix("/") ? "\(scheme)://\(authority)\(reference)" : reference
        return Self.host(of: text).map { (text, $0) }
    }
}
