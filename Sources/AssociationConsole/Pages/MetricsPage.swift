internal import Diagnostics
internal import SystemSupport

/// The last hour in bars and numbers.
struct MetricsPage {
    let frame: PageFrame
    let history: MetricsHistory

    private static let (barWidth, height) = (10, 72)

    func answer() -> ConsoleAnswer {
        frame.page("Metrics", .metrics) { html in
            html += #"""
                <p class="lead">The last 60 minutes, until \#(InternetDate.string(history.end)). <code>/metrics</code> has \#
                more, for Prometheus.</p>
                <div class="charts">

                """#
            html += chart("Requests", history.requests)
            html += chart("Apple’s fetches", history.appleFetches)
            html += chart("TLS handshakes", history.handshakes)
            html += chart("Failed handshakes", history.handshakeFailures)
            html += "</div>\n<details><summary>The numbers</summary>\n"
            table(&html)
            html += "</details>\n"
        }
    }

    private func chart(_ name: String, _ numbers: [Int]) -> HTML {
        let most = numbers.max() ?? 0
        let sum = "\(grouped(numbers.reduce(0, +))), at most \(grouped(most)) in a minute"
        let width = numbers.count * Self.barWidth
        var html: HTML = #"""
            <figure><figcaption>\#(name) <span class="remark">\#(sum)</span></figcaption>
            <svg role="img" preserveAspectRatio="none" viewBox="0 0 \#(width) \#(Self.height)" \#
            aria-label="\#(name) in the last 60 minutes: \#(sum)">
            """#
        for (index, number) in numbers.enumerated() where number > 0 {
            let height = max(1, number * Self.height / max(most, 1))
            let (x, y) = (index * Self.barWidth + 1, Self.height - height)
            html += #"<rect x="\#(x)" y="\#(y)" width="\#(Self.barWidth - 2)" height="\#(height)"/>"#
        }
        html += "</svg></figure>\n"
        return html
    }

    private func table(_ html: inout HTML) {
        html.table(
            "minutes", "Numbers of each minute", caption: "Counts of each minute",
            ["Minute that ends at", "Requests", "Apple’s fetches", "Handshakes", "Failed"]
        ) { html in
            for index in history.requests.indices.reversed() {
                let end = history.end - Int64(history.requests.count - 1 - index) * 60
                html += #"<tr><th scope="row">\#(InternetDate.string(end))</th>"#
                for series in [history.requests, history.appleFetches, history.handshakes, history.handshakeFailures] {
                    let number = series.indices.contains(index) ? series[index] : 0
                    html += #"<td class="number">\#(grouped(number))</td>"#
                }
                html += "</tr>\n"
            }
        }
    }
}
