import Diagnostics
import DomainDoctor
import FindingCatalogue
import Foundation
import TestSupport
import Testing

/// The reports of `aasa doctor` about domains that are made up here (doctor.md, section 8).
@Suite("reports")
struct ReportTests {
    private static let context = DoctorContext(checkedAt: 1_795_392_000)
    private static let hostile = "\u{1B}[31m\u{202E}|::%0A\r\n\u{FFFD}"

    /// A domain that is fine.
    private static func diagnosis(
        _ target: String = "shop.example", summary: String = "192.0.2.10", with findings: [StepFinding] = [],
        links: [LinkResult] = []
    ) throws -> Diagnosis {
        let tls: [String: JSONOutput] = ["daysLeft": .number(61), "warningDays": .number(20)]
        let http: [String: JSONOutput] = ["headerMilliseconds": .number(84)]
        let steps = [
            Step(.dns, summary: summary), Step(.tls, summary: "1.3", evidence: tls),
            Step(.http, summary: "200", evidence: http), Step(.agents, summary: "the same file"),
            Step(.addresses, skipped: "there is only one address"), Step(.file, summary: "1 app"),
            Step(.cdn, skipped: "not asked for"), Step(.assetlinks, skipped: "no assetlinks.json"),
            Step(.google, skipped: "no assetlinks.json"), Step(.app, skipped: "no app was given"),
            Step(.link, skipped: "no URL was given"),
        ]
        return Diagnosis(
            try Target(target, allowsAddresses: false), steps: steps, findings: findings, links: links,
            checkedAt: 1_795_392_000)
    }

    private static func text(
        _ report: any DoctorReport, _ diagnoses: [Diagnosis], _ context: DoctorContext = context
    ) -> String {
        var report = report
        var tally = DoctorTally(context)
        var text = report.begin()
        for diagnosis in diagnoses {
            tally.add(diagnosis)
            text += report.add(diagnosis)
        }
        return text + report.end(tally)
    }

    private static func plain(
        _ diagnoses: [Diagnosis], width: Int? = nil, isUnicode: Bool = true, _ context: DoctorContext = context
    ) -> String {
        text(
            DoctorTextReport(
                context, style: TextStyle(isColored: false), isUnicode: isUnicode,
                width: width), diagnoses, context)
    }

    private static func rule(_ code: String) -> RuleDescription {
        AllRules.catalogue[code] ?? RuleDescription(code, .error, summary: "", reason: "")
    }

    private static func finding(
        _ code: String = "http-redirect", _ severity: Severity = .error, _ message: String = "301 to elsewhere",
        evidence: [String] = [], help: String? = nil
    ) -> StepFinding {
        StepFinding(
            .http, rule(code), as: severity, subject: "https://shop.example/x", message, evidence: evidence, help: help)
    }

