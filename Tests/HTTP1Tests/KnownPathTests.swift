import HTTP1
import Testing

struct KnownPathTests {
    private static func isWellKnown(_ path: String) throws -> Bool {
        let text = request("GET \(path) HTTP/1.1")
        let head = try #require(requestHead(text))
        return KnownPath.matches(head.path, of: bytes(text).span, "/.well-known/apple-app-site-association")
    }

    @Test(
        "A path may have its unreserved characters percent-encoded",
        arguments: [
            "/.well-known/apple-app-site-association", "/.well-known/apple-app-site-association?",
            "/.well-known/apple-app-site-association?%2F/..", "/%2ewell-known/apple-app-site-association",
            "/%2Ewell%2Dknown/apple%2dapp-site-association", "/.well-known/%61pple-app-site-associatio%6e",
            "/.well-known/%61%70%70%6C%65-%61%70%70-%73%69%74%65-%61%73%73%6F%63%69%61%74%69%6F%6E",
            "https://b.example/.well-known/apple-app-site-association?x",
            "https://b.example/.well-known/apple-app-site-associatio%6E",
        ])
    func known(path: String) throws {
        #expect(try Self.isWellKnown(path))
    }

    @Test(
        "No other path is taken for a known one",
        arguments: [
            "/", "/.well-known", "/.well-known/", "/apple-app-site-association", "/.well-known/assetlinks.json",
            "/.well-known/apple-app-site-associatio", "/.well-known/apple-app-site-associationx",
            "/%2Ewell-known/apple-app-site-associatio", "/%2Ewell%2Dknown/apple-app-site-",
            "/.well-known/apple-app-site-association/", "/.well-known/apple-app-site-association.json",
            "/.well-known/apple-app-site-association/.", "/.well-known/apple-app-site-association;x",
            "//.well-known/apple-app-site-association", "/.well-known//apple-app-site-association",
            "/./.well-known/apple-app-site-association", "/x/../.well-known/apple-app-site-association",
            "/.well-known/../.well-known/apple-app-site-association", "/.well-known%2Fapple-app-site-association",
            "/.well-known%2fapple-app-site-association", "%2F.well-known/apple-app-site-association",
            "/.Well-Known/apple-app-site-association", "/.well-known/Apple-App-Site-Association",
            "/.well-known/%41pple-app-site-association", "/%252Ewell-known/apple-app-site-association",
            "/.well-known/%2561pple-app-site-association", "/.well-known/apple-app-site-associatio%256E",
            "/.well-known/apple-app-site-association%", "/.well-known/apple-app-site-association%0",
            "/.well-known/apple-app-site-association%00", "/.well-known/apple-app-site-association%20",
            "/.well-known/apple-app-site-associatio%6", "/.well-known/apple-app-site-associatio%6g",
            "/.well-known/apple-app-site-associatio%", "/.well-known/apple-app-site-association%3F",
            "/.well-known/apple-app-site-association%2Ejson", "/.well-known/apple-app-site-associatio%EE",
            "/.well-known\\apple-app-site-association", "/%C0%AEwell-known/apple-app-site-association",
            "https://b.example", "https://b.example?/.well-known/apple-app-site-association",
            "https://b.example//.well-known/apple-app-site-association", "*",
        ])
    func unknown(path: String) throws {
        #expect(try !Self.isWellKnown(path))
    }

    @Test("Any one character may be encoded, in either case; a slash must not")
    func eachCharacter() throws {
        let path = "/.well-known/apple-app-site-association"
        for (offset, character) in path.utf8.enumerated() {
            let digits = String(character, radix: 16)
            for digits in [digits, digits.uppercased()] {
                let changed = "\(path.prefix(offset))%\(digits)\(path.dropFirst(offset + 1))"
                let isKnown = try offset > 0 && Self.isWellKnown(changed)
                #expect(isKnown == (character != UInt8(ascii: "/")), "\(changed)")
            }
        }
    }

    @Test(
        "A path begins with a known one, also with unreserved characters percent-encoded once",
        arguments: [
            ("/.well-known/", true), ("/.well-known/x", true), ("/%2Ewell-known/x/y", true),
            ("/%2ewell%2dknown/", true), ("/.well-known/%zz", true), ("/.well-known/%", true),
            ("https://b.example/.well-known/x?y", true), ("/.well-known", false), ("/.well-know%6E", false),
            ("/.well-known%2F", false), ("/%252Ewell-known/", false), ("//.well-known/", false), ("/", false),
            ("/.Well-known/", false), ("/x/.well-known/", false), ("/.well-know%6", false), ("*", false),
        ])
    func beginnings(path: String, begins: Bool) throws {
        let text = request("GET \(path) HTTP/1.1")
        let head = try #require(requestHead(text))
        #expect(KnownPath.begins(head.path, of: bytes(text).span, with: "/.well-known/") == begins)
    }

    @Test("Other known paths are compared in the same way")
    func others() throws {
        let text = request("GET /.well-known/assetlinks%2Ejson HTTP/1.1")
        let path = try #require(requestHead(text)).path
        func matches(_ path: RequestHead.Slice, _ known: StaticString) -> Bool {
            KnownPath.matches(path, of: bytes(text).span, known)
        }
        #expect(matches(path, "/.well-known/assetlinks.json"))
        #expect(!matches(path, "/.well-known/assetlinks-json"))
        #expect(!matches(.empty, "/.well-known/assetlinks.json"))
    }
}
