import Diagnostics
import DomainDoctor
import HTTPClient
import Testing

@Suite("The Android side of a domain")
struct AndroidTests {
    private func diagnosis(
        _ change: (inout Observation, inout DiagnosisOptions) throws -> Void
    ) throws -> Diagnosis {
        try GoodDomain.observationWithAndroid().diagnosis(change)
    }

    @Test("what is asked for and there is fine")
    func good() throws {
        let diagnosis = try diagnosis { _, options in
            options.androidPackages = [GoodDomain.package]
            options.androidFingerprints = [GoodDomain.fingerprint.lowercased()]
        }
        #expect(diagnosis.findings.isEmpty)
        #expect(diagnosis.step(.assetlinks)?.summary == "200, 1 statement, 1 Android app")
        #expect(diagnosis.step(.google)?.summary == "the same apps as the file")
        let evidence = try diagnosis.evidence(.google)
        #expect(evidence["errorCodes"]?.text == "[]" && evidence["debugString"]?.text == #""ok""#)
        #expect(evidence["missing"]?.text == "[]" && evidence["extra"]?.text == "[]")
    }

    private static let missing: [(String, Observation.Exchange)] = [
        ("404", .status(404)), ("410", .status(410)), ("401", .status(401)), ("403", .status(403)),
    ]

