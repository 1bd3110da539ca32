package import Diagnostics

/// A filter of an Android app for links of the web: data with `http` or `https`.
///
/// All data of a filter combine, as Android does it: each of its schemes with each of its hosts and each of its paths.
package struct LinkFilter: Sendable {
    package struct Authority: Sendable {
        /// As it is written.
        package let raw: String
        /// In lower case, without the `*` of a wildcard; nil if only a build tells.
        package let host: String?
        /// Whether `host` is only the end of the hosts that are meant.
        package let isWildcard: Bool
        /// Nil if it is for every port.
        let port: ManifestValue?
    }

    /// Where it begins.
    package let range: SourceRange
    /// The name of its activity or alias, as it is written; nil if there is none.
    package let activity: String?
    /// Whether it has `android:autoVerify="true"`.
    package var asksForVerification = Decision.no
    /// Whether it has the action VIEW.
    var hasViewAction = true
    /// Whether it has the category BROWSABLE.
    var hasBrowsableCategory = true
    /// Whether it has the category DEFAULT, without which the system gives links to no filter.
    package var hasDefaultCategory = true
    /// Whether its activity can be started from outside of the app.
    package var isExported = Decision.yes
    /// Whether its activity and its app are enabled.
    package var isEnabled = Decision.yes
    /// The values, as they are written, for which only a build tells whether these hold.
    var unresolvedFlags: [FilterPart: String] = [:]
    private(set) var schemes: [ManifestValue] = []
    package private(set) var authorities: [Authority] = []
    /// None takes every path, as long as there are no groups.
    private(set) var paths: [TextCondition] = []
    private(set) var groups: [FilterGroup] = []
    /// The patterns for the text after the scheme (`ssp` and others).
    private(set) var schemeSpecificParts: [TextCondition] = []
    /// Whether it wants a content type, which no link has.
    private(set) var isForContent = false
    /// The version of Android that reads it.
    private let api: Int

    package init(range: SourceRange, activity: String? = nil, api: Int = ManifestDecisions.api) {
        self.range = range
        self.activity = activity
        self.api = api
    }

    /// Adds data of a filter.
    ///
    /// - Parameters:
    ///   - values: The values that the build gives to names.
    ///   - attribute: The value of an attribute, by its name without a prefix; nil if it is not there.
    package mutating func add(_ values: BuildValues = BuildValues(), _ attribute: (String) -> String?) {
        if ["mimeType", "mimeGroup"].contains(where: { attribute($0) != nil }) { isForContent = true }
        if let scheme = attribute("scheme") { schemes.append(ManifestValue(scheme, values)) }
        if let host = attribute("host") {
            let name = values.value(of: host)?.lowercased()
            let isWildcard = (name ?? host).hasPrefix("*")
            authorities.append(
                Authority(
                    raw: host, host: isWildcard ? name.map { String($0.dropFirst()) } : name, isWildcard: isWildcard,
                    port: attribute("port").map { ManifestValue($0, values) }))
        }
        for form in TextPattern.Form.allCases where api >= form.api {
            if let path = TextCondition("path", form, values, attribute) { paths.append(path) }
            if let part = TextCondition("ssp", form, values, attribute) { schemeSpecificParts.append(part) }
        }
    }

    mutating func add(_ group: FilterGroup) {
        if api >= ManifestDecisions.groupAPI { groups.append(group) }
    }
}

/// A value of a manifest.
struct ManifestValue: Sendable {
    /// As it is written.
    let raw: String
    /// As the app has it; nil if only a build tells.
    let value: String?

    init(_ raw: String, _ values: BuildValues) {
        self.raw = raw
        value = values.value(of: raw)
    }

    /// Whether it is a text.
    func equals(_ text: String) -> Decision {
        guard let value else { return BuildValues.canBe(raw, text) ? .undecided : .no }
        return Decision(value == text)
    }
}

/// A pattern in an attribute of a filter.
struct TextCondition: Sendable {
    /// The name of the attribute without its prefix: `pathPrefix`.
    let attribute: String
    /// The value as it is written.
    let raw: String
    let pattern: TextPattern

    /// Nil if the attribute is not there.
    init?(_ part: String, _ form: TextPattern.Form, _ values: BuildValues, _ attribute: (String) -> String?) {
        self.attribute = part + form.rawValue
        guard let raw = attribute(self.attribute) else { return nil }
        self.raw = raw
        pattern = TextPattern(form, values.value(of: raw))
    }

    /// The value with a `*` for any text, about as a dynamic rule would say it.
    var wildcardText: String {
        switch pattern {
        case .suffix: "*\(raw)"
        case .glob, .advanced: raw.replacing(".*", with: "*")
        case .exact, .prefix, .unresolved: raw
        }
    }

    /// As it is in the manifest: `pathPrefix="/buy/"`.
    var text: String { "\(attribute)=\"\(raw)\"" }
}

extension LinkFilter.Authority {
    /// Whether it names a host, whatever the port.
    package func names(_ host: String) -> Decision {
        guard let name = self.host else { return BuildValues.canBe(raw.lowercased(), host) ? .undecided : .no }
        return Decision(isWildcard ? host.hasSuffix(name) : host == name)
    }

