internal import Diagnostics

/// The codes about any file that the server is to publish.
enum SiteFileDescriptions {
    static let all = [
        RuleDescription(
            "private-key", .error, subject: .siteFile, summary: "a file of a site holds a private key",
            reason: """
                Whoever may write into the folder of a site need not be allowed to read keys, and the server is: a link \
                to one must not have it published.
                """, basis: [.lint],
            bad: """
                -----BEGIN PRIVATE KEY-----
                MC4CAQAwBQYDK2VwBCIEI…
                -----END PRIVATE KEY-----

                """, good: SyntaxDescriptions.good)
    ]
}