    @Test("a missing file is nothing to somebody who does not ask for Android", arguments: missing)
    func notAskedFor(_: String, exchange: Observation.Exchange) throws {
        let diagnosis = try diagnosis { seen, _ in (seen.assetLinks, seen.googleView) = (exchange, nil) }
        #expect(diagnosis.findings.isEmpty)
        for id in [Step.ID.assetlinks, .google] { #expect(diagnosis.step(id)?.reason == "no assetlinks.json") }
    }

    private static let otherAnswers: [(Observation.Exchange, String)] = [
        (.page(), "200 with an HTML page"), (.redirect("/login", status: 302), "302 to /login"),
        (.status(500, "Oops"), "500 Oops"), (.status(204), "204"),
        (.failure(.reset), "connection reset"), (.failure(.timedOut), "no answer in time"),
    ]

    @Test("whatever a host without an Android app answers is shown, and is not a finding", arguments: otherAnswers)
    func withoutAndroid(exchange: Observation.Exchange, shown: String) throws {
        let diagnosis = try diagnosis { seen, _ in (seen.assetLinks, seen.googleView) = (exchange, nil) }
        #expect(diagnosis.findings.isEmpty)
        #expect(diagnosis.step(.assetlinks)?.reason == "no assetlinks.json (\(shown))")
        #expect(diagnosis.step(.google)?.reason == "no assetlinks.json")
        // To somebody who has one it is an error.
        let asked = try self.diagnosis { seen, options in
            (seen.assetLinks, seen.googleView) = (exchange, nil)
            options.androidPackages = [GoodDomain.package]
        }
        #expect(asked.findings.first?.diagnostic.severity == .error && asked.findings.count == 1)
    }

    @Test("an assetlinks.json that is answered with 200 is checked, whoever asks")
    func answered() throws {
        let wrong = try diagnosis { seen, _ in (seen.assetLinks, seen.googleView) = (.answer("[1"), nil) }
        #expect(!wrong.findings.isEmpty)
        let head = ResponseHead(status: 200, statusLine: Array("HTTP/1.1 200 OK".utf8), fields: [])
        let cut = try diagnosis { seen, _ in
            (seen.assetLinks, seen.googleView) = (.failure(.reset, .body, head: head), nil)
        }
        #expect(cut.codes == ["assetlinks-unreachable"])
    }

    @Test("trouble that the association file has, too, is reported once")
    func sameTrouble() throws {
        let diagnosis = try diagnosis { seen, _ in
            seen.loseFile(.redirect("https://example.com/.well-known/apple-app-site-association"))
            (seen.assetLinks, seen.googleView) = (.redirect("https://example.com/.well-known/assetlinks.json"), nil)
        }
        #expect(diagnosis.codes == ["http-redirect"])
    }

    @Test("the file goes through its linter, whoever asks")
    func linter() throws {
        let diagnosis = try diagnosis { seen, _ in
            seen.assetLinks = .answer(GoodDomain.statements("shop"))
            seen.googleView = .success(.sample("{}"))
        }
        let finding = try #require(diagnosis.findings.first { $0.diagnostic.code.rawValue == "invalid-package-name" })
        #expect(finding.step == .assetlinks && finding.located.path == GoodDomain.assetLinksURL)
        #expect(finding.located.source?.position(at: finding.diagnostic.range.start).line == 6)
    }

    @Test("each app has its own fingerprints, and one of the apps has to have each that is asked for")
    func pairs() throws {
        let (first, second) = (GoodDomain.fingerprint, GoodDomain.fingerprint("CD"))
        let more = GoodDomain.statements("com.shop.other", second).dropFirst(2).dropLast(3)
        let body = GoodDomain.statements(more: ",\n\(more)")
        func codes(_ packages: [String], _ fingerprints: [String]) throws -> [String] {
            try diagnosis { seen, options in
                (seen.assetLinks, seen.googleView) = (.answer(body), nil)
                options.androidPackages = packages
                options.androidFingerprints = fingerprints
            }.codes
        }
        #expect(try codes([GoodDomain.package, "com.shop.other"], [first, second]) == [])
        #expect(try codes([], [first, second]) == [])
        #expect(try codes([GoodDomain.package], [second]) == ["android-fingerprint-missing"])
        #expect(try codes(["com.example.none"], [first]) == ["android-app-missing"])
    }

    @Test("the package of a manifest is asked for")
    func manifest() throws {
        let diagnosis = try diagnosis { seen, options in
            seen.assetLinks = .answer(GoodDomain.statements("com.shop.old"))
            seen.googleView = .success(.sample(GoodDomain.googleView("com.shop.old")))
            options.projects = [try SampleProject.manifest()]
        }
        #expect(diagnosis.codes == ["android-app-missing"])
        let finding = try diagnosis.finding("android-app-missing")
        #expect(finding.message.contains("'\(GoodDomain.package)'"))
        #expect(finding.notes == ["the file names 'com.shop.old'"])
        #expect(diagnosis.step(.app)?.summary == "an intent filter for shop.example.com")
    }

    private static let errors = [
        "INVALID_QUERY", "FETCH_ERROR", "FAILED_SSL_VALIDATION", "REDIRECT", "TOO_LARGE", "MALFORMED_HTTP_RESPONSE",
        "WRONG_CONTENT_TYPE", "MALFORMED_CONTENT", "SECURE_ASSET_INCLUDES_INSECURE", "FETCH_BUDGET_EXHAUSTED",
    ]

    @Test("every error of Google has a meaning, with the prefix and without", arguments: errors)
    func googleErrors(code: String) throws {
        for prefix in ["ERROR_CODE_", ""] {
            let diagnosis = try diagnosis { seen, _ in
                seen.googleView = .success(
                    .sample(
                        #"{"errorCode": ["\#(prefix)\#(code)"], "debugString": "a\nb", "maxAge": "599.9s"}"#))
            }
            #expect(diagnosis.codes == ["google-error"])
            let finding = try diagnosis.finding("google-error")
            #expect(finding.message == "Google cannot use assetlinks.json: \(code)")
            #expect(finding.notes != ["the meaning of this code is not known"] && finding.notes.count == 1)
            #expect(finding.help?.hasSuffix("; Google asks again within 10 min") == true, "\(finding.help ?? "")")
            #expect(diagnosis.findings[0].located.evidence == ["a", "b"])
            #expect(try diagnosis.evidence(.google)["errorCodes"]?.text == "[\"\(code)\"]")
        }
    }

    @Test("other errors of Google are shown as they came, and long texts are cut")
    func unknownErrors() throws {
        let codes = (0..<30).map { "\"NEW_\($0)\"" }.joined(separator: ",")
        let long = String(repeating: "ä", count: 2_000)
        let diagnosis = try diagnosis { seen, _ in
            seen.googleView = .success(.sample(#"{"errorCode": [\#(codes)], "debugString": "\#(long)"}"#))
        }
        #expect(diagnosis.findings.count == 10)
        let finding = try diagnosis.finding("google-error")
        #expect(finding.message == "Google cannot use assetlinks.json: 'NEW_0'")
        #expect(finding.notes == ["the meaning of this code is not known"])
        guard case .string(let shown)? = try diagnosis.evidence(.google)["debugString"] else {
            Issue.record("there is no debug string")
            return
        }
        #expect(shown.utf8.count <= 1_000)
    }

    @Test("an empty code of Google is none, a bare prefix is one, and its lines may end in any way")
    func oddErrors() throws {
        let empty = try diagnosis { seen, _ in
            seen.googleView = .success(.sample(#"{"errorCode": "", "statements": []}"#))
        }
        #expect(empty.codes == ["google-stale"])
        let bare = try diagnosis { seen, _ in
            seen.googleView = .success(
                .sample(#"{"errorCode": ["ERROR_CODE_", ""], "debugString": "a\r\nb\rc\n"}"#))
        }
        #expect(bare.codes == ["google-error"])
        #expect(bare.findings[0].located.evidence == ["a", "b", "c"])
        #expect(bare.step(.google)?.summary == "ERROR_CODE_")
    }

    @Test("both differences of Google's copy are listed")
    func stale() throws {
        let diagnosis = try diagnosis { seen, _ in
            seen.googleView = .success(.sample(GoodDomain.googleView("com.shop.old")))
        }
        let finding = try diagnosis.finding("google-stale")
        #expect(
            finding.notes == [
                "not in Google's copy: '\(GoodDomain.package) \(GoodDomain.fingerprint)'",
                "in Google's copy only: 'com.shop.old \(GoodDomain.fingerprint)'",
            ])
        #expect(finding.help == "wait: Google asks again within 1 h")
        let evidence = try diagnosis.evidence(.google)
        #expect(evidence["missing"]?.text == "[\"\(GoodDomain.package) \(GoodDomain.fingerprint)\"]")
        #expect(evidence["extra"]?.text == "[\"com.shop.old \(GoodDomain.fingerprint)\"]")
    }

    @Test("what a file includes is not fetched, so it is not compared")
    func include() throws {
        let diagnosis = try diagnosis { seen, _ in
            let more = #", { "include": "https://example.com/statements.json" }"#
            seen.assetLinks = .answer(GoodDomain.statements(more: more))
            seen.googleView = .success(.sample(GoodDomain.googleView("com.shop.old")))
        }
        #expect(diagnosis.step(.google)?.status == .ok && !diagnosis.codes.contains("google-stale"))
        #expect(diagnosis.step(.google)?.summary == "1 Android app; not compared, the file includes others")
    }

    @Test("Google's view is shown also where the host cannot be reached")
    func withoutHost() throws {
        let diagnosis = try diagnosis { seen, options in
            let view = seen.googleView
            seen.loseAnswers()
            seen.googleView = view
            seen.handshakes = [.failed(GoodDomain.ipv4, .notConnected(.refused))]
            options.androidPackages = [GoodDomain.package]
        }
        #expect(diagnosis.codes == ["connect-failed"])
        #expect(diagnosis.step(.assetlinks)?.reason == "there is no connection")
        #expect(diagnosis.step(.google)?.summary == "1 Android app; no file to compare with")
    }
}
