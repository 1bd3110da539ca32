internal import Diagnostics
internal import SystemSupport

/// The last hour in bars and numbers.
struct MetricsPage {
    let frame: PageFrame
    let history: MetricsHistory

    /// The style has them, too.
    private static let (barWidth, height) = (10, 72)
    /// The minutes between two marks of the time.
    private static let step = 15

    func answer() -> ConsoleAnswer {
        frame.page("Metrics", .metrics) { html in
            html += #"""
                <p class="lead">The last 60 minutes, until \#(HTML.time(history.end)) \#
                <a href="metrics">Refresh</a></p>
                <p>The server keeps the last hour and no more. For days and weeks let Prometheus ask <code>/metrics</code>; \#
                <code>aasa export grafana-dashboard</code> has the charts for it.</p>
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

    /// Bars with the axes beside them. A bar tells its minute where a pointer is on it, and the chart its last minutes when
    /// it has the focus: 60 stops of the keyboard would be in the way, and the table has all numbers.
    private func chart(_ name: String, _ numbers: [Int]) -> HTML {
        let most = numbers.max() ?? 0
        let peak = numbers.firstIndex(of: most).map { ", at most \(grouped(most)) in a minute (\(time(of: $0)))" } ?? ""
        let sum = "\(grouped(numbers.reduce(0, +)))\(most > 0 ? peak : "")"
        let (width, top) = (numbers.count * Self.barWidth, Self.roundUp(most))
        let last = numbers.suffix(5).map(grouped).joined(separator: ", ")
        var html: HTML = #"""
            <figure tabindex="0"><figcaption>\#(name) <span class="remark">\#(sum)</span></figcaption>
            <div class="chart"><ol class="scale" aria-hidden="true"><li>\#(grouped(top))</li><li>0</li></ol>
            <svg role="img" preserveAspectRatio="none" viewBox="0 0 \#(width) \#(Self.height)" \#
            aria-label="\#(name) in the last 60 minutes: \#(sum)">
            """#
        for (index, number) in numbers.enumerated() {
            let height = number == 0 ? 0 : max(1, Int(Double(number) / Double(top) * Double(Self.height)))
            let x = index * Self.barWidth
            html += #"""
                <g><title>\#(time(of: index)): \#(grouped(number))</title><rect class="minute" x="\#(x)"/>\#
                <rect x="\#(x + 1)" y="\#(Self.height - height)" height="\#(height)"/></g>
                """#
        }
        html += "</svg><ol class=\"clock\" aria-hidden=\"true\">"
        for index in stride(from: 0, through: numbers.count, by: Self.step) { html += "<li>\(time(of: index))</li>" }
        html += "</ol></div><p class=\"tip\">The last five minutes: \(last)</p></figure>\n"
        return html
    }

    /// The time at which a minute begins, such as `22:41`.
    private func time(of index: Int) -> String {
        String(InternetDate.string(history.end - Int64(history.requests.count - index) * 60).dropFirst(11).prefix(5))
    }

    /// The end of an axis: 1, 2 or 5, and zeros.
    private static func roundUp(_ most: Int) -> Int {
        var power = 1
        while power < most {
            for step in [2, 5, 10] where power <= .max / 10 && power * step >= most { return power * step }
            guard power <= .max / 10 else { return most }
            power *= 10
        }
        return max(1, power)
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
