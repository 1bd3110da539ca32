package import Diagnostics
package import URLPatterns

/// A filter of an Android app that takes web links: VIEW, BROWSABLE, and data with `http` or `https`.
///
/// All data of a filter combine, as Android does it: each of its schemes with each of its hosts and each of its paths.
package struct LinkFilter: Sendable {
    package struct Authority: Sendable {
        /// In lower case, without the `*` of a wildcard; nil if only a build tells.
        package let host: String?
        /// Whether `host` is only the end of the hosts that are meant.
        package let isWildcard: Bool
        fileprivate let port: Port
    }

    fileprivate enum Port: Sendable {
        case every
        /// Nil if it is not a number, which no port is.
        case one(Int?)
        /// Only a build tells.
        case unresolved
    }

    /// Where it begins.
    package let range: SourceRange
    /// The name of its activity or alias, as it is written; nil if there is none.
    package let activity: String?
    /// `android:autoVerify="true"`.
    package var asksForVerification = false
    /// Whether it has the category DEFAULT, without which the system gives links to no filter.
    package var hasDefaultCategory = true
    /// Whether its activity can be started from outside of the app.
    package var isExported = true
    /// Nil is one that only a build tells.
    private var schemes: [String?] = []
    package private(set) var authorities: [Authority] = []
    /// None takes every path, as long as there are no groups.
    private var paths: [TextPattern] = []
    private var groups: [FilterGroup] = []
    /// The patterns for the text after the scheme (`ssp` and others).
    private var schemeSpecificParts: [TextPattern] = []
    /// Whether it wants a content type, which no link has.
    private var isForContent = false
    /// The version of Android that reads it.
    private let api: Int

    package init(range: SourceRange, activity: String? = nil, api: Int = ManifestDecisions.api) {
        self.range = range
        self.activity = activity
        self.api = api
    }

    /// Whether a link of the web can be for it.
    package var takesWebLinks: Bool {
        !isForContent && schemes.contains { $0.map(Self.isForWeb) ?? true }
    }

    /// Whether the system gives links to it.
    package var getsLinks: Bool { hasDefaultCategory && isExported }

    /// Whether the system reads assetlinks.json for its hosts.
    package var isVerified: Bool {
        asksForVerification && (otherScheme == nil || !ManifestDecisions.otherSchemesPreventVerification)
    }

    /// A scheme that is not for the web; with one, Android 12 and later verify nothing.
    package var otherScheme: String? { schemes.lazy.compactMap { $0 }.first { !Self.isForWeb($0) } }

    static func isForWeb(_ scheme: String) -> Bool { scheme == "http" || scheme == "https" }

    /// Adds data of a filter.
    ///
    /// - Parameters:
    ///   - values: The values that the build gives to names.
    ///   - attribute: The value of an attribute, by its name without a prefix; nil if it is not there.
    package mutating func add(_ values: BuildValues = BuildValues(), _ attribute: (String) -> String?) {
        if ["mimeType", "mimeGroup"].contains(where: { attribute($0) != nil }) { isForContent = true }
        if let scheme = attribute("scheme") { schemes.append(values.value(of: scheme)) }
        if let host = attribute("host") {
            let name = values.value(of: host)?.lowercased()
            let isWildcard = name?.hasPrefix("*") ?? false
            var port = Port.every
            if let raw = attribute("port") { port = values.value(of: raw).map { Port.one(Int($0)) } ?? .unresolved }
            authorities.append(
                Authority(
                    host: isWildcard ? name.map { String($0.dropFirst()) } : name, isWildcard: isWildcard, port: port))
        }
        for form in TextPattern.Form.allCases where api >= form.api {
            if let raw = attribute("path\(form.rawValue)") { paths.append(TextPattern(form, values.value(of: raw))) }
            if let raw = attribute("ssp\(form.rawValue)") {
                schemeSpecificParts.append(TextPattern(form, values.value(of: raw)))
            }
        }
    }

    mutating func add(_ group: FilterGroup) {
        if api >= ManifestDecisions.groupAPI { groups.append(group) }
    }
}

extension LinkFilter.Authority {
    /// Whether it names a host, whatever the port.
    package func names(_ host: String) -> Decision {
        guard let name = self.host else { return .undecided }
        return Decision(isWildcard ? host.hasSuffix(name) : host == name)
    }

