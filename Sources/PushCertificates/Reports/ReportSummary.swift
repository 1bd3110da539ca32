internal import Diagnostics

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
