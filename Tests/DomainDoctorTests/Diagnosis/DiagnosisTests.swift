import AssociationFiles
import AssociationLint
import Diagnostics
import DomainDoctor
import FindingCatalogue
import TestSupport
import Testing

@Suite("Diagnoses")
struct DiagnosisTests {
    private static let cases = DiagnosisCase.host + DiagnosisCase.copies + DiagnosisCase.apps

    @Test("with a good domain nothing is found")
    func good() throws {
        let urls = ["https://shop.example.com/buy/7"]
        let diagnosis = try GoodDomain.observation(urls).diagnosis()
        #expect(diagnosis.findings.map(\.diagnostic.message) == [])
        #expect(diagnosis.status == .ok)
        #expect(
            diagnosis.steps.filter { $0.status == .skipped }.map(\.id) == [.assetlinks, .google, .app])
        let shown = diagnosis.steps.map { ([$0.summary] + $0.details).joined(separator: "\n") }
        #expect(
            shown == [
                "192.0.2.10, 2001:db8::10", "1.2 and 1.3, complete chain, 61 days left (until 2027-01-21)",
                "200 after 84 ms, application/json, 318 bytes",
                "AASA-Bot, CFNetwork and a browser get the same file", "2 addresses send the same file",
                "2 apps, 2 rules, services applinks and webcredentials",
                "same rules; 1 h old, renewed after 13:05 UTC at the earliest", "no assetlinks.json",
                "no assetlinks.json", "neither --app nor --app-id was given",
                "/buy/7 opens 7K3QWZ9PLM.com.shop.app\nline 7: \"/\": \"/buy/*\"",
            ])
    }

    @Test("a code is found where it should be, and nothing beside it", arguments: cases)
    func found(_ sample: DiagnosisCase) throws {
        let diagnosis = try sample.diagnosis()
        #expect(diagnosis.codes == sample.codes)
        let finding = try #require(diagnosis.findings.first)
        let rule = try #require(AllRules.catalogue[sample.codes[0]])
        #expect(finding.step == sample.step)
        #expect(finding.diagnostic.severity == sample.severity ?? rule.severity)
        #expect(diagnosis.status == diagnosis.steps.map(\.status).filter { $0 != .skipped }.worst(finding))
    }

    @Test("every code that only a live domain shows has a case")
    func complete() {
        let found = Set(Self.cases.flatMap(\.codes))
        let wanted = AllRules.catalogue.rules.filter { $0.subject.isLive }.map(\.code.rawValue)
        // To decide such a URL takes long, so that it has one test of its own.
        #expect(wanted.filter { !found.contains($0) } == ["url-not-decided"])
        // What is wrong with the app's files alone is found without a domain.
        let alone: Set<String> = [
            "entitlement-service", "entitlement-scheme", "entitlement-path", "entitlement-domain", "entitlement-port",
            "entitlement-mode", "entitlement-duplicate", "developer-mode-only", "no-associated-domains",
            "profile-expired", "app-identity-conflict", "build-setting-unknown",
        ]
        let apps = AllRules.catalogue.rules.filter { $0.subject == .app }.map(\.code.rawValue)
        #expect(apps.filter { !alone.contains($0) && !found.contains($0) } == [])
    }

    @Test("the tables of the contract have all codes, with their severities")
    func contract() throws {
        let text = try Repository.text("docs/spec/doctor.md")
        let severities: [Substring: Severity] = ["E": .error, "W": .warning, "N": .note]
        var written: [String: Severity] = [:]
        for row in text.matches(of: #/(?m)^\| (`[a-z0-9`, -]+`) \| ([EWN](?: / [EWN])*) \|/#) {
            let codes = row.1.matches(of: #/`([a-z0-9-]+)`/#).map { String($0.1) }
            let letters = row.2.split(separator: " / ")
            for (index, code) in codes.enumerated() {
                written[code] = severities[letters[min(index, letters.count - 1)]]
            }
        }
        let described = AllRules.catalogue.rules.filter { $0.subject.isLive || $0.subject == .app }
        #expect(Set(written.keys) == Set(described.map(\.code.rawValue)))
        for rule in described { #expect(written[rule.code.rawValue] == rule.severity, "\(rule.code)") }
    }

    @Test(
        "descriptions say what to do, in whole sentences",
        arguments: AllRules.catalogue.rules.filter { $0.subject.isLive }.map(\.code.rawValue))
    func descriptions(_ code: String) throws {
        let rule = try #require(AllRules.catalogue[code])
        let advice = try #require(rule.advice)
        for text in [rule.reason, advice] {
            #expect(text.hasSuffix(".") && text.first?.isLowercase == false && !text.contains("  "), "\(text)")
        }
        #expect(!rule.summary.hasSuffix(".") && !rule.bad.isEmpty && rule.bad != rule.good)
    }

    @Test("severities and ignores apply to every code, and steps follow them")
    func settings() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            """
            {"severity": {"tls-expires-soon": "off", "http-slow": "error", "dns-private-address": "warning"},
             "ignore": [
              {"code": "device-blocked", "path": "shop.example.com/.well-known/*", "reason": "known"},
              {"code": "tls13-missing", "path": "shop.example.com", "reason": "later"},
              {"code": "cdn-stale", "path": "other.example.com/**", "reason": "another host"}
            ]}
            """, to: ".aasa.json")
        let diagnosis = try GoodDomain.observation().diagnosis { seen, options in
            options.settings = FindingSettings(configuration: WorkingConfiguration(path, rules: AllRules.catalogue))
            options.allowsPrivateAddresses = true
            seen.handshakes = [.judged(GoodDomain.ipv4, days: 3), .good(GoodDomain.ipv6)]
            seen.versions.tls13 = false
            seen.wellKnown = .success(.sample(GoodDomain.file, after: .seconds(4)))
            seen.device = .status(403)
            seen.appleCopy = .copy(GoodDomain.file("/old/*"))
        }
        #expect(
            diagnosis.findings.map { "\($0.diagnostic.code): \($0.diagnostic.severity)" } == [
                "dns-private-address: warning", "http-slow: error", "cdn-stale: warning",
            ])
        #expect(diagnosis.ignored.map { "\($0.finding.diagnostic.code)" } == ["tls13-missing", "device-blocked"])
        #expect(diagnosis.step(.tls)?.status == .ok && diagnosis.step(.agents)?.status == .ok)
    }
}

extension [Step.Status] {
    /// That of the domain; what was not finished is a finding of a step that is skipped.
    fileprivate func worst(_ finding: StepFinding) -> Step.Status {
        let all = self + (finding.diagnostic.code.rawValue == "check-incomplete" ? [.warning] : [])
        return all.contains(.error) ? .error : all.contains(.warning) ? .warning : .ok
    }
}
