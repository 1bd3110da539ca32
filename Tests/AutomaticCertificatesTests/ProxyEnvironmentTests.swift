import AutomaticCertificates
import Testing

@Suite struct ProxyEnvironmentTests {
    @Test(
        "the proxy is that of the environment, with the names in lower case first",
        arguments: [
            (["https_proxy": "http://proxy.example:3128"], "http://proxy.example:3128"),
            (["HTTPS_PROXY": "http://proxy.example:3128"], "http://proxy.example:3128"),
            (["https_proxy": "http://a.example:1", "HTTPS_PROXY": "http://b.example:2"], "http://a.example:1"),
            (["all_proxy": "proxy.example:8080"], "http://proxy.example:8080"),
            (["https_proxy": "http://[2001:db8::1]:3128/"], "http://[2001:db8::1]:3128"),
            (["https_proxy": "http://proxy.example"], "http://proxy.example:1080"),
            (["http_proxy": "http://proxy.example:3128"], nil),
            (["https_proxy": ""], nil),
            ([:], nil),
        ] as [([String: String], String?)])
    func proxy(variables: [String: String], expected: String?) throws {
        #expect(try ProxyEnvironment(variables).proxy(for: "ca.example")?.description == expected)
    }

    @Test(
        "hosts of no_proxy and this machine have none",
        arguments: [
            ("ca.example", "ca.example"), ("example", "ca.example"), (".example", "ca.example"),
            ("*.example", "ca.example"), ("other, ca.example", "ca.example"), ("*", "ca.example"),
            ("CA.Example", "ca.example"), ("", "localhost"), ("", "127.0.0.1"), ("", "::1"),
        ])
    func exceptions(list: String, host: String) throws {
        let environment = ProxyEnvironment(["https_proxy": "http://proxy.example:3128", "no_proxy": list])
        #expect(try environment.proxy(for: host) == nil)
    }

    @Test("a name that only ends like one of no_proxy is another one")
    func similarName() throws {
        let environment = ProxyEnvironment(["https_proxy": "http://proxy.example:3128", "no_proxy": "ample"])
        #expect(try environment.proxy(for: "ca.example") != nil)
    }

    @Test("user and password are decoded, and not shown")
    func credentials() throws {
        let environment = ProxyEnvironment(["https_proxy": "http://us%40er:pass%3Aword@proxy.example:3128"])
        let proxy = try #require(try environment.proxy(for: "ca.example"))
        #expect(proxy.credentials == "us@er:pass:word")
        #expect(proxy.description == "http://proxy.example:3128")
    }

    @Test(
        "a proxy that cannot be used is an error that names the variable",
        arguments: ["socks5://h:1", "http://", "http://h:x"])
    func unusable(text: String) {
        #expect(throws: ProxyEnvironment.Problem.self) {
            try ProxyEnvironment(["https_proxy": text]).proxy(for: "ca.example")
        }
    }
}
