import Diagnostics
import PushCertificates
import Testing

@Suite("Nagios' view of a check")
struct NagiosReportTests {
    @Test("The first line has the worst, the next ones have all, the most urgent first")
    func report() {
        let report = CheckSample.report(
            CheckSample.file("app.p12", CheckSample.certificate(["a", "b", "c"], left: 200 * CheckSample.day)),
            CheckSample.file("old.p12", CheckSample.certificate(["a"], left: -7 * CheckSample.day)),
            CheckSample.file(
                "two.pem", CheckSample.certificate(["x"], left: 20 * CheckSample.day),
                CheckSample.certificate(["y"], left: 7000), CheckSample.authority(left: -1)),
            CheckSample.failure("none.p12", .notFound, "there is no such file"),
            CheckSample.file("key.p8", CheckSample.tokenKey),
            thresholds: Thresholds(warning: 45, critical: 5))
        #expect(
            NagiosReport().render(report) == """
                CERTCHECK CRITICAL - y expires in 1 h (2026-11-18 13:03 UTC) (two.pem #2); 4 certificates and 1 \
                token key \
                in 4 files: 1 critical, 1 warning, 2 ok, 1 replaced; 1 file could not be read | days_left=0;45:;5:
                CRITICAL: y expires in 1 h (2026-11-18 13:03 UTC) (two.pem #2)
                UNKNOWN: none.p12: there is no such file [not-found]
                WARNING: x expires in 20 days (2026-12-08 11:06 UTC) (two.pem #1)
                OK: a +2 expires in 200 days (2027-06-06 11:06 UTC) (app.p12)
                OK: token key never expires (key.p8)
                OK: a expired 7 days ago (2026-11-11 11:06 UTC), replaced by the one in app.p12 (old.p12)
                """)
    }

    @Test("Without anything that counts the days are unknown")
    func unknown() {
        let failed = NagiosReport().render(
            CheckSample.report(CheckSample.failure("a.p12", .corrupt, "cut off", advice: "export it again")))
        #expect(
            failed == """
                CERTCHECK UNKNOWN - a.p12: cut off; export it again [corrupt]; 1 file could not be read | \
                days_left=U;30:;14:
                UNKNOWN: a.p12: cut off; export it again [corrupt]
                """)
        let key = NagiosReport().render(CheckSample.report(CheckSample.file("key.p8", CheckSample.tokenKey)))
        #expect(
            key.hasPrefix("CERTCHECK OK - token key never expires (key.p8); 1 token key in 1 file: 1 ok | days_left=U;")
        )
    }

    @Test("An unreadable file does not hide the next topic")
    func unreadable() {
        let text = NagiosReport().render(
            CheckSample.report(
                CheckSample.file("b", CheckSample.certificate(left: 20 * CheckSample.day)),
                CheckSample.failure("a", .notFound, "there is no such file")))
        #expect(
            text.hasPrefix(
                "CERTCHECK UNKNOWN - a: there is no such file [not-found]; com.example.app expires in 20 days (2026-"))
        #expect(text.contains("| days_left=20;30:;14:\n"))
    }

    @Test("Nothing that a file says makes a line or performance data")
    func hostile() {
        let certificate = CheckSample.certificate(["a|\u{301}b\n\u{2028}OK: \u{1B}[2J"], left: 5)
        let text = NagiosReport().render(
            CheckSample.report(
                CheckSample.file("x|y=1\n.cer", certificate), CheckSample.failure("|", .corrupt, "bad | worse\r\n")))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 3)
        #expect(lines.map { $0.utf8.count { $0 == UInt8(ascii: "|") } } == [1, 0, 0])
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x2028 })
        #expect(
            lines[1].hasPrefix(#"CRITICAL: a\x7c\#u{301}b\x0a\u{2028}OK: \x1b[2J expires in less than a minute (2026-"#)
        )
        #expect(lines[1].hasSuffix(#" (x\x7cy=1\x0a.cer)"#))
    }

    @Test("The first word says what a strict check exits with")
    func strict() {
        let finding = CheckSample.finding("key-mismatch", .warning, "the key is another one's")
        let report = CheckSample.report(
            CheckSample.file("a", CheckSample.certificate(left: 200 * CheckSample.day), findings: [finding]))
        #expect(NagiosReport().render(report).hasPrefix("CERTCHECK OK - com.example.app expires in 200 days"))
        let lines = NagiosReport(isStrict: true).render(report).split(separator: "\n")
        #expect(
            lines[0].hasPrefix(
                "CERTCHECK WARNING - a: the key is another one's [key-mismatch]; com.example.app expires"))
        #expect(lines.last == "WARNING: a: the key is another one's [key-mismatch]")
    }
}
