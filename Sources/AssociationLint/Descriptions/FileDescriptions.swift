internal import Diagnostics

/// The codes about files as such, whatever is in them.
enum FileDescriptions {
    /// Files that are not there, or cannot be read.
    static let access = [
        RuleDescription(
            "unreadable-file", .error, subject: .path,
            summary: "a file or folder cannot be read, or a folder has no file to check",
            reason: """
                A file that cannot be read is not checked. This is an error, so that the result is never mistaken for a good \
                one; the exit code is 66.
                """, basis: [.lint],
            bad: "no-such-folder/apple-app-site-association", good: "apple-app-site-association")
    ]

    /// Apart, so that the example is not mistaken for a key.
    private static let label = "PRIVATE KEY"

    /// Any file that the server is to publish.
    static let published = [
        RuleDescription(
            "private-key", .error, subject: .siteFile, summary: "a file of a site contains a private key",
            reason: """
                The server may read private keys that the author of a site's folder may not: a link to a key must \
                not publish it.
                """, basis: [.lint],
            bad: """
                -----BEGIN \(label)-----
                MC4CAQAwBQYDK2VwBCIEI…
                -----END \(label)-----

                """, good: SyntaxDescriptions.good)
    ]
}
