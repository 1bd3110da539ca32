internal import HTTP1

/// The thing that a path below the base leads to (docs/spec/console.md, section 1).
package enum ConsoleRoute: Equatable, Sendable {
    case page(Page)
    case asset(String)
    case api(Endpoint)

    package enum Page: Equatable, Sendable {
        /// The sites of a server, or the files of `aasa console`.
        case overview
        /// A site by its domain, as it was written.
        case site(String)
        /// A file by its number, from 1.
        case file(Int)
        case playground, certificates, doctor, metrics
        /// All finding codes.
        case rules
        /// A finding code, as it was written.
        case rule(String)
    }

    package enum Endpoint: Equatable, Sendable {
        case validate, route, diff, fix
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

    private static func page(_ parts: ArraySlice<Substring>, _ isServer: Bool) -> ConsoleRoute? {
        let parts = Array(parts)
        switch parts.count {
        case 1:
            switch parts[0] {
            case "": return .page(.overview)
            case "playground": return .page(.playground)
            case "rules": return .page(.rules)
            case "certificates" where isServer: return .page(.certificates)
            case "doctor" where isServer: return .page(.doctor)
            case "metrics" where isServer: return .page(.metrics)
            default: return nil
            }
        case 2:
            switch parts[0] {
            case "assets" where ConsoleAsset.named(parts[1]) != nil: return .asset(String(parts[1]))
            case "sites" where isServer: return segment(parts[1]).map { .page(.site($0)) }
            case "rules": return segment(parts[1]).map { .page(.rule($0)) }
            case "files" where !isServer:
                guard let number = Int(parts[1]), String(number) == parts[1], number > 0 else { return nil }
                return .page(.file(number))
            default: return nil
            }
        default: return nil
        }
    }

    private static func endpoint(_ parts: ArraySlice<Substring>, _ isServer: Bool) -> Endpoint? {
        let parts = Array(parts)
        if parts.count == 2, parts[0] == "sites", isServer { return segment(parts[1]).map { .site($0) } }
        guard parts.count == 1 else { return nil }
        switch parts[0] {
        case "validate": return .validate
        case "route": return .route
        case "diff": return .diff
        case "fix": return .fix
        case "sites" where isServer: return .sites
        case "certificates" where isServer: return .certificates
        case "metrics-history" where isServer: return .metricsHistory
        case "status" where isServer: return .status
        case "doctor" where isServer: return .doctor
        default: return nil
        }
    }

    /// A segment, decoded; nil if it is empty, is not UTF-8 or has a slash in it.
    private static func segment(_ text: Substring) -> String? {
        guard let text = PercentEncoding.text(text), !text.isEmpty, !text.contains("/") else { return nil }
        return text
    }

    /// The methods that are answered, as `Allow` lists them.
    package var allowedMethods: [String] {
        switch self {
        case .api(.validate), .api(.route), .api(.diff), .api(.fix), .api(.doctor): ["POST"]
        case .page, .asset, .api: ["GET", "HEAD"]
        }
    }
}
