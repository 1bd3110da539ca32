package import Diagnostics

/// The rules about the app's side of a link.
///
/// The examples are checked for the domain `www.example.com`, whose file lists the app 7K3QWZ9PLM.com.shop.app under
/// `applinks`, and for the link `https://www.example.com/buy/7`.
package enum AppRules {
    package static let all: [RuleDescription] = [
        .entitlementService, .entitlementScheme, .entitlementPath, .entitlementDomain, .entitlementPort,
        .entitlementMode, .entitlementDuplicate, .developerModeOnly, .noAssociatedDomains, .profileExpired,
        .appIdentityConflict, .entitlementMissing, .appNotInFile, .appPrefixMismatch, .serviceNotInEntitlements,
        .appIDUnknown, .buildSettingUnknown, .wildcardApex, .manifestHostMissing, .manifestLinkMissing,
    ]
}

extension RuleDescription {
    private static let goodEntitlements = entitlements("applinks:www.example.com")

    private static func entry(
        _ code: String, _ severity: Severity = .error, fix: FixIt.Applicability? = .suggested, bad: String...,
        good: String..., summary: String, reason: String
    ) -> RuleDescription {
        RuleDescription(
            code, severity, subject: .app, summary: summary, reason: reason, basis: [.apple], fix: fix,
            bad: entitlements(bad), good: entitlements(good))
    }

