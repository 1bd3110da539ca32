/// The decisions about manifests where Google's documentation is silent, or Android's public source says something else
/// (docs/spec/android.md, section 5). Each is made here, and nowhere else.
package enum ManifestDecisions {
    /// An activity that has a filter and does not say whether it is exported counts as exported. Since Android 12 the build
    /// refuses it; before, Android did the same.
    static let filtersExportTheirActivity = true

    /// A backslash before a character that has no escape is dropped, as `aapt2` does it: `\.` in a manifest is the pattern
    /// `.`, any character, and only `\\.` is a full stop.
    static let unknownEscapesLoseTheirBackslash = true

    /// An escaped `.` of a `pathPattern` is a full stop. The documentation has it so; Android's public source takes it for
    /// any character.
    static let escapedDotIsLiteral = true

    /// Where a text is over, no repeated character of a `pathPattern` but a last `.*` matches: `/ab*` does not match `/a`.
    /// That is how Android's public source has it; the documentation says that `*` takes nothing as well.
    static let runsNeedText = true

    /// A malformed `pathAdvancedPattern` matches nothing. Android refuses to install the app, or ignores the activity.
    static let malformedPatternMatchesNothing = true

    /// A URL without a path has the path `/`, which is what browsers ask for.
    static let emptyPathIsRoot = true

    /// A filter with another scheme beside http and https verifies no host, as Android's public source has it.
    static let otherSchemesPreventVerification = true

    /// Only the hosts of wildcards such as `*.shop.example` are verified. Android's public source drops `*` and
    /// `*shop.example`, which name no host that a file could be fetched from.
    static let onlyLabelsAreVerified = true

    /// A filter has its hosts verified for the whole app even if its own activity is disabled or not exported, as Android's
    /// public source has it.
    static let unreachableFiltersVerify = true

    /// The device for which links are decided, unless another one is asked for: Android 15.
    package static let api = 35

    /// The first version that verifies hosts: Android 6.
    static let verificationAPI = 23

    /// The first version that verifies each host for itself: Android 12. Earlier ones verify all hosts of the filters for
    /// web links if one of these asks for it, and the app opens links only if that succeeds for all.
    package static let separateHostsAPI = 31

    /// The first version with `pathSuffix`, `pathAdvancedPattern` and the same forms of the scheme-specific part: Android 12.
    package static let suffixAPI = 31

    /// The first version with `<uri-relative-filter-group>`: Android 15.
    package static let groupAPI = 35
}
