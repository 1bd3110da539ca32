import AppSamples
import FuzzingSupport

/// Answers from which the mutated ones are made, and what is put into them.
enum AnswerSeeds {
    static let host = "shop.example.com"
    static let appID = "7K3QWZ9PLM.com.shop.app"
    static let package = "com.example.shop"
    static let fingerprint = (["AB"] + (0x10..<0x2F).map { String($0, radix: 16, uppercase: true) }).joined(
        separator: ":")

    /// The bytes that terminals, other formats and people could be led astray with.
    static let hostile: [[UInt8]] =
        (hostileTexts + HostileText.kinds.flatMap { [$0.text(400), $0.text(6_000)] }).map { Array($0.utf8) }
        + [[0xFF, 0xFE], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0x80]]

    private static let hostileTexts: [String] = [
        "\u{1B}[31m", "\u{1B}]0;x\u{7}", "\u{202E}txt.exe", "\u{2066}a\u{2069}", "\u{200B}", "\u{2028}", "\u{85}",
        "\u{E0041}", "\u{FEFF}", "e\u{301}\u{301}\u{301}", "日本語", "\u{1F468}\u{200D}\u{1F469}", "|", "::error::x",
        "%0A::warning::", "\"", "\\", "\"}],", "<script>", "'", "`", "\t", "\u{7F}", "\u{0}", "\r", "\u{B}", ".",
        String(repeating: "x", count: 400), String(repeating: "é", count: 170), String(repeating: " ", count: 70),
        "{a=\"b\"} 1", "# HELP x", "",
    ]

    static let statuses = [
        "200 OK", "200 OK", "200 OK", "200 OK", "200 OK", "404 Not Found", "404", "405 Method Not Allowed",
        "301 Moved Permanently", "302 Found", "308 Permanent Redirect", "304 Not Modified", "401 Unauthorized",
        "403 Forbidden", "410 Gone", "429 Too Many Requests", "451 Unavailable", "500 Oops", "503 Service Unavailable",
        "206 Partial Content", "204 No Content", "999 ", "100 Continue", "101 Switching Protocols", "000 Nothing",
        "200  twice  spaced ", "2000 OK", "20 OK", "abc",
    ]

    static let originFields = [
        "Content-Type: application/json", "Content-Type: application/json; charset=utf-8", "Content-Type: text/html",
        "Content-Type: application/pkcs7-mime", "Content-Type: application/octet-stream", "Content-Type:",
        "Content-Type: ;;;", "Content-Encoding: gzip", "Content-Encoding: identity, br,, gzip", "Content-Encoding: ,",
        "Location: https://\(host)/.well-known/apple-app-site-association", "Location: http://\(host)/",
        "Location: https://www.\(host)/.well-known/apple-app-site-association", "Location: /login?next=/", "Location:",
        "Location: //[::1]:443/../../a/./b?c#d", "Location: https://a@b@c:443:80/%2e%2e/", "Location: ?",
        "Location: ..",
        "Location: https://", "Location: ://", "Location: #", "Location: https:///x", "Location: //", "location: /A/",
        "Location: https://]/", "Location: https://:443", "WWW-Authenticate: Basic realm=\"x\"", "Server: nginx/1.2",
        "Cache-Control: max-age=60", "CF-Mitigated: challenge", "X-Amzn-Waf-Action: captcha",
        "X-Vercel-Mitigated: deny",
        "X-DataDome: protected", "Last-Modified: Sat, 21 Nov 2026 11:59:59 GMT", "Transfer-Encoding: chunked",
        "Content-Length: 18446744073709551616", "X:\r\n folded\r\n\tagain", "Server: a\r\n \r\n b",
    ]

    static let copyFields = [
        "Age: 3600", "Age: 0", "Age: -1", "Age: 999999999", "Age: 9999999999", "Age: 1e3", "Age: ", "Age: 12 ",
        "Age: 1, 2", "Cache-Control: max-age=21600", "Cache-Control: public, max-age=7500",
        "Cache-Control: max-age=999999999", "Cache-Control: max-age=-5, MAX-AGE=\"60\"", "Cache-Control: max-age",
        "Cache-Control: max-age=,max-age==1,=", "Cache-Control: ,,,", "Cache-Control: no-store",
        "Date: Sat, 21 Nov 2026 12:00:00 GMT", "Date: Saturday, 21-Nov-26 12:00:00 GMT",
        "Date: Sat Nov 21 12:00:00 2026", "Date: Thu, 01 Jan 1970 00:00:00 GMT", "Date: Fri, 31 Dec 9999 23:59:59 GMT",
        "Date: Sat, 31 Feb 2026 24:61:61 GMT", "Date: Mon, 01 Jan 0000 00:00:00 GMT", "Date: now",
        "Last-Modified: Sat, 21 Nov 2026 11:59:59 GMT",
        "Apple-Failure-Reason: SWCERR00101 Bad HTTP Response: 403 Forbidden",
        "Apple-Failure-Reason: SWCERR00101 Bad HTTP Response: 99999999999999999999 x",
        "Apple-Failure-Reason: SWCERR00101 Bad HTTP Response: 302", "Apple-Failure-Reason: SWCERR00202 Private address",
        "Apple-Failure-Reason: SWCERR00301 Timeout", "Apple-Failure-Reason: SWCERR00401 Bad JSON",
        "Apple-Failure-Reason: SWCERR99999", "Apple-Failure-Reason:", "Apple-Failure-Reason:  ",
        "Apple-Failure-Details: {\"cause\":\"context deadline exceeded\"}", "Apple-Failure-Details: {",
        "Apple-From: https://\(host)/.well-known/apple-app-site-association", "Apple-From: ,, ,a, b,",
        "Apple-Try-Direct: true", "Apple-Try-Direct: TRUE", "Apple-Try-Direct: maybe", "Content-Type: text/plain",
        "Content-Type: application/json",
    ]

    static let bodies: [[UInt8]] = [
        file("/buy/*"), file("/buy/*"), file("*"), file("/$(lang)/?*"), SampleApp.signed(file("/buy/*")), [],
        Array("<!DOCTYPE html>\n<html><body>/cdn-cgi/challenge-platform/</body></html>".utf8), Array("{}".utf8),
        Array(
            "{\"applinks\":{\"apps\":[],\"details\":[{\"appID\":\"\(appID)\",\"paths\":[\"NOT /x\",\"/a/*\"]}]}}".utf8),
        Array("not found\r\n".utf8), statements,
    ]

    static func file(_ pattern: String) -> [UInt8] {
        Array(
            """
            {
              "applinks": {
                "substitutionVariables": { "lang": ["de", "en"] },
                "details": [
                  { "appIDs": ["\(appID)"], "components": [
                    { "/": "\(pattern)", "?": { "a": "*" }, "comment": "shop" },
            \t\t{ "/": "/old/*", "exclude": true } ] },
                  { "appIDs": ["7K3QWZ9PLM.com.shop.web"], "components": [{ "/": "/help/*" }] }
                ]
              },
              "webcredentials": { "apps": ["\(appID)"] }
            }

            """.utf8)
    }

    static let statements = Array(
        """
        [
          {
            "relation": ["delegate_permission/common.handle_all_urls"],
            "target": {
              "namespace": "android_app", "package_name": "\(package)", "sha256_cert_fingerprints": ["\(fingerprint)"]
            }
          },
          { "relation": ["delegate_permission/common.get_login_creds"],
            "target": { "namespace": "web", "site": "https://example.com" } }
        ]
        """.utf8)

    static let androidBodies: [[UInt8]] = [
        statements, statements, Array("[{\"include\":\"https://example.com/a.json\"}]".utf8), Array("[]".utf8), [],
        Array("<html></html>".utf8),
    ]

    static let views: [[UInt8]] = [
        Array(
            """
            { "statements": [ {
                "source": { "web": { "site": "https://\(host)." } },
                "relation": "delegate_permission/common.handle_all_urls",
                "target": { "androidApp": {
                  "packageName": "\(package)", "certificate": { "sha256Fingerprint": "\(fingerprint)" } } }
              } ], "maxAge": "3599.2s", "debugString": "ok" }
            """.utf8),
        Array(
            "{\"maxAge\":\"599.9s\",\"errorCode\":[\"ERROR_CODE_FETCH_ERROR\"],\"debugString\":\"a\\r\\nb\\nc\"}".utf8),
        Array("{\"errorCodes\":[\"ERROR_CODE_REDIRECT\",\"X\",\"X\",\"ERROR_CODE_\"],\"maxAge\":\"s\"}".utf8),
        Array("{\"errorCode\":\"ERROR_CODE_INVALID_QUERY\",\"maxAge\":\"999999999.1s\"}".utf8), Array("{}".utf8),
        Array("{\"error\":{\"code\":429,\"message\":\"Quota\",\"status\":\"RESOURCE_EXHAUSTED\"}}".utf8),
    ]

    /// The pieces that are put into bodies, beside the hostile texts.
    static let pieces =
        [
            "\"", ",", ":", "{", "}", "[", "]", "\\u202e", "\\u0000", "\\ud83d", "\\n", "\\r\\n", "null", "true", "1e9",
            "-0", "\"applinks\"", "\"details\"", "\"appIDs\"", "\"components\"", "\"/\"", "*", "**", "?*", "/*/*/*?",
            "\"paths\"", "NOT ", "$(lang)", "/%zz", appID, "\"relation\"", "\"target\"", "\"include\"",
            "\"statements\"",
            "\"errorCode\"", "\"debugString\"", "\"maxAge\"", "ERROR_CODE_TOO_LARGE", "99999999999s", "-1s", ".s",
            "1.5s",
            "<!DOCTYPE html>", "\u{1B}[2J", "\u{202E}", "\u{2028}", "|", "::", "%0A",
        ]
}
