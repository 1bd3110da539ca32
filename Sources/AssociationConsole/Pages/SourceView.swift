internal import BoundedText
internal import Diagnostics

/// The lines of a file with its findings marked, and the list of the findings.
struct SourceView {
    /// The lines that are shown; the rest is counted.
    private static let mostLines = 20_000
    private static let mostBytes = 1 << 20

    private let source: SourceText
    /// By start.
    private let findings: [Diagnostic]
    /// The prefix of the lines' names: a second view on a page has another one.
    private let prefix: String

    /// - Parameter report: Findings that are not about the text itself are in the list only.
    init(_ report: FileReport, prefix: String = "") {
        source = report.source
        findings = report.diagnostics
        self.prefix = prefix
    }

    // MARK: the list

    func writeList(id: StaticString, _ html: inout HTMLWriter) {
        guard !findings.isEmpty else {
            html.markup("<p class=\"fine\">No findings.</p>\n")
            return
        }
        html.markup("<ul class=\"findings\" id=\"")
        html.markup(id)
        html.markup("\">\n")
        for finding in findings { write(finding, &html) }
        html.markup("</ul>\n")
    }

    private func write(_ finding: Diagnostic, _ html: inout HTMLWriter) {
        html.markup("<li")
        attributes(finding, &html)
        html.markup("><p><span class=\"severity\">")
        html.text(finding.severity.rawValue)
        html.markup("</span> ")
        if finding.range.end > 0 {
            let position = source.position(at: finding.range.start)
            html.markup("<a")
            html.attribute("href", "#\(prefix)L\(position.line)")
            html.markup("><span class=\"visually-hidden\">line </span>")
            html.text("\(position.line):\(position.column)")
            html.markup("</a> ")
        }
        html.text(finding.message)
        html.markup(" <code class=\"finding-code\">")
        html.text(finding.code.rawValue)
        html.markup("</code></p>\n")
        for note in finding.notes {
            html.markup("<p class=\"remark\">note: ")
            html.text(note)
            html.markup("</p>\n")
        }
        if let help = finding.help {
            html.markup("<p class=\"remark\">help: ")
            html.text(help)
            html.markup("</p>\n")
        }
        html.markup("</li>\n")
    }

    private func attributes(_ finding: Diagnostic, _ html: inout HTMLWriter) {
        html.attribute("data-code", finding.code.rawValue)
        html.attribute("data-severity", finding.severity.rawValue)
    }

    // MARK: the text

    /// - Parameter current: The line that is pointed out, from 1.
    func writeText(id: StaticString, label: String, current: Int? = nil, _ html: inout HTMLWriter) {
        html.markup("<div class=\"source\" tabindex=\"0\" role=\"region\"")
        html.attribute("aria-label", label)
        html.markup(">\n<ol id=\"")
        html.markup(id)
        html.markup("\">\n")
        let marks = Marks(findings, end: source.bytes.count)
        var written = 0
        var line = 1
        while line <= source.lineCount, line <= Self.mostLines, written < Self.mostBytes {
            let range = range(ofLine: line)
            html.markup("<li")
            html.attribute("id", "\(prefix)L\(line)")
            if line == current { html.markup(" aria-current=\"true\"") }
            html.markup("><code>")
            write(marks.segments(of: range, isLast: line == source.lineCount), &html)
            html.markup("</code></li>\n")
            written += range.count + 16
            line += 1
        }
        html.markup("</ol>\n</div>\n")
        if line <= source.lineCount {
            html.markup("<p class=\"remark\">")
            html.text("\(counted(source.lineCount - line + 1, "line")) more, which are not shown")
            html.markup("</p>\n")
        }
    }

    private func range(ofLine line: Int) -> Range<Int> {
        let text = source.line(line)
        return text.startIndex..<min(text.endIndex, text.startIndex + Self.mostBytes)
    }

    private func write(_ segments: [Marks.Segment], _ html: inout HTMLWriter) {
        for segment in segments {
            guard let finding = segment.finding else {
                html.text(String(unbounded: source.bytes[segment.range]))
                continue
            }
            html.markup("<mark")
            attributes(finding, &html)
            html.attribute("title", "\(finding.severity.rawValue): \(finding.message)")
            html.markup(">")
            html.text(String(unbounded: source.bytes[segment.range]))
            html.markup("</mark>")
        }
    }
}

/// Which bytes of a text belong to which finding; where several overlap, to the worst, and among equals to the shortest.
private struct Marks {
    struct Segment {
        let range: Range<Int>
        let finding: Diagnostic?
    }

    /// By start.
    private let findings: [(range: Range<Int>, finding: Diagnostic)]
    /// The longest of them, so that a search can begin where one may reach a line.
    private let longest: Int

    init(_ findings: [Diagnostic], end: Int) {
        let marked = findings.compactMap { finding -> (Range<Int>, Diagnostic)? in
            let range = finding.range
            // The empty range at 0 is the text as a whole.
            guard range.end > 0, range.start <= end, range.start <= range.end else { return nil }
            // A gap marks what follows it, or the end of its line.
            let last = min(max(range.end, range.start + 1), max(end, range.start))
            return (range.start..<last, finding)
        }
        self.findings = marked.sorted { $0.0.lowerBound < $1.0.lowerBound }
        longest = marked.map(\.0.count).max() ?? 0
    }

    /// The parts of a line.
    ///
    /// - Parameter isLast: Whether the text ends with it, so that a mark at its end has no other line to be shown in.
    func segments(of line: Range<Int>, isLast: Bool) -> [Segment] {
        var low = 0
        var high = findings.count
        while low < high {
            let middle = (low + high) / 2
            if findings[middle].range.lowerBound < line.lowerBound - longest { low = middle + 1 } else { high = middle }
        }
        // A finding that begins at the line's end is about its end.
        let touching = findings[low...].prefix { $0.range.lowerBound <= line.upperBound }.filter {
            $0.range.upperBound > line.lowerBound || $0.range.lowerBound >= line.lowerBound
        }
        guard !touching.isEmpty else { return [Segment(range: line, finding: nil)] }
        let inside = touching.filter { $0.range.lowerBound < line.upperBound && !$0.range.isEmpty }
        var cuts: Set<Int> = [line.lowerBound, line.upperBound]
        for (range, _) in inside {
            cuts.insert(max(range.lowerBound, line.lowerBound))
            cuts.insert(min(range.upperBound, line.upperBound))
        }
        let sorted = cuts.sorted()
        var segments = zip(sorted, sorted.dropFirst()).map { start, end in
            let candidates = inside.filter { $0.range.lowerBound <= start && $0.range.upperBound >= end }
            let worst = candidates.max {
                ($0.finding.severity, -$0.range.count) < ($1.finding.severity, -$1.range.count)
            }
            return Segment(range: start..<end, finding: worst?.finding)
        }
        let atEnd = touching.filter { $0.range.lowerBound == line.upperBound }
        if let worst = atEnd.max(by: { $0.finding.severity < $1.finding.severity }) {
            segments.append(Segment(range: line.upperBound..<line.upperBound, finding: worst.finding))
        }
        return segments
    }
}
