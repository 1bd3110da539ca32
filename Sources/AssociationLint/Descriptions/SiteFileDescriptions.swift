internal import Diagnostics

/// The codes about any file that the server is to publish.
enum SiteFileDescriptions {
    /// Apart, so that nobody takes the example for a key.
    private static let label = "PRIVATE KEY"

    static let all = [
        RuleDescription(
            "private-key", .error, subject: .siteFile, summary: "a file of a site holds a private key",
            reason: """
                Whoever may write into the folder of a site need not be allowed to read keys, and the server is: a link \
                to one must not have it published.
                """, basis: [.lint],
            bad: """
                -----BEGIN \(label)-----
                MC4CAQAwBQYDK2VwBCIEI…
                -----END \(label)-----

                """, good: SyntaxDescriptions.good)
    ]
}
