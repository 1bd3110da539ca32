public import AppSiteAssociation
internal import Diagnostics
internal import DomainNames
package import PatternAnalysis
internal import URLPatterns

/// Whether the routes of an app handle the links that an association file sends to it.
///
/// The file and the routes are compared by what they mean, for every URL there can be. Each finding has a shortest URL that
/// shows it, about which the matcher of the file and the routes themselves have been asked. In a test:
///
/// ```swift
/// let coverage = try RouteCoverage(of: document, routes: routes)
/// #expect(coverage.isComplete)
/// ```
///
/// Routes are taken in order, the first that matches gets a URL.
public struct RouteCoverage: Sendable {
    /// The app whose links are looked at; nil if the file names none.
    public let appID: String?
    /// The host of all URLs.
    public let host: String
    /// URLs that the file sends to the app and no route handles: one for each rule that does so, in file order.
    public let unhandled: [UnhandledLinks]
    /// The reach of each of the routes, in their order.
    public let routes: [RouteReach]
    /// The rules of the file of which not all URLs could be looked at, because their patterns are too large together.
    public let undecided: [Rule]
    /// Whether all URLs were looked at. If not, there may be unhandled ones that are not in the list.
    public let isDecided: Bool
    /// The name of the file in messages.
    let path: String

    /// Compares a file with the routes of an app.
    ///
    /// - Parameters:
    ///   - appID: The app whose routes they are. It need not be given if the file says the same about all its apps.
    ///   - host: The host whose file it is. It need not be given if the routes name one host at most.
    /// - Throws: ``RouteCoverageError`` if it is not clear which app or which host is meant.
    public init(
        of document: AssociationDocument, routes: [RoutePattern], appID: String? = nil, host: String? = nil
    ) throws(RouteCoverageError) {
        try self.init(of: document, routes: routes, appID: appID, host: host, limits: ComparisonLimits())
    }

    package init(
        of document: AssociationDocument, routes: [RoutePattern], appID: String? = nil, host: String? = nil,
        limits: ComparisonLimits
    ) throws(RouteCoverageError) {
        let app = try Self.app(appID, in: document)
        let host = try Self.host(host, routes)
        var search = CoverageSearch(document, routes, app: app ?? "", host: host, limits: limits)
        search.run()
        self.appID = app
        self.host = host
        unhandled = search.unhandled
        self.routes = search.reaches
        undecided = search.undecided
        isDecided = search.isDecided
        path = document.source.path
    }

    /// Whether every link is handled and every route that is for the host is reached.
    public var isComplete: Bool {
        isDecided && unhandled.isEmpty && routes.allSatisfy { $0.isReached || $0.isForOtherHost }
    }

    /// The app, if it is clear which one.
    private static func app(_ given: String?, in document: AssociationDocument) throws(RouteCoverageError) -> String? {
        let details = document.appLinks?.details ?? []
        let apps = details.appIDs
        if let given {
            guard apps.contains(where: { $0.utf8.elementsEqual(given.utf8) }) else {
                throw RouteCoverageError(unknownApp: given, of: apps, document.source.path)
            }
            return given
        }
        guard let first = apps.first else { return nil }
        // The entries that decide for each app.
        var entries: [[UInt8]: [Int]] = [:]
        for detail in details where detail.canDecide {
            for app in Set(detail.appIDs.map { Array($0.value.utf8) }) {
                entries[app, default: []].append(detail.index)
            }
        }
        let ofFirst = entries[Array(first.utf8)]
        guard apps.allSatisfy({ entries[Array($0.utf8)] == ofFirst }) else {
            throw RouteCoverageError(severalApps: apps, document.source.path)
        }
        return first
    }

