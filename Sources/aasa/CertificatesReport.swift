import ACME
import AssociationServer
import AutomaticCertificates
import CommandLineSupport
import Diagnostics
import ServiceHealth
import SystemSupport

/// `aasa certificates` for people: a table of the certificates, and below it what is to be said about sites.
struct CertificatesReport {
    let overview: IssuanceOverview
    /// Seconds since 1970.
    let now: Int64
    let style: TextStyle
    /// The width of the terminal, in columns; nil if it is none.
    let width: Int?
    let symbols: Symbols

    var lines: [String] {
        var lines = table
        let remarks = overview.sites.flatMap(remark)
        if !lines.isEmpty, !remarks.isEmpty { lines.append("") }
        return lines + remarks + help + wrapped(summary)
    }

    private func wrapped(_ line: String) -> [String] {
        guard let width, width > 20 else { return [line] }
        return WrappedText.lines(line, columns: width, indent: 2)
    }

    // MARK: The table

    private enum Column: Int, CaseIterable {
        case names, issuer, days, source, renewal, problem
    }

    private struct Row {
        let texts: [String]
        /// Nil for the names of the columns.
        let severity: HealthSeverity?
    }

    /// The width of the mark before each line, and of the blank after it.
    private static let markWidth = 2
    /// Columns that a terminal that is too narrow takes from, and what each keeps.
    private static let flexible: [(column: Column, least: Int)] = [(.issuer, 8), (.problem, 16), (.names, 16)]

    private var table: [String] {
        guard !overview.certificates.isEmpty else { return [] }
        let header = Row(texts: ["NAMES", "ISSUER", "DAYS", "SOURCE", "RENEWAL", "PROBLEM"], severity: nil)
        let rows = [header] + overview.certificates.map(row)
        let widths = widths(rows)
        return rows.map { line($0, widths) }
    }

    private func row(_ certificate: IssuanceOverview.Certificate) -> Row {
        let others = certificate.names.count - 1
        let names = (certificate.names.first ?? "") + (others > 0 ? " +\(others)" : "")
        let judgement = certificate.judgement
        return Row(
            texts: [
                names, certificate.issuer, "\(certificate.daysLeft(at: now))", certificate.source.rawValue,
                certificate.nextRenewal.map { $0 <= now ? "now" : InternetDate.day($0) } ?? "-",
                judgement.state == .ok ? "" : judgement.summary,
            ].map(VisibleText.escaped), severity: judgement.severity)
    }

    /// The width of each column: all that it needs, unless a terminal has less.
    private func widths(_ rows: [Row]) -> [Int] {
        var widths = Column.allCases.map { column in
            rows.map { TerminalWidth.columns($0.texts[column.rawValue]) }.max() ?? 0
        }
        guard let width else { return widths }
        for (column, least) in Self.flexible {
            let excess = Self.markWidth + widths.reduce(0, +) + TableLine.gap * (widths.count - 1) - width
            let needed = widths[column.rawValue]
            if excess > 0 { widths[column.rawValue] = max(min(needed, least), needed - excess) }
        }
        return widths
    }

    private func line(_ row: Row, _ widths: [Int]) -> String {
        var line = TableLine(mark(row.severity))
        for column in Column.allCases {
            let width = widths[column.rawValue]
            // Names differ at their ends.
            let head = column == .names ? max(0, width - TerminalWidth.columns(symbols.ellipsis)) / 3 : nil
            let text = TableLine.cut(row.texts[column.rawValue], to: width, head: head, ellipsis: symbols.ellipsis)
            let painted = painted(text, column, row.severity)
            line.add(text, painted: painted, width: width, isRight: column == .days)
        }
        return line.text
    }

    private func mark(_ severity: HealthSeverity?) -> String {
        switch severity {
        case .critical: "\(style.red("x")) "
        case .warning: "\(style.yellow("!")) "
        case .ok, nil: "  "
        }
    }

    private func painted(_ text: String, _ column: Column, _ severity: HealthSeverity?) -> String {
        guard let severity else { return style.dim(text) }
        switch column {
        case .names: return style.bold(text)
        case .days, .problem:
            switch severity {
            case .critical: return style.red(text)
            case .warning: return style.yellow(text)
            case .ok: return column == .problem ? style.dim(text) : text
            }
        case .issuer, .source, .renewal: return text
        }
    }

    // MARK: The sites

    /// That a site has no certificate, or that it is not renewed, and why.
    private func remark(_ site: IssuanceOverview.Site) -> [String] {
        guard let subject = subject(site.judgement) else { return [] }
        let state = site.status.map { " (\($0.state.rawValue))" } ?? ""
        let reasons = reasons(site)
        let text = VisibleText.escaped(
            "\(site.domain): \(subject)\(state)" + (reasons.isEmpty ? "" : ": \(reasons.joined(separator: "; "))"))
        let start = mark(site.judgement.severity)
        guard let width, width > 20 else { return [start + text] }
        return WrappedText.lines(text, columns: width - Self.markWidth, indent: 4).enumerated().map { index, line in
            (index == 0 ? start : "  ") + line
        }
    }

    /// The sentence about a site; nil if the table says it all.
    private func subject(_ judgement: CertificateJudgement) -> String? {
        switch judgement.state {
        case .missing, .awaited, .orderFailed: "no certificate"
        case .blocked: judgement.isServed ? "not renewed" : "no certificate"
        case .renewalFailed, .renewalOverdue: "not renewed"
        case .partial: "certificates \(judgement.summary)"
        case .ok, .expires, .expired, .notYetValid, .notNeeded, .unused: nil
        }
    }

