import Diagnostics
import PushCertificates
import Testing

@Suite("Text about several certificates")
struct TextReportTests {
    private static func text(_ report: CheckReport, width: Int? = nil) -> String {
        TextReport(style: TextStyle(isColored: false), width: width).render(report)
    }

    private static let day = CheckSample.day
    private static let mixed = CheckSample.report(
        CheckSample.file("/etc/push/old/app.p12", CheckSample.certificate(["com.example.app"], left: -5 * day)),
        CheckSample.file(
            "/etc/push/app.p12",
            CheckSample.certificate(["com.example.app", "com.example.app.voip"], left: 395 * day)),
        CheckSample.file(
            "/etc/push/three.pem", CheckSample.certificate(["com.example.news"], left: 200 * day, key: .none),
            CheckSample.certificate(["com.example.chat"], left: 3 * 3600, kind: .apnsProduction, key: .unreadable),
            CheckSample.authority(left: 9)),
        CheckSample.file(
            "/etc/push/shop.p12", CheckSample.certificate(["com.example.chat"], left: 20 * day, team: "B")),
        CheckSample.failure(
            "/etc/push/locked.p12", .passwordRequired, "it needs a password", advice: "give it in a file"),
        CheckSample.file("AuthKey_ABC123DEFG.p8", CheckSample.tokenKey))

