import AppSiteAssociation
import Diagnostics
import DomainDoctor
import DomainNames
import Testing
import UniversalLinks

@Suite("The app's side of a domain, and its links")
struct AppAndLinkTests {
    private func diagnosis(
        _ urls: String..., change: (inout Observation, inout DiagnosisOptions) throws -> Void = { _, _ in }
    ) throws -> Diagnosis {
        try GoodDomain.observation(urls).diagnosis(change)
    }

    /// The same, where the host has one address and this file, and Apple was not asked.
    private func diagnosis(_ urls: String..., serving file: String) throws -> Diagnosis {
        try GoodDomain.observation(urls).diagnosis { seen, _ in
            seen.serve([], file)
            seen.others = []
            seen.handshakes = [.good(GoodDomain.ipv4)]
            seen.appleCopy = nil
        }
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
        let diagnosis = try diagnosis(
            "https://shop.example.com/buy/old/7", "https://shop.example.com/BUY/7", serving: file)
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
        let diagnosis = try diagnosis(url, "https://shop.example.com/help/é", serving: file)
        #expect(diagnosis.codes.contains("url-not-decided") && !diagnosis.codes.contains("link-not-opened"))
        #expect(diagnosis.links.map { $0.answer?.decision.outcome } == [.notDecided, .open])
        let details = try #require(diagnosis.step(.link)?.details)
        #expect(details.contains("decided as /help/%C3%A9"))
    }

    @Test("of many rules the first ten are shown")
    func manyRules() throws {
        let rules = (1...40).map { #"{ "/": "/r\#($0)/*" }"# }.joined(separator: ", ")
        let diagnosis = try diagnosis(
            "https://shop.example.com/x", serving: GoodDomain.file.replacing(#"{ "/": "/buy/*" }"#, with: rules))
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

    private static let link = "https://shop.example.com/buy/7"

    /// The entries of the app, the codes, and what is said of the link.
    private static let entries: [([String], [String], String)] = [
        (["applinks:shop.example.com", "webcredentials:shop.example.com"], [], "opens 7K3QWZ9PLM.com.shop.app"),
        (
            ["webcredentials:shop.example.com"], ["entitlement-missing"],
            "does not open the app, which has no entry 'applinks:shop.example.com'"
        ),
        (
            ["webcredentials:shop.example.com", "applinks:www.example.com"], ["entitlement-missing"],
            "does not open the app, which has no entry 'applinks:shop.example.com'"
        ),
        (
            ["applinks:example.org"], ["entitlement-missing"],
            "does not open the app, which has no entry 'applinks:shop.example.com'"
        ),
        (
            ["webcredentials:shop.example.com", "applinks:https://shop.example.com"], [],
            "does not open the app, which has no entry 'applinks:shop.example.com'"
        ),
    ]

    @Test("a link opens the app only if an entry of the service 'applinks' covers the host", arguments: entries)
    func entriesForLinks(entries: [String], codes: [String], shown: String) throws {
        let diagnosis = try diagnosis(Self.link) { _, options in
            var project = try SampleProject.entitlements(entries[0])
            if entries.count > 1 { project = try SampleProject.entitlements(entries[0], entries[1]) }
            options.projects = [project]
        }
        #expect(diagnosis.codes == codes)
        #expect(diagnosis.step(.link)?.summary == "/buy/7 \(shown)")
        let isOpened = shown.hasPrefix("opens")
        #expect(diagnosis.step(.link)?.status == (isOpened ? .ok : .error))
        #expect(diagnosis.status == (isOpened ? .ok : .error))
        #expect(diagnosis.links.first?.obstacles == codes)
    }

    @Test("without a link an app may name the domain for another service only")
    func otherService() throws {
        let diagnosis = try diagnosis { _, options in
            options.projects = [try SampleProject.entitlements("webcredentials:shop.example.com")]
        }
        #expect(diagnosis.codes == ["service-not-in-entitlements"])
    }

    @Test("a link asks for the app's links, whatever --service says")
    func givenService() throws {
        let diagnosis = try diagnosis(Self.link) { seen, options in
            seen.serve([], GoodDomain.file.replacing(#""apps": ["#, with: #""apps": ["7K3QWZ9PLM.com.shop.key", "#))
            seen.others = []
            seen.handshakes = [.good(GoodDomain.ipv4)]
            seen.appleCopy = nil
            options.appIDs = ["7K3QWZ9PLM.com.shop.key"]
            options.services = ["webcredentials"]
        }
        #expect(diagnosis.codes == ["app-not-in-file"])
        #expect(
            diagnosis.step(.link)?.summary == "/buy/7 is for 7K3QWZ9PLM.com.shop.app, not for 7K3QWZ9PLM.com.shop.key")
        #expect(diagnosis.step(.link)?.status == .error)
    }

    @Test("after an error of the host no link opens, and Apple's copy has the last word")
    func brokenChain() throws {
        let refused = try diagnosis(Self.link) { seen, _ in
            seen.refused = [IPAddress(ipv4: 0x0A00_0001)]
            seen.addresses = [GoodDomain.ipv4]
            seen.names?.a = .success([GoodDomain.ipv4, IPAddress(ipv4: 0x0A00_0001)])
        }
        #expect(refused.codes.contains("dns-private-address"))
        #expect(
            refused.step(.link)?.summary
                == "/buy/7 would open 7K3QWZ9PLM.com.shop.app but for an error of step 'dns'")
        #expect(refused.step(.link)?.status == .error)

        let stale = try diagnosis(Self.link) { seen, _ in seen.appleCopy = .copy(GoodDomain.file("/old/*")) }
        #expect(stale.codes == ["cdn-stale"])
        #expect(stale.step(.link)?.details.last == "in Apple's copy, which devices use, it opens no app")
    }

    @Test("a link on Android is not taken where no filter names the host, or assetlinks.json does not name the app")
    func brokenAndroid() throws {
        let unnamed = try diagnosis(Self.link) { seen, options in
            seen.assetLinks = .answer(GoodDomain.statements())
            options.projects = [try SampleProject.manifest(host: "www.example.org")]
        }
        #expect(unnamed.codes.contains("manifest-host-missing"))
        #expect(
            unnamed.step(.link)?.details.last == "/buy/7 on Android: no intent filter that gets links names the host")
        #expect(unnamed.step(.link)?.status == .error)

        let unlisted = try diagnosis(Self.link) { seen, options in
            seen.assetLinks = .answer(GoodDomain.statements("com.shop.old"))
            options.projects = [try SampleProject.manifest()]
        }
        #expect(unlisted.codes == ["android-app-missing"])
        #expect(
            unlisted.step(.link)?.details.last
                == "/buy/7 on Android: an intent filter takes it, but an error of step 'assetlinks' keeps it from the app"
        )
        #expect(unlisted.step(.link)?.status == .error)
    }
}
