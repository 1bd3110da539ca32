internal import BoundedText
internal import Diagnostics

/// The lines of a file with its findings marked, and the list of the findings.
struct SourceView {
    /// The lines that are shown; the rest is counted.
    private static let maxLines = 20_000
    private static let maxBytes = 1 << 20

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

    func writeList(id: String, _ frame: PageFrame, _ html: inout HTML) {
        guard !findings.isEmpty else {
            html += "<p class=\"fine\">No findings.</p>\n"
            return
        }
        html += #"<ul class="findings" id="\#(id)">\#n"#
        for finding in findings { write(finding, frame, &html) }
        html += "</ul>\n"
    }

    private func write(_ finding: Diagnostic, _ frame: PageFrame, _ html: inout HTML) {
        html += #"<li\#(Self.attributes(finding))><p><span class="severity">\#(finding.severity.rawValue)</span>"#
        if finding.range.end > 0 {
            let position = source.position(at: finding.range.start)
            html += #"""
                 <a href="#\#(prefix)L\#(position.line)"><span class="visually-hidden">line </span>\#
                \#(position.line):\#(position.column)</a>
                """#
        }
        html += #" \#(finding.message) \#(frame.code(finding.code))</p>\#n"#
        for note in finding.notes { html += #"<p class="remark">note: \#(note)</p>\#n"# }
        if let help = finding.help { html += #"<p class="remark">help: \#(help)</p>\#n"# }
        html += "</li>\n"
    }

    private static func attributes(_ finding: Diagnostic) -> HTML {
        #" data-code="\#(finding.code.rawValue)" data-severity="\#(finding.severity.rawValue)""#
    }

    // MARK: the text

    /// - Parameter current: The line that is pointed out, from 1.
    func writeText(id: String, label: String, current: Int? = nil, _ html: inout HTML) {
        html += #"<div class="source" tabindex="0" role="region" aria-label="\#(label)">\#n<ol id="\#(id)">\#n"#
        let marks = Marks(findings, end: source.bytes.count)
        var written = 0
        var line = 1
        while line <= source.lineCount, line <= Self.maxLines, written < Self.maxBytes {
            let range = range(ofLine: line)
            let mark: HTML = line == current ? #" aria-current="true""# : ""
            html += #"<li id="\#(prefix)L\#(line)"\#(mark)><code>"#
            write(marks.segments(of: range, isLast: line == source.lineCount), &html)
            html += "</code></li>\n"
            written += range.count + 16
            line += 1
        }
        html += "</ol>\n</div>\n"
        if line <= source.lineCount {
            let rest = counted(source.lineCount - line + 1, "line")
            html += #"<p class="remark">\#(rest) more, which are not shown</p>\#n"#
        }
    }

    private func range(ofLine line: Int) -> Range<Int> {
        let text = source.line(line)
        return text.startIndex..<min(text.endIndex, text.startIndex + Self.maxBytes)
    }

    private func write(_ segments: [Marks.Segment], _ html: inout HTML) {
        for segment in segments {
            let text = String(unbounded: source.bytes[segment.range])
            guard let finding = segment.finding else {
                html += "\(text)"
                continue
            }
            let title = "\(finding.severity.rawValue): \(finding.message)"
            html += #"<mark\#(Self.attributes(finding)) title="\#(title)">\#(text)</mark>"#
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