    /// The host in its ASCII form, if it is clear which one.
    private static func host(_ given: String?, _ routes: [RoutePattern]) throws(RouteCoverageError) -> String {
        guard let given else {
            var hosts: [String] = []
            for case let host? in routes.map(\.host) where !hosts.contains(host) { hosts.append(host) }
            guard hosts.count <= 1 else { throw RouteCoverageError(severalHosts: hosts) }
            return hosts.first ?? "example.com"
        }
        guard let host = Punycode.ascii(given), let url = WebURL("https://\(host)/".utf8),
            url.host.elementsEqual(host.utf8), url.path == [UInt8(ascii: "/")],
            host.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw RouteCoverageError(invalidHost: given) }
        return host
    }
}

/// The reach of a route: how an association file treats those of its URLs that no earlier route takes.
public struct RouteReach: Sendable {
    /// The treatment of the URLs. Each witness is a shortest such URL.
    public enum State: Sendable {
        /// It sends some of them to the app, by this rule.
        case reached(witness: String, rule: Rule)
        /// It sends none of them to the app, and this rule excludes some of them.
        case excluded(witness: String, rule: Rule)
        /// No rule matches any of them.
        case neverSent(witness: String)
        /// There are none: earlier routes match all URLs of the route. The witness goes to the one with this index.
        case shadowed(witness: String, by: Int)
        /// There is no URL that the route matches.
        case matchesNothing
        /// The route is for another host than that of the file.
        case otherHost
        /// It was too much to find out.
        case undecided
    }

    public let route: RoutePattern
    public let state: State

    /// Whether some links of the file end at the route.
    public var isReached: Bool { if case .reached = state { true } else { false } }
    /// Whether the file says nothing about the route, because the route is for another host.
    public var isForOtherHost: Bool { if case .otherHost = state { true } else { false } }
}

/// URLs that an association file sends to an app and none of its routes handles.
public struct UnhandledLinks: Sendable {
    /// A shortest one of them.
    public let witness: String
    /// The rule of the file that opens them.
    public let rule: Rule
    /// Whether it is known that all of them have an empty segment within the path, `//`.
    let haveEmptySegments: Bool
}

/// Why routes cannot be compared with a file: it is not clear for which app or for which host.
public struct RouteCoverageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    public struct Code: Hashable, Sendable {
        private enum Value { case severalApps, unknownApp, severalHosts, invalidHost }
        private let value: Value

        /// The file has several apps that do not open the same links, and none was given.
        public static let severalApps = Code(value: .severalApps)
        /// The file does not name the app.
        public static let unknownApp = Code(value: .unknownApp)
        /// The routes are for several hosts, and none was given.
        public static let severalHosts = Code(value: .severalHosts)
        /// The host is not valid.
        public static let invalidHost = Code(value: .invalidHost)
    }

    public let code: Code
    /// The fault and the remedy; one clause, lower case, without a final full stop.
    public let message: String
    /// The apps or hosts to choose from.
    public let choices: [String]

    public var description: String { message }

    init(severalApps apps: [String], _ path: String) {
        code = .severalApps
        message = "\(quoted(path)) has several apps that open different links, \(Self.list(apps)); choose one"
        choices = apps
    }

    init(unknownApp app: String, of apps: [String], _ path: String) {
        code = .unknownApp
        let near = Spelling.closest(to: app, among: Array(apps.prefix(100)))
        let hint =
            near.map { "did you mean \(quoted($0))?" } ?? (apps.isEmpty ? "it has none" : "it has \(Self.list(apps))")
        message = "\(quoted(path)) has no app \(quoted(app)); \(hint)"
        choices = apps
    }

    init(severalHosts hosts: [String]) {
        code = .severalHosts
        message = "the routes are for several hosts, \(Self.list(hosts)); choose the one that has the file"
        choices = hosts
    }

    init(invalidHost host: String) {
        code = .invalidHost
        message = "\(quoted(host)) is not a host name; write it like 'example.com'"
        choices = []
    }

    private static func list(_ names: [String]) -> String {
        let most = 8
        let rest = names.count > most ? " and \(grouped(names.count - most)) more" : ""
        return names.prefix(most).map { quoted($0) }.joined(separator: ", ") + rest
    }
}
