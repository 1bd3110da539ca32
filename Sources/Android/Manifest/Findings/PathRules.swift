internal import Diagnostics

extension ManifestRules {
    /// The rules about what a condition on the path, the query or the fragment matches.
    static let pathRules: [RuleDescription] = [
        .manifestStarAfterLiteral, .manifestPatternInText, .manifestRegexInPattern, .manifestRouterPlaceholder,
        .manifestURLInPath, .manifestUnusualPath, .manifestMalformedPattern, .manifestMatchesNothing,
        .manifestStarStopsEarly,
    ]
}

extension RuleDescription {
    static let manifestStarAfterLiteral = manifest(
        "manifest-star-after-literal", .error, or: [.warning],
        "a '*' of an intent filter repeats the character before it",
        """
        In 'pathPattern' a '*' is not a wildcard by itself: it repeats the character before it, so that '/buy/*' takes \
        '/buy/' and '/buy//', and not '/buy/1'. Any text is '.*'. It is a warning in 'pathAdvancedPattern', where \
        '/buy/*' may be meant to make a '/' optional.
        """, fix: .displayOnly,
        bad: ManifestRules.file(path: #"pathPattern="⟦/buy/*⟧""#),
        good: ManifestRules.file(path: #"pathPattern="/buy/.*""#))
    static let manifestPatternInText = manifest(
        "manifest-pattern-in-text", .error, "a pattern is in an attribute that compares plain text",
        """
        'path', 'pathPrefix' and 'pathSuffix' are compared as they are, so that a '*' in them is a star of the URL. A \
        prefix needs none: it takes everything that begins with it. 'pathPattern' and 'pathAdvancedPattern' have wildcards. \
        The same holds for the query and the fragment.
        """, fix: .displayOnly,
        bad: ManifestRules.file(path: #"pathPrefix="⟦/buy/*⟧""#),
        good: ManifestRules.file(path: #"pathPrefix="/buy/""#))
    static let manifestRegexInPattern = manifest(
        "manifest-regex-in-pattern", .warning, or: [.error],
        "a pattern of an intent filter has parts of a regular expression that are plain text",
        """
        'pathPattern' knows only '.', '*' and '\\', and 'pathAdvancedPattern' sets and repetitions, too. Everything else \
        of a regular expression, such as groups, alternatives, '?', '^', '$' and '\\d', is text that a URL must contain. It \
        is an error if the pattern then matches nothing, or nothing but its own text.
        """,
        bad: ManifestRules.file(path: #"pathPattern="⟦/orders/(new|old)/.*⟧""#),
        good: ManifestRules.file(path: #"pathAdvancedPattern="/orders/[0-9]+""#))
    static let manifestRouterPlaceholder = manifest(
        "manifest-router-placeholder", .warning, "a path of an intent filter has a placeholder like ':id' or '{id}'",
        """
        ':id', '{id}', '<id>' and '[id]' are parameters in the routers of web frameworks. To Android they are text that a \
        URL must contain. A placeholder of the build, '${id}', is not meant.
        """, basis: [.lint], fix: .displayOnly,
        bad: ManifestRules.file(path: #"pathPattern="⟦/user/:id/orders⟧""#),
        good: ManifestRules.file(path: #"pathPattern="/user/.*/orders""#))
    static let manifestURLInPath = manifest(
        "manifest-url-in-path", .error, or: [.warning], "a path of an intent filter has other parts of a URL",
        """
        The path of a URL begins behind its host and ends before '?' and '#', so that a value with more in it matches \
        nothing; 'android:host' is for the host. Conditions on the query and on the fragment stand in a \
        <uri-relative-filter-group>, without the '?' or '#' that begins them. It is a warning if only the first folder looks \
        like a host.
        """, fix: .displayOnly,
        bad: ManifestRules.file(path: #"pathPrefix="⟦https://shop.example/buy/⟧""#),
        good: ManifestRules.file([
            #"<data android:scheme="https" android:host="shop.example" />"#, "<uri-relative-filter-group>",
            #"  <data android:path="/login" />"#, #"  <data android:queryPrefix="data=" />"#,
            "</uri-relative-filter-group>",
        ]))
    static let manifestUnusualPath = manifest(
        "manifest-unusual-path", .warning, "a path of an intent filter has white space at an end, '//' or a '..'",
        """
        Every character is compared: white space at the beginning or the end, or a second '/', has to be in the URL, too, \
        and few links have it. Browsers resolve '.' and '..' before they ask for a path.
        """, basis: [.inferred], fix: .displayOnly,
        bad: ManifestRules.file(path: #"pathPrefix="⟦//buy⟧""#), good: ManifestRules.file(path: #"pathPrefix="/buy""#))
    static let manifestMalformedPattern = manifest(
        "manifest-malformed-pattern", .error, "a 'pathAdvancedPattern' is malformed",
        """
        Android cannot read a pattern with a set or a repetition that is empty or does not end, a repetition without \
        anything before it, or a '\\' at its end. It refuses to install the app, or ignores the activity.
        """,
        bad: ManifestRules.file(path: #"pathAdvancedPattern="⟦/[0-9⟧""#),
        good: ManifestRules.file(path: #"pathAdvancedPattern="/[0-9]{1,8}""#))
    static let manifestMatchesNothing = manifest(
        "manifest-matches-nothing", .error, "a condition of an intent filter matches nothing",
        """
        Each repetition of a 'pathAdvancedPattern' takes all the characters that it can and gives nothing back, so that \
        nothing is left for what follows a '.*'. The items of a query are compared one by one, without the '&' between them.
        """,
        bad: ManifestRules.file(path: #"pathAdvancedPattern="⟦/.*/edit⟧""#),
        good: ManifestRules.file(path: #"pathAdvancedPattern="/[^/]*/edit""#))
    static let manifestStarStopsEarly = manifest(
        "manifest-star-stops-early", .warning, "a pattern of an intent filter loses texts, as it tries nothing twice",
        """
        A '.*' in 'pathPattern' ends at the first occurrence of the character behind it, and does not try a later one if \
        the rest does not match there; a repetition in 'pathAdvancedPattern' takes all that it can. The finding shows a \
        text that is lost. A '.*' between two '/' is for one segment, and is not reported for losing several.
        """,
        bad: ManifestRules.file(path: #"pathPattern="⟦.*\\.html⟧""#),
        good: ManifestRules.file(path: #"pathSuffix=".html""#))
}
