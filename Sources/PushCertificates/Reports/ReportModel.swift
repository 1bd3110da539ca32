internal import Diagnostics
internal import SystemSupport

/// A run as all reports show it (push-certificates.md, section 9): its lines and findings in the order of their urgency.
struct ReportModel {
    let report: CheckReport
    /// Every certificate, and every file that could not be read, the most urgent first.
    let entries: [ReportEntry]

    init(_ report: CheckReport) {
        self.report = report
        entries = report.files.enumerated().flatMap { ReportEntry.all(in: $1, number: $0) }.sorted { $0.rank < $1.rank }
    }

    /// The entries that get a line: authorities beside other certificates do not.
    var lines: [ReportEntry] { entries.filter { !$0.isBesideOthers } }

    /// Every finding and every error, the most severe first, then by the urgency of what they are about: a path, with a
    /// certificate if it is about one.
    var findings: [LocatedDiagnostic] {
        var orders: [[Int?: Int]] = Array(repeating: [:], count: report.files.count)
        for (order, entry) in entries.enumerated() {
            orders[entry.fileNumber][entry.index] = order
            // What is about a file as a whole goes with the most urgent of its certificates.
            if orders[entry.fileNumber][nil] == nil { orders[entry.fileNumber][nil] = order }
        }
        var located: [(order: Int, finding: LocatedDiagnostic)] = []
        for (file, orders) in zip(report.files, orders) {
            let whole = orders[nil] ?? 0
            let path = VisibleText.escaped(file.path)
            if let error = file.error {
                located.append((whole, LocatedDiagnostic(error.diagnostic(at: file.path), at: path)))
            }
            for finding in file.findings {
                let order = orders[finding.certificate] ?? whole
                guard finding.certificate != nil, entries.indices.contains(order) else {
                    located.append((order, LocatedDiagnostic(finding, at: path)))
                    continue
                }
                let entry = entries[order]
                if let check = entry.check, check.isSuperseded, Self.isAboutEnd(finding) { continue }
                located.append((order, LocatedDiagnostic(finding, at: entry.label(of: finding))))
            }
        }
        return located.sorted { left, right in
            let (first, second) = (left.finding.severity, right.finding.severity)
            return first != second ? first > second : left.order < right.order
        }.map(\.finding)
    }

    /// Whether it only tells when something ends, which has a successor already.
    private static func isAboutEnd(_ finding: Diagnostic) -> Bool {
        finding.severity == .note && (finding.is(.expired) || finding.is(.expiresSoon))
    }

    /// A topic of every team once, by the bytes of its name, then of its team; those of certificates that count.
    var topics: [TopicSummary] {
        var numbers = TopicNumbers()
        var summaries: [TopicSummary] = []
        for entry in entries {
            guard let check = entry.check, let certificate = entry.reference, check.counts else { continue }
            let team = check.certificate.team
            for topic in check.certificate.topics {
                // Entries come by urgency, and numbers in their order: what has one already is more urgent.
                guard numbers.number(of: topic, team: team) == summaries.count else { continue }
                summaries.append(TopicSummary(name: topic.name, team: team, check: check, certificate: certificate))
            }
        }
        return summaries.sorted { left, right in
            if !left.name.utf8.elementsEqual(right.name.utf8) {
                return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
            }
            return (left.team ?? "").utf8.lexicographicallyPrecedes((right.team ?? "").utf8)
        }
    }

    var summary: ReportSummary { ReportSummary(self) }
}

/// A line of a report: a certificate, or a file that could not be read.
struct ReportEntry {
    let file: FileCheck
    /// The index of the file in the run.
    let fileNumber: Int
    /// The index of the certificate in its file; nil for a file that could not be read.
    let index: Int?
    /// Whether the path alone does not say which certificate it is.
    private let isNumbered: Bool

    var check: CertificateCheck? { index.map { file.certificates[$0] } }
    var reference: CertificateReference? { index.map { CertificateReference(path: file.path, index: $0) } }
    var status: CheckStatus { check?.status ?? .unknown }
    var isBesideOthers: Bool { check?.isBesideOthers ?? false }

    /// The file, and which of its certificates if it has several, counted from 1.
    var label: String {
        let path = VisibleText.escaped(file.path)
        guard let index, isNumbered, !isBesideOthers else { return path }
        return "\(path) #\(index + 1)"
    }

    /// The same with the certificate, unless a finding has its name already.
    func label(of finding: Diagnostic) -> String {
        guard let check, !finding.message.contains(check.certificate.title) else { return label }
        return "\(label) (\(check.title))"
    }

    /// Those of a file, in its order.
    fileprivate static func all(in file: FileCheck, number: Int) -> [ReportEntry] {
        guard file.error == nil else {
            return [ReportEntry(file: file, fileNumber: number, index: nil, isNumbered: false)]
        }
        let isNumbered = file.certificates.count { !$0.isBesideOthers } > 1
        return file.certificates.indices.map {
            ReportEntry(file: file, fileNumber: number, index: $0, isNumbered: isNumbered)
        }
    }

