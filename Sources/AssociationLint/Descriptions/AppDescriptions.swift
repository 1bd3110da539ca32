internal import Diagnostics

/// The codes about the app's side of a link.
///
/// The examples are checked for the domain `www.example.com`, whose file lists the app 7K3QWZ9PLM.com.shop.app under
/// `applinks`, and for the link `https://www.example.com/buy/7`.
enum AppDescriptions {
    static let all = entries + entitlements + website + manifest

    private static let good = entitlements("applinks:www.example.com")

    private static func entry(
        _ code: String, _ severity: Severity = .error, fix: FixIt.Applicability? = .suggested, bad: String...,
        good: String..., summary: String, reason: String
    ) -> RuleDescription {
        RuleDescription(
            code, severity, subject: .app, summary: summary, reason: reason, basis: [.apple], fix: fix,
            bad: entitlements(bad), good: entitlements(good))
    }

    private static let entries: [RuleDescription] = [
        entry(
            "entitlement-service", bad: "⟦www.example.com⟧", good: "applinks:www.example.com",
            summary: "an associated domain has no service, or one that does not exist",
            reason: """
                An entry begins with one of 'applinks:', 'webcredentials:', 'appclips:', 'activitycontinuation:' and \
                'authsrv:'. The system ignores others.
                """),
        entry(
            "entitlement-scheme", bad: "⟦applinks:https://www.example.com⟧", good: "applinks:www.example.com",
            summary: "an associated domain is written as a URL",
            reason:
                """
                After the service comes the name of a host. With a scheme the entry names no host, and the \
                system ignores it.
                """
        ),
        entry(
            "entitlement-path", bad: "⟦applinks:www.example.com/buy⟧", good: "applinks:www.example.com",
            summary: "an associated domain goes on after the host",
            reason: """
                With a slash, a path or a fragment the entry names no host, and the system ignores it. Which paths \
                open the app is in the file on the website.
                """),
        entry(
            "entitlement-domain", fix: nil, bad: "applinks:www.example.com", "⟦applinks:shop*.example.com⟧",
            good: "applinks:www.example.com", "applinks:*.example.com",
            summary: "an associated domain does not name a host",
            reason: """
                The domain is empty, has white space, is an IP address, or has a wildcard elsewhere than as the whole \
                first label; App Clips have no wildcard at all. The system ignores the entry.
                """),
        entry(
            "entitlement-port", .warning, bad: "⟦applinks:www.example.com:8443⟧", good: "applinks:www.example.com",
            summary: "an associated domain has a port",
            reason: "Entries have no port in Apple's documentation, and the system asks for the file at port 443."),
        entry(
            "entitlement-mode", .warning, bad: "⟦applinks:www.example.com?mode=debug⟧",
            good: "applinks:www.example.com", "applinks:www.example.com?mode=developer",
            summary: "the query of an associated domain is not a mode",
            reason: "The modes are '?mode=developer', '?mode=managed' and '?mode=developer+managed'."),
        entry(
            "entitlement-duplicate", .warning, fix: nil, bad: "applinks:www.example.com", "⟦applinks:www.example.com⟧",
            good: "applinks:www.example.com", summary: "an associated domain is there twice",
            reason: "The second entry changes nothing; often another domain was meant."),
        entry(
            "developer-mode-only", .warning, fix: nil, bad: "⟦applinks:www.example.com?mode=developer⟧",
            good: "applinks:www.example.com", "applinks:www.example.com?mode=developer",
            summary: "an associated domain counts in development only",
            reason: """
                With '?mode=developer' an entry counts for builds that are signed for development, on devices on which \
                the developer setting is on. In TestFlight and the App Store the links open the browser.
                """),
    ]

    private static let entitlements: [RuleDescription] = [
        RuleDescription(
            "no-associated-domains", .error, subject: .app, summary: "the app has no associated domains",
            reason: """
                The entitlements, the provisioning profile or the signature of the app name no domain, so no link can \
                open it. Of a signed app they were lost when it was signed, mostly because the profile does not allow \
                them.
                """, basis: [.apple],
            bad: entitlements(list: nil, mark: true), good: good),
        RuleDescription(
            "profile-expired", .error, subject: .app, summary: "the provisioning profile has expired",
            reason:
                """
                Builds with this profile do not start, except from the App Store. The examples show the \
                profile decoded.
                """,
            basis: [.apple], bad: profile(year: 2024, mark: true), good: profile(year: 2027)),
        RuleDescription(
            "app-identity-conflict", .error, subject: .app,
            summary: "two sources name different app IDs for one bundle ID",
            reason: """
                The file on the website can only list the app ID that the app has on devices. In the examples another \
                file says that it is 7K3QWZ9PLM.com.shop.other.
                """, basis: [.lint],
            bad: entitlements(["applinks:www.example.com"], id: "⟦ABCDE12345.com.shop.other⟧"),
            good: entitlements(["applinks:www.example.com"], id: "7K3QWZ9PLM.com.shop.other")),
        RuleDescription(
            "entitlement-missing", .error, subject: .app, summary: "no associated domain of the app covers the domain",
            reason: """
                The system asks for the files of those domains only that the app names. '*.example.com' covers \
                example.com and all hosts below it, and 'example.com' only itself.
                """, basis: [.apple],
            bad: entitlements(list: ["applinks:example.com"], mark: true), good: good),
    ]

