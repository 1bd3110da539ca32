internal import Diagnostics

/// The codes about files that are not there, or may not be read.
enum FileAccessDescriptions {
    static let all = [
        RuleDescription(
            "unreadable-file", .error, subject: .path,
            summary: "a file or folder cannot be read, or has no file to check",
            reason: """
                Nothing is known about a file that cannot be read. It counts as an error, so that nobody takes a result \
                without findings for a good one; the exit code is 66.
                """, basis: [.lint],
            bad: "no-such-folder/apple-app-site-association", good: "apple-app-site-association")
    ]
}

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
