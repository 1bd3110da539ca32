package import Diagnostics

/// The rules about `AndroidManifest.xml`, as far as it is about links.
package enum ManifestRules {
    package static let all: [RuleDescription] =
        [
            .manifestAutoVerify, .manifestCategoryMissing, .manifestMixedData, .manifestPathWithoutSlash,
            .manifestEncodedPath,
            .manifestHostForm, .manifestAttributeIgnored, .manifestUnresolvedValue,
        ] + pathRules + ofFilters

    /// A manifest with one filter.
    ///
    /// - Parameters:
    ///   - tag: The start tag of the filter.
    ///   - data: The lines between the categories and the end of the filter.
    static func file(
        tag: String = #"<intent-filter android:autoVerify="true">"#, categories: [String] = ["DEFAULT", "BROWSABLE"],
        _ data: [String]
    ) -> String {
        let categories = categories.map { #"<category android:name="android.intent.category.\#($0)" />"# }
        let lines = (categories + data).map { "        \($0)\n" }.joined()
        return """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.shop.app">
              <application>
                <activity android:name=".Links" android:exported="true">
                  \(tag)
                    <action android:name="android.intent.action.VIEW" />
            \(lines)      </intent-filter>
                </activity>
              </application>
            </manifest>

            """
    }

    /// A manifest with one `<data>`.
    static func file(
        host: String = "shop.example", path: String = #"pathPrefix="/buy/""#, port: String? = nil
    ) -> String {
        let port = port.map { #" android:port="\#($0)""# } ?? ""
        return file([#"<data android:scheme="https" android:host="\#(host)"\#(port) android:\#(path) />"#])
    }
}

extension RuleDescription {
    /// It is found by `aasa doctor`, too, which knows the domain.
    package static let manifestAutoVerify = RuleDescription(
        "manifest-auto-verify", .warning, or: [.note], subject: .app,
        summary: "an intent filter for web links does not ask for verification",
        reason: """
            Without android:autoVerify="true", or with schemes other than http and https, Android does not read \
            assetlinks.json for a filter. Android 12 and later then open the links in the browser, unless the user \
            enables the host manually. Earlier versions verify all hosts of an app or none, which is a note for an app \
            with several hosts and a --min-api below 31.
            """, basis: [.google],
        bad: verified(false), good: verified(true))

    private static func verified(_ isVerified: Bool) -> String {
        ManifestRules.file(
            tag: isVerified ? #"<intent-filter android:autoVerify="true">"# : "⟦<intent-filter>⟧",
            [#"<data android:scheme="https" android:host="www.example.com" android:pathPrefix="/buy/" />"#])
    }

    static func manifest(
        _ code: String, _ severity: Severity, or otherSeverities: [Severity] = [], _ summary: String, _ reason: String,
        basis: [Basis] = [.google], fix: FixIt.Applicability? = nil,
        bad: @autoclosure @escaping @Sendable () -> String,
        good: @autoclosure @escaping @Sendable () -> String = ManifestRules.file()
    ) -> RuleDescription {
        RuleDescription(
            code, severity, or: otherSeverities, subject: .manifest, summary: summary, reason: reason, basis: basis,
            fix: fix, bad: bad(), good: good())
    }

    static let manifestCategoryMissing = manifest(
        "manifest-category-missing", .error, "an intent filter for web links lacks a category",
        """
        A link reaches a filter only if it has the categories DEFAULT, which every implicit intent asks for, and \
        BROWSABLE, which browsers ask for.
        """,
        bad: ManifestRules.file(
            tag: #"⟦<intent-filter android:autoVerify="true">⟧"#, categories: ["BROWSABLE"],
            [#"<data android:scheme="https" android:host="shop.example" />"#]))
    static let manifestMixedData = manifest(
        "manifest-mixed-data", .warning, "values of different <data> combine",
        """
        All <data> of an intent filter are pooled: each of its schemes and hosts is taken with each of its paths, also \
        where no <data> has the two together, and a <data> without a path does not take every path if another one has \
        one. Two conditions on the path are alternatives. In a group it is the other way round: all of its conditions \
        hold together. What belongs together needs a filter of its own.
        """,
        bad: ManifestRules.file(
            tag: #"⟦<intent-filter android:autoVerify="true">⟧"#,
            [
                #"<data android:scheme="https" android:host="shop.example" android:pathPrefix="/buy/" />"#,
                #"<data android:scheme="https" android:host="help.example" android:pathPrefix="/faq/" />"#,
            ]),
        good: ManifestRules.file([
            #"<data android:scheme="https" android:host="shop.example" />"#,
            #"<data android:pathPrefix="/buy/" />"#, #"<data android:pathPrefix="/faq/" />"#,
        ]))
    static let manifestPathWithoutSlash = manifest(
        "manifest-path-without-slash", .warning, "a path of an intent filter does not begin with '/'",
        "The path of every URL begins with '/', so the value matches none.",
        bad: ManifestRules.file(path: #"pathPrefix="⟦buy/⟧""#))
    static let manifestEncodedPath = manifest(
        "manifest-encoded-path", .warning, "a path of an intent filter is percent-encoded",
        "Android decodes the path of a URL before it compares, and leaves the value as it is, so an escape matches nothing.",
        bad: ManifestRules.file(path: #"pathPrefix="⟦/on%20sale/⟧""#),
        good: ManifestRules.file(path: #"pathPrefix="/on sale/""#))
    static let manifestHostForm = manifest(
        "manifest-host-form", .error, or: [.warning], "a host or a port is not as links have it",
        """
        The value is compared with the host of a URL: a scheme, a path, a port or white space in it, a dot at an end or \
        letters beyond ASCII match nothing. A '*' is a wildcard only as the first label, as in '*.shop.example'. Android \
        verifies names, not addresses. A port is compared with the one that is written in the URL, which is none as a rule.
        """, bad: ManifestRules.file(host: "⟦https://shop.example⟧"))
    static let manifestAttributeIgnored = manifest(
        "manifest-attribute-ignored", .warning, "an attribute of <data> has no effect",
        """
        Conditions on the query and the fragment count only inside of <uri-relative-filter-group>, hosts and schemes only \
        outside of it, a path only if the filter has a host, a host only if it has a scheme, and a port only with a host in \
        the same <data>. 'autoVerify' counts on a filter for http or https. Attributes without Android's prefix, or with \
        another name, are not read. With --min-api, what the oldest device does not know is reported, too. The filter then \
        takes other links than it seems to.
        """, bad: ManifestRules.file(path: #"query="⟦id=7⟧""#))
    static let manifestUnresolvedValue = manifest(
        "manifest-unresolved-value", .note, "a value of an intent filter is known only in a build",
        """
        Resources and placeholders are not looked up, so such a value is not checked. 'aasa route' and 'aasa test' \
        take it with --define.
        """, basis: [.lint], bad: ManifestRules.file(host: "⟦@string/host⟧"))
}