    private static let website: [RuleDescription] = [
        RuleDescription(
            "app-not-in-file", .error, subject: .app, summary: "the website does not list the app",
            reason: """
                The app names the domain, but the file there does not list its app ID under the same service. Both \
                sides have to name each other.
                """, basis: [.apple],
            bad: entitlements(["⟦applinks:www.example.com⟧"], id: "7K3QWZ9PLM.com.shop.beta"), good: good),
        RuleDescription(
            "app-prefix-mismatch", .error, subject: .app, summary: "the website lists the app with another prefix",
            reason: """
                The bundle ID is the same and the prefix is not, so it is another app for the system. The prefix is \
                mostly the Team ID; of apps from before 2011, and of apps that changed their team, it can be another \
                one.
                """, basis: [.apple],
            bad: entitlements(["⟦applinks:www.example.com⟧"], id: "ABCDE12345.com.shop.app"), good: good),
        RuleDescription(
            "service-not-in-entitlements", .warning, subject: .app,
            summary: "the website lists the app under a service that the app does not use",
            reason: """
                The app names the domain, but not for this service, which therefore does not work. In the examples the \
                file lists 7K3QWZ9PLM.com.shop.web under 'webcredentials', too.
                """, basis: [.apple],
            bad: entitlements(list: ["applinks:www.example.com"], id: "7K3QWZ9PLM.com.shop.web", mark: true),
            good: entitlements(
                ["applinks:www.example.com", "webcredentials:www.example.com"], id: "7K3QWZ9PLM.com.shop.web")),
        RuleDescription(
            "app-id-unknown", .note, subject: .app, summary: "the app ID is not known",
            reason: """
                The entitlements in the source code of an app do not have it, so that only the presence of the service \
                in the file is checked. A profile, a signed app or --app-id has it.
                """, basis: [.lint],
            bad: entitlements(["applinks:www.example.com"], id: nil), good: good),
        RuleDescription(
            "wildcard-apex", .note, subject: .app, summary: "only a wildcard covers the domain",
            reason: """
                For '*.example.com' the system fetches the file of example.com, not that of www.example.com. What the \
                latter serves does not count for this app.
                """, basis: [.apple],
            bad: entitlements("⟦applinks:*.example.com⟧"), good: good),
    ]

    private static let manifest: [RuleDescription] = [
        RuleDescription(
            "manifest-host-missing", .error, subject: .app,
            summary: "no intent filter of the Android app names the domain",
            reason: """
                Android gives the app only links to hosts that a filter with the action VIEW and the categories \
                DEFAULT and BROWSABLE names.
                """,
            basis: [.google],
            bad: manifest(host: "example.com"), good: manifest()),
        RuleDescription(
            "manifest-link-missing", .error, subject: .app,
            summary: "no intent filter of the Android app takes the link",
            reason: """
                A filter takes a link if one of its schemes, one of its hosts and one of its paths do; all <data> of a \
                filter combine. It is a note if only a pathAdvancedPattern could, which is not evaluated.
                """, basis: [.google],
            bad: manifest(path: "/sell/", mark: true), good: manifest()),
        RuleDescription(
            "manifest-auto-verify", .warning, subject: .app,
            summary: "an intent filter for web links does not ask for verification",
            reason: """
                Without android:autoVerify="true" Android does not read assetlinks.json, and neither for a filter that \
                has other schemes than http and https. Android 12 and later then open the links in the browser, unless \
                the user enables the host by hand.
                """, basis: [.google],
            bad: manifest(isVerified: false, mark: true), good: manifest()),
    ]
}

// The files of the examples.
extension AppDescriptions {
    private static func entitlements(_ entries: String...) -> String { entitlements(entries) }

    private static func entitlements(_ entries: [String], id: String? = "7K3QWZ9PLM.com.shop.app") -> String {
        entitlements(list: entries, id: id, mark: false)
    }

    /// - Parameter mark: Whether the list is what the finding is about, or what it is missing from.
    private static func entitlements(
        list entries: [String]?, id: String? = "7K3QWZ9PLM.com.shop.app", mark: Bool
    ) -> String {
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#, #"<plist version="1.0">"#]
        lines.append(entries == nil && mark ? "⟦<dict>⟧" : "<dict>")
        if let id { lines += ["  <key>application-identifier</key>", "  <string>\(id)</string>"] }
        if let entries {
            lines += ["  <key>com.apple.developer.associated-domains</key>", mark ? "  ⟦<array>⟧" : "  <array>"]
            lines += entries.map { entry in
                let isMarked = entry.hasPrefix("⟦")
                let text = isMarked ? String(entry.dropFirst().dropLast()) : entry
                return "    <string>\(isMarked ? "⟦\(text)⟧" : text)</string>"
            }
            lines.append("  </array>")
        }
        return (lines + ["</dict>", "</plist>", ""]).joined(separator: "\n")
    }

    private static func profile(year: Int, mark: Bool = false) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
          <key>Entitlements</key>
          <dict>
            <key>application-identifier</key>
            <string>7K3QWZ9PLM.com.shop.app</string>
            <key>com.apple.developer.associated-domains</key>
            <string>*</string>
          </dict>
          <key>ExpirationDate</key>
          \(mark ? "⟦<date>⟧" : "<date>")\(year)-06-30T12:00:00Z</date>
        </dict>
        </plist>

        """
    }

    private static func manifest(
        host: String = "www.example.com", path: String = "/buy/", isVerified: Bool = true, mark: Bool = false
    ) -> String {
        let tag = isVerified ? #"<intent-filter android:autoVerify="true">"# : "<intent-filter>"
        return """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.shop.app">
              <application>
                <activity android:name=".Links">
                  \(mark ? "⟦\(tag)⟧" : tag)
                    <action android:name="android.intent.action.VIEW" />
                    <category android:name="android.intent.category.DEFAULT" />
                    <category android:name="android.intent.category.BROWSABLE" />
                    <data android:scheme="https" android:host="\(host)" android:pathPrefix="\(path)" />
                  </intent-filter>
                </activity>
              </application>
            </manifest>

            """
    }
}
