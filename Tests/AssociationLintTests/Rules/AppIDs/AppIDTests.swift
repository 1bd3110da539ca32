import AssociationLint
import Diagnostics
import Testing

struct AppIDTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let code: String
        let help: String?

        init(_ text: String, _ code: String = "", help: String? = nil) {
            self.text = text
            self.code = code
            self.help = help
        }

        var testDescription: String { text }
    }

    private static let place: String = "; find the Team ID at developer.apple.com > Account > Membership details"
    private static let both: String =
        "write your Team ID and your bundle ID, e.g. 'ABCDE12345.com.example.app'\(place)"

    private static func inFront(_ bundle: String) -> String {
        "add your Team ID before it, e.g. 'ABCDE12345.\(bundle)'\(place)"
    }

    private static func inPlace(_ bundle: String) -> String {
        "replace it with your Team ID, e.g. 'ABCDE12345.\(bundle)'\(place)"
    }

    @Test(
        "The first thing that is wrong with an app ID is reported",
        arguments: [
            Case(#""7K3QWZ9PLM.com.shop.app""#), Case(#""7K3QWZ9PLM.com.shop-1.App.Clip""#), Case(#""7K3QWZ9PLM.app""#),
            Case(#"⟦" 7K3QWZ9PLM.com.shop.app"⟧"#, "whitespace-in-app-id", help: "delete the white space"),
            Case(#"⟦"7K3QWZ9PLM.com.shop.app\n"⟧"#, "whitespace-in-app-id"),
            Case(#"⟦"\u00a07K3QWZ9PLM.com.shop.app"⟧"#, "whitespace-in-app-id"),
            Case(#"⟦" com.shop.app"⟧"#, "whitespace-in-app-id"), Case(#"⟦"  "⟧"#, "whitespace-in-app-id"),
            Case(#"⟦"TEAMID.com.shop.app"⟧"#, "placeholder-app-id", help: inPlace("com.shop.app")),
            Case(#"⟦"TEAM_ID.BUNDLE_ID"⟧"#, "placeholder-app-id", help: both),
            Case(#"⟦"YOURTEAM12.com.shop.app"⟧"#, "placeholder-app-id"),
            Case(#"⟦"YOUR_APP_ID"⟧"#, "placeholder-app-id"),
            Case(#"⟦"<TEAM>.com.shop.app"⟧"#, "placeholder-app-id"),
            Case(#"⟦"${TEAM}.com.shop.app"⟧"#, "placeholder-app-id"),
            Case(#"⟦"{{ team }}.com.shop"⟧"#, "placeholder-app-id"),
            Case(#"⟦"[team].com.shop"⟧"#, "placeholder-app-id"),
            Case(#"⟦"$(AppIdentifierPrefix)com.shop"⟧"#, "placeholder-app-id", help: inPlace("com.shop")),
            Case(#"⟦"$(AppIdentifierPrefix)com.shop.app"⟧"#, "placeholder-app-id", help: inPlace("com.shop.app")),
            Case(#"⟦"${TeamIdentifierPrefix}com.shop.app"⟧"#, "placeholder-app-id", help: inPlace("com.shop.app")),
            Case(#"⟦"$(AppIdentifierPrefix)$(CFBundleIdentifier)"⟧"#, "placeholder-app-id", help: both),
            Case(#"⟦"$(AppIdentifierPrefix)"⟧"#, "placeholder-app-id", help: both),
            Case(#"⟦"TODO"⟧"#, "placeholder-app-id"),
            Case(#"⟦"XXXXXXXXXX.com.shop.app"⟧"#, "placeholder-app-id"),
            Case(#"⟦"7K3QWZ9PLM.REPLACE.me"⟧"#, "placeholder-app-id"),
            Case(#"⟦"com.example.app"⟧"#, "invalid-app-id", help: inFront("com.example.app")),
            Case(#"⟦"de.shop.my_app"⟧"#, "invalid-app-id", help: both),
            Case(#"⟦"io.shop"⟧"#, "invalid-app-id", help: inFront("io.shop")),
            Case(#"⟦"shop"⟧"#, "invalid-app-id", help: both),
            Case(#"⟦"7K3QWZ9PLM"⟧"#, "invalid-app-id", help: "add your bundle ID, e.g. '7K3QWZ9PLM.com.example.app'"),
            Case(#"⟦"7K3QWZ9PLM."⟧"#, "invalid-app-id", help: "add your bundle ID, e.g. '7K3QWZ9PLM.com.example.app'"),
            Case(#"⟦".com.shop.app"⟧"#, "invalid-app-id", help: inFront("com.shop.app")),
            Case(#"⟦""⟧"#, "invalid-app-id"), Case(#"⟦"."⟧"#, "invalid-app-id"),
            Case(#"⟦"app.shop"⟧"#, "invalid-app-id"),
            Case(#"⟦"shop.app"⟧"#, "invalid-app-id", help: inFront("shop.app")),
            Case(#"⟦"acme.github.io"⟧"#, "invalid-app-id", help: inFront("acme.github.io")),
            Case(#"⟦"myteam.com.shop.app"⟧"#, "invalid-app-id", help: inPlace("com.shop.app")),
            Case(#"⟦"https://shop.example/app"⟧"#, "invalid-app-id", help: both),
            Case(#"⟦"https:\/\/shop.example\/app"⟧"#, "invalid-app-id", help: both),
            Case(#"⟦"Shop Co., Ltd. - 7K3QWZ9PLM"⟧"#, "invalid-app-id", help: both),
            Case(#"⟦"7K3QWZ9PLM .com.shop.app"⟧"#, "invalid-app-id", help: "write '7K3QWZ9PLM.com.shop.app'"),
            Case(#"⟦"7K3QWZ9PLM:com.shop.app"⟧"#, "invalid-app-id", help: "write '7K3QWZ9PLM.com.shop.app'"),
            Case(#"⟦"7K3QWZ9PLM, com"⟧"#, "invalid-app-id", help: both),
            Case(#"⟦"id:7K3QWZ9PLM.com.shop.app"⟧"#, "invalid-app-id"),
            Case(#""⟦6448924682⟧.com.shop.app""#, "app-store-id-prefix", help: inPlace("com.shop.app")),
            Case(#""⟦6448924682⟧.dev.example.tasks""#, "app-store-id-prefix", help: inPlace("dev.example.tasks")),
            Case(#""⟦644892468⟧.com.shop.app""#, "odd-team-prefix"), Case(#""644892468A.com.shop.app""#),
            Case(#"⟦"ABCDE12345.com.shop.app"⟧"#, "example-app-id"),
            Case(#"⟦"1234567890.com.shop.app"⟧"#, "example-app-id"),
            Case(#"⟦"12345ABCDE.com.shop.app"⟧"#, "example-app-id"),
            Case(#"⟦"9JA89QQLNQ.com.apple.wwdc"⟧"#, "example-app-id"),
            Case(#"⟦"0000000000.com.shop.app"⟧"#, "example-app-id"),
            Case(#"⟦"7K3QWZ9PLM.com.example.app"⟧"#, "example-app-id"),
            Case(#"⟦"7K3QWZ9PLM.com.yourCompany.app"⟧"#, "example-app-id"),
            Case(#""7K3QWZ9PLM.com.examples.app""#), Case(#""7K3QWZ9PLM.com.mycompanyshop.app""#),
            Case(#""⟦7k3qwz9plm⟧.com.shop.app""#, "odd-team-prefix", help: "write '7K3QWZ9PLM'"),
            Case(#""⟦7K3QWZ9PL⟧.com.shop.app""#, "odd-team-prefix"), Case(#""⟦V123⟧.com.shop.app""#, "odd-team-prefix"),
            Case(#""⟦CO⟧.shop.app""#, "odd-team-prefix"), Case(#""⟦7K3QWZ9PL-⟧.com.shop""#, "odd-team-prefix"),
            Case(#""⟦\u0061bcde12345⟧.com.shop.app""#, "odd-team-prefix"),
            Case(#"⟦"7K3QWZ9PLM\/.com.*"⟧"#, "invalid-app-id"),
            Case(#""7K3QWZ9PLM.⟦*⟧""#, "wildcard-app-id"), Case(#""7K3QWZ9PLM.com.⟦*⟧.*_""#, "wildcard-app-id"),
            Case(#""7K3QWZ9PLM.⟦com.shop.my_app⟧""#, "odd-bundle-id"),
            Case(#""7K3QWZ9PLM.⟦com.sh\u00f6p⟧""#, "odd-bundle-id"),
            Case(#""7K3QWZ9PLM.⟦com.shop app⟧""#, "odd-bundle-id"),
        ])
    func first(example: Case) {
        let files = [
            #"{"applinks": {"details": [{"appIDs": [\#(example.text)], "components": [{"/": "/a"}]}]}}"#,
            #"{"applinks": {"details": [{"appID": \#(example.text), "components": [{"/": "/a"}]}]}}"#,
            #"{"webcredentials": {"apps": [\#(example.text)]}}"#,
        ]
        for file in files {
            let marked = MarkedText(file)
            let result = Linter().check(marked.bytes)
            let lines = result.diagnostics.map { $0.line(in: result.source) }
            #expect(result.diagnostics.map(\.code.rawValue) == (example.code.isEmpty ? [] : [example.code]), "\(lines)")
            #expect(result.diagnostics.first?.range == marked.range)
            if let help = example.help { #expect(result.diagnostics.first?.fixIts.first?.title == help) }
        }
    }

    @Test("The message is that of the command-line contract")
    func wording() {
        let file = #"{"webcredentials": {"apps": ["com.example.app"]}}"#
        let found = Linter().check(Array(file.utf8)).diagnostics.first
        #expect(found?.message == "app ID 'com.example.app' is missing its Team ID (application identifier prefix)")
        #expect(found?.fixIts.map(\.title) == [Self.inFront("com.example.app")])
        #expect(found?.fixIts.map(\.applicability) == [.displayOnly])
    }

    @Test(
        "Who has forgotten the prefix, or listed all apps at once, is advised what to do",
        arguments: [
            ("Com.acme.app", ["if this is the bundle ID, its Team ID is missing"]),
            ("CO.acme.app", ["if this is the bundle ID, its Team ID is missing"]),
            ("Acme.shop", ["if this is the bundle ID, its Team ID is missing"]),
            ("Com.app.shop", ["if this is the bundle ID, its Team ID is missing"]),
            ("7k3qwz9plm.com.shop.app", []), ("7K3QWZ9PL.com.shop.app", []), ("7K3QWZ9PL.shop.app", []),
            ("V123.shop.app", []), ("MyTeam.com.shop.app", []), ("Acme.my_app", []), ("My_Team.shop.app", []),
            ("7K3QWZ9PLM.*", ["list each app with its own bundle ID"]),
        ])
    func notes(text: String, notes: [String]) {
        let file = #"{"webcredentials": {"apps": ["\#(text)"]}}"#
        #expect(Linter().check(Array(file.utf8)).diagnostics.map(\.notes) == [notes])
    }

    @Test(
        "An app ID that no app can have is reported as that",
        arguments: [
            ("", "app ID '' is empty: no app has this ID"),
            ("TODO", "app ID 'TODO' is a placeholder: no app has this ID"),
            (
                "7K3QWZ9PLM.com.shop ",
                "app ID '7K3QWZ9PLM.com.shop ' starts or ends with white space: no app has this ID"
            ),
        ])
    func messages(text: String, message: String) {
        let file = #"{"webcredentials": {"apps": ["\#(text)"]}}"#
        #expect(Linter().check(Array(file.utf8)).diagnostics.map(\.message) == [message])
    }

    @Test("Trimming removes white space of all kinds and shows no new error")
    func trimming() {
        let file = #"{"webcredentials": {"apps": ["\t7K3QWZ9PLM.com.shop.app\u00a0", "\u2003com.shop.app "]}}"#
        let outcome = Fixer(Linter()).fix(Array(file.utf8), path: "file")
        let fixed = #"{"webcredentials": {"apps": ["7K3QWZ9PLM.com.shop.app", "com.shop.app"]}}"#
        #expect(outcome.failure == nil)
        #expect(String(decoding: outcome.bytes, as: UTF8.self) == fixed)
    }

    @Test("A key that might become equal to another one is not trimmed unseen")
    func keys() {
        let rules = #"{"paths": ["/a"]}"#
        let file = #"""
            {"applinks": {"apps": [], "details": {"7K3QWZ9PLM.com.shop.app": \#(rules), "7K3QWZ9PLM.com.shop.app ": \#(rules)}}}
            """#
        let found = Linter().check(Array(file.utf8)).diagnostics.first { $0.code.rawValue == "whitespace-in-app-id" }
        #expect(found?.fixIts.map(\.applicability) == [.suggested])
    }
}
