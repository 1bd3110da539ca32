package import HTTPClient

/// The settings with which domains are examined: the same for all of them.
package struct ExaminationSettings: Sendable {
    /// Where Apple's copies and Google's views are by default.
    package static let appleCopiesURL = "https://app-site-association.cdn-apple.com/a/v1/"
    package static let googleViewsURL = "https://digitalassetlinks.googleapis.com/v1/"
    /// A domain is given so many times the limit of one request.
    private static let requestsInARow = 5

    /// The limit for one request or handshake, from connecting to the last byte, and for looking a name up.
    package var timeLimit: Duration = .seconds(10)
    /// Addresses that are used instead of what the resolver says.
    package var overrides = ResolveOverrides()
    /// Whether addresses that are not public are contacted.
    package var allowsPrivateAddresses = false
    /// The prefix to which a host is appended for Apple's copy; nil if it is not asked for.
    package var appleCopies: RequestURL?
    /// The prefix to which the question is appended for Google's view; nil if it is not asked for.
    package var googleViews: RequestURL?
    /// Whether Google is asked even if the host has no `assetlinks.json`.
    package var isAndroidAskedFor = false
    /// Whether neither `assetlinks.json` nor Google is asked for.
    package var leavesOutAndroid = false
    /// The `User-Agent` that Apple's CDN and Google are sent.
    package var serviceUserAgent: String

    /// The mark on the requests to hosts: a server that knows the field does not take them for Apple's.
    package let mark: HeaderField

    /// - Parameter version: of this program.
    package init(version: String) {
        serviceUserAgent = "aasa-doctor/\(version)"
        mark = HeaderField("Aasa-Doctor", version)
    }

    /// The limit for all that is done about one domain.
    package var domainLimit: Duration { timeLimit * Self.requestsInARow }

    /// Where Apple's copy of a host's file is; nil if it is not asked for.
    func appleCopyURL(of target: Target) -> RequestURL? { appleCopies?.appending(target.authority) }

    /// Where Google's service is asked for the statements of a host; nil if it is not.
    func googleViewURL(of target: Target) -> RequestURL? {
        if leavesOutAndroid { return nil }
        let site = Self.percentEncoded("https://\(target.authority)")
        let relation = Self.percentEncoded(AssetLinkStatements.relation)
        return googleViews?.appending("statements:list?source.web.site=\(site)&relation=\(relation)")
    }

    /// All but the unreserved characters of RFC 3986, section 2.3.
    private static func percentEncoded(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: String(UnicodeScalar(byte))
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): String(UnicodeScalar(byte))
            default: "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}

extension RequestURL {
    /// The URL with a text after it, and a slash between if there is none; nil if the text has what a URL cannot have.
    fileprivate func appending(_ text: String) -> RequestURL? {
        let separator = target.hasSuffix("/") ? "" : "/"
        return try? RequestURL(scheme: scheme, host: host, port: port, target: target + separator + text)
    }
}
