import Diagnostics
import Testing

@Suite("A metric in Prometheus' text format")
struct PrometheusMetricTests {
    @Test("it is described, then come its samples")
    func text() {
        var metric = PrometheusMetric("a_total", .counter, "What it is.")
        #expect(metric.text == "")
        var bytes: [UInt8] = []
        metric.write(to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "# HELP a_total What it is.\n# TYPE a_total counter\n")
        metric.add([:], 1)
        metric.add(["x": "1", "y": ""], -2)
        #expect(
            metric.text == """
                # HELP a_total What it is.
                # TYPE a_total counter
                a_total 1
                a_total{x="1",y=""} -2

                """)
        bytes = []
        metric.write(to: &bytes)
        #expect(metric.text == String(decoding: bytes, as: UTF8.self))
    }

    @Test("the first of equal series counts; those that only look equal are two")
    func twice() {
        var metric = PrometheusMetric("a", .gauge, "What it is.")
        metric.add(["x": "1"], 1)
        metric.add(["x": "1"], 2)
        metric.add(["x": "\u{E9}"], 3)
        metric.add(["x": "e\u{301}"], 4)
        #expect(metric.text.split(separator: "\n").dropFirst(2).map { $0.suffix(1) } == ["1", "3", "4"])
    }

    @Test(
        "values are escaped, and nothing in them talks to a terminal",
        arguments: [
            (#"a"b"#, #"a\"b"#), (#"a\b"#, #"a\\b"#), ("a\nb", #"a\nb"#), ("a\u{1B}[2J", #"a\\x1b[2J"#),
            ("\u{202E}a", #"\\u{202e}a"#), ("bücher", "bücher"), ("", ""),
        ])
    func escapes(value: String, written: String) {
        var metric = PrometheusMetric("a", .gauge, "What it is.")
        metric.add(["x": value], 1)
        #expect(metric.text.hasSuffix("\na{x=\"\(written)\"} 1\n"))
    }
}
