internal import Diagnostics

/// What can be wrong with a link, as the live file decides it (doctor.md, section 7).
enum LinkDescriptions {
    static let all: [RuleDescription] = [
        link(
            "link-not-opened", "the live file opens no app for the link",
            """
            No rule of the live file matches the link, or the first one that matches excludes it. On devices that have \
            this file the link opens the browser. The finding lists the rules that were tried.
            """,
            bad: """
                https://www.example.com/sell/7
                line 6: "/": "/buy/*": path does not match
                """,
            good: """
                https://www.example.com/buy/7
                line 6: "/": "/buy/*": matches
                """,
            """
            Add a rule that matches the link, or change the one that excludes it, and deploy the file. \
            'aasa route --explain' decides the link with a file that is not deployed yet.
            """),
        link(
            "link-other-app", "the live file opens another app for the link",
            """
            A rule matches, but its entry is not for the app that was given, although the file lists that app, too. The \
            link opens the other app, or the browser if that app is not installed.
            """,
            bad: "https://www.example.com/buy/7 opens 7K3QWZ9PLM.com.shop.web, not 7K3QWZ9PLM.com.shop.app",
            good: "https://www.example.com/buy/7 opens 7K3QWZ9PLM.com.shop.app",
            "Add a rule for the link to the entry of the app that should open it, or put both apps into one entry."),
        link(
            "url-not-decided", "file and URL are too large together to be decided",
            """
            To compare the URL with the rules would take too many steps: patterns that name variables with many values again \
            and again, or thousands of rules with long patterns, and a long URL. Some kilobytes of a file can ask for hours of \
            work, so 'aasa route', 'aasa test', 'aasa doctor' and the server's admin listener spend a bounded number of steps \
            on a URL, and say that they did not decide it rather than something that may be wrong.
            """,
            bad: #"{ "/": "/$(word)*$(word)*$(word)*$(word)*$(word)*" } with 7,000 values of "word""#,
            good: #"{ "/": "/$(word)/*" }"#,
            """
            Use fewer variables and wildcards in a pattern, and variables with fewer values. A shorter URL of the same kind may \
            be decided.
            """),
    ]

    private static func link(
        _ code: String, _ summary: String, _ reason: String, bad: String, good: String, _ advice: String
    ) -> RuleDescription {
        RuleDescription(
            code, .error, subject: .link, summary: summary, reason: reason, basis: [.apple], bad: bad, good: good,
            advice: advice)
    }
}