    static let entitlementService = entry(
        "entitlement-service", bad: "⟦www.example.com⟧", good: "applinks:www.example.com",
        summary: "an associated domain has no service, or one that is not known",
        reason: """
            An entry begins with one of 'applinks:', 'webcredentials:', 'appclips:', 'activitycontinuation:', \
            'authsrv:', 'messagefilter:' and 'classificationreport:' (Apple, "Associated Domains Entitlement" and \
            IdentityLookup). The system ignores what is not a service; a service that is newer than this version is \
            reported, too.
            """)
    static let entitlementScheme = entry(
        "entitlement-scheme", bad: "⟦applinks:https://www.example.com⟧", good: "applinks:www.example.com",
        summary: "an associated domain is written as a URL",
        reason:
            """
            After the service comes the name of a host. With a scheme the entry names no host, and the \
            system ignores it.
            """
    )
    static let entitlementPath = entry(
        "entitlement-path", bad: "⟦applinks:www.example.com/buy⟧", good: "applinks:www.example.com",
        summary: "an associated domain has something after the host",
        reason: """
            With a slash, a path or a fragment the entry names no host, and the system ignores it. The file on the \
            website defines which paths open the app.
            """)
    static let entitlementDomain = entry(
        "entitlement-domain", fix: nil, bad: "applinks:www.example.com", "⟦applinks:shop*.example.com⟧",
        good: "applinks:www.example.com", "applinks:*.example.com",
        summary: "an associated domain does not name a host",
        reason: """
            The domain is empty, has white space, is an IP address, or has a wildcard that is not the whole first \
            label; App Clips do not allow wildcards. The system ignores the entry.
            """)
    static let entitlementPort = entry(
        "entitlement-port", .warning, bad: "⟦applinks:www.example.com:8443⟧", good: "applinks:www.example.com",
        summary: "an associated domain has a port",
        reason: "Entries have no port in Apple's documentation, and the system asks for the file at port 443.")
    static let entitlementMode = entry(
        "entitlement-mode", .warning, bad: "⟦applinks:www.example.com?mode=debug⟧",
        good: "applinks:www.example.com", "applinks:www.example.com?mode=developer",
        summary: "the query of an associated domain is not a mode",
        reason: "The modes are '?mode=developer', '?mode=managed' and '?mode=developer+managed'.")
    static let entitlementDuplicate = entry(
        "entitlement-duplicate", .warning, fix: nil, bad: "applinks:www.example.com", "⟦applinks:www.example.com⟧",
        good: "applinks:www.example.com", summary: "an associated domain is listed twice",
        reason: "The second entry has no effect; often another domain was intended.")
    static let developerModeOnly = entry(
        "developer-mode-only", .warning, fix: nil, bad: "⟦applinks:www.example.com?mode=developer⟧",
        good: "applinks:www.example.com", "applinks:www.example.com?mode=developer",
        summary: "an associated domain applies only in development",
        reason: """
            With '?mode=developer' an entry applies to builds that are signed for development, on devices with the \
            developer setting turned on. With TestFlight and the App Store the links open the browser.
            """)
    static let noAssociatedDomains = RuleDescription(
        "no-associated-domains", .error, or: [.warning], subject: .app, summary: "the app has no associated domains",
        reason: """
            The entitlements, the provisioning profile or the signature of the app name no domain, so no link can \
            open it. If the app is signed, they were lost during signing, usually because the profile does not allow \
            them. For an app.json of Expo it is a warning if the app takes links on Android.
            """, basis: [.apple],
        bad: entitlements(list: nil, mark: true), good: goodEntitlements)
    static let profileExpired = RuleDescription(
        "profile-expired", .error, subject: .app, summary: "the provisioning profile has expired",
        reason:
            """
            Builds with this profile do not start, except from the App Store. The examples show the \
            profile decoded.
            """,
        basis: [.apple], bad: profile(year: 2024, mark: true), good: profile(year: 2027))
    static let appIdentityConflict = RuleDescription(
        "app-identity-conflict", .error, subject: .app,
        summary: "two sources name different app IDs for one bundle ID",
        reason: """
            The file on the website can only list the app ID that the app has on devices. In the examples another \
            file says that it is 7K3QWZ9PLM.com.shop.other.
            """, basis: [.lint],
        bad: entitlements(["applinks:www.example.com"], id: "⟦ABCDE12345.com.shop.other⟧"),
        good: entitlements(["applinks:www.example.com"], id: "7K3QWZ9PLM.com.shop.other"))
    package static let entitlementMissing = RuleDescription(
        "entitlement-missing", .error, subject: .app, summary: "no associated domain of the app covers the domain",
        reason: """
            The system fetches files only from the domains that the app names. '*.example.com' covers example.com \
            and all hosts below it; 'example.com' covers only itself. Where a link is asked about, an entry of the \
            service 'applinks' has to cover it: the others open no links.
            """, basis: [.apple],
        bad: entitlements(list: ["applinks:example.com"], mark: true), good: goodEntitlements)
    package static let appNotInFile = RuleDescription(
        "app-not-in-file", .error, subject: .app, summary: "the website does not list the app",
        reason: """
            The app names the domain, but the file there does not list its app ID under the same service. Both \
            sides have to name each other.
            """, basis: [.apple],
        bad: entitlements(["⟦applinks:www.example.com⟧"], id: "7K3QWZ9PLM.com.shop.beta"), good: goodEntitlements)
    package static let appPrefixMismatch = RuleDescription(
        "app-prefix-mismatch", .error, subject: .app, summary: "the website lists the app with another prefix",
        reason: """
            The bundle ID is the same but the prefix differs, so the system treats it as another app. The prefix is \
            usually the Team ID; apps from before 2011, and apps that changed teams, can have another one.
            """, basis: [.apple],
        bad: entitlements(["⟦applinks:www.example.com⟧"], id: "ABCDE12345.com.shop.app"), good: goodEntitlements)
    static let serviceNotInEntitlements = RuleDescription(
        "service-not-in-entitlements", .warning, subject: .app,
        summary: "the website lists the app under a service that the app does not use",
        reason: """
            The app names the domain, but not for this service, so the service does not work. In the examples the \
            file lists 7K3QWZ9PLM.com.shop.web under 'webcredentials', too.
            """, basis: [.apple],
        bad: entitlements(list: ["applinks:www.example.com"], id: "7K3QWZ9PLM.com.shop.web", mark: true),
        good: entitlements(
            ["applinks:www.example.com", "webcredentials:www.example.com"], id: "7K3QWZ9PLM.com.shop.web"))
    static let appIDUnknown = RuleDescription(
        "app-id-unknown", .note, subject: .app, summary: "the app ID is not known",
        reason: """
            The entitlements in an app's source code do not contain it, so only the presence of the service in the \
            file is checked. A profile, a signed app or --app-id provides it. For a project, the finding names the \
            build setting that is not known; for an app.json, the key that is missing.
            """, basis: [.lint],
        bad: entitlements(["applinks:www.example.com"], id: nil), good: goodEntitlements)
    static let buildSettingUnknown = RuleDescription(
        "build-setting-unknown", .note, subject: .app,
        summary: "the entitlements refer to a build setting whose value is not known",
        reason: """
            Xcode replaces '$(NAME)' when it builds the app. If it has the project, aasa does the same with the \
            settings of the target, of the project and of their configuration files. If a setting comes from \
            somewhere else, such as a file that is not in the repository, its value is not known, and aasa cannot \
            tell whether the app has the entry that it needs.
            """, basis: [.lint],
        bad: entitlements("⟦applinks:$(SHOP_HOST)⟧"), good: goodEntitlements)
    static let wildcardApex = RuleDescription(
        "wildcard-apex", .note, subject: .app, summary: "only a wildcard covers the domain",
        reason: """
            For '*.example.com' the system fetches the file from example.com, not from www.example.com. The file on \
            www.example.com has no effect for this app.
            """, basis: [.apple],
        bad: entitlements("⟦applinks:*.example.com⟧"), good: goodEntitlements)
    package static let manifestHostMissing = RuleDescription(
        "manifest-host-missing", .error, subject: .app,
        summary: "no intent filter of the Android app names the domain",
        reason: """
            Android only opens links in the app if a filter with the action VIEW and the categories DEFAULT and \
            BROWSABLE names their host.
            """,
        basis: [.google],
        bad: manifest(host: "example.com"), good: manifest())
    static let manifestLinkMissing = RuleDescription(
        "manifest-link-missing", .error, subject: .app,
        summary: "no intent filter of the Android app matches the link",
        reason: """
            A filter matches a link if one of its schemes, one of its hosts and one of its paths match; all <data> \
            elements of a filter combine. It is a note if only a value could match that a build puts in.
            """, basis: [.google],
        bad: manifest(path: "/sell/", mark: true), good: manifest())
}

// The files of the examples.
extension RuleDescription {
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
        host: String = "www.example.com", path: String = "/buy/", mark: Bool = false
    ) -> String {
        let tag = #"<intent-filter android:autoVerify="true">"#
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
