import ACME
import AssociationServer
import AutomaticCertificates
import CommandLineSupport
import Diagnostics
import SystemSupport

/// `aasa certificates` for people: a table of the certificates, and below it what is to be said about sites.
struct CertificatesReport {
    let overview: IssuanceOverview
    /// Seconds since 1970.
    let now: Int64
    let style: TextStyle
    /// Of the terminal; nil if it is none.
    let width: Int?
    let symbols: Symbols

    var lines: [String] {
        var lines = table
        let remarks = overview.sites.flatMap(remark)
        if !lines.isEmpty, !remarks.isEmpty { lines.append("") }
        lines += remarks
        return lines + [summary]
    }

    // MARK: The table

    private enum Column: Int, CaseIterable {
        case names, issuer, days, source, renewal, problem
    }

    private struct Row {
        let texts: [String]
        /// How it is to be seen; nil for the names of the columns.
        let level: Level?
    }

    private enum Level {
        case fine, attention, broken
    }

    /// With fewer days left a certificate of another source needs attention, as in `aasa serve --check`.
    private static let fewDays = 30
    private static let gap = 2
    /// Of the mark before each line, and the blank after it.
    private static let markWidth = 2
    /// Columns that a terminal that is too narrow takes from, and what each keeps.
    private static let flexible: [(column: Column, least: Int)] = [(.problem, 16), (.issuer, 8), (.names, 16)]

    private var table: [String] {
        guard !overview.certificates.isEmpty else { return [] }
        let header = Row(texts: ["NAMES", "ISSUER", "DAYS", "SOURCE", "RENEWAL", "PROBLEM"], level: nil)
        let rows = [header] + overview.certificates.map(row)
        let widths = widths(rows)
        return rows.map { line($0, widths) }
    }

    private func row(_ certificate: IssuanceOverview.Certificate) -> Row {
        let others = certificate.names.count - 1
        let names = (certificate.names.first ?? "") + (others > 0 ? " +\(others)" : "")
        let days = certificate.daysLeft(at: now)
        let (problem, level) = problem(certificate, days)
        return Row(
            texts: [
                names, certificate.issuer, "\(days)", certificate.source.rawValue,
                certificate.nextRenewal.map { $0 <= now ? "now" : InternetDate.day($0) } ?? "-", problem,
            ].map(VisibleText.escaped), level: level)
    }

    private func problem(_ certificate: IssuanceOverview.Certificate, _ days: Int) -> (String, Level) {
        if certificate.notAfter < now { return ("expired", .broken) }
        if certificate.notBefore > now { return ("not valid yet", .attention) }
        if !certificate.isPresented { return ("not used", .fine) }
        if certificate.nextRenewal != nil, let status = status(certificate), let error = status.lastError,
            status.state == .backoff || status.state == .blocked
        {
            return ("not renewed: \(error.type.rawValue)", .attention)
        }
        return certificate.nextRenewal == nil && days < Self.fewDays ? ("expires soon", .attention) : ("", .fine)
    }

    private func status(_ certificate: IssuanceOverview.Certificate) -> DomainStatus? {
        certificate.domain.flatMap { overview.statuses.byDomain[$0] }
    }

    /// What each column takes: all that it needs, unless a terminal has less.
    private func widths(_ rows: [Row]) -> [Int] {
        var widths = Column.allCases.map { column in
            rows.map { TerminalWidth.columns($0.texts[column.rawValue]) }.max() ?? 0
        }
        guard let width else { return widths }
        for (column, least) in Self.flexible {
            let excess = Self.markWidth + widths.reduce(0, +) + Self.gap * (widths.count - 1) - width
            let needed = widths[column.rawValue]
            if excess > 0 { widths[column.rawValue] = max(min(needed, least), needed - excess) }
        }
        return widths
    }

    private func line(_ row: Row, _ widths: [Int]) -> String {
        var line = mark(row.level)
        // Blanks are owed until something follows.
        var blanks = 0
        for column in Column.allCases {
            let width = widths[column.rawValue]
            let text = cut(row.texts[column.rawValue], column, width)
            let rest = width - TerminalWidth.columns(text)
            if column == .days { blanks += rest }
            if !text.isEmpty {
                line += String(repeating: " ", count: blanks) + painted(text, column, row.level)
                blanks = 0
            }
            blanks += Self.gap + (column == .days ? 0 : rest)
        }
        return line
    }

