public import Diagnostics
internal import JSONSyntax

/// The apps of a service that has no URLs: `webcredentials`, `activitycontinuation` or `appclips`.
public struct ServiceApps: Sendable {
    public let range: SourceRange
    /// The app IDs of `apps`, as written; empty if there is no such list.
    public let apps: [Located<String>]

    init?(_ node: JSONNode) {
        guard let object = node.object else { return nil }
        range = node.range
        apps = object["apps"].flatMap { $0.strings } ?? []
    }
}
