import PushCertificates
import Testing

@Suite("Metrics of a check")
struct PrometheusReportTests {
    @Test("Every metric is described once, before its samples")
    func report() {
        let report = CheckSample.report(
            CheckSample.file(
                "old.pem", CheckSample.certificate(["a", "b"], left: -7)),
            CheckSample.file("new.pem", CheckSample.certificate(["a", "b"], left: 700)),
            CheckSample.file("ca.cer", CheckSample.authority(left: 5)),
            CheckSample.file("key.p8", CheckSample.tokenKey),
            CheckSample.failure("none.p12", .notFound, "there is no such file"))
        let first =
            #"{path="old.pem",index="0",kind="apple-push-services",topic="a",team="ABCDE12345",serial="0A1B2C3D"}"#
        let second =
            #"{path="new.pem",index="0",kind="apple-push-services",topic="a",team="ABCDE12345",serial="0A1B2C3D"}"#
        let authority = #"{path="ca.cer",index="0",kind="ca",topic="",team="",serial=""}"#
        #expect(
            PrometheusReport().render(report) == """
                # HELP certcheck_certificate_not_after_seconds The last second in which it is valid, since 1970.
                # TYPE certcheck_certificate_not_after_seconds gauge
                certcheck_certificate_not_after_seconds\(first) 1794999993
                certcheck_certificate_not_after_seconds\(second) 1795000700
                certcheck_certificate_not_after_seconds\(authority) 1795000005
                # HELP certcheck_certificate_not_before_seconds The first second in which it is valid, since 1970.
                # TYPE certcheck_certificate_not_before_seconds gauge
                certcheck_certificate_not_before_seconds\(first) 1769080000
                certcheck_certificate_not_before_seconds\(second) 1769080000
                certcheck_certificate_not_before_seconds\(authority) 1717240000
                # HELP certcheck_certificate_superseded Whether a newer certificate of the same run replaces it, 0 or 1.
                # TYPE certcheck_certificate_superseded gauge
                certcheck_certificate_superseded\(first) 1
                certcheck_certificate_superseded\(second) 0
                certcheck_certificate_superseded\(authority) 0
                # HELP certcheck_certificate_usable 0 if a push certificate cannot be used to send as it is in its \
                file; else 1.
                # TYPE certcheck_certificate_usable gauge
                certcheck_certificate_usable\(first) 1
                certcheck_certificate_usable\(second) 1
                certcheck_certificate_usable\(authority) 1
                # HELP certcheck_certificate_status What a check says of it: 0 ok, 1 warning, 2 critical.
                # TYPE certcheck_certificate_status gauge
                certcheck_certificate_status\(first) 0
                certcheck_certificate_status\(second) 2
                certcheck_certificate_status\(authority) 2
                # HELP certcheck_file_readable Whether the file could be read, 0 or 1; the label 'error' has the reason.
                # TYPE certcheck_file_readable gauge
                certcheck_file_readable{path="old.pem",error=""} 1
                certcheck_file_readable{path="new.pem",error=""} 1
                certcheck_file_readable{path="ca.cer",error=""} 1
                certcheck_file_readable{path="key.p8",error=""} 1
                certcheck_file_readable{path="none.p12",error="not-found"} 0
                # HELP certcheck_last_run_timestamp_seconds When certcheck ran, in seconds since 1970.
                # TYPE certcheck_last_run_timestamp_seconds gauge
                certcheck_last_run_timestamp_seconds 1795000000

                """)
    }

    @Test("A metric without samples is not described")
    func empty() {
        let text = PrometheusReport().render(CheckSample.report())
        #expect(text.split(separator: "\n").count == 3)
        #expect(text.hasSuffix("certcheck_last_run_timestamp_seconds 1795000000\n"))
    }

    @Test("The same file twice gives every series once")
    func twice() {
        let file = CheckSample.file("a", CheckSample.certificate(left: 5))
        let error = CheckSample.failure("b", .corrupt, "cut off")
        let lines = PrometheusReport().render(CheckSample.report(file, error, file, error)).split(separator: "\n")
        let series = lines.filter { !$0.hasPrefix("#") }
        #expect(Set(series).count == series.count)
        #expect(series.count == 8)
    }

    @Test("Labels are escaped, and nothing of them talks to a terminal")
    func labels() {
        let certificate = CheckSample.certificate(["a\"b\\c\nd\u{1B}[2J\u{202E}\r日本"], left: 5)
        let text = PrometheusReport().render(CheckSample.report(CheckSample.file("C:\\p\n\"", certificate)))
        #expect(text.contains(#"{path="C:\\p\n\"",index="0","#))
        #expect(text.contains(#"topic="a\"b\\c\nd\\x1b[2J\\u{202e}\\x0d日本","#))
        #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("#") || $0.hasPrefix("certcheck_") })
    }
}
