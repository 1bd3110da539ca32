internal import Diagnostics

/// The rules about `assetlinks.json`, the statements of a site for Android (Digital Asset Links).
enum AssetLinksRules {
    static let all: [RuleDescription] = [
        .noStatementList, .emptyStatementList, .statementNotAnObject, .noUsableStatement, .incompleteStatement,
        .invalidRelation, .invalidTarget, .invalidSite, .invalidInclude, .numberInStatement, .invalidPackageName,
        .invalidFingerprint, DynamicRulesDiscardedRule.description,
    ]

    fileprivate static let skipped = """
        Google's service skips the statement, and Android's own reader (since Android 12) the whole file: the app or site in \
        it gets no permission.
        """

    /// A fingerprint of no certificate.
    static let fingerprint =
        "3C:91:5E:0A:D7:46:B2:F8:13:6E:C4:29:8D:70:A5:1B:E2:57:94:0F:CB:38:61:DE:72:AF:05:B9:4C:83:16:EA"
    static let relation = #""relation": ["delegate_permission/common.handle_all_urls"],"#

    /// A file of one statement, and a good one before it.
    static func file(_ statement: String) -> String {
        """
        [
          { "include": "https://shop.example/more.json" },
          {
            \(statement)
          }
        ]

        """
    }

    static func app(name: String = "com.shop.app", fingerprint: String = Self.fingerprint) -> String {
        file(
            """
            \(relation)
                "target": { "namespace": "android_app", "package_name": \(name.first == "⟦" ? name : "\"\(name)\""),
                            "sha256_cert_fingerprints": [
                                \(fingerprint.first == "⟦" ? fingerprint : "\"\(fingerprint)\"")
                            ] }
            """)
    }

    static func target(_ target: String) -> String { file("\(relation)\n    \"target\": { \(target) }") }

    static let good = app()

    /// A file with dynamic rules, one a line.
    static func rules(_ components: String...) -> String {
        let list = components.map { "            \($0)" }.joined(separator: ",\n")
        return extended(
            """
            { "dynamic_app_link_components": [
            \(list)
                    ] }
            """)
    }

    /// A file with an extension of the relation for links.
    static func extended(_ rules: String, target: String = appTarget) -> String {
        """
        [
          {
            \(relation)
            "target": \(target),
            "relation_extensions": {
              "delegate_permission/common.handle_all_urls": \(rules)
            }
          }
        ]

        """
    }

    /// An app as the target of a statement.
    static let appTarget = """
        { "namespace": "android_app", "package_name": "com.shop.app",
                      "sha256_cert_fingerprints": ["\(fingerprint)"] }
        """

    /// A file of statements about apps, each with its package and fingerprints, one a line.
    static func apps(
        _ apps: (package: String, fingerprints: [String])...,
        relation: String = #""delegate_permission/common.handle_all_urls""#
    ) -> String {
        let list = apps.map { app in
            """
              { "relation": [\(relation)],
                "target": { "namespace": "android_app", "package_name": \(app.package),
                  "sha256_cert_fingerprints": [
            \(app.fingerprints.map { "        \($0)" }.joined(separator: ",\n"))
                  ] } }
            """
        }
        return "[\n" + list.joined(separator: ",\n") + "\n]\n"
    }
}

extension RuleDescription {
    /// - Parameter good: The usual one shows a good statement.
    static func assetLinks(
        _ code: String, _ severity: Severity, or otherSeverities: [Severity] = [], _ summary: String, _ reason: String,
        basis: [RuleDescription.Basis] = [.google], fix: FixIt.Applicability? = nil,
        bad: @autoclosure @escaping @Sendable () -> String,
        good: @autoclosure @escaping @Sendable () -> String = AssetLinksRules.good
    ) -> RuleDescription {
        RuleDescription(
            code, severity, or: otherSeverities, subject: .assetLinks, summary: summary, reason: reason, basis: basis,
            fix: fix,
            bad: bad(), good: good())
    }

