internal import Diagnostics

/// A line of a report: a certificate, or a file that could not be read.
struct ReportEntry {
    let file: FileCheck
    /// The place of the file in the run.
    let fileNumber: Int
    /// The place of the certificate in its file; nil for a file that could not be read.
    let index: Int?
    /// Whether the path alone does not say which certificate it is.
    private let isNumbered: Bool

    var check: CertificateCheck? { index.map { file.certificates[$0] } }
    var place: CertificatePlace? { index.map { CertificatePlace(path: file.path, index: $0) } }
    var status: CheckStatus { check?.status ?? .unknown }
    var isBesideOthers: Bool { check?.isBesideOthers ?? false }

    /// The file, and which of its certificates if it has several, counted from 1.
    var label: String {
        let path = VisibleText.escaped(file.path)
        guard let index, isNumbered, !isBesideOthers else { return path }
        return "\(path) #\(index + 1)"
    }

    /// All of a report, the most urgent first.
    static func all(in report: CheckReport) -> [ReportEntry] {
        report.files.enumerated().flatMap { entries($1, number: $0) }.sorted { $0.rank < $1.rank }
    }

    /// Those of a file, in its order.
    private static func entries(_ file: FileCheck, number: Int) -> [ReportEntry] {
        guard file.error == nil else {
            return [ReportEntry(file: file, fileNumber: number, index: nil, isNumbered: false)]
        }
        let isNumbered = file.certificates.count { !$0.isBesideOthers } > 1
        return file.certificates.indices.map {
            ReportEntry(file: file, fileNumber: number, index: $0, isNumbered: isNumbered)
        }
    }

    /// What is more urgent has a lower rank; the order of the run decides between equals.
    private var rank: (Int, Int64, Int, Int) {
        (step, check?.validity?.left ?? .max, fileNumber, index ?? 0)
    }

    private var step: Int {
        guard let check else { return 1 }
        return switch check.status {
        case .critical: 0
        case .unknown: 1
        case .warning: 2
        case .ok: check.isSuperseded ? 4 : isBesideOthers ? 5 : 3
        }
    }
}

/// How much of what a report has.
struct ReportSummary {
    private var certificates = 0
    private var tokenKeys = 0
    private var files = 0
    private var unreadableFiles = 0
    private var superseded = 0
    private var counts: [CheckStatus: Int] = [:]

    init(_ report: CheckReport) {
        for file in report.files {
            if file.error == nil { files += 1 } else { unreadableFiles += 1 }
        }
        for entry in ReportEntry.all(in: report) where !entry.isBesideOthers {
            guard let check = entry.check else { continue }
            if check.certificate.kind == .tokenKey { tokenKeys += 1 } else { certificates += 1 }
            if check.isSuperseded { superseded += 1 } else { counts[check.status, default: 0] += 1 }
        }
    }

    /// Like `3 certificates in 2 files: 1 critical, 2 ok; 1 file could not be read`.
    var text: String { parts(TextStyle(isColored: false)).joined(separator: "; ") }

    /// The same in colours, in two lines if one is too short.
    func lines(_ style: TextStyle, width: Int?) -> [String] {
        let parts = parts(style)
        return TerminalWidth.columns(text) <= width ?? .max ? [parts.joined(separator: "; ")] : parts
    }

    private func parts(_ style: TextStyle) -> [String] {
        var parts: [String] = []
        let things = [(certificates, "certificate"), (tokenKeys, "token key")].filter { $0.0 > 0 }
        if !things.isEmpty {
            let nouns = things.map { ShownText.count($0.0, $0.1) }.joined(separator: " and ")
            parts.append("\(nouns) in \(ShownText.count(files, "file")): \(states(style).joined(separator: ", "))")
        }
        if unreadableFiles > 0 {
            parts.append(style.bold(style.red("\(ShownText.count(unreadableFiles, "file")) could not be read")))
        }
        return parts.isEmpty ? ["no certificates"] : parts
    }

    private func states(_ style: TextStyle) -> [String] {
        let states = CheckStatus.allCases.reversed().compactMap { status in
            counts[status].map { style.bold(style.colored("\($0) \(status.rawValue)", status)) }
        }
        return states + (superseded > 0 ? ["\(superseded) replaced"] : [])
    }
}

/// A topic, and the most urgent of the certificates that it can be served with.
struct TopicSummary {
    let name: String
    let team: String?
    let check: CertificateCheck
    let place: CertificatePlace

    /// A topic of every team once, by the bytes of its name, then of its team; those of certificates that count.
    static func all(in report: CheckReport) -> [TopicSummary] {
        var numbers = TopicNumbers()
        var summaries: [TopicSummary] = []
        for entry in ReportEntry.all(in: report) {
            guard let check = entry.check, let place = entry.place, check.counts else { continue }
            let certificate = check.certificate
            for topic in certificate.topics {
                // Entries come by urgency, and numbers in their order: what has one already is more urgent.
                guard numbers.number(of: topic, team: certificate.team) == summaries.count else { continue }
                summaries.append(TopicSummary(name: topic.name, team: certificate.team, check: check, place: place))
            }
        }
        return summaries.sorted { left, right in
            if !left.name.utf8.elementsEqual(right.name.utf8) {
                return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
            }
            return (left.team ?? "").utf8.lexicographicallyPrecedes((right.team ?? "").utf8)
        }
    }
}
