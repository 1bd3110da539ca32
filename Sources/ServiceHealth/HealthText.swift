package import Diagnostics
internal import SystemSupport

/// The health of a server as text: for people, and for monitoring plugins.
package struct HealthText: Sendable {
    private let health: SiteHealth
    private let style: TextStyle
    /// The width of the terminal, in columns; nil if it is none.
    private let width: Int?
    /// Seconds since 1970.
    private let now: Int64

    package init(_ health: SiteHealth, style: TextStyle = TextStyle(isColored: false), width: Int? = nil, now: Int64) {
        (self.health, self.style, self.width, self.now) = (health, style, width, now)
    }

    // MARK: People

    /// The problems, the worst first, each with where it is and what to do; then one line that sums up, and one about
    /// the program.
    ///
    /// - Parameter hasRemarks: whether what changes no severity is listed, too.
    package func lines(hasRemarks: Bool = false) -> [String] {
        var lines = health.problems.flatMap(block)
        if health.more > 0 { lines.append("and \(counted(health.more, "more problem"))") }
        if hasRemarks { lines += health.remarks.flatMap(block) }
        return lines + [summary, program].compactMap { $0 }.flatMap { wrapped($0, indent: 2) }
    }

    private func block(_ problem: HealthProblem) -> [String] {
        let mark =
            switch problem.severity {
            case .critical: style.red("x")
            case .warning: style.yellow("!")
            case .ok: style.dim("-")
            }
        let domain = problem.domain.map { "\(style.bold(VisibleText.escaped($0))): " } ?? ""
        let since =
            problem.since.flatMap { since in
                since < now ? " since \(InternetDate.dayAndMinute(since)) (\(Age.words(now - since)))" : nil
            } ?? ""
        let kind = VisibleText.escaped(problem.kind.rawValue)
        let text = VisibleText.escaped(problem.message) + style.dim(" [\(kind)]\(since)")
        var lines = wrapped("\(mark) \(domain)\(text)", indent: 4)
        if let location = problem.location { lines.append("    \(style.dim("-->")) \(VisibleText.escaped(location))") }
        if let help = problem.help {
            lines += wrapped("    \(style.cyan("help:")) \(VisibleText.escaped(help))", indent: 6)
        }
        return lines
    }

    private func wrapped(_ line: String, indent: Int) -> [String] {
        guard let width, width > 20 else { return [line] }
        return WrappedText.lines(line, columns: width, indent: indent)
    }

    /// `500 sites: 2 broken, 1 needs attention, 497 fine`.
    package var summary: String {
        let sites = health.sites
        var parts: [String] = []
        if sites.broken > 0 { parts.append("\(sites.broken) broken") }
        if sites.attention > 0 {
            parts.append("\(sites.attention) \(sites.attention == 1 ? "needs" : "need") attention")
        }
        if sites.fine > 0 { parts.append("\(sites.fine) fine") }
        var text = counted(sites.total, "site") + (parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))")
        let general = health.problems.count { $0.domain == nil }
        if general > 0 { text += "; \(counted(general, "problem")) of the whole server" }
        if health.fileWarnings > 0 { text += "; \(counted(health.fileWarnings, "warning")) in files that are served" }
        return text
    }

    /// `aasa 0.13.0, up 3 days, last reload 2 minutes ago; next certificate to expire: a.example, in 20 days`; nil where
    /// nothing of it is known.
    package var program: String? {
        var parts: [String] = []
        if let process = health.program {
            let start = process.startedAt.map { ", up \(Age.words(now - $0))" } ?? ""
            let reload = process.reloadedAt.map { ", last reload \(Age.words(now - $0)) ago" } ?? ""
            parts.append("aasa \(process.version)\(start)\(reload)")
        }
        if let next = health.nextExpiry {
            let left = CertificateValidity(notBefore: 0, notAfter: next.notAfter).timeLeft(at: now)
            parts.append(
                "next certificate to expire: \(next.domain), "
                    + (next.notAfter < now ? "expired on \(InternetDate.day(next.notAfter))" : "in \(left)"))
        }
        return parts.isEmpty ? nil : VisibleText.escaped(parts.joined(separator: "; "))
    }

    // MARK: Monitoring plugins

    private static let maxNamed = 10
    private static let words = ["OK", "WARNING", "CRITICAL"]

    /// One line with performance data, then the first problems (Monitoring Plugins Development Guidelines).
    package func nagios(isStrict: Bool = false) -> [String] {
        let word = Self.words[Int(health.severity.pluginCode(isStrict: isStrict))]
        let general = health.problems.filter { $0.domain == nil }.map(\.message)
        let text = ([summary] + general.prefix(Self.maxNamed)).joined(separator: "; ")
        let named = health.problems.prefix(Self.maxNamed).map {
            Self.plain("\($0.severity.word.uppercased()): \($0.sentence)")
        }
        return ["AASA \(word) - \(Self.plain(text)) | \(performance.joined(separator: " "))"] + named
    }

    private var performance: [String] {
        let sites = health.sites
        var data = [
            "sites=\(sites.total);;;0", "broken=\(sites.broken);;0;0", "attention=\(sites.attention);0;;0",
            "stale=\(sites.stale);0;;0", "refused=\(sites.refused);;0;0",
            "without_certificate=\(sites.withoutCertificate);;0;0", "file_warnings=\(health.fileWarnings);;;0",
        ]
        if let next = health.nextExpiry {
            data.append("days=\(next.daysLeft);\(next.warningDays):;\(next.criticalDays):")
        }
        if let start = health.program?.startedAt { data.append("uptime=\(max(0, now - start))s;;;0") }
        if let reload = health.program?.reloadedAt { data.append("last_reload=\(max(0, now - reload))s;;;0") }
        return data
    }

    /// A bar begins the performance data, and the text is one line.
    package static func plain(_ text: String) -> String { VisibleText.escaped(text).replacing("|", with: "/") }

    /// The line of a plugin where there is no health to show.
    package static func nagios(unavailable reason: String, isCritical: Bool) -> String {
        "AASA \(isCritical ? "CRITICAL" : "UNKNOWN") - \(plain(reason))"
    }
}

/// The age of something in the largest unit that fits: `3 minutes`.
package enum Age {
    /// - Parameter seconds: a negative number counts as 0.
    package static func words(_ seconds: Int64) -> String {
        let seconds = Int(max(0, seconds))
        switch seconds {
        case ..<60: return counted(seconds, "second")
        case ..<3_600: return counted(seconds / 60, "minute")
        case ..<86_400: return counted(seconds / 3_600, "hour")
        default: return counted(seconds / 86_400, "day")
        }
    }
}
