internal import Diagnostics
internal import SystemSupport

/// The last hour in bars and numbers.
struct MetricsPage {
    let frame: PageFrame
    let history: MetricsHistory

    private static let (barWidth, height) = (10, 72)

    func answer() -> ConsoleAnswer {
        frame.page("Metrics", .metrics) { html in
            html.markup("<p class=\"lead\">The last 60 minutes, until ")
            html.text(InternetDate.string(history.end))
            html.markup(". <code>/metrics</code> has more, for Prometheus.</p>\n<div class=\"charts\">\n")
            chart("Requests", history.requests, &html)
            chart("Apple’s fetches", history.appleFetches, &html)
            chart("TLS handshakes", history.handshakes, &html)
            chart("Failed handshakes", history.handshakeFailures, &html)
            html.markup("</div>\n<details><summary>The numbers</summary>\n")
            table(&html)
            html.markup("</details>\n")
        }
    }

    private func chart(_ name: String, _ numbers: [Int], _ html: inout HTMLWriter) {
        let (sum, most) = (numbers.reduce(0, +), numbers.max() ?? 0)
        html.markup("<figure><figcaption>")
        html.text(name)
        html.markup(" <span class=\"remark\">")
        html.text("\(grouped(sum)), at most \(grouped(most)) in a minute")
        html.markup("</span></figcaption>\n<svg role=\"img\" preserveAspectRatio=\"none\"")
        html.attribute("viewBox", "0 0 \(numbers.count * Self.barWidth) \(Self.height)")
        html.attribute(
            "aria-label", "\(name) in the last 60 minutes: \(grouped(sum)), at most \(grouped(most)) in a minute")
        html.markup(">")
        for (index, number) in numbers.enumerated() where number > 0 {
            let height = max(1, number * Self.height / max(most, 1))
            html.markup("<rect")
            html.attribute("x", index * Self.barWidth + 1)
            html.attribute("y", Self.height - height)
            html.attribute("width", Self.barWidth - 2)
            html.attribute("height", height)
            html.markup("/>")
        }
        html.markup("</svg></figure>\n")
    }

    private func table(_ html: inout HTMLWriter) {
        html.markup(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Numbers of each minute\">\n<table id=\"minutes\"><caption class=\"visually-hidden\">Counts of each minute</caption><thead>"
        )
        html.markup("<tr><th scope=\"col\">Minute that ends at</th><th scope=\"col\">Requests</th>")
        html.markup("<th scope=\"col\">Apple’s fetches</th><th scope=\"col\">Handshakes</th>")
        html.markup("<th scope=\"col\">Failed</th></tr></thead>\n<tbody>\n")
        for index in history.requests.indices.reversed() {
            html.markup("<tr><th scope=\"row\">")
            html.text(InternetDate.string(history.end - Int64(history.requests.count - 1 - index) * 60))
            html.markup("</th>")
            for series in [history.requests, history.appleFetches, history.handshakes, history.handshakeFailures] {
                html.markup("<td class=\"number\">")
                html.text(series.indices.contains(index) ? grouped(series[index]) : "0")
                html.markup("</td>")
            }
            html.markup("</tr>\n")
        }
        html.markup("</tbody></table>\n</div>\n")
    }
}
