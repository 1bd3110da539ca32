import AssociationLint
import Diagnostics
import Testing

struct PatternFixTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let component: String
        let code: String
        let title: String?
        let applicability: FixIt.Applicability?

        /// - Parameter title: The title of the fix of the first finding with the code; nil if there is to be none.
        init(_ component: String, _ code: String, _ title: String?, _ applicability: FixIt.Applicability? = nil) {
            self.component = component
            self.code = code
            self.title = title
            self.applicability = applicability
        }

        var testDescription: String { component }
    }

    private static func finding(_ component: String, _ code: String) -> Diagnostic? {
        let file =
            #"{"applinks": {"details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [\#(component)]}]}}"#
        return Linter().check(Array(file.utf8)).diagnostics.first { $0.code.rawValue == code }
    }

    @Test(
        "A fix says what it does, and is done unasked only if the meaning is plain",
        arguments: [
            Case(#"{"/": "/é"}"#, "unencoded-character", "write '/%C3%A9'", .automatic),
            Case(
                #"{"/": "/schuhe größe/*"}"#, "unencoded-character", "write '/schuhe%20gr%C3%B6%C3%9Fe/*'", .automatic),
            Case(#"{"/": "/x-{id}"}"#, "unencoded-character", "write '*' for '{id}'", .suggested),
            Case(#"{"/": "/x-{id}/y-{id}"}"#, "unencoded-character", "write '*' for each placeholder", .suggested),
            Case(
                #"{"/": "/é/x-{id}"}"#, "unencoded-character",
                "write '/%C3%A9/x-*'", .suggested),
            Case(#"{"/": "/é/\\d{4}"}"#, "unencoded-character", "write '/%C3%A9/\\d{4}'", .automatic),
            Case(#"{"/": "/a b/\\d"}"#, "unencoded-character", "write '/a%20b/\\d'", .automatic),
            Case(#"{"/": "/x-{id}/\\d"}"#, "unencoded-character", "write '*' for '{id}'", .suggested),
            Case(#"{"/": "/(é|b)"}"#, "unencoded-character", "write '/(%C3%A9|b)'", .suggested),
            Case(#"{"/": "/(a|b)/**"}"#, "repeated-wildcard", "write '?*'", .suggested),
            Case(#"{"/": "/x/**"}"#, "repeated-wildcard", "write '?*'", .automatic),
            Case(#"{"/": "/**/x**"}"#, "repeated-wildcard", "write '*' for each of them", .automatic),
            Case(#"{"/": "/**/x/**"}"#, "repeated-wildcard", "write '/*/x/?*'", .automatic),
            Case(
                #"{"/": "https://x.com/a?b=c#d"}"#, "url-in-path",
                "write '/a' and move the query to '?' and the fragment to '#'", .suggested),
            Case(#"{"/": "acme://product/*"}"#, "url-in-path", "write '/product/*'", .suggested),
            Case(#"{"/": "acme://*"}"#, "url-in-path", nil),
            Case(
                #"{"/": "<path to be added>"}"#, "unencoded-character", "replace it with the path that is meant",
                .displayOnly),
            Case(#"{"/": "https://x.com"}"#, "url-in-path", "write '/'", .suggested),
            Case(#"{"/": "https://x.com?b=c"}"#, "url-in-path", "write '/' and move the query to '?'", .suggested),
            Case(#"{"/": "buy/*"}"#, "missing-leading-slash", "insert '/'", .automatic),
            Case(#"{"/": "buy/a.html"}"#, "missing-leading-slash", "insert '/'", .automatic),
            Case(#"{"/": "x.com/a"}"#, "host-in-path", "write '/a'", .suggested),
            Case(#"{"/": "a.bundle/a"}"#, "missing-leading-slash", "insert '/'", .suggested),
            Case(#"{"/": "mailto:x"}"#, "missing-leading-slash", "insert '/'", .suggested),
            Case(#"{"/": "https:/x"}"#, "missing-leading-slash", "insert '/'", .suggested),
            Case(#"{"/": "NOT /a"}"#, "not-in-component", #"delete 'NOT ' and write '"exclude": true'"#, .suggested),
            Case(
                #"{"/": "NOT /a", "exclude": false}"#, "not-in-component",
                #"delete 'NOT ' and write '"exclude": true'"#, .suggested),
            Case(#"{"/": "NOT /a", "exclude": true}"#, "not-in-component", "delete 'NOT '", .suggested),
        ])
    func titles(example: Case) {
        let found = Self.finding(example.component, example.code)
        #expect(found != nil)
        #expect(found?.fixIts.first?.title == example.title)
        #expect(found?.fixIts.first?.applicability == example.applicability)
    }

    @Test(
        "A message says what the system does with the pattern",
        arguments: [
            (
                #"{"/": "/x-{id}"}"#, "unencoded-character",
                "'{' is percent-encoded in URLs: the pattern never matches"
            ),
            (
                #"{"/": "/50%"}"#, "invalid-percent-escape",
                "'%' is not followed by two hexadecimal digits, as it is in every valid URL"
            ),
            (#"{"?": "x=1&y=2"}"#, "query-order-matters", "'x=1&y=2' matches these items in this order only"),
        ])
    func messages(component: String, code: String, message: String) {
        #expect(Self.finding(component, code)?.message == message)
    }

    @Test(
        "The nearest pattern to a simple expression is named",
        arguments: [
            ("/.*", "the nearest pattern for '/.*' is '/*'"), (".*/x", "the nearest pattern for '.*' is '*'"),
            ("/x/.+", "the nearest pattern for '.+' is '?*'"),
            (#"/\\d"#, #"the nearest pattern for '\d' is '$(digit)'"#),
            ("/[0-9]", "the nearest pattern for '[0-9]' is '$(digit)'"),
            ("/[0-9]+", "the nearest pattern for '[0-9]+' is '?*'"),
            ("/[0-9]*", "the nearest pattern for '[0-9]*' is '*'"),
            (#"/\\d{4}"#, #"the nearest pattern for '\d{4}' is '?*'"#),
            ("/[a-z]/x+", "the nearest pattern for '[a-z]' is '$(lower)'"), ("^/x", nil), ("/(a|b)", nil),
        ])
    func nearest(pattern: String, note: String?) {
        let notes = Self.finding(#"{"/": "\#(pattern)"}"#, "regex-in-pattern")?.notes
        #expect(
            notes
                == [note, "'*' matches any run of characters, '?' any single character, '$(digit)' a digit"].compactMap(
                    \.self))
    }

    @Test(
        "a fix decodes escapes of combining marks only as far as a text may have them", arguments: [(30, 1), (31, 0)])
    func combiningMarks(count: Int, fixes: Int) throws {
        let path = "/a" + String(repeating: "%CC%81", count: count)
        let components = #"[{"/": "\#(path)/*", "percentEncoded": false}]"#
        let file =
            #"{"applinks": {"details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": \#(components)}]}}"#
        let findings = Linter().check(Array(file.utf8)).diagnostics
        let finding = try #require(findings.first { $0.code.rawValue == "escape-with-decoding" })
        #expect(finding.fixIts.count == fixes)
    }
}
