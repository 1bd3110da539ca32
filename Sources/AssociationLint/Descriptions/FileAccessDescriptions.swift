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
