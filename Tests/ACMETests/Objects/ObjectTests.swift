import ACME
import Testing

@Suite("Objects of a CA")
struct ObjectTests {
    private func error<Value>(_ body: () throws -> Value) -> IssuanceError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? IssuanceError
        }
    }

    @Test("the directory says where, and what the CA wants")
    func directory() throws {
        let directory = try Samples.directory(
            #"{"caaIdentities":["a","b"],"externalAccountRequired":true,"profiles":{"b":"","a":""},"website":1}"#)
        #expect(directory.newOrder.description == Samples.base + "/order")
        #expect(directory.renewalInfo?.description == Samples.base + "/renewal")
        #expect(directory.caaIdentities == ["a", "b"] && directory.requiresExternalAccount)
        #expect(directory.profiles == ["a", "b"] && directory.termsOfService == nil)
        #expect(try Samples.directory("null").profiles == nil)
    }

    @Test(
        "a missing or mistyped member is named",
        arguments: [
            ("[]", "the directory is not a JSON object"), ("{", "the directory is not a JSON object"),
            ("<html>", "the directory is not a JSON object"), ("{}", "the directory has no 'newNonce'"),
            (#"{"newNonce":null}"#, "the directory has no 'newNonce'"),
            (#"{"newNonce":1}"#, "'newNonce' of the directory is a number, expected a string"),
            (
                #"{"newNonce":"http://a\u001b/"}"#,
                #"'newNonce' of the directory is 'http://a\x1B/', expected an https:// URL of at most 2,048 bytes"#
            ),
        ] as [(String, String)])
    func badDirectory(text: String, message: String) {
        #expect(error { try Directory(Array(text.utf8)) } == IssuanceError(.protocol, message))
    }

    @Test("more than 64 KiB are not read")
    func large() {
        let text = Samples.directoryText() + String(repeating: " ", count: 65_536)
        #expect(error { try Directory(Array(text.utf8)) }?.message == "the directory is larger than 65,536 bytes")
    }

    @Test(
        "JSON with mistakes is none", arguments: ["{'newNonce':1}", #"{"newNonce":"a",}"#, "{\"a\":1}x", "{\"a\" 1}"])
    func lenient(text: String) {
        #expect(error { try Directory(Array(text.utf8)) }?.type == .protocol)
    }

    @Test(
        "what the CA has written is escaped and cut",
        arguments: [
            (#"a\u001b[31m\n\u202e"#, #"a\x1B[31m\x0A\xE2\x80\xAE"#), (#"say \"hi\" \\"#, #"say \x22hi\x22 \x5C"#),
            ("é", #"\xC3\xA9"#), (String(repeating: "x", count: 300), String(repeating: "x", count: 300)),
            (String(repeating: "x", count: 301), String(repeating: "x", count: 300) + "..."),
            (String(repeating: "x", count: 299) + "é", String(repeating: "x", count: 299) + "..."),
        ] as [(String, String)])
    func detail(text: String, shown: String) throws {
        let problem = try Problem(Array(Samples.problem("dns", text).utf8))
        #expect(problem.detail == shown && problem.message == shown && problem.type == .dns)
    }

    @Test("sub-problems are shown the same way, and not all of them")
    func subproblems() throws {
        let one =
            #"{"type":"urn:ietf:params:acme:error:caa","detail":"no\n","identifier":{"type":"dns","value":"a\n"}}"#
        let two = Samples.problem("rejectedIdentifier", "bad")
        let problem = try Problem(
            Array(Samples.problem("compound", "both", more: #","subproblems":[\#(one),\#(two)]"#).utf8))
        #expect(problem.message == #"both; a\x0A: caa: no\x0A; rejectedIdentifier: bad"#)
        let many = Array(repeating: one, count: 8).joined(separator: ",")
        let long = try Problem(Array(Samples.problem("compound", more: #","subproblems":[\#(many)]"#).utf8))
        #expect(long.subproblems.count == 5 && long.message.hasSuffix("; 3 further problems"))
    }

    @Test("a problem may say nothing")
    func emptyProblem() throws {
        let problem = try Problem(Array("{}".utf8))
        #expect(problem.type == .other && problem.message.isEmpty)
        #expect(error { try Problem(Array("[]".utf8)) } != nil)
    }

    @Test(
        "an order that is not as it has to be says what is wrong",
        arguments: [
            (#""pending""#, #""done""#, "'status' of the order is 'done', which is not a status"),
            (#""type":"dns""#, #""type":"ip""#, "the order is not for 'shop.example.com' alone"),
            (#"[{"type":"dns","value":"shop.example.com"}]"#, "[]", "the order is not for 'shop.example.com' alone"),
            (
                #""\#(Samples.base)/authorization/1""#, "",
                "the order has 0 authorizations, expected one for its one name"
            ),
            ("finalize", "finalise", "the order has no 'finalize'"),
            (#""pending""#, #""valid""#, "the order is valid, but has no 'certificate'"),
        ] as [(String, String, String)])
    func badOrder(old: String, new: String, message: String) {
        let text = Samples.order("pending").replacing(old, with: new)
        #expect(error { try Order(Array(text.utf8), for: Samples.domain) }?.message == message)
    }

    @Test("names of orders have no case")
    func upperCase() throws {
        let text = Samples.order("pending").replacing("shop.example.com", with: "SHOP.example.com")
        #expect(try Order(Array(text.utf8), for: Samples.domain).status == .pending)
    }

    @Test("a token that could leave its path is refused", arguments: ["", "../x", "a b", "a/b", "a.b", "é"])
    func token(token: String) {
        let text = Samples.authorization("pending").replacing(Samples.token, with: token)
        #expect(
            error { try Authorization(Array(text.utf8), for: Samples.domain) }?.message
                == "'token' of the challenge is not up to 255 characters of base64url")
    }

    @Test("an authorization is for the name, and for its wildcard if one is wanted")
    func authorization() throws {
        let wildcard = Samples.domain("*.example.com")
        let text = Samples.authorization(
            "pending", domain: wildcard, [("dns-persist-01", "pending"), ("new-9", "pending")])
        let authorization = try Authorization(Array(text.utf8), for: wildcard)
        #expect(authorization.challenges.map(\.type) == [.dnsPersist01])
        #expect(authorization.offered == ["dns-persist-01", "new-9"])
        #expect(error { try Authorization(Array(text.utf8), for: Samples.domain("example.com")) } != nil)
        #expect(error { try Authorization(Array(text.utf8), for: Samples.domain("*.example.org")) } != nil)
    }

    private static func window(_ start: String, _ end: String, _ more: String = "") -> String {
        #"{"suggestedWindow":{"start":"\#(start)","end":"\#(end)"}\#(more)}"#
    }

    @Test("renewal information is a window, and perhaps a reason")
    func renewalInfo() throws {
        let text = Self.window(
            "2025-01-02T04:00:00Z", "2025-01-03T04:00:00.5Z", #","explanationURL":"https://a.example/\u0007""#)
        let info = try RenewalInfo(Array(text.utf8))
        #expect(info.window == 1_735_790_400..<1_735_876_800)
        #expect(info.explanation == #"https://a.example/\x07"#)
    }

    @Test(
        "a window that is none is an error",
        arguments: [
            Self.window("2025-01-03T04:00:00Z", "2025-01-03T04:00:00Z"),
            Self.window("2025-01-04T04:00:00Z", "2025-01-03T04:00:00Z"), Self.window("now", "2025-01-03T04:00:00Z"),
            Self.window("2025-01-02T04:00:00", "2025-01-03T04:00:00Z"), "{}", #"{"suggestedWindow":{}}"#, "",
        ])
    func badRenewalInfo(text: String) {
        #expect(error { try RenewalInfo(Array(text.utf8)) }?.type == .protocol)
    }

    @Test(
        "the next question is when the CA says, within limits, or in six hours",
        arguments: [
            (200, "120", 120), (200, "1", 60), (200, "999999", 86_400), (200, nil, 21_600), (200, "x", 21_600),
            (503, "120", 21_600), (404, nil, 21_600),
        ] as [(Int, String?, Int64)])
    func questions(status: Int, field: String?, pause: Int64) {
        let text = Self.window("2025-01-02T04:00:00Z", "2025-01-03T04:00:00Z")
        let response = ACMEResponse.json(status, text, field.map { ["Retry-After": $0] } ?? [:])
        let answer = RenewalAnswer(response, now: Samples.now)
        #expect(
            answer.pause == pause && (answer.info == nil) == (status != 200) && (answer.error == nil) == (status == 200)
        )
        #expect(RenewalAnswer(.json(200, "{}", ["Retry-After": "60"]), now: 0).pause == 21_600)
        #expect(RenewalAnswer(.unreachable("x")).error?.type == .unavailable)
    }

    @Test("the question goes to the identifier below the CA's URL")
    func renewalURL() throws {
        let id = CertificateID(keyIdentifier: [1], serialNumber: [2])
        for base in ["/renewal", "/renewal/"] {
            #expect(RenewalInfo.url(Samples.url(base), id)?.description == Samples.base + "/renewal/AQ.Ag")
        }
    }
}