    /// Whether it names a host that has an assetlinks.json: not `*`, nor `*shop.example`, nor nothing.
    package var isVerifiable: Bool {
        guard ManifestDecisions.onlyLabelsAreVerified, let host else { return true }
        return isWildcard ? host.utf8.first == UInt8(ascii: ".") : !host.isEmpty
    }

    /// Whether it is for a port, which is nil if a link has none.
    func takes(port: String?) -> Decision {
        guard let wanted = self.port else { return .yes }
        guard let value = wanted.value else { return port == nil ? .no : .undecided }
        // A port that is not a number is none.
        guard let number = Int(value) else { return .no }
        return Decision(number == port.flatMap { Int($0) })
    }
}

extension LinkFilter {
    static func isForWeb(_ scheme: String) -> Bool { scheme == "http" || scheme == "https" }

    static func isForWeb(_ scheme: ManifestValue) -> Decision {
        .any([scheme.equals("http"), scheme.equals("https")])
    }

    /// Whether it has data for links of the web.
    ///
    /// A scheme that only a build tells is one of the app itself where the filter neither names a host nor asks for
    /// verification: a login that comes back to the app has such a filter.
    var isForWeb: Bool {
        let isLogin = authorities.isEmpty && asksForVerification == .no
        return schemes.contains { Self.isForWeb($0) != .no && !(isLogin && $0.value == nil) }
    }

    /// Whether a link of the web can be for it: it has VIEW, BROWSABLE, and data for the web without a content type.
    package var takesWebLinks: Bool { hasViewAction && hasBrowsableCategory && isForWeb && !isForContent }

    /// Whether the system can give links to it.
    package var getsLinks: Bool { reach != .no }

    /// Whether the system gives links to it, if they are those that it asks for.
    package var reach: Decision { reachMatch.decision }

    /// Whether the system may read assetlinks.json for its hosts.
    package var isVerified: Bool { verification != .no }

    /// Whether the system reads assetlinks.json for its hosts. It does so whether or not the activity is exported and
    /// enabled.
    var verification: Decision {
        let isSeen = ManifestDecisions.unreachableFiltersVerify ? .yes : reach
        return .all([Decision(hasDefaultCategory), asksForVerification, isOnlyForWeb, isSeen])
    }

    /// Whether the filter is for links of the web and nothing else.
    var isOnlyForWeb: Decision {
        guard hasViewAction, hasBrowsableCategory, !schemes.isEmpty else { return .no }
        guard ManifestDecisions.otherSchemesPreventVerification else { return .yes }
        return .all(schemes.lazy.map { Self.isForWeb($0) })
    }

    /// A scheme that is not for the web; with one, Android 12 and later verify nothing.
    package var otherScheme: String? {
        schemes.first { Self.isForWeb($0) == .no }.map { $0.value ?? $0.raw }
    }

    /// Whether the filter names a host.
    ///
    /// - Parameter host: In lower case, in Punycode.
    package func names(_ host: String) -> Decision { .any(authorities.lazy.map { $0.names(host) }) }

    /// Whether the filter names a host itself, without a wildcard.
    func namesExactly(_ host: String) -> Bool { authorities.contains { !$0.isWildcard && $0.host == host } }

    /// Whether the filter has the wildcard for all hosts below this one.
    package func names(below host: String) -> Bool { authorities.contains { $0.isWildcard && $0.host == ".\(host)" } }

    /// Whether the system verifies a host for this filter.
    func verifies(_ host: String) -> Decision { .all([verification, namesVerifiably(host)]) }

    /// Whether the filter names a host in a way that the system can verify.
    func namesVerifiably(_ host: String) -> Decision {
        .any(authorities.lazy.map { $0.isVerifiable ? $0.names(host) : .no })
    }

    /// Whether the filter names a host that the system cannot verify.
    var hasUnverifiableHost: Bool { authorities.contains { $0.host != nil && !$0.isVerifiable } }

    /// The rules by which the filter takes the `https` links of a host that have no port.
    ///
    /// - Parameter host: In lower case, in Punycode.
    func rules(for host: String) -> FilterRules {
        guard !isForContent else { return .rules([]) }
        let scheme = Decision.any(schemes.lazy.map { $0.equals("https") })
        let isWholeURL = !schemeSpecificParts.isEmpty
        let host: Decision =
            isWholeURL || authorities.isEmpty
            ? .yes : .any(authorities.lazy.map { Decision.all([$0.names(host), $0.takes(port: nil)]) })
        guard scheme != .no, host != .no else { return .rules([]) }
        guard scheme == .yes else { return .unresolved(.scheme) }
        guard host == .yes else { return .unresolved(.host) }
        guard !isWholeURL else { return .wholeURL }
        let everything = FilterRules.rules([FilterRule(conditions: [], takes: true, text: nil)])
        guard !authorities.isEmpty else { return everything }
        guard !paths.isEmpty || !groups.isEmpty else { return everything }
        guard !paths.contains(where: \.pattern.isUnresolved) else { return .unresolved(.path) }
        // A path that matches counts, whatever the groups say.
        var rules = paths.map { FilterRule(conditions: [(.path, $0.pattern)], takes: true, text: $0.text) }
        for group in groups {
            let (rule, isResolved) = group.rule
            guard isResolved else { return .unresolved(.group) }
            if let rule { rules.append(rule) }
        }
        return .rules(rules)
    }
}
