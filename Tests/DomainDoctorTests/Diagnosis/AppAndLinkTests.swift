import AppSiteAssociation
import Diagnostics
import DomainDoctor
import Testing
import UniversalLinks

@Suite("The app's side of a domain, and its links")
struct AppAndLinkTests {
    private func diagnosis(
        _ urls: String..., change: (inout Observation, inout DiagnosisOptions) throws -> Void = { _, _ in }
    ) throws -> Diagnosis {
        var seen = try GoodDomain.observation(urls)
        var options = DiagnosisOptions()
        try change(&seen, &options)
        let diagnosis = Diagnosis(seen, options)
        diagnosis.checkInvariants()
        return diagnosis
    }

    @Test("an app that names the domain, and that the file lists, is fine")
    func good() throws {
        let diagnosis = try diagnosis { _, options in
            options.projects = [
                try SampleProject.entitlements("applinks:shop.example.com", "webcredentials:*.example.com")
            ]
        }
        #expect(diagnosis.findings.isEmpty)
        #expect(
            diagnosis.step(.app)?.summary
                == "applinks:shop.example.com and webcredentials:*.example.com in the app; the file lists "
                + "7K3QWZ9PLM.com.shop.app")
    }

    @Test("an app ID alone is looked for in the file")
    func appID() throws {
        let diagnosis = try diagnosis { _, options in options.appIDs = [GoodDomain.app] }
        #expect(diagnosis.findings.isEmpty)
        #expect(diagnosis.step(.app)?.summary == "the file lists 7K3QWZ9PLM.com.shop.app")
        let missing = try self.diagnosis { _, options in options.appIDs = ["7K3QWZ9PLM.com.shop.beta"] }
        #expect(missing.step(.app)?.summary == "the file does not list 7K3QWZ9PLM.com.shop.beta")
        #expect(missing.findings.first?.located.path == GoodDomain.fileURL)
    }

    @Test("an entry that is malformed is not reported twice, and the step is an error all the same")
    func malformed() throws {
        let diagnosis = try diagnosis { _, options in
            options.projects = [try SampleProject.entitlements("applinks:https://shop.example.com")]
        }
        #expect(diagnosis.findings.isEmpty)
        #expect(diagnosis.step(.app)?.status == .error)
        #expect(diagnosis.step(.app)?.summary == "no entry for shop.example.com")
        #expect(diagnosis.status == .error)
    }

    @Test("without the file the app's side is judged alone")
    func withoutFile() throws {
        let diagnosis = try diagnosis { seen, options in
            seen.loseFile(.status(404))
            options.projects = [try SampleProject.entitlements("applinks:example.org")]
        }
        #expect(diagnosis.codes == ["http-not-found", "entitlement-missing"])
        let skipped = try self.diagnosis { seen, options in
            seen.loseFile(.status(404))
            options.appIDs = [GoodDomain.app]
        }
        #expect(skipped.step(.app)?.reason == "the file cannot be fetched")
    }

    @Test("links are decided one by one, with the rule")
    func links() throws {
        let diagnosis = try diagnosis(
            "https://shop.example.com/buy/7", "https://shop.example.com/sell/7", "https://shop.example.com")
        #expect(diagnosis.codes == ["link-not-opened", "link-not-opened"])
        let step = try #require(diagnosis.step(.link))
        #expect(
            [step.summary] + step.details == [
                "/buy/7 opens 7K3QWZ9PLM.com.shop.app", #"line 7: "/": "/buy/*""#, "/sell/7 opens no app",
                "no rule matches", "/ opens no app", "no rule matches",
            ])
        #expect(diagnosis.links.map { $0.answer?.decision.outcome } == [.open, .noMatch, .noMatch])
        let finding = try #require(diagnosis.findings.first)
        #expect(finding.located.path == "https://shop.example.com/sell/7")
        #expect(
            finding.located.evidence == [
                #"line 7: "/": "/buy/*": path does not match"#, #"line 10: "/": "/help/*": path does not match"#,
            ])
    }

    @Test("a link that is excluded names the line, and one that is nearly opened the difference")
    func excluded() throws {
        let file = GoodDomain.file.replacing(
            #"{ "/": "/buy/*" }"#, with: #"{ "/": "/buy/old/*", "exclude": true }, { "/": "/buy/*" }"#)
        let diagnosis = try diagnosis("https://shop.example.com/buy/old/7", "https://shop.example.com/BUY/7") {
            seen, _ in
            seen.serve([], file)
            seen.others = []
            seen.handshakes = [.good(GoodDomain.ipv4)]
            seen.appleCopy = nil
        }
        #expect(diagnosis.codes == ["link-not-opened", "link-not-opened"])
        #expect(diagnosis.findings[0].diagnostic.message == "the link opens no app: line 7 of the file excludes it")
        #expect(
            diagnosis.findings[0].located.evidence == [
                #"line 10: "/": "/help/*": path does not match"#,
                #"line 7: "/": "/buy/old/*", "exclude": true: matches"#,
            ])
        #expect(diagnosis.findings[1].diagnostic.help?.contains(#""caseSensitive": false"#) == true)
    }

    @Test("the time for a domain ends its diagnosis: steps and links after it are not finished")
    func overdue() throws {
        let seen = try GoodDomain.observation(["https://shop.example.com/sell/7", "https://shop.example.com/sell/8"])
        var asked = 0
        // Asked before each of four groups of steps, and before each link.
        let diagnosis = Diagnosis(seen, DiagnosisOptions()) {
            asked += 1
            return asked > 5
        }
        #expect(diagnosis.codes == ["check-incomplete"])
        #expect(diagnosis.findings.first?.diagnostic.message.hasSuffix("not finished: link") == true)
        #expect(diagnosis.step(.link)?.reason == "the time was over")
        #expect(diagnosis.links.map { $0.answer == nil } == [false, true])

        let late = Diagnosis(seen, DiagnosisOptions()) { true }
        #expect(late.codes == ["check-incomplete"])
        #expect(
            late.findings.first?.diagnostic.message.hasSuffix("not finished: cdn, assetlinks, google, app, link")
                == true)
        #expect(late.links.map { $0.answer == nil } == [true, true])
    }

    @Test("a link that takes too many steps is not decided, and one from the address bar is encoded")
    func notDecided() throws {
        let words = (0..<60).map { #""\#(String(repeating: "a", count: 1 + $0 % 40))?\#($0)""# }.joined(separator: ",")
        let pattern = "/" + String(repeating: "$(v)*", count: 1_000)
        let file = GoodDomain.file.replacing("/buy/*", with: pattern).replacing(
            #""details": ["#, with: #""substitutionVariables": { "v": ["a?", \#(words)] }, "details": ["#)
        let url = "https://shop.example.com/\(String(repeating: "a", count: 2_500))"
        let diagnosis = try diagnosis(url, "https://shop.example.com/help/é") { seen, _ in
            seen.serve([], file)
            seen.others = []
            seen.handshakes = [.good(GoodDomain.ipv4)]
            seen.appleCopy = nil
        }
        #expect(diagnosis.codes.contains("url-not-decided") && !diagnosis.codes.contains("link-not-opened"))
        #expect(diagnosis.links.map { $0.answer?.decision.outcome } == [.notDecided, .open])
        let details = try #require(diagnosis.step(.link)?.details)
        #expect(details.contains("decided as /help/%C3%A9"))
    }

    @Test("of many rules the first ten are shown")
    func manyRules() throws {
        let rules = (1...40).map { #"{ "/": "/r\#($0)/*" }"# }.joined(separator: ", ")
        let diagnosis = try diagnosis("https://shop.example.com/x") { seen, _ in
            seen.serve([], GoodDomain.file.replacing(#"{ "/": "/buy/*" }"#, with: rules))
            seen.others = []
            seen.handshakes = [.good(GoodDomain.ipv4)]
            seen.appleCopy = nil
        }
        let finding = try #require(diagnosis.findings.first)
        #expect(
            finding.located.evidence.count == 11 && finding.located.evidence.last == "31 more rules without a match")
        #expect(diagnosis.links.first?.answer?.trace?.count == 41)
    }

    @Test("a link of another app is one only for an app that the file lists")
    func otherApp() throws {
        func codes(_ ids: [String]) throws -> [String] {
            try diagnosis("https://shop.example.com/help/7") { _, options in options.appIDs = ids }.codes
        }
        #expect(try codes([GoodDomain.app]) == ["link-other-app"])
        #expect(try codes([GoodDomain.app, "7K3QWZ9PLM.com.shop.web"]) == [])
        #expect(try codes(["7K3QWZ9PLM.com.shop.none"]) == ["app-not-in-file"])
    }

    @Test("the filters of an Android app decide a link, also where there is no association file")
    func filters() throws {
        let diagnosis = try diagnosis("https://shop.example.com/buy/7") { seen, options in
            seen.loseFile(.status(404))
            seen.assetLinks = .answer(GoodDomain.statements())
            options.projects = [try SampleProject.manifest()]
        }
        #expect(diagnosis.codes == ["http-not-found"])
        #expect(diagnosis.step(.link)?.summary == "/buy/7 on Android: an intent filter takes it")
        let other = try self.diagnosis("https://shop.example.com/sell/7") { seen, options in
            seen.assetLinks = .answer(GoodDomain.statements())
            options.projects = [try SampleProject.manifest()]
        }
        #expect(other.codes == ["link-not-opened", "manifest-link-missing"])
        #expect(other.step(.link)?.details.last == "/sell/7 on Android: no intent filter takes it")
    }
}
