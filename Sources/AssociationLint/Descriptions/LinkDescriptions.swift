internal import Diagnostics

/// What can be wrong with a link, as the live file decides it (doctor.md, section 7).
enum LinkDescriptions {
    static let all: [RuleDescription] = [
        link(
            "link-not-opened", "the live file gives the link to no app",
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
            Add a rule that takes the link, or change the one that excludes it, and deploy the file. \
            'aasa route --explain' decides the link with a file that is not deployed yet.
            """),
        link(
            "link-other-app", "the live file gives the link to another app",
            """
            A rule matches, but the entry that it is in is not that of the app which was asked for, although the file \
            lists that app, too. The link opens the other app, or the browser where that is not installed.
            """,
            bad: "https://www.example.com/buy/7 opens 7K3QWZ9PLM.com.shop.web, not 7K3QWZ9PLM.com.shop.app",
            good: "https://www.example.com/buy/7 opens 7K3QWZ9PLM.com.shop.app",
            "Add a rule for the link to the entry of the app that should open it, or put both apps into one entry."),
    ]

    private static func link(
        _ code: String, _ summary: String, _ reason: String, bad: String, good: String, _ advice: String
    ) -> RuleDescription {
        RuleDescription(
            code, .error, subject: .link, summary: summary, reason: reason, basis: [.apple], bad: bad, good: good,
            advice: advice)
    }
}