    @Test("a domain that is fine is a block of steps and a line that counts")
    func block() throws {
        #expect(
            Self.plain([try Self.diagnosis()]) == """
                shop.example
                  ✓ DNS        192.0.2.10
                  ✓ TLS        1.3
                  ✓ HTTP       200
                  ✓ Agents     the same file
                  ✓ File       1 app
                  – Apple CDN  not asked for
                  – Android    no assetlinks.json
                0 errors, 0 warnings in 1 domain

                """)
    }

    @Test("several domains and their findings are apart, and what is about no domain comes last")
    func blocks() throws {
        var context = Self.context
        context.appFindings = [
            StepFinding(.app, Self.rule("profile-expired"), as: .error, subject: "a.mobileprovision", "expired")
        ]
        let second = try Self.diagnosis(
            "www.shop.example", with: [Self.finding(evidence: ["HTTP/1.1 301"], help: "do not redirect")])
        let lines = Self.plain([try Self.diagnosis(), second], context).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(
            lines.suffix(11).joined(separator: "\n") == """
                  – Apple CDN  not asked for
                  – Android    no assetlinks.json

                https://shop.example/x: error: 301 to elsewhere [http-redirect]
                   | HTTP/1.1 301
                   = help: do not redirect

                a.mobileprovision: error: expired [profile-expired]

                2 errors, 0 warnings in 2 domains

                """)
        #expect(lines[8] == "" && lines[9] == "www.shop.example")
        #expect(Self.plain([], context).hasPrefix("a.mobileprovision: error: expired [profile-expired]\n\n1 error, "))
    }

    @Test("what no file can tell is said once, if a URL was given and all is fine")
    func limits() throws {
        let link = LinkResult(url: "https://shop.example/", answer: nil)
        let remark = "What these checks cannot see"
        let fine = try Self.diagnosis(links: [link])
        #expect(Self.plain([fine, fine]).ranges(of: remark).count == 1)
        #expect(!Self.plain([try Self.diagnosis()]).contains(remark))
        let warned = try Self.diagnosis(with: [Self.finding("http-slow", .warning)], links: [link])
        #expect(!Self.plain([warned]).contains(remark))
        let noted = try Self.diagnosis(with: [Self.finding("http-octet-stream", .note)], links: [link])
        #expect(Self.plain([noted]).contains(remark))
    }

    @Test("lines fit, whatever the terminal, but for words that are longer and first lines in a pipe")
    func widths() throws {
        let addresses = (1...8).map { "2001:db8:0:1:2:3:4:\($0)\($0)\($0)\($0)" }.joined(separator: ", ")
        let long = Self.finding(
            "http-redirect", .error, String(repeating: "many words of a message ", count: 12),
            evidence: [String(repeating: "seen by somebody ", count: 20)],
            help: String(repeating: "do this, ", count: 30))
        let word = String(repeating: "x", count: 500)
        let diagnoses = [
            try Self.diagnosis(summary: addresses, with: [long]), try Self.diagnosis(summary: "opens \(word)"),
            try Self.diagnosis(summary: String(repeating: "寿司", count: 100)),
        ]
        for width in [60, 80, 120] {
            let lines = Self.plain(diagnoses, width: width).split(separator: "\n")
            for line in lines { #expect(TerminalWidth.columns(String(line)) <= width, "\(width): \(line)") }
            #expect(
                lines.contains { $0.hasSuffix("x…") } && lines.contains { $0.hasSuffix("司…") || $0.hasSuffix("寿…") })
        }
        let piped = Self.plain(diagnoses).split(separator: "\n")
        for line in piped where !line.hasPrefix("https:") { #expect(TerminalWidth.columns(String(line)) <= 80) }
        #expect(piped.contains { $0.hasPrefix("https:") && $0.hasSuffix("[http-redirect]") })
        #expect(Self.plain(diagnoses, isUnicode: false).contains("xxx..."))
    }

    @Test("a name in Punycode has its Unicode form beside it, unless that would mislead or cannot be shown")
    func unicode() throws {
        let diagnosis = try Self.diagnosis("münchen.example")
        #expect(Self.plain([diagnosis]).hasPrefix("xn--mnchen-3ya.example (münchen.example)\n"))
        #expect(Self.plain([diagnosis], isUnicode: false).hasPrefix("xn--mnchen-3ya.example\n"))
        // Not what anything is encoded to.
        #expect(Self.plain([try Self.diagnosis("xn--a.example")]).hasPrefix("xn--a.example\n"))
    }

    @Test("colors are for signs, severities and sums; what is skipped is dim")
    func colors() throws {
        let report = DoctorTextReport(
            Self.context, style: TextStyle(isColored: true), isUnicode: true, width: 80)
        let text = Self.text(report, [try Self.diagnosis(with: [Self.finding()])])
        #expect(text.contains("\u{1B}[32m✓\u{1B}["))
        #expect(text.contains("\u{1B}[2m–\u{1B}["))
        #expect(text.contains("\u{1B}[31merror:"))
    }

    @Test("received text is escaped in every format")
    func escaping() throws {
        let bad = Self.finding("http-redirect", .error, Self.hostile, evidence: [Self.hostile], help: Self.hostile)
        let diagnosis = try Self.diagnosis(summary: Self.hostile, with: [bad])
        let sarif = SARIFRenderer(rules: [], toolVersion: "1.0.0")
        let reports: [any DoctorReport] = [
            DoctorJSONReport(Self.context), DoctorJSONLinesReport(Self.context), DoctorGitHubReport(Self.context),
            DoctorSARIFReport(Self.context, sarif),
            DoctorNagiosReport(Self.context, isStrict: false), DoctorPrometheusReport(),
        ]
        for text in reports.map({ Self.text($0, [diagnosis]) }) + [Self.plain([diagnosis])] {
            for scalar in text.unicodeScalars {
                #expect(scalar == "\n" || scalar.value >= 0x20 && scalar != "\u{7F}" && scalar != "\u{202E}", "\(text)")
            }
        }
        let nagios = Self.text(reports[4], [diagnosis]).split(separator: "\n")
        #expect(nagios.count == 2 && nagios[0].count { $0 == "|" } == 1 && !nagios[1].contains("|"))
        let github = Self.text(reports[2], [diagnosis])
        #expect(github.split(separator: "\n").count == 1)
        #expect(github.contains("|::%250A%0D%0A"))
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(Self.text(reports[0], [diagnosis]).utf8)) as? [String: Any])
        let domain = try #require((json["domains"] as? [[String: Any]])?.first)
        // Programs get what was received.
        #expect((domain["diagnostics"] as? [[String: Any]])?.first?["message"] as? String == Self.hostile)
    }

    @Test("json is one object for any number of domains", arguments: 0...3)
    func json(count: Int) throws {
        let text = Self.text(
            DoctorJSONReport(Self.context), try (0..<count).map { try Self.diagnosis("d\($0).example") })
        #expect(text.hasSuffix("}\n") && text.split(separator: "\n").count == 1)
        let json = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect((json["domains"] as? [Any])?.count == count)
        #expect(json["checkedAt"] as? String == "2026-11-23T00:00:00Z")
        #expect(json["status"] as? String == "ok")
    }

    @Test("nagios counts, and does not know where only the time was over")
    func nagios() throws {
        func report(_ findings: [StepFinding], isStrict: Bool = false) throws -> String {
            Self.text(
                DoctorNagiosReport(Self.context, isStrict: isStrict),
                [try Self.diagnosis(with: findings)])
        }
        let data = "certificate_days=61;20: header_seconds=0.084\n"
        #expect(try report([]) == "AASA OK - 1 domain checked | errors=0 warnings=0 \(data)")
        let late = Self.finding("check-incomplete", .warning, "the time was over")
        #expect(
            try report([late], isStrict: true) == """
                AASA UNKNOWN - shop.example: the time was over | errors=0 warnings=1 \(data)\
                CRITICAL: shop.example: the time was over [check-incomplete]

                """)
        let slow = Self.finding("http-slow", .warning, "slow")
        #expect(try report([late, slow]).hasPrefix("AASA WARNING - shop.example: the time was over and 1 more | "))
        #expect(
            try report([slow, Self.finding(), Self.finding("http-octet-stream", .note)]) == """
                AASA CRITICAL - shop.example: 301 to elsewhere and 1 more | errors=1 warnings=1 \(data)\
                CRITICAL: shop.example: 301 to elsewhere [http-redirect]
                WARNING: shop.example: slow [http-slow]

                """)
    }

    @Test("prometheus has no sample for what is not known, and none twice")
    func prometheus() throws {
        let twice = try Self.diagnosis(with: [Self.finding(), Self.finding(), Self.finding("http-redirect", .warning)])
        let text = Self.text(DoctorPrometheusReport(), [twice])
        #expect(text.ranges(of: "code=\"http-redirect\"").count == 2)
        #expect(!text.contains("certificate_not_after") && !text.contains("cdn_"))
        #expect(text.contains("aasa_doctor_header_seconds{domain=\"shop.example\"} 0.084\n"))
        #expect(Self.text(DoctorPrometheusReport(), []).isEmpty)
    }
}
