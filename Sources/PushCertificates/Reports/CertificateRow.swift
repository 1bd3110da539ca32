internal import Diagnostics

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
            let date = check.validity.map { Timestamp(seconds: $0.notAfter).date + "  " } ?? ""
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
