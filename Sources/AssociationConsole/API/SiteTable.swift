internal import Diagnostics
internal import DomainNames
internal import HTTP1
internal import ServiceHealth
internal import URLPatterns

/// Which sites are listed, and how (docs/spec/console.md, section 4).
struct SiteTableQuery {
    enum Column: String, CaseIterable {
        case domain, state, certificate, fetch, findings
    }

    enum Order: String, CaseIterable {
        case asc, desc
    }

    static let names = ["q", "state", "problem", "sort", "order", "offset", "limit"]

    var text = ""
    var state: SiteState.State?
    var problem: HealthKind?
    var sort = Column.domain
    var order = Order.asc
    var offset = 0
    var limit = 50

    /// - Parameter limit: Where the parameters set none.
    init(_ parameters: Parameters, limit: Int) throws(APIError) {
        text = parameters["q"] ?? ""
        state = try parameters.choice("state")
        problem = try parameters.choice("problem", of: HealthKind.known)
        sort = try parameters.choice("sort") ?? .domain
        order = try parameters.choice("order") ?? .asc
        offset = try parameters.offset()
        self.limit = try parameters.limit(limit)
    }
}

/// The sites that a query asks for.
struct SiteTable {
    /// The number of all sites.
    let total: Int
    /// The number of those that the query asks for.
    let matching: Int
    /// Those from the offset on.
    let rows: [SiteFacts]

    /// - Parameter problems: Those of the same facts; nil if the query does not ask for any.
    init(_ facts: HealthFacts, _ query: SiteTableQuery, _ problems: SiteProblems?) {
        total = facts.sites.count
        let text = query.text.lowercased()
        var found = facts.sites
        if let problem = query.problem {
            let domains = problems?.domains[problem] ?? []
            found = found.filter { domains.contains($0.domain) }
        }
        if let state = query.state { found = found.filter { $0.site.state == state } }
        if !text.isEmpty {
            let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
            found.removeAll { site in
                if site.domain.contains(text) { return false }
                // A part of a name can be ASCII in Unicode and something else in Punycode.
                guard site.domain.contains("xn--") || !isASCII else { return true }
                return Punycode.unicode(site.domain)?.lowercased().contains(text) != true
            }
        }
        matching = found.count
        rows = Array(Self.sorted(found, query).dropFirst(query.offset).prefix(query.limit))
    }

    private static func sorted(_ sites: [SiteFacts], _ query: SiteTableQuery) -> [SiteFacts] {
        let isDescending = query.order == .desc
        func sorted(_ key: (SiteFacts) -> Int64?) -> [SiteFacts] {
            // Numbers are sorted, not sites: those are large.
            let keys = sites.indices.map { (key: key(sites[$0]), index: $0) }
            return keys.sorted { left, right in
                if left.key == right.key { return left.index < right.index }
                guard let one = left.key else { return false }
                guard let other = right.key else { return true }
                return isDescending ? one > other : one < other
            }.map { sites[$0.index] }
        }
        switch query.sort {
        case .domain: return isDescending ? sites.reversed() : sites
        case .state: return sorted { Int64(SiteState.State.allCases.firstIndex(of: $0.site.state) ?? 0) }
        case .certificate: return sorted { $0.certificate?.notAfter }
        case .fetch: return sorted { $0.lastFetch?.at }
        case .findings: return sorted { Int64($0.errors) << 32 + Int64($0.warnings) }
        }
    }
}

/// The parameters in the query of a request.
struct Parameters {
    private static let maxOffset = 10_000_000
    private static let maxLimit = 500

    private var values: [String: String] = [:]

    /// - Parameter known: The names that there are.
    init(_ query: String?, known: [String]) throws(APIError) {
        for pair in (query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard known.contains(name) else {
                let meant = Spelling.closest(to: String(name.prefix(64)), among: known).map {
                    "; did you mean '\($0)'?"
                }
                throw .badRequest("unknown parameter \(quoted(name))\(meant ?? "")")
            }
            guard parts.count == 2, let value = PercentEncoding.text(parts[1]) else {
                throw .badRequest("parameter '\(name)' has no value, or is not percent-encoded UTF-8")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .badRequest("parameter '\(name)' is given twice")
            }
        }
    }

    /// The parameters that a form of a page sends: what nobody knows, or is empty, is left out, and `+` is a space.
    init(form query: String?) {
        for pair in (query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            let value = parts.count == 2 ? String(parts[1].map { $0 == "+" ? " " : $0 }) : ""
            guard !value.isEmpty, let decoded = PercentEncoding.text(value[...]) else { continue }
            values[String(parts[0])] = decoded
        }
    }

    subscript(name: String) -> String? { values[name] }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String
    ) throws(APIError) -> Choice? where Choice.RawValue == String {
        try choice(name, of: Array(Choice.allCases))
    }

    func choice<Choice: RawRepresentable>(
        _ name: String, of choices: [Choice]
    ) throws(APIError) -> Choice? where Choice.RawValue == String {
        guard let text = values[name] else { return nil }
        guard let choice = choices.first(where: { $0.rawValue == text }) else {
            let known = choices.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw .badRequest("parameter '\(name)' is \(quoted(text)); expected one of \(known)")
        }
        return choice
    }

    func number(_ name: String, in range: ClosedRange<Int>) throws(APIError) -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), String(number) == text, range.contains(number) else {
            throw .badRequest(
                "parameter '\(name)' is \(quoted(text)); expected a number from \(range.lowerBound) to "
                    + grouped(range.upperBound))
        }
        return number
    }

    func offset() throws(APIError) -> Int { try number("offset", in: 0...Self.maxOffset) ?? 0 }

    func limit(_ usual: Int) throws(APIError) -> Int { try number("limit", in: 1...Self.maxLimit) ?? usual }
}
