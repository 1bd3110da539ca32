import HTTP1
import Testing

struct PreconditionTests {
    private static let entityTag = "\"abc\""
    private static let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let before = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let after = "Sun, 06 Nov 1994 08:49:38 GMT"
    /// Later than now.
    private static let future = "Tue, 08 Nov 1994 08:49:37 GMT"
    private static let lastModified: Int64 = 784_111_777
    private static let now = lastModified + 86_400

    struct Case: CustomTestStringConvertible {
        let fields: [String]
        let expected: Precondition

        init(_ expected: Precondition, _ fields: String...) {
            self.fields = fields
            self.expected = expected
        }

        var testDescription: String { "\(fields)" }
    }

    private static let tags: [Case] = [
        Case(.passed),
        Case(.passed, "Range: bytes=0-1", "If-Range: \"abc\""),
        Case(.notModified, "If-None-Match: \"abc\""),
        Case(.notModified, "if-NONE-match:\"abc\" "),
        Case(.notModified, "If-None-Match: W/\"abc\""),
        Case(.notModified, "If-None-Match: *"),
        Case(.notModified, "If-None-Match: \"x\", \"abc\""),
        Case(.notModified, "If-None-Match: \"x\",W/\"abc\",\"y\""),
        Case(.notModified, "If-None-Match: ,, \"x\" ,\t,\"abc\","),
        Case(.notModified, "If-None-Match: \"a,b\", \"abc\""),
        Case(.notModified, "If-None-Match: \"\", \"abc\""),
        Case(.notModified, "If-None-Match: \"x\"", "If-None-Match: \"abc\""),
        Case(.notModified, "If-None-Match: \"abc\"", "X: y", "If-None-Match: \"x\""),
        Case(.passed, "If-None-Match: \"ABC\""),
        Case(.passed, "If-None-Match: \"ab\""),
        Case(.passed, "If-None-Match: \"abcd\""),
        Case(.passed, "If-None-Match: abc"),
        Case(.passed, "If-None-Match: \"abc"),
        Case(.passed, "If-None-Match: abc\""),
        Case(.passed, "If-None-Match: 'abc'"),
        Case(.passed, "If-None-Match: w/\"abc\""),
        Case(.passed, "If-None-Match: W/"),
        Case(.passed, "If-None-Match: W"),
        Case(.passed, "If-None-Match: **"),
        Case(.passed, "If-None-Match: \"*\""),
        Case(.passed, "If-None-Match:"),
        Case(.passed, "If-None-Match: ,"),
        Case(.passed, "If-None-Match: \"x, \"abc\""),
        Case(.passed, "If-None-Match: \"x y\", \"abc\""),
        Case(.passed, "If-Match: \"abc\""),
        Case(.passed, "If-Match: *"),
        Case(.passed, "If-Match: \"x\", \"abc\""),
        Case(.passed, "If-Match: W/\"abc\", \"abc\""),
        Case(.passed, "If-Match: \"x\"", "If-Match: \"abc\""),
        Case(.failed, "If-Match: W/\"abc\""),
        Case(.failed, "If-Match: \"x\""),
        Case(.failed, "If-Match: \"x\"", "If-Match: W/\"abc\""),
        Case(.failed, "If-Match: abc"),
    ]

    private static let dates: [Case] = [
        Case(.notModified, "If-Modified-Since: \(modified)"),
        Case(.notModified, "If-Modified-Since: \(after)"),
        Case(.notModified, "If-Modified-Since: Mon, 07 Nov 1994 08:49:37 GMT"),
        Case(.notModified, "If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT"),
        Case(.notModified, "If-Modified-Since:\tSun Nov  6 08:49:37 1994\t"),
        Case(.passed, "If-Modified-Since: \(before)"),
        Case(.passed, "If-Modified-Since: Mon, 07 Nov 1994 08:49:38 GMT"),
        Case(.passed, "If-Modified-Since: \(future)"),
        Case(.passed, "If-Modified-Since: yesterday"),
        Case(.passed, "If-Modified-Since: 784111777"),
        Case(.passed, "If-Modified-Since: \(modified), \(modified)"),
        Case(.passed, "If-Modified-Since:"),
        Case(.passed, "If-Modified-Since: \(modified)", "If-Modified-Since: \(modified)"),
        Case(.passed, "If-Modified-Since: x", "If-Modified-Since: \(modified)"),
        Case(.passed, "If-Modified-Since: \(modified)", "If-Modified-Since: x", "If-Modified-Since: \(modified)"),
        Case(.passed, "If-Unmodified-Since: \(modified)"),
        Case(.passed, "If-Unmodified-Since: \(after)"),
        Case(.passed, "If-Unmodified-Since: \(future)"),
        Case(.failed, "If-Unmodified-Since: \(before)"),
        Case(.failed, "If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT"),
        Case(.passed, "If-Unmodified-Since: yesterday"),
        Case(.passed, "If-Unmodified-Since: \(before)", "If-Unmodified-Since: \(before)"),
    ]

    private static let precedence: [Case] = [
        Case(.passed, "If-Match: \"abc\"", "If-Unmodified-Since: \(before)"),
        Case(.passed, "If-Unmodified-Since: \(before)", "If-Match: *"),
        Case(.failed, "If-Match: \"x\"", "If-Unmodified-Since: \(after)"),
        Case(.failed, "If-Match: \"x\"", "If-None-Match: \"abc\""),
        Case(.failed, "If-None-Match: \"abc\"", "If-Match: \"x\""),
        Case(.failed, "If-Unmodified-Since: \(before)", "If-None-Match: *"),
        Case(.failed, "If-Modified-Since: \(modified)", "If-Unmodified-Since: \(before)"),
        Case(.notModified, "If-Match: \"abc\"", "If-None-Match: \"abc\""),
        Case(.notModified, "If-Match: *", "If-Modified-Since: \(modified)"),
        Case(.notModified, "If-Unmodified-Since: \(modified)", "If-Modified-Since: \(modified)"),
        Case(.passed, "If-None-Match: \"x\"", "If-Modified-Since: \(modified)"),
        Case(.passed, "If-Modified-Since: \(modified)", "If-None-Match: x"),
        Case(.notModified, "If-None-Match: \"abc\"", "If-Modified-Since: \(before)"),
    ]

    @Test("Conditions are judged in the order of RFC 9110, 13.2.2", arguments: tags + dates + precedence)
    func conditions(expected: Case) throws {
        for version in ["HTTP/1.1", "HTTP/1.0"] {
            let text = request("GET / \(version)", expected.fields)
            let head = try #require(requestHead(text))
            #expect(
                head.hasConditions
                    == expected.fields.contains { $0.lowercased().hasPrefix("if-") && !$0.contains("Range") })
            // A second request behind the first has no say.
            let input = bytes(text + request(["If-Match: \"other\""]))
            let result = Precondition.evaluate(
                head, in: input.span, entityTag: bytes(Self.entityTag).span, lastModified: Self.lastModified,
                now: Self.now)
            #expect(result == expected.expected)
        }
    }
}
