/// A kind of object in an association file, with the keys that the system reads there (matching.md, 1).
enum Schema: Sendable, CaseIterable {
    case root, appLinks, entry, component, defaults, service

    var keys: [String] {
        switch self {
        case .root: Self.rootKeys
        case .appLinks: Self.appLinksKeys
        case .entry: Self.entryKeys
        case .component, .defaults: Self.componentKeys
        case .service: Self.serviceKeys
        }
    }

    /// What messages call such an object.
    var name: String {
        switch self {
        case .root: "the file"
        case .appLinks: "'applinks'"
        case .entry: "an entry of 'details'"
        case .component: "a component"
        case .defaults: "'defaults'"
        case .service: "a service"
        }
    }

    /// The services that this project knows from within.
    static let services = ["applinks", "webcredentials", "activitycontinuation", "appclips"]
    /// Other services of Apple's.
    static let otherServices = [
        "authsrv", "spotlight-suggestions", "musicassociations", "appsharedcontent",
    ]
    /// The keys whose values are lists.
    static let listKeys = ["apps", "details", "appIDs", "paths", "components"]

    private static let rootKeys = services + otherServices
    private static let appLinksKeys = ["apps", "details", "defaults", "substitutionVariables"]
    private static let entryKeys = ["appID", "appIDs", "paths", "components", "defaults"]
    private static let componentKeys = ["/", "?", "#", "exclude", "comment", "caseSensitive", "percentEncoded"]
    private static let serviceKeys = ["apps"]
}