    @Test("Without a terminal nothing is cut or wrapped")
    func unlimited() {
        #expect(
            Self.text(Self.mixed) == """
                STATUS    EXPIRES                  TOPIC                KIND        KEY     FILE
                critical  2026-11-18  in 3 h       com.example.chat     production  locked  /etc/push/three.pem #2
                warning   2026-12-08  in 20 days   com.example.chat     push        yes     /etc/push/shop.p12
                unknown                            [password-required]                      /etc/push/locked.p12
                ok        2027-06-06  in 200 days  com.example.news     push        no      /etc/push/three.pem #1
                ok        2027-12-18  in 395 days  com.example.app +1   push        yes     /etc/push/app.p12
                replaced  2026-11-13  5 days ago   com.example.app      push        yes     /etc/push/old/app.p12
                ok        never                    token key            token key   yes     AuthKey_ABC123DEFG.p8

                critical: com.example.chat expires in 3 h (2026-11-18 14:06 UTC) [expires-soon]
                  --> /etc/push/three.pem #2
                warning: com.example.chat expires in 20 days (2026-12-08 11:06 UTC) [expires-soon]
                  --> /etc/push/shop.p12
                  = help: renew now: run 'certcheck csr', deploy the new certificate, then revoke the old one \
                (never before)

                error: /etc/push/locked.p12: it needs a password [password-required]
                  = help: give it in a file

                note: com.example.app is replaced by the one in '/etc/push/app.p12', valid until 2027-12-18 11:06 UTC \
                [superseded]
                  --> /etc/push/old/app.p12
                  = help: delete this one when nothing uses it any more

                1 critical, 1 warning, 3 ok, 1 replaced, 1 unreadable (5 certificates and 1 token key in 6 files). \
                Revocation is not checked.
                """)
    }

    @Test("On a terminal of 80 columns less is said of each, and lines are wrapped")
    func narrow() {
        #expect(
            Self.text(Self.mixed, width: 80) == """
                STATUS    EXPIRES                  TOPIC                FILE
                critical  2026-11-18  in 3 h       com.example.chat     /etc/push/three.pem #2
                warning   2026-12-08  in 20 days   com.example.chat     /etc/push/shop.p12
                unknown                            [password-required]  /etc/push/locked.p12
                ok        2027-06-06  in 200 days  com.example.news     /etc/push/three.pem #1
                ok        2027-12-18  in 395 days  com.example.app +1   /etc/push/app.p12
                replaced  2026-11-13  5 days ago   com.example.app      /etc/push/old/app.p12
                ok        never                    token key            AuthKey_ABC123DEFG.p8

                critical: com.example.chat expires in 3 h (2026-11-18 14:06 UTC)
                  [expires-soon]
                  --> /etc/push/three.pem #2
                warning: com.example.chat expires in 20 days (2026-12-08 11:06 UTC)
                  [expires-soon]
                  --> /etc/push/shop.p12
                  = help: renew now: run 'certcheck csr', deploy the new certificate, then
                          revoke the old one (never before)

                error: /etc/push/locked.p12: it needs a password [password-required]
                  = help: give it in a file

                note: com.example.app is replaced by the one in '/etc/push/app.p12', valid
                  until 2027-12-18 11:06 UTC [superseded]
                  --> /etc/push/old/app.p12
                  = help: delete this one when nothing uses it any more

                1 critical, 1 warning, 3 ok, 1 replaced, 1 unreadable
                (5 certificates and 1 token key in 6 files). Revocation is not checked.
                """)
    }

    static let tableCases: [(width: Int, lines: [String])] = [
        (
            100,
            [
                "STATUS    EXPIRES                  TOPIC                KIND        KEY     FILE",
                "critical  2026-11-18  in 3 h       com.example.chat     production  locked  /etc/push/three.pem #2",
            ]
        ),
        (
            72,
            [
                "STATUS    EXPIRES      TOPIC                FILE",
                "critical  in 3 h       com.example.chat     /etc/push/three.pem #2",
            ]
        ),
        (
            52,
            [
                "STATUS    EXPIRES      TOPIC          FILE",
                "critical  in 3 h       com.…ple.chat  /etc…ee.pem #2",
            ]
        ),
        (
            30,
            [
                "STATUS    EXPIRES      FILE",
                "critical  in 3 h       /e…em #2",
            ]
        ),
    ]

    @Test("A table has the columns that there is room for", arguments: tableCases)
    func table(width: Int, lines: [String]) {
        let table = Self.text(Self.mixed, width: width).split(separator: "\n").prefix(8)
        #expect(table.prefix(2).map(String.init) == lines)
        #expect(table.allSatisfy { TerminalWidth.columns(String($0)) <= max(width, 31) })
    }

    @Test("Files that cannot be read need no table, and what they share is said once")
    func errors() {
        let report = CheckSample.report(
            CheckSample.failure("b.p12", .passwordRequired, "it needs a password", advice: "give it in a file"),
            CheckSample.failure("a.p12", .notFound, "there is no such file"),
            CheckSample.failure("c.p12", .passwordRequired, "it needs a password", advice: "give it in a file"))
        #expect(
            Self.text(report) == """
                error: b.p12: it needs a password [password-required]
                error: c.p12: it needs a password [password-required]
                  = help: give it in a file

                error: a.p12: there is no such file [not-found]

                3 unreadable (3 files).
                """)
    }

    @Test("Hundreds of files with the same finding do not make hundreds of paragraphs")
    func many() {
        let warning = CheckSample.finding(
            "not-apple-issued", .warning, "the issuer is 'X; Y'", advice: "take another file")
        let files = (Int64(0)..<500).map { number in
            CheckSample.file(
                "\(number).cer", CheckSample.certificate(["app\(number)"], left: (number - 10) * Self.day),
                findings: [warning])
        }
        let text = Self.text(Checker(now: CheckSample.now).check(files))
        let lines = text.split(separator: "\n")
        #expect(lines.count == 501 + 8 * 2 + 2 + 1 + 6 + 1 + 1)
        #expect(
            text.hasSuffix(
                """
                  and 33 more
                  = help: renew now: run 'certcheck csr', deploy the new certificate, then revoke the old one \
                (never before)

                warning: the issuer is 'X; Y' [not-apple-issued]
                  --> 0.cer (app0)
                      1.cer (app1)
                      2.cer (app2)
                      3.cer (app3)
                      4.cer (app4)
                      and 495 more
                  = help: take another file

                25 critical, 16 warning, 459 ok (500 certificates in 500 files). Revocation is not checked.
                """))
    }

    @Test("Nothing that a file says makes a line, talks to the terminal, or turns the direction")
    func hostile() {
        let finding = CheckSample.finding("weak-key", .warning, "a\n\u{1B}[31m\u{202E}", advice: "b\u{7}\r")
        let certificate = CheckSample.certificate(["a\n\u{1B}[2J\u{202E}\u{2028}\u{9B}"], left: 5, team: "T\n")
        let file = CheckSample.file("f\n\u{1B}]0;x\u{7}", certificate, findings: [finding])
        for report in [
            CheckSample.report(file), CheckSample.report(file, file),
            CheckSample.report(CheckSample.failure("f\u{1B}\n", .corrupt, "\u{1B}\n", advice: "\u{202E}")),
        ] {
            let text = Self.text(report, width: 80)
            #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !Self.isDangerous($0) })
            #expect(text.contains(#"\x1b"#))
        }
    }

    private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || [0x2028, 0x202E].contains(scalar.value)
    }

    @Test("One enormous name does not make every line enormous")
    func enormous() {
        var files = (0..<2000).map { CheckSample.file("\($0)", CheckSample.certificate(["a\($0)"], left: 5)) }
        files.append(
            CheckSample.file("x", CheckSample.certificate([String(repeating: "x", count: 1_000_000)], left: 5)))
        let text = Self.text(Checker(now: CheckSample.now).check(files))
        #expect(text.utf8.count < 2000 * 400)
    }

    @Test("Wide and combining characters keep the columns straight")
    func wide() {
        let report = CheckSample.report(
            CheckSample.file("a", CheckSample.certificate(["日本.アプリ"], left: 90 * Self.day)),
            CheckSample.file("b", CheckSample.certificate(["cafe\u{301}"], left: 91 * Self.day)))
        let lines = Self.text(report).split(separator: "\n").prefix(3)
        let columns = lines.map { line in
            let start = line.firstRange(of: "KIND")?.lowerBound ?? line.firstRange(of: "push")?.lowerBound
            return TerminalWidth.columns(String(line[..<(start ?? line.startIndex)]))
        }
        #expect(columns == [45, 45, 45])
    }

    @Test("Colours change nothing but the colours", arguments: [nil, 40, 80, 120])
    func colors(width: Int?) {
        let colored = TextReport(style: TextStyle(isColored: true), width: width).render(Self.mixed)
        let plain = colored.replacing(#/\u{1B}\[[0-9]+m/#, with: "")
        #expect(plain == Self.text(Self.mixed, width: width))
        #expect(colored.contains("\u{1B}[1m\u{1B}[31mcritical\u{1B}[0m\u{1B}[0m  "))
        #expect(colored.contains("\u{1B}[2mreplaced\u{1B}[0m  "))
    }

    @Test("A terminal may say what it wants of its width", arguments: [-5, 0, 1, 100_000])
    func absurdWidth(width: Int) {
        #expect(Self.text(Self.mixed, width: width).contains("critical"))
    }
}
