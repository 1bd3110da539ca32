internal import Diagnostics

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
    /// What is the matter and what to do; one clause, lower case, without a final full stop.
    public let message: String
    /// The apps or hosts to choose from.
    public let choices: [String]

    public var description: String { message }

    init(severalApps apps: [String], _ path: String) {
        code = .severalApps
        message = "\(quoted(path)) has several apps that open different links; choose one of \(Self.list(apps))"
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
        message = "the routes are for several hosts; choose the one whose file it is: \(Self.list(hosts))"
        choices = hosts
    }

    init(invalidHost host: String) {
        code = .invalidHost
        message = "\(quoted(host)) is not a host name; write it like 'example.com'"
        choices = []
    }

    private static func list(_ names: [String]) -> String {
        let most = 8
        let rest = names.count > most ? " and \(names.count - most) more" : ""
        return names.prefix(most).map { quoted($0) }.joined(separator: ", ") + rest
    }
}
