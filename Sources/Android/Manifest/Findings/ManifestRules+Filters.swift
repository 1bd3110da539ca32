internal import Diagnostics

extension ManifestRules {
    /// The rules about what a filter as a whole asks for.
    static let ofFilters: [RuleDescription] = [
        .manifestNoLinks, .manifestWholeWeb, .manifestNoHTTPS, .manifestMainAndView, .manifestSchemeForm,
        .manifestPathCoversAll, .manifestDeadExclude, .manifestOnlyExclusions,
    ]

    fileprivate static let data = #"<data android:scheme="https" android:host="shop.example" />"#

    /// A manifest with a filter whose host has groups: lines of what is in it.
    fileprivate static func file(groups: [(start: String, data: String)]) -> String {
        file(
            [data]
                + groups.flatMap { group in
                    [group.start, "  <data \(group.data) />", "</uri-relative-filter-group>"]
                })
    }

    fileprivate static let allowing = ("<uri-relative-filter-group>", #"android:pathPrefix="/""#)
    fileprivate static let excluding = (
        #"<uri-relative-filter-group android:allow="false">"#, #"android:pathPrefix="/oauth/""#
    )
    fileprivate static let marked = ("⟦\(excluding.0)⟧", excluding.1)
}

extension RuleDescription {
    static let manifestNoLinks = manifest(
        "manifest-no-links", .error, or: [.warning], "an intent filter for web links gets none",
        """
        Android gives links to intent filters with the action VIEW and without a type of content, in activities and their \
        aliases that are exported and enabled. Others seem to ask for links, and the browser opens them. It is a warning \
        where the app can enable the component itself.
        """,
        bad: ManifestRules.file([
            #"<data android:scheme="https" android:host="shop.example" android:mimeType="⟦text/html⟧" />"#
        ]))
    static let manifestWholeWeb = manifest(
        "manifest-whole-web", .warning, "an intent filter asks for every link of the web",
        """
        Without a host, or with the host '*', a filter takes the links of all hosts, which only a browser wants. Android \
        verifies none of them, so that 'autoVerify' has no effect.
        """,
        bad: ManifestRules.file(
            tag: #"⟦<intent-filter android:autoVerify="true">⟧"#, [#"<data android:scheme="https" />"#]))
    static let manifestNoHTTPS = manifest(
        "manifest-no-https", .warning, "an intent filter takes only http links",
        "Links are https on nearly every website, and the scheme is compared as a whole, so that they open in the browser.",
        bad: ManifestRules.file([#"<data android:scheme="⟦http⟧" android:host="shop.example" />"#]))
    static let manifestMainAndView = manifest(
        "manifest-main-and-view", .error, or: [.warning], "an intent filter has the actions MAIN and VIEW",
        """
        A start from the icon has no data, and a filter with <data> takes only what has: without another filter for MAIN \
        the app has no icon. It is a warning without the category LAUNCHER.
        """,
        bad: ManifestRules.file([
            #"<action android:name="⟦android.intent.action.MAIN⟧" />"#,
            #"<category android:name="android.intent.category.LAUNCHER" />"#, ManifestRules.data,
        ]))
    static let manifestSchemeForm = manifest(
        "manifest-scheme-form", .error, or: [.warning], "'android:scheme' is not just a scheme in lower case",
        """
        The value is compared with the scheme of a URL as a whole, and browsers write that in lower case: capital letters, \
        '://' or white space match nothing. Capital letters in a scheme of the app's own are a warning.
        """,
        bad: ManifestRules.file([#"<data android:scheme="⟦https://⟧" android:host="shop.example" />"#]))
    static let manifestPathCoversAll = manifest(
        "manifest-path-covers-all", .warning, "a path of an intent filter takes every link, beside others",
        "One path that matches is enough, so the other ones of the filter have no effect.",
        bad: ManifestRules.file([
            ManifestRules.data, #"<data android:pathPrefix="/buy/" />"#, #"<data android:pathPrefix="⟦/⟧" />"#,
        ]))
    static let manifestDeadExclude = manifest(
        "manifest-dead-exclude", .error, "a group of an intent filter excludes nothing",
        """
        The first <uri-relative-filter-group> that matches decides, and a path in a <data> of the filter wins over all \
        groups. What either of them takes, a later group cannot exclude, and the links open in the app.
        """,
        bad: ManifestRules.file(groups: [ManifestRules.allowing, ManifestRules.marked]),
        good: ManifestRules.file(groups: [ManifestRules.excluding, ManifestRules.allowing]))
    static let manifestOnlyExclusions = manifest(
        "manifest-only-exclusions", .error, "every group of an intent filter excludes",
        """
        A filter with groups takes what one of them allows, or a path in one of its <data>. Without either it takes no \
        link on Android 15 and later, and every link of its hosts before.
        """,
        bad: ManifestRules.file(groups: [ManifestRules.marked]),
        good: ManifestRules.file(groups: [ManifestRules.excluding, ManifestRules.allowing]))
}
