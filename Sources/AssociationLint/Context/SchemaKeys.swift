internal import Android
internal import AppSiteAssociation

/// A key that the system reads in an object of an association or asset links file. The linter, the JSON Schema and what
/// editors show are all made of these rows.
struct SchemaKey: Sendable {
    let name: String
    /// The type that the system reads; nil if any is right, or it is looked at elsewhere.
    let type: ExpectedType?
    /// The meaning of the value, in a sentence or two.
    let text: String

    init(_ name: String, _ type: ExpectedType?, _ text: String) {
        (self.name, self.type, self.text) = (name, type, text)
    }
}

extension Schema {
    /// The keys, as Apple's "Supporting associated domains" and Google's "Statement List Syntax" list them.
    var rows: [SchemaKey] {
        switch self {
        case .root: Self.rootRows
        case .appLinks: Self.appLinksRows
        case .entry: Self.entryRows
        case .component, .defaults: Self.componentRows
        case .service: Self.serviceRows
        case .statement: Self.statementRows
        case .appTarget: Self.appTargetRows
        case .siteTarget: Self.siteTargetRows
        case .relationExtensions: []
        case .relationRules: Self.relationRows
        case .dynamicComponent: Self.dynamicComponentRows
        }
    }

    private static let rootRows = AppleService.allCases.map { service in
        SchemaKey(service.rawValue, AppleService.modelled.contains(service) ? .object : nil, text(service))
    }

    private static func text(_ service: AppleService) -> String {
        switch service {
        case .applinks: "Universal links: which links open in which apps."
        case .webcredentials: "Apps that share passwords and passkeys with the website."
        case .appclips: "App Clips that the website can open."
        case .activitycontinuation: "Apps that Handoff continues web pages in."
        case .authsrv: "Apps that provide single sign-on for the website."
        case .messagefilter: "Apps whose message filter may ask this website."
        case .classificationreport: "Apps that report unwanted calls and messages to this website."
        case .spotlightSuggestions, .musicassociations, .appsharedcontent:
            "A service of Apple's own, which is not documented."
        }
    }

    private static let appLinksRows = [
        SchemaKey("apps", .array, "An empty array, which iOS 12 and older require; newer systems do not need it."),
        SchemaKey("details", nil, "The entries, each of which says for some apps which links open in them."),
        SchemaKey("defaults", .object, "Settings for the components of all entries that do not set them (iOS 14)."),
        SchemaKey(
            "substitutionVariables", .object,
            "Variables by name, each with the texts that '$(name)' stands for in a pattern (iOS 13.5)."),
    ]

    private static let entryRows = [
        SchemaKey("appID", .string, "The ID of one app; 'appIDs' takes several."),
        SchemaKey("appIDs", .strings, "The IDs of the apps: Team ID, '.', bundle ID (iOS 13)."),
        SchemaKey("paths", .strings, "Patterns of paths, for iOS 12 and older; 'NOT ' before one excludes it."),
        SchemaKey("components", .objects, "The rules, of which the first that matches a URL decides (iOS 13)."),
        SchemaKey("defaults", .object, "Settings for the components of this entry that do not set them (iOS 14)."),
    ]

    private static let componentRows = [
        SchemaKey("/", .string, "A pattern of the path: '*' is any text, '?' is one character. Without it, any path."),
        SchemaKey(
            "?", .stringOrObject,
            "A pattern of the query as a whole, or a pattern for each item that has to be there. Without it, any query."
        ),
        SchemaKey("#", .string, "A pattern of the fragment. Without it, any fragment."),
        SchemaKey("exclude", .boolean, "Whether URLs that match stay in the browser. The default is false."),
        SchemaKey("comment", nil, "A remark for people, which no system reads."),
        SchemaKey("caseSensitive", .boolean, "Whether case matters. The default is true (iOS 13.5)."),
        SchemaKey(
            "percentEncoded", .boolean,
            "Whether URLs are compared as they are written; false compares them decoded. The default is true (iOS 14)."
        ),
    ]

    private static let serviceRows = [
        SchemaKey("apps", .strings, "The IDs of the apps that use the service: Team ID, '.', bundle ID.")
    ]

    private static let statementRows = [
        SchemaKey("relation", nil, "What the target may do, such as 'delegate_permission/common.handle_all_urls'."),
        SchemaKey("target", nil, "The app or site that the statement is about."),
        SchemaKey("include", nil, "The URL of another list of statements, in place of 'relation' and 'target'."),
        SchemaKey(DynamicRules.extensionsKey, nil, "Rules for a relation: which links open in the app (Android 15)."),
    ]

    private static let appTargetRows = [
        SchemaKey("namespace", nil, "'android_app' for an app, 'web' for a site."),
        SchemaKey("package_name", nil, "The application ID of the app."),
        SchemaKey("sha256_cert_fingerprints", nil, "The SHA-256 fingerprints of the certificates that sign the app."),
    ]

    private static let siteTargetRows = [
        SchemaKey("namespace", nil, "'android_app' for an app, 'web' for a site."),
        SchemaKey("site", nil, "Scheme and host of the site, such as 'https://example.com'."),
    ]

    private static let relationRows = [
        SchemaKey(DynamicRules.listKey, nil, "The rules, of which the first that matches a URL decides.")
    ]

    private static let dynamicComponentRows = [
        SchemaKey("/", nil, "A pattern of the path: '*' is any text, '?' is one character. Without it, any path."),
        SchemaKey("?", nil, "A pattern for each item of the query that has to be there. Without it, any query."),
        SchemaKey("#", nil, "A pattern of the fragment. Without it, any fragment."),
        SchemaKey("exclude", nil, "Whether URLs that match stay in the browser. The default is false."),
        SchemaKey("comment", nil, "A remark for people, which no system reads."),
        SchemaKey("comments", nil, "A remark for people, which no system reads."),
    ]
}
