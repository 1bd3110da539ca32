internal import AppSiteAssociation
package import Diagnostics

/// The rules about a link, as the live file decides it (doctor.md, section 7).
package enum LinkRules {
    package static let all: [RuleDescription] = [
        .linkNotOpened, .linkOtherApp, .urlNotDecided,
    ]
}

extension RuleDescription {
    private static func link(
        _ code: String, _ summary: String, _ reason: String, bad: String, good: String, _ advice: String
    ) -> RuleDescription {
        RuleDescription(
            code, .error, subject: .link, summary: summary, reason: reason, basis: [.apple], bad: bad, good: good,
            advice: advice)
    }

    static let linkNotOpened = link(
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
        """)
    static let linkOtherApp = link(
        "link-other-app", "the live file opens another app for the link",
        """
        A rule matches, but its entry is not for the app that was given, although the file lists that app, too. The \
        link opens the other app, or the browser if that app is not installed.
        """,
        bad: "https://www.example.com/buy/7 opens 7K3QWZ9PLM.com.shop.web, not 7K3QWZ9PLM.com.shop.app",
        good: "https://www.example.com/buy/7 opens 7K3QWZ9PLM.com.shop.app",
        "Add a rule for the link to the entry of the app that should open it, or put both apps into one entry.")
}