    private func reasons(_ site: IssuanceOverview.Site) -> [String] {
        guard let status = site.status, site.judgement.state != .missing, site.judgement.state != .partial else {
            return site.judgement.advice.map { [$0] } ?? []
        }
        let error = status.lastError.map { "\($0.type.rawValue): \($0.message)" }
        let failure = error.map { ["the last attempt failed: \($0)"] } ?? []
        switch status.state {
        case .ordering, .renewing: return ["it is being ordered"] + failure
        case .waiting:
            let isServed = overview.statuses.isLocked
            return [isServed ? "it is ordered soon" : "no server that orders certificates is running"] + failure
        case .backoff, .blocked:
            let next = status.nextAttempt.map { ["next attempt at \(InternetDate.string($0))"] } ?? []
            return (error.map { [$0] } ?? []) + next
        case .excluded, .covered, .valid: return failure
        }
    }

    /// The advice about what the remarks do not explain.
    private var help: [String] {
        let sites = overview.sites.filter { $0.judgement.severity > .ok && subject($0.judgement) == nil }
        return CertificatesHelp(sites: sites.map { ($0.domain, $0.judgement) }, width: width).lines
    }

    /// `2 certificates, 3 sites: 1 certificate expires soon`.
    private var summary: String {
        let used = overview.certificates.map(\.judgement)
        let sites = overview.sites.map(\.judgement)
        func certificates(_ states: CertificateJudgement.State...) -> Int {
            used.count { states.contains($0.state) && $0.severity > .ok }
        }
        var parts: [String] = []
        let expired = certificates(.expired)
        if expired > 0 { parts.append("\(expired) expired") }
        let early = certificates(.notYetValid)
        if early > 0 { parts.append("\(early) not valid yet") }
        let without = sites.count { !$0.isServed && [.missing, .awaited, .orderFailed, .blocked].contains($0.state) }
        if without > 0 { parts.append("\(counted(without, "site")) without a certificate") }
        let partial = sites.count { $0.state == .partial }
        if partial > 0 { parts.append("\(counted(partial, "site")) with one for some names only") }
        let late = sites.count {
            $0.isServed && [.renewalFailed, .renewalOverdue, .blocked].contains($0.state)
        }
        if late > 0 { parts.append("\(late) not renewed") }
        let ending = certificates(.expires)
        if ending > 0 { parts.append("\(counted(ending, "certificate")) \(ending == 1 ? "expires" : "expire") soon") }
        let refused = Set(overview.findings.filter(\.isError).map(\.path)).count
        if refused > 0 { parts.append("\(refused) refused") }
        let warnings = overview.findings.count { !$0.isError } + (overview.statuses.problem == nil ? 0 : 1)
        if warnings > 0 { parts.append(counted(warnings, "other warning")) }
        let result = parts.isEmpty ? "all is well" : parts.joined(separator: ", ")
        let count = overview.certificates.count
        return "\(counted(count, "certificate")), \(counted(overview.sites.count, "site")): \(result)"
    }
}

/// The lines that say what to do about the certificates of sites, one for each advice.
struct CertificatesHelp {
    private static let maxNames = 3

    /// By domain, in the order in which they are named.
    let sites: [(domain: String, judgement: CertificateJudgement)]
    /// The columns of the terminal; nil if it is none.
    let width: Int?

    /// Like `help: a.example, b.example and 2 more: renew it now`.
    var lines: [String] {
        var advices: [String] = []
        var domains: [String: [String]] = [:]
        for (domain, judgement) in sites {
            guard let advice = judgement.advice else { continue }
            if domains[advice] == nil { advices.append(advice) }
            domains[advice, default: []].append(domain)
        }
        return advices.flatMap { advice in
            let all = domains[advice] ?? []
            let rest = all.count > Self.maxNames ? " and \(grouped(all.count - Self.maxNames)) more" : ""
            let names = all.prefix(Self.maxNames).joined(separator: ", ") + rest
            let text = VisibleText.escaped("help: \(names): \(advice)")
            guard let width, width > 20 else { return [text] }
            return WrappedText.lines(text, columns: width, indent: 6)
        }
    }
}

/// `aasa certificates --format json`.
struct CertificatesJSON {
    let overview: IssuanceOverview
    /// Seconds since 1970.
    let now: Int64

    var members: [String: JSONOutput] {
        [
            "certificates": .array(overview.certificates.map { Self.value($0, now) }),
            "domains": .array(overview.sites.map(value)),
        ]
    }

    static func value(_ certificate: IssuanceOverview.Certificate, _ now: Int64) -> JSONOutput {
        .object([
            "names": .array(certificate.names.map(JSONOutput.string)), "issuer": .string(certificate.issuer),
            "serial": .string(certificate.serial), "sha256": .string(certificate.sha256),
            "keyType": .string(certificate.keyType), "notBefore": .string(InternetDate.string(certificate.notBefore)),
            "notAfter": .string(InternetDate.string(certificate.notAfter)),
            "daysLeft": .number(certificate.daysLeft(at: now)), "folder": .string(certificate.folder),
            "source": .string(certificate.source.rawValue),
            "nextRenewal": .optional(certificate.nextRenewal.map(InternetDate.string)),
            "certificateStatus": .object(certificate.judgement.members),
        ])
    }

    private func value(_ site: IssuanceOverview.Site) -> JSONOutput {
        var members: [String: JSONOutput] = [
            "state": .null, "nextRenewal": .null, "nextAttempt": .null, "lastAttempt": .null, "failures": .number(0),
            "lastError": .null,
        ]
        if let status = site.status { members = status.members }
        members["domain"] = .string(site.domain)
        members["certificate"] = .optional(site.certificate)
        members["certificateStatus"] = .object(site.judgement.members)
        return .object(members)
    }
}
