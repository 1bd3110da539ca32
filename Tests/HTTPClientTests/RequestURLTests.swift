import DomainNames
import HTTPClient
import Testing

@Suite("URLs of requests")
struct RequestURLTests {
    @Test(
        "a URL is read, and written in one way",
        arguments: [
            ("https://example.com", "https://example.com/"), ("HTTPS://Example.COM:443/A?b", "https://example.com/A?b"),
            ("http://example.com:80/", "http://example.com/"), ("https://a:8443?x=1#y", "https://a:8443/?x=1"),
            ("https://[2001:DB8::1]:8443/", "https://[2001:db8::1]:8443/"),
            ("https://127.0.0.1/", "https://127.0.0.1/"),
            ("https://a_b.example.com./x", "https://a_b.example.com./x"), ("https://a:/x", "https://a/x"),
        ])
    func reading(text: String, canonical: String) throws {
        let url = try RequestURL(text)
        #expect(url.description == canonical)
        #expect(try RequestURL(canonical) == url)
    }

    @Test(
        "anything else is refused with its reason",
        arguments: [
            ("", RequestURL.Problem.scheme), ("example.com", .scheme), ("ftp://a/", .scheme), ("https:/a", .scheme),
            ("https://", .host), ("https:///x", .host), ("https://a@b/", .userInformation),
            ("https://a:b@c/", .userInformation), ("https://a b/", .host), ("https://a%2f/", .host),
            ("https://ä.example/", .host), ("https://[::1/", .host), ("https://[::1]x/", .host),
            ("https://[v1.x]/", .host), ("https://a:0/", .port), ("https://a:65536/", .port), ("https://a:x/", .port),
            ("https://a:1:2/", .port), ("https://a/ b", .target), ("https://a/\r\nX: y", .target),
            ("https://a/ä", .target), ("https://0x7f.1/", .host), ("https://2130706433/", .host),
            ("https://127.1/", .host), ("https://1.2.3.4.5/", .host),
            ("https://\(String(repeating: "a", count: 256))/", .host),
        ])
    func refusing(text: String, problem: RequestURL.Problem) {
        #expect(throws: problem) { try RequestURL(text) }
    }

    @Test("the parts say where to connect")
    func parts() throws {
        let url = try RequestURL("https://[::1]:444/x")
        #expect(url.host == "::1" && url.port == 444 && url.target == "/x" && url.address?.isIPv6 == true)
        #expect(url.authority == "[::1]:444")
        #expect(try RequestURL(host: "Example.com").description == "https://example.com/")
        #expect(throws: RequestURL.Problem.target) { try RequestURL(host: "a", target: "x") }
        #expect(throws: RequestURL.Problem.target) { try RequestURL(host: "a", target: "/#x") }
    }
}
