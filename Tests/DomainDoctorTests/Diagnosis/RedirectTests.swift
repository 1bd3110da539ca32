import Diagnostics
import DomainDoctor
import Testing

@Suite("Redirects")
struct RedirectTests {
    private static let path = "/.well-known/apple-app-site-association"
    private static let targets: [(location: String, kind: String)] = [
        ("http://shop.example.com\(path)", "insecure"), ("http://www.shop.example.com/login", "insecure"),
        ("HTTP://shop.example.com/", "insecure"),
        ("https://shop.example.com\(path)", "same-url"), ("HTTPS://SHOP.example.com:443\(path)", "same-url"),
        (path, "same-url"), ("//shop.example.com\(path)#top", "same-url"), ("apple-app-site-association", "same-url"),
        ("./../.well-known/./apple-app-site-association", "same-url"),
        ("https://www.shop.example.com\(path)", "www"), ("https://www.shop.example.com/", "www"),
        ("https://shop.example.com\(path)/", "trailing-slash"), ("\(path)/", "trailing-slash"),
        ("/login", "login"), ("/en/SSO/start?to=x", "login"), ("https://id.example.com/oauth/authorize", "login"),
        ("https://id.example.com/saml", "login"), ("/sign-in", "login"), ("/signin/", "login"), ("/auth", "login"),
        ("https://example.com\(path)", "other-host"), ("https://shop.example.com:8443\(path)", "other-host"),
        ("https://user@example.com/", "other-host"),
        ("/apple-app-site-association", "other-path"), ("/login.html", "other-path"), ("\(path)?x=1", "other-path"),
        ("mailto:x@example.com", "other-path"), ("/search?next=/login/", "other-path"), ("..", "other-path"),
    ]

    private func diagnosis(_ location: String, status: Int = 301) throws -> Diagnosis {
        try GoodDomain.observation().diagnosis { seen, _ in seen.loseFile(.redirect(location, status: status)) }
    }

    private func redirect(_ diagnosis: Diagnosis) throws -> [String: JSONOutput] {
        guard case .object(let members)? = try diagnosis.evidence(.http)["redirect"] else { return [:] }
        return members
    }

    @Test("the kind is the first that applies", arguments: targets)
    func kinds(location: String, kind: String) throws {
        let diagnosis = try diagnosis(location)
        #expect(diagnosis.codes == ["http-redirect"])
        let redirect = try redirect(diagnosis)
        #expect(
            redirect["kind"]?.text == "\"\(kind)\"" && redirect["location"]?.text == JSONOutput.string(location).text)
    }

    @Test("from a name with 'www' to the one without is the same kind")
    func withoutWWW() throws {
        let diagnosis = try GoodDomain.observation().diagnosis { seen, _ in
            seen.target = try Target("www.example.org", allowsAddresses: false)
            seen.loseFile(.redirect("https://example.org\(Self.path)"))
        }
        #expect(try redirect(diagnosis)["kind"]?.text == #""www""#)
        let finding = try diagnosis.finding("http-redirect")
        #expect(finding.message == "301 to 'https://example.org\(Self.path)': Apple's systems do not follow redirects")
        #expect(
            finding.help
                == "answer this path on www.example.org itself, before the rule that redirects to example.org; or use "
                + "'applinks:example.org' in the app")
        #expect(
            diagnosis.findings[0].located.evidence == [
                "HTTP/1.1 301 Moved Permanently", "location: https://example.org\(Self.path)",
            ])
        #expect(diagnosis.step(.http)?.summary == "301 to https://example.org\(Self.path)")
        #expect(diagnosis.step(.agents)?.summary == "AASA-Bot, CFNetwork and a browser get the same answer")
        #expect(diagnosis.step(.file)?.reason == "the file cannot be fetched")
    }

    @Test("each kind has help of its own")
    func help() throws {
        let first = Dictionary(Self.targets.map { ($0.kind, $0.location) }) { first, _ in first }
        let helps = try first.values.map { try diagnosis($0).finding("http-redirect").help }
        #expect(first.count == 7 && Set(helps).count == 7)
    }

    @Test("all statuses that are redirects are, and others are not", arguments: [301, 302, 303, 307, 308])
    func statuses(status: Int) throws {
        #expect(try diagnosis("/", status: status).codes == ["http-redirect"])
        #expect(try diagnosis("/", status: status + 20).codes == ["http-unexpected-status"])
    }

    @Test("without a target it is a redirect all the same")
    func withoutTarget() throws {
        let diagnosis = try GoodDomain.observation().diagnosis { seen, _ in seen.loseFile(.status(302)) }
        #expect(try diagnosis.finding("http-redirect").message.hasPrefix("302 without a target: "))
        #expect(try redirect(diagnosis)["location"]?.text == "null")
    }

    @Test("a hostile target is cut, and quoted in messages")
    func hostile() throws {
        let diagnosis = try diagnosis("https://example.com/\u{1b}[31m" + String(repeating: "é", count: 500))
        let finding = try diagnosis.finding("http-redirect")
        #expect(!finding.message.contains("\u{1b}") && finding.message.utf8.count < 700)
        #expect(try #require(diagnosis.findings.first).located.evidence.allSatisfy { $0.utf8.count < 330 })
    }
}
