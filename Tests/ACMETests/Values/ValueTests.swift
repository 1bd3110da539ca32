import ACME
import FuzzingSupport
import TestSupport
import Testing

@Suite("Values of the protocol")
struct ValueTests {
    @Test(
        "base64url is written without padding",
        arguments: [
            ([], ""), ([0], "AA"), ([0xFF], "_w"), ([0xFB, 0xFF], "-_8"), (Array("Man".utf8), "TWFu"),
            (Array("pleasure.".utf8), "cGxlYXN1cmUu"),
        ] as [([UInt8], String)])
    func base64URL(bytes: [UInt8], text: String) {
        #expect(Base64URL.text(bytes) == text)
        #expect(StubAuthorityBase64URL.bytes(text) == bytes)
    }

    @Test("any bytes come back", arguments: TestSeeds.of(1...4))
    func roundTrip(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for count in 0..<100 {
            let bytes = (0..<count).map { _ in random.byte() }
            #expect(StubAuthorityBase64URL.bytes(Base64URL.text(bytes)) == bytes)
        }
    }

    @Test(
        "a URL of a CA is https, and not longer than it may be",
        arguments: [
            ("https://a.example/x?y=1", true), ("HTTPS://a.example", true), ("https://127.0.0.1:14000/dir", true),
            ("https://[::1]:14000/dir", true), ("https://a.example:/", true), ("http://a.example/", false),
            ("https://", false), ("https:///x", false), ("https://u@a.example/", false),
            ("https://a.example/#f", false),
            ("https://a.example/ b", false), ("https://a.example/\u{7F}", false), ("https://a.example/é", false),
            ("https://a.example:port/", false), ("https://.example/", false), ("", false), ("https://a\\b/", false),
            ("https://a.example/\(String(repeating: "x", count: 2_030))", true),
            ("https://a.example/\(String(repeating: "x", count: 2_031))", false),
        ] as [(String, Bool)])
    func url(text: String, isOne: Bool) {
        #expect((SecureURL(text) != nil) == isOne)
    }

    @Test(
        "the folder of an account has the name of its directory",
        arguments: [
            ("https://acme-v02.api.letsencrypt.org/directory", "acme-v02.api.letsencrypt.org"),
            ("https://localhost:14000/dir", "localhost_14000_dir"),
            ("https://ca.example.net:443/acme/a%20b", "ca.example.net_acme_a_20b"),
            ("https://ca.example.net/directory/directory", "ca.example.net_directory"),
            ("https://ca.example.net", "ca.example.net"), ("https://ca.example.net/", "ca.example.net"),
            ("https://[::1]:14000/dir", "___1__14000_dir"), ("https://ca.example.net/x_~/..", "ca.example.net_x___.."),
        ] as [(String, String)])
    func folderName(directory: String, name: String) throws {
        #expect(try #require(SecureURL(directory)).folderName == name)
    }

    private static let now: Int64 = 784_111_777

    @Test(
        "Retry-After is seconds or a date",
        arguments: [
            ("0", 0), ("120", 120), ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:49:37 GMT", 0),
            ("Sun Nov  6 08:49:38 1994", 1), ("604800", 604_800), ("604801", 604_800),
            ("99999999999999999999999999", 604_800), ("Thu, 06 Nov 2094 08:49:37 GMT", 604_800),
            ("-1", nil), ("", nil), ("1.5", nil), ("+5", nil), (" 5", nil), ("soon", nil), ("0x10", nil),
            ("Sun, 06 Nov 1994 08:49:36 GMT", nil), (String(repeating: "9", count: 70), nil), ("٣", nil),
        ] as [(String, Int64?)])
    func retryAfter(field: String, seconds: Int64?) {
        #expect(RetryAfter.seconds(field, now: Self.now) == seconds)
    }

    @Test(
        "links are found by their relation",
        arguments: [
            (#"<https://a.example/1>;rel="alternate""#, ["https://a.example/1"]),
            (
                #"<https://a.example/1>; rel=alternate , <https://a.example/2>;x="a,b";rel="next alternate""#,
                ["https://a.example/1", "https://a.example/2"]
            ),
            (#"<https://a.example/1>;rel="index", <http://a.example/2>;rel="alternate""#, []),
            (
                #"<https://a.example/1>;title="\"<https://b.example>;rel=alternate";REL=Alternate"#,
                ["https://a.example/1"]
            ),
            ("<https://a.example/1", []), ("https://a.example/1;rel=alternate", []), ("", []), ("<>;rel=alternate", []),
            ("<https://a.example/1>;rel", []), (#"<https://a.example/1>;rel="alternate"#, ["https://a.example/1"]),
        ] as [(String, [String])])
    func links(field: String, urls: [String]) {
        let response = ACMEResponse(status: 200, fields: [("LINK", field)])
        #expect(response.links(relation: "alternate").map(\.description) == urls)
    }

    @Test("a clock that is more than five minutes away is worth a warning once an hour")
    func clock() {
        var check = ClockCheck()
        func difference(_ date: String, _ seconds: Int) -> Int64? {
            let response = ACMEResponse(status: 200, fields: [("Date", date)])
            return check.difference(response, at: Moment(wall: Self.now, uptime: .seconds(seconds)))
        }
        #expect(difference("Sun, 06 Nov 1994 08:54:37 GMT", 0) == nil)
        #expect(difference("nonsense", 0) == nil)
        #expect(difference("Sun, 06 Nov 1994 08:54:38 GMT", 1) == 301)
        #expect(difference("Sun, 06 Nov 1994 08:00:00 GMT", 3_600) == nil)
        #expect(difference("Sun, 06 Nov 1994 08:44:36 GMT", 3_601) == -301)
    }

    @Test(
        "the type of a problem is one of the specifications', or another",
        arguments: [
            ("urn:ietf:params:acme:error:caa", .caa), ("urn:ietf:params:acme:error:dns", .dns),
            ("urn:ietf:params:acme:error:alreadyReplaced", .alreadyReplaced),
            ("urn:ietf:params:acme:error:invalidProfile", .invalidProfile),
            ("urn:ietf:params:acme:error:acme-name", .other), ("urn:ietf:params:acme:error:storage", .other),
            ("urn:ietf:params:acme:error:brandNew", .other), ("about:blank", .other), ("", .other), ("caa", .other),
        ] as [(String, IssuanceErrorType)])
    func types(urn: String, type: IssuanceErrorType) {
        #expect(IssuanceErrorType(urn: urn) == type)
    }
}
