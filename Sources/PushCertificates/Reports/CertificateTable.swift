internal import Diagnostics
internal import SystemSupport

/// The certificates of a run, one per line, in the columns that there is room for.
struct CertificateTable {
    let style: TextStyle
    let width: Int?

    private typealias Column = CertificateRow.Column

    /// The layouts from wide to narrow; the first that leaves topic and path so many columns each is taken.
    private static let layouts: [(columns: [Column], comfort: Int)] = [
        ([.status, .end, .topic, .kind, .key, .path], 20),
        ([.status, .end, .topic, .key, .path], 20),
        ([.status, .end, .topic, .path], 20),
        ([.status, .distance, .topic, .path], 12),
    ]
    private static let narrowest: [Column] = [.status, .distance, .path]
    private static let least = 8

    /// - Parameter entries: In the order of their urgency.
    func lines(_ entries: [ReportEntry]) -> [String] {
        let rows = [CertificateRow.header] + Self.grouped(entries).map { CertificateRow($0) }
        var widths: [Column: Int] = [:]
        for row in rows {
            for (column, text) in row.texts { widths[column] = max(widths[column] ?? 0, TerminalWidth.columns(text)) }
        }
        let layout = layout(widths)
        let fitted = fitted(widths, layout)
        return rows.map { line($0, layout, fitted) }
    }

    /// Those of a topic one after another, where the most urgent of them is.
    private static func grouped(_ entries: [ReportEntry]) -> [ReportEntry] {
        var groups: [[ReportEntry]] = []
        var indices: [[UInt8]: Int] = [:]
        for entry in entries {
            guard let topic = entry.check?.certificate.topics.first.map({ Array($0.name.utf8) }) else {
                groups.append([entry])
                continue
            }
            if let index = indices[topic] {
                groups[index].append(entry)
            } else {
                indices[topic] = groups.count
                groups.append([entry])
            }
        }
        return groups.flatMap { $0 }
    }

    private func layout(_ widths: [Column: Int]) -> [Column] {
        let layout = Self.layouts.first { columns, comfort in
            let flexible = [Column.topic, .path].map { min(widths[$0] ?? 0, comfort) }.reduce(0, +)
            return Self.fixed(widths, columns) + flexible <= width ?? .max
        }
        return layout?.columns ?? Self.narrowest
    }

    /// The columns of a terminal that are taken by all but topic and path.
    private static func fixed(_ widths: [Column: Int], _ layout: [Column]) -> Int {
        layout.filter { $0 != .topic && $0 != .path }.map { widths[$0] ?? 0 }.reduce(
            TableLine.gap * (layout.count - 1), +)
    }

    /// The widths with topic and path cut so that a line fits; what is short stays whole.
    private func fitted(_ widths: [Column: Int], _ layout: [Column]) -> [Column: Int] {
        guard let width else { return widths }
        let room = width - Self.fixed(widths, layout)
        let topic = layout.contains(.topic) ? widths[.topic] ?? 0 : 0
        let path = widths[.path] ?? 0
        guard topic + path > room else { return widths }
        let shownTopic = topic <= room / 2 ? topic : max(room - path, room / 2)
        var widths = widths
        widths[.topic] = max(Self.least, shownTopic)
        widths[.path] = max(Self.least, room - shownTopic)
        return widths
    }

    private func line(_ row: CertificateRow, _ layout: [Column], _ widths: [Column: Int]) -> String {
        var line = TableLine()
        for column in layout {
            let width = widths[column] ?? 0
            // What differs between names is mostly at their ends.
            let text = TableLine.cut(row.texts[column] ?? "", to: width, head: width / 3)
            line.add(text, painted: row.painted(text, column, style), width: width)
        }
        return line.text
    }
}

/// A line of the table: a certificate, or a file that could not be read.
struct CertificateRow {
    enum Column {
        case status
        /// The date of the end and how far away it is; or that alone, where there is little room.
        case end, distance
        case topic, kind, key, path
    }

    let texts: [Column: String]
    /// Nil for the names of the columns.
    private let status: CheckStatus?
    private let isSuperseded: Bool

    static let header = CertificateRow(
        texts: [
            .status: "STATUS", .end: "EXPIRES", .distance: "EXPIRES", .topic: "TOPIC", .kind: "KIND", .key: "KEY",
            .path: "FILE",
        ], status: nil, isSuperseded: false)

    private init(texts: [Column: String], status: CheckStatus?, isSuperseded: Bool) {
        self.texts = texts
        self.status = status
        self.isSuperseded = isSuperseded
    }

    init(_ entry: ReportEntry) {
        var texts: [Column: String] = [.path: entry.label, .status: entry.status.rawValue]
        if let check = entry.check {
            let distance = Self.distance(check)
            let date = check.validity.map { InternetDate.day($0.notAfter) + "  " } ?? ""
            texts[.status] = check.stateWord
            texts[.end] = date + distance
            texts[.distance] = distance
            texts[.topic] = check.title
            texts[.kind] = check.certificate.kind.word
            texts[.key] = check.certificate.kind == .ca ? "" : check.certificate.key.word
        } else {
            texts[.topic] = entry.file.error.map { "[\($0.code)]" }
        }
        self.init(texts: texts, status: entry.status, isSuperseded: entry.check?.isSuperseded ?? false)
    }

    /// A text of a column as it is to be seen.
    func painted(_ text: String, _ column: Column, _ style: TextStyle) -> String {
        guard let status, !isSuperseded else { return style.dim(text) }
        switch column {
        case .status: return style.bold(style.colored(text, status))
        case .end, .distance: return status == .ok ? text : style.colored(text, status)
        case .topic: return status == .unknown ? style.red(text) : text
        case .key: return texts[.key] == KeyPresence.mismatched.word ? style.yellow(text) : text
        case .kind, .path: return text
        }
    }

    /// Behind the date, so that both read as one.
    private static func distance(_ check: CertificateCheck) -> String {
        guard let validity = check.validity else { return "never" }
        if validity.isReversed { return "before begin" }
        if validity.isNotYetValid { return "not yet valid" }
        return TimeSpan(seconds: validity.left).shortFromNow
    }
}