    /// The order of urgency: the more urgent has the lower rank; the order of the run decides between equals.
    fileprivate var rank: (Int, Int64, Int, Int) {
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

/// A topic, and the most urgent of the certificates that it can be served with.
struct TopicSummary {
    let name: String
    let team: String?
    let check: CertificateCheck
    let certificate: CertificateReference
}

/// The numbers of certificates and files of a report by state.
struct ReportSummary {
    private var certificates = 0
    private var tokenKeys = 0
    private var files = 0
    private var unreadableFiles = 0
    private var superseded = 0
    private var broken = 0
    private var counts: [CheckStatus: Int] = [:]
    /// Whether there is a certificate that looks good, so that it has to be said what was not looked at.
    private var hasValid = false

    fileprivate init(_ model: ReportModel) {
        files = model.report.files.count
        unreadableFiles = model.report.files.count { $0.error != nil }
        for check in model.lines.compactMap(\.check) {
            if check.certificate.kind == .tokenKey { tokenKeys += 1 } else { certificates += 1 }
            if check.isSuperseded { superseded += 1 } else { counts[check.status, default: 0] += 1 }
            if check.isUnusable { broken += 1 }
            if !check.certificate.topics.isEmpty, check.validity?.isValid == true { hasValid = true }
        }
    }

    /// Like `3 certificates in 2 files: 1 critical, 2 ok; 1 file could not be read`.
    var sentence: String {
        var parts: [String] = []
        if let things {
            parts.append("\(things) in \(counted(files - unreadableFiles, "file")): \(states.joined(separator: ", "))")
        }
        if unreadableFiles > 0 { parts.append("\(counted(unreadableFiles, "file")) could not be read") }
        return parts.isEmpty ? "no certificates" : parts.joined(separator: "; ")
    }

    /// Like `1 broken, 2 ok, 1 unreadable (3 certificates in 4 files). Revocation is not checked.`, in as many lines as it takes.
    func lines(_ style: TextStyle, width: Int?) -> [String] {
        var lines: [String] = []
        var columns = 0
        for (plain, part) in zip(parts(TextStyle(isColored: false)), parts(style)) {
            let count = TerminalWidth.columns(plain)
            if let last = lines.last, columns + 1 + count <= width ?? .max {
                lines[lines.count - 1] = "\(last) \(part)"
                columns += 1 + count
            } else {
                lines.append(part)
                columns = count
            }
        }
        return lines
    }

    private func parts(_ style: TextStyle) -> [String] {
        let critical = (counts[.critical] ?? 0) - broken
        var states = [
            (broken, "broken", CheckStatus.critical), (critical, "critical", .critical),
            (counts[.warning] ?? 0, "warning", .warning), (counts[.ok] ?? 0, "ok", .ok),
        ].filter { $0.0 > 0 }.map { style.bold(style.colored("\($0) \($1)", $2)) }
        if superseded > 0 { states.append("\(superseded) replaced") }
        if unreadableFiles > 0 { states.append(style.bold(style.red("\(unreadableFiles) unreadable"))) }
        guard !states.isEmpty else { return ["no certificates"] }
        return [states.joined(separator: ", "), "(\(things.map { "\($0) in " } ?? "")\(counted(files, "file")))."]
            + (hasValid ? [style.dim("Revocation is not checked.")] : [])
    }

    private var things: String? {
        let things = [(certificates, "certificate"), (tokenKeys, "token key")].filter { $0.0 > 0 }
        return things.isEmpty ? nil : things.map { counted($0.0, $0.1) }.joined(separator: " and ")
    }

    private var states: [String] {
        CheckStatus.allCases.reversed().compactMap { status in counts[status].map { "\($0) \(status.rawValue)" } }
            + (superseded > 0 ? ["\(superseded) replaced"] : [])
    }
}

extension CertificateCheck {
    /// Whether it is a CA beside other certificates, which is not worth a line of its own.
    var isBesideOthers: Bool { certificate.kind == .ca && !counts }

    /// The status in a word; one that is replaced is no more than that, and one that cannot send is broken whatever the time.
    var stateWord: String { isSuperseded ? "replaced" : isUnusable ? "broken" : status.rawValue }

    /// The title of the certificate, with the number of its other topics.
    var title: String {
        let others = certificate.topics.count - 1
        return certificate.title + (others > 0 ? " +\(others)" : "")
    }

    /// When it expires or begins, like `expires in 21 days`.
    var relativeTime: String {
        guard let validity else { return "never expires" }
        if validity.isReversed { return "expires before it becomes valid" }
        if validity.isNotYetValid { return "begins \(TimeSpan(seconds: validity.untilBegin).fromNow)" }
        return "\(validity.isExpired ? "expired" : "expires") \(TimeSpan(seconds: validity.left).fromNow)"
    }

    /// The same with the minute, like `expires in 21 days (2026-12-12 00:00 UTC)`.
    var time: String {
        guard let validity else { return relativeTime }
        let isAhead = validity.isNotYetValid && !validity.isReversed
        return "\(relativeTime) (\(InternetDate.dayAndMinute(isAhead ? validity.notBefore : validity.notAfter)))"
    }
}

/// Text of a file on one line, shortened to a readable length.
enum ShownText {
    /// Escapes what cannot be shown, and cuts what is too long: a name may have megabytes.
    static func line(_ text: String, limit: Int = 200) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return VisibleText.escaped(text) }
        return VisibleText.escaped(String(scalars[..<end])) + "…"
    }
}

/// A topic or a name as messages show it: room for the longest bundle ID that Apple allows, with a kind or a suffix, because
/// such names differ at their end.
func quotedIdentifier(_ value: String) -> String { quoted(value, limit: 200) }

extension TextStyle {
    /// A text in the color of a status.
    func colored(_ text: String, _ status: CheckStatus) -> String {
        switch status {
        case .critical, .unknown: red(text)
        case .warning: yellow(text)
        case .ok: green(text)
        }
    }
}
