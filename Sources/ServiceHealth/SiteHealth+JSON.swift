package import Diagnostics
internal import JSONSyntax
internal import SystemSupport

// The answer of `/api/v1/status`, which `aasa status` reads (server.md, section 9).
extension SiteHealth {
    /// The most problems, and remarks, that are listed.
    package static let maxListed = 1_000

    package var members: [String: JSONOutput] {
        [
            "version": .number(1), "status": .string(severity.word), "serving": .string(serving),
            "sites": .object(
                Dictionary(uniqueKeysWithValues: Self.counts.map { ($1, .number(sites[keyPath: $0])) })),
            "problems": Self.list(problems), "more": .number(more + max(0, problems.count - Self.maxListed)),
            "remarks": Self.list(remarks), "fileWarnings": .number(fileWarnings),
            "nextExpiry": nextExpiry.map { .object($0.members) } ?? .null,
            "program": program.map { .object($0.members) } ?? .null,
        ]
    }

    private static func list(_ problems: [HealthProblem]) -> JSONOutput {
        .array(problems.prefix(maxListed).map { .object($0.members) })
    }

    private static var counts: [(WritableKeyPath<Sites, Int>, String)] {
        [
            (\.total, "total"), (\.published, "published"), (\.stale, "stale"), (\.refused, "refused"),
            (\.withoutCertificate, "withoutCertificate"), (\.broken, "broken"), (\.attention, "attention"),
        ]
    }

    /// Reads what `members` are written as.
    ///
    /// - Returns: nil for anything else.
    package init?(_ json: [UInt8]) {
        let document = JSONReader.read(json, path: "status", limits: .configuration)
        guard document.findings.isEmpty, let root = document.root?.object,
            let status = HealthSeverity(word: root.text("status")), let serving = root.text("serving"),
            let counts = root["sites"]?.object, let list = root["problems"]?.array, let more = root.number("more")
        else { return nil }
        var sites = Sites()
        for (path, name) in Self.counts {
            guard let number = counts.number(name) else { return nil }
            sites[keyPath: path] = number
        }
        // A server of an earlier version has none of the rest.
        var read: [[HealthProblem]] = []
        for nodes in [list, root["remarks"]?.array ?? []] {
            let problems = nodes.compactMap { $0.object.flatMap(HealthProblem.init) }
            guard problems.count == nodes.count else { return nil }
            read.append(problems)
        }
        self.init(
            serving: serving, severity: status, sites: sites, problems: read[0], more: more, remarks: read[1],
            fileWarnings: root.number("fileWarnings") ?? 0,
            nextExpiry: root["nextExpiry"]?.object.flatMap(Expiry.init),
            program: root["program"]?.object.flatMap(HealthFacts.Program.init))
    }
}

extension HealthProblem {
    fileprivate init?(_ object: JSONObject) {
        guard let kind = object.text("kind"), let severity = HealthSeverity(word: object.text("severity")),
            let message = object.text("message")
        else { return nil }
        self.init(
            object.text("domain"), HealthKind(rawValue: kind), severity, message, since: object.time("since"),
            path: object.text("path"), help: object.text("help"))
        (line, column) = (object.number("line"), object.number("column"))
    }
}

extension SiteHealth.Expiry {
    fileprivate var members: [String: JSONOutput] {
        [
            "domain": .string(domain), "notAfter": .string(InternetDate.string(notAfter)),
            "daysLeft": .number(daysLeft), "warningDays": .number(warningDays), "criticalDays": .number(criticalDays),
        ]
    }

    fileprivate init?(_ object: JSONObject) {
        guard let domain = object.text("domain"), let notAfter = object.time("notAfter"),
            let left = object.number("daysLeft"), let warning = object.number("warningDays"),
            let critical = object.number("criticalDays")
        else { return nil }
        self.init(
            domain: domain, notAfter: notAfter, daysLeft: left, warningDays: warning, criticalDays: critical)
    }
}

extension HealthFacts.Program {
    fileprivate var members: [String: JSONOutput] {
        [
            "version": .string(version), "startedAt": .optional(startedAt.map(InternetDate.string)),
            "reloadedAt": .optional(reloadedAt.map(InternetDate.string)),
        ]
    }

    fileprivate init?(_ object: JSONObject) {
        guard let version = object.text("version") else { return nil }
        self.init(version: version, startedAt: object.time("startedAt"), reloadedAt: object.time("reloadedAt"))
    }
}

extension JSONObject {
    fileprivate func text(_ name: String) -> String? { self[name]?.string?.text }

    fileprivate func number(_ name: String) -> Int? {
        guard case .number(let text)? = self[name]?.value else { return nil }
        return Int(text)
    }

    fileprivate func time(_ name: String) -> Int64? { text(name).flatMap { try? InternetDate.seconds($0) } }
}