    /// Whether it is for links without a port.
    fileprivate var takesNoPort: Decision {
        switch port {
        case .every: .yes
        case .one: .no
        case .unresolved: .undecided
        }
    }

    fileprivate func takes(_ link: AndroidLink) -> Decision {
        let port: Decision =
            switch port {
            case .every: .yes
            case .one(let port): Decision(port != nil && port == link.port.flatMap { Int($0) })
            case .unresolved: .undecided
            }
        return .all([names(link.host), port])
    }
}

extension LinkFilter {
    /// Whether the filter names a host.
    ///
    /// - Parameter host: In lower case, in Punycode.
    package func names(_ host: String) -> Decision { .any(authorities.lazy.map { $0.names(host) }) }

    /// Whether the filter names a host itself, without a wildcard.
    func namesExactly(_ host: String) -> Bool { authorities.contains { !$0.isWildcard && $0.host == host } }

    /// Whether the filter has the wildcard for all hosts below this one.
    package func names(below host: String) -> Bool { authorities.contains { $0.isWildcard && $0.host == ".\(host)" } }

    /// Whether the system verifies a host for this filter.
    func verifies(_ host: String) -> Decision {
        guard isVerified, getsLinks else { return .no }
        return .any(
            authorities.lazy.map { authority in
                if authority.isWildcard, authority.host == "", !ManifestDecisions.starVerifiesEveryHost { return .no }
                return authority.names(host)
            })
    }

    /// Whether the filter takes a link, whoever has verified what.
    package func takes(_ link: AndroidLink, _ budget: inout WorkBudget) -> Decision {
        guard !isForContent else { return .no }
        budget.spend(1 + schemes.count + authorities.count)
        let scheme = Decision.any(schemes.lazy.map { $0.map { Decision($0 == link.scheme) } ?? .undecided })
        guard scheme != .no else { return .no }
        let part = any(schemeSpecificParts, match: link.schemeSpecificPart, &budget)
        guard part != .yes else { return scheme }
        // Without a host, ports and paths are ignored.
        guard !authorities.isEmpty else { return schemeSpecificParts.isEmpty ? scheme : .all([scheme, part]) }
        let authority = Decision.any(authorities.lazy.map { $0.takes(link) })
        guard authority != .no || part != .no else { return .no }
        return .all([scheme, .any([part, .all([authority, takes(pathOf: link, &budget)])])])
    }

    /// The rules by which the filter takes the `https` links of a host that have no port.
    ///
    /// - Parameter host: In lower case, in Punycode.
    func rules(for host: String) -> FilterRules {
        guard !isForContent else { return .rules([]) }
        switch Decision.any(schemes.lazy.map { $0.map { Decision($0 == "https") } ?? .undecided }) {
        case .no: return .rules([])
        case .undecided: return .unresolved
        case .yes: break
        }
        guard schemeSpecificParts.isEmpty else { return .wholeURL }
        let everything = FilterRules.rules([FilterRule(conditions: [], takes: true)])
        guard !authorities.isEmpty else { return everything }
        switch Decision.any(authorities.lazy.map { Decision.all([$0.names(host), $0.takesNoPort]) }) {
        case .no: return .rules([])
        case .undecided: return .unresolved
        case .yes: break
        }
        guard !paths.isEmpty || !groups.isEmpty else { return everything }
        guard !paths.contains(where: \.isUnresolved) else { return .unresolved }
        // A path that matches counts, whatever the groups say.
        var rules = paths.map { FilterRule(conditions: [(.path, $0)], takes: true) }
        for group in groups {
            let (rule, isResolved) = group.rule
            guard isResolved else { return .unresolved }
            if let rule { rules.append(rule) }
        }
        return .rules(rules)
    }

    private func takes(pathOf link: AndroidLink, _ budget: inout WorkBudget) -> Decision {
        guard !paths.isEmpty || !groups.isEmpty else { return .yes }
        let path = any(paths, match: link.path, &budget)
        return path == .yes ? .yes : .any([path, FilterGroup.take(groups, link, &budget)])
    }

    private func any(_ patterns: [TextPattern], match text: [UInt16], _ budget: inout WorkBudget) -> Decision {
        var result = Decision.no
        for pattern in patterns {
            let decision = pattern.matches(text, &budget)
            if decision == .yes { return .yes }
            if decision == .undecided { result = .undecided }
        }
        return result
    }
}