    static let noStatementList = assetLinks(
        "no-statement-list", .error, "an 'assetlinks.json' is not an array of statements",
        "Only an array is read: a single statement also needs brackets.", fix: .suggested,
        bad: """
            ⟦{
              \(AssetLinksRules.relation)
              "target": { "namespace": "web", "site": "https://shop.example" }
            }⟧

            """)
    static let emptyStatementList = assetLinks(
        "empty-statement-list", .warning, "an 'assetlinks.json' has no statement",
        "The file associates nothing. This may be intended, to revoke permissions.",
        bad: "⟦[]⟧\n")
    static let statementNotAnObject = assetLinks(
        "statement-not-an-object", .error, "a statement of an 'assetlinks.json' is not an object",
        "Android's own reader stops there and drops the whole file.", basis: [.inferred],
        bad: """
            [
              { "include": "https://shop.example/more.json" },
              ⟦"https://shop.example/still-more.json"⟧
            ]

            """)
    static let noUsableStatement = assetLinks(
        "no-usable-statement", .error, "no statement of an 'assetlinks.json' can be used",
        "The file grants no permission; its other findings say why.",
        bad: """
            ⟦[
              {}
            ]⟧

            """)
    static let incompleteStatement = assetLinks(
        "incomplete-statement", .warning, "a statement has no 'relation' or no 'target'", AssetLinksRules.skipped,
        fix: .suggested,
        bad: AssetLinksRules.file(
            """
            ⟦"relations"⟧: ["delegate_permission/common.handle_all_urls"],
                "target": { "namespace": "web", "site": "https://shop.example" }
            """))
    static let invalidRelation = assetLinks(
        "invalid-relation", .warning, "a relation is not written as 'kind/detail', or is unknown",
        "\(AssetLinksRules.skipped) Android asks for 'delegate_permission/common.handle_all_urls', exactly so.",
        fix: .suggested,
        bad: AssetLinksRules.file(
            """
            "relation": ⟦"delegate_permission/common.handle_all_urls"⟧,
                "target": { "namespace": "web", "site": "https://shop.example" }
            """))
    static let invalidTarget = assetLinks(
        "invalid-target", .warning, "a target is neither an app nor a site", AssetLinksRules.skipped, fix: .suggested,
        bad: AssetLinksRules.target(#""namespace": ⟦"android-app"⟧, "package_name": "com.shop.app""#))
    static let invalidSite = assetLinks(
        "invalid-site", .warning, "the 'site' of a target is not just scheme, host and port", AssetLinksRules.skipped,
        fix: .suggested,
        bad: AssetLinksRules.file(
            """
            "relation": ["delegate_permission/common.get_login_creds"],
                "target": { "namespace": "web", "site": ⟦"https://shop.example/shop/"⟧ }
            """))
    static let invalidInclude = assetLinks(
        "invalid-include", .warning, "an 'include' is not an 'https' URL, or has other keys beside it",
        """
        A file that is fetched over HTTPS only includes files over HTTPS, and a statement either includes others or says \
        something itself.
        """, bad: AssetLinksRules.file(#""include": ⟦"http://shop.example/statements.json"⟧"#))
    static let numberInStatement = assetLinks(
        "number-in-statement", .warning, "a statement has a number or null",
        "Android's own reader knows strings, objects, arrays and booleans, and rejects the whole file otherwise.",
        basis: [.inferred],
        bad: AssetLinksRules.file(
            """
            "include": "https://shop.example/statements.json",
                "version": ⟦1⟧
            """))
    static let invalidPackageName = assetLinks(
        "invalid-package-name", .warning, "the 'package_name' of a target is missing or not valid",
        AssetLinksRules.skipped,
        bad: AssetLinksRules.app(name: #"⟦"shop"⟧"#))
    static let invalidFingerprint = assetLinks(
        "invalid-fingerprint", .warning, or: [.error],
        "the fingerprint of a certificate is missing or not in the required form",
        """
        It is the SHA-256 of the certificate that the app is signed with: 32 pairs of uppercase hexadecimal digits with colons \
        between them (Google, "Statement List Syntax"). If a statement has no usable fingerprint at all, it is an error: nothing \
        verifies the app. Whether lowercase is refused is not documented: Android's own reader \
        compares without regard to case, Chrome byte by byte. If Google signs the app, Play Console shows it; the developer's keystore has a different one.
        """, fix: .suggested, bad: AssetLinksRules.app(fingerprint: "⟦\"\(AssetLinksRules.fingerprint.lowercased())\"⟧")
    )
}
