internal import HTTP1

/// The thing that a path below the base leads to (docs/spec/console.md, section 1).
package enum ConsoleRoute: Equatable, Sendable {
    case page(Page)
    case asset(String)
    case api(Endpoint)

    package enum Page: Equatable, Sendable {
        /// The health of a server, or the files of `aasa console`.
        case overview
        case sites
        /// A site by its domain, as it was written.
        case site(String)
        /// A file by its number, from 1.
        case file(Int)
        case playground, certificates, doctor, metrics
        /// The nodes and changes of a store.
        case fleet
        /// A change by its generation.
        case change(Int64)
        /// All finding codes.
        case rules
        /// A finding code, as it was written.
        case rule(String)
    }

    package enum Endpoint: Equatable, Sendable {
        case validate, route, test, diff, fix
        case sites
        /// A site by its domain, as it was written.
        case site(String)
        case certificates
        case metricsHistory
        case status
        /// Takes up to a minute: it needs a thread on which nothing else waits.
        case doctor
    }

    /// - Parameters:
    ///   - path: Below the base, as it was sent; empty for the page of a server at the base itself.
    ///   - isServer: Whether a server is shown, and not files.
    /// - Returns: Nil for what is not there.
    package init?(path: String, isServer: Bool) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        switch parts.first {
        case "" where isServer && path.isEmpty: self = .page(.overview)
        case "console" where parts.count == 1: self = .page(.overview)
        case "console":
            guard let page = Self.page(parts.dropFirst(), isServer) else { return nil }
            self = page
        case "api":
            guard parts.count > 2, parts[1] == "v1", let endpoint = Self.endpoint(parts.dropFirst(2), isServer) else {
                return nil
            }
            self = .api(endpoint)
        default: return nil
        }
    }

    private static let pages: [String: Page] = [
        "": .overview, "playground": .playground, "doctor": .doctor, "rules": .rules,
    ]
    private static let serverPages: [String: Page] = [
        "sites": .sites, "certificates": .certificates, "fleet": .fleet, "metrics": .metrics,
    ]
    private static let endpoints: [String: Endpoint] = [
        "validate": .validate, "route": .route, "test": .test, "diff": .diff, "fix": .fix, "doctor": .doctor,
    ]
    private static let serverEndpoints: [String: Endpoint] = [
        "sites": .sites, "certificates": .certificates, "metrics-history": .metricsHistory, "status": .status,
    ]

    private static func page(_ parts: ArraySlice<Substring>, _ isServer: Bool) -> ConsoleRoute? {
        guard let first = parts.first.map(String.init), parts.count <= 2 else { return nil }
        guard parts.count == 2, let last = parts.last else {
            return (pages[first] ?? (isServer ? serverPages[first] : nil)).map { .page($0) }
        }
        switch first {
        case "assets" where ConsoleAsset.named(last) != nil: return .asset(String(last))
        case "sites" where isServer: return segment(last).map { .page(.site($0)) }
        case "rules": return segment(last).map { .page(.rule($0)) }
        case "fleet" where isServer:
            guard let number = Int64(last), String(number) == last, number >= 0 else { return nil }
            return .page(.change(number))
        case "files" where !isServer:
            guard let number = Int(last), String(number) == last, number > 0 else { return nil }
            return .page(.file(number))
        default: return nil
        }
    }

    private static func endpoint(_ parts: ArraySlice<Substring>, _ isServer: Bool) -> Endpoint? {
        guard let first = parts.first.map(String.init), let last = parts.last else { return nil }
        if parts.count == 2, first == "sites", isServer { return segment(last).map { .site($0) } }
        guard parts.count == 1 else { return nil }
        return endpoints[first] ?? (isServer ? serverEndpoints[first] : nil)
    }

    /// A segment, decoded; nil if it is empty, is not UTF-8 or has a slash in it.
    private static func segment(_ text: Substring) -> String? {
        guard let text = PercentEncoding.text(text), !text.isEmpty, !text.contains("/") else { return nil }
        return text
    }

    /// The methods that are answered, as `Allow` lists them.
    package var allowedMethods: [String] {
        switch self {
        case .api(.validate), .api(.route), .api(.test), .api(.diff), .api(.fix), .api(.doctor): ["POST"]
        case .page, .asset, .api: ["GET", "HEAD"]
        }
    }
}