    private func mark(_ level: Level?) -> String {
        switch level {
        case .broken: "\(style.red("x")) "
        case .attention: "\(style.yellow("!")) "
        case .fine, nil: "  "
        }
    }

    private func painted(_ text: String, _ column: Column, _ level: Level?) -> String {
        guard let level else { return style.dim(text) }
        switch column {
        case .names: return style.bold(text)
        case .days, .problem:
            switch level {
            case .broken: return style.red(text)
            case .attention: return style.yellow(text)
            case .fine: return column == .problem ? style.dim(text) : text
            }
        case .issuer, .source, .renewal: return text
        }
    }

    /// Leaves something out: of names in the middle, because they differ at their ends.
    private func cut(_ text: String, _ column: Column, _ width: Int) -> String {
        guard TerminalWidth.columns(text) > width else { return text }
        let rest = max(0, width - TerminalWidth.columns(symbols.ellipsis))
        let head = Self.prefix(text, column == .names ? rest / 3 : rest)
        let tail = column == .names ? Self.prefix(text.reversed(), rest - TerminalWidth.columns(head)) : ""
        return head + symbols.ellipsis + String(tail.reversed())
    }

    private static func prefix(_ text: some Sequence<Character>, _ width: Int) -> String {
        var result = ""
        var used = 0
        for character in text {
            used += TerminalWidth.columns(String(character))
            guard used <= width else { break }
            result.append(character)
        }
        return result
    }

    // MARK: The sites

    /// That a site has no certificate, or that it is not renewed, and why.
    private func remark(_ site: IssuanceOverview.Site) -> [String] {
        let status = site.status
        guard site.isWithout || Self.isFailing(site) else { return [] }
        let state = status.map { " (\($0.state.rawValue))" } ?? ""
        let headline = "\(site.domain): \(site.isWithout ? "no certificate" : "not renewed")\(state)"
        let reasons = status.map(reasons) ?? ["add one to the folder of certificates, or 'acme' to server.json"]
        let text = VisibleText.escaped(headline + (reasons.isEmpty ? "" : ": \(reasons.joined(separator: "; "))"))
        let start = mark(site.isWithout ? .broken : .attention)
        guard let width, width > 20 else { return [start + text] }
        return WrappedText.lines(text, columns: width - Self.markWidth, indent: 4).enumerated().map { index, line in
            (index == 0 ? start : "  ") + line
        }
    }

    /// Whether its last attempt has failed, and the next one is waited for.
    private static func isFailing(_ site: IssuanceOverview.Site) -> Bool {
        guard let status = site.status, status.lastError != nil else { return false }
        return status.state == .backoff || status.state == .blocked
    }

    private func reasons(_ status: DomainStatus) -> [String] {
        let error = status.lastError.map { "\($0.type.rawValue): \($0.message)" }
        let failure = error.map { ["the last attempt failed: \($0)"] } ?? []
        switch status.state {
        case .ordering, .renewing: return ["it is being ordered"]
        case .waiting:
            let isServed = overview.statuses.isLocked
            return [isServed ? "it is ordered soon" : "no server that orders certificates is running"] + failure
        case .backoff, .blocked:
            let next = status.nextAttempt.map { ["next attempt at \(InternetDate.string($0))"] } ?? []
            return (error.map { [$0] } ?? []) + next
        case .excluded, .covered, .valid: return failure
        }
    }

    private var summary: String {
        let certificates = overview.certificates.count
        let expired = overview.certificates.count { $0.notAfter < now }
        let without = overview.sites.count(where: \.isWithout)
        var parts: [String] = []
        if expired > 0 { parts.append("\(expired) expired") }
        if without > 0 { parts.append("\(counted(without, "site")) without a certificate") }
        let late = overview.sites.count { !$0.isWithout && Self.isFailing($0) }
        if late > 0 { parts.append("\(late) not renewed") }
        let result = parts.isEmpty ? "all is well" : parts.joined(separator: ", ")
        return "\(counted(certificates, "certificate")), \(counted(overview.sites.count, "site")): \(result)"
    }
}
