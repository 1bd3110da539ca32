internal import BoundedText
package import Diagnostics
internal import URLPatterns

/// Finds what is wrong with the filters for web links of a manifest.
///
/// The checks are in the files beside this one, by subject.
package struct ManifestChecker {
    let tree: ManifestTree
    /// The oldest version of Android that the app is for; nil if nothing says so.
    let minimumAPI: Int?
    let values = BuildValues()
    /// The hosts of filters for links with the scheme `https`, as they are written, in lower case.
    private(set) var httpsHosts = Set<String>()
    /// The hosts of filters for links of activities that are enabled.
    private(set) var enabledHosts = Set<String>()
    /// Pays for the comparison of patterns.
    var budget = WorkBudget()
    private var diagnostics: [Diagnostic] = []
    private var paths = PathCheck()

    /// - Returns: The findings in file order.
    package static func findings(in root: XMLElement, minimumAPI: Int? = nil) -> [Diagnostic] {
        var checker = ManifestChecker(root, minimumAPI)
        for part in checker.tree.children(of: root) { checker.check(part) }
        checker.diagnostics += UnverifiedHosts.findings(AppManifest(root).filters.filter(\.getsLinks))
        checker.diagnostics += [UnverifiedHosts.together(root, minimumAPI: minimumAPI)].compactMap { $0 }
        return listed(
            checker.diagnostics.sorted {
                ($0.range.start, $0.range.end, $0.code.rawValue) < ($1.range.start, $1.range.end, $1.code.rawValue)
            })
    }

    /// At most this many findings of a code are listed.
    private static let maxFindings = 1_000

    /// The first findings of each code; the last of them says how many more there are.
    private static func listed(_ findings: [Diagnostic]) -> [Diagnostic] {
        let totals = Dictionary(findings.map { ($0.code, 1) }, uniquingKeysWith: +)
        var counts: [DiagnosticCode: Int] = [:]
        return findings.compactMap { finding in
            let count = counts[finding.code, default: 0] + 1
            counts[finding.code] = count
            guard count <= maxFindings else { return nil }
            guard count == maxFindings, let total = totals[finding.code], total > count else { return finding }
            var last = finding
            last.notes.append(
                counted(total - count, "more finding like this is", "more findings like this are") + " not listed")
            return last
        }
    }

    private init(_ root: XMLElement, _ minimumAPI: Int?) {
        tree = ManifestTree(root)
        self.minimumAPI = minimumAPI
        for application in tree.applications {
            for activity in tree.activities(of: application) {
                let isEnabled = [application, activity].allSatisfy {
                    tree.attribute("enabled", of: $0)?.value.lowercased() != "false"
                }
                for filter in filters(of: activity) where filter.wantsLinks {
                    let hosts = filter.hosts.map { $0.value.lowercased() }
                    if isEnabled { enabledHosts.formUnion(hosts) }
                    let isOnlyHTTP = filter.schemes.allSatisfy { $0.value.lowercased() == "http" }
                    if !isOnlyHTTP { httpsHosts.formUnion(hosts) }
                }
            }
        }
    }

    /// Checks a part of the manifest.
    private mutating func check(_ part: XMLElement) {
        guard part.name == "application" else { return checkOutside(part, of: tree.root) }
        checkPlaceOfVerification(part)
        for element in tree.children(of: part) {
            if element.isActivity { checkActivity(element) } else { checkOutside(element, of: part) }
        }
        checkEnabled(part, tree.activities(of: part).flatMap { filters(of: $0) })
    }

    private func filters(of activity: XMLElement) -> [WrittenFilter] {
        tree.children(of: activity, named: "intent-filter").map { WrittenFilter($0, tree, values) }
    }

    private mutating func checkActivity(_ activity: XMLElement) {
        checkPlaceOfVerification(activity)
        let filters = filters(of: activity)
        for filter in filters { check(filter) }
        for element in tree.children(of: activity) where element.name != "intent-filter" {
            checkOutside(element, of: activity)
        }
        checkExported(activity, filters)
        checkEnabled(activity, filters)
    }

    private mutating func check(_ filter: WrittenFilter) {
        let verifies = flag("autoVerify", of: filter.element)
        guard checkNames(filter), checkAction(filter, isVerified: verifies == true) else { return }
        for scheme in filter.schemes { checkScheme(scheme, of: filter) }
        checkVerifiedSchemes(filter)
        guard checkContentType(filter),
            filter.isForWeb || filter.schemes.isEmpty && !(filter.hosts.isEmpty && filter.groups.isEmpty)
        else { return }
        if filter.isForWeb, !filter.hosts.isEmpty { checkCategories(filter) }
        checkLauncher(filter)
        checkReach(filter)
        for element in filter.data { checkHost(of: element, filter) }
        checkPool(filter)
        for element in filter.data { checkData(element, filter) }
        for group in filter.groups {
            for element in group.data { checkPatterns(of: element, isInGroup: true) }
            checkAge(of: group.element)
        }
        checkGroups(filter)
        checkAge(of: filter.data)
    }

    mutating func report(
        _ rule: RuleDescription, as severity: Severity? = nil, _ range: SourceRange, _ message: String,
        advice: String? = nil, notes: [String] = [], labels: [Diagnostic.Label] = []
    ) {
        diagnostics.append(
            Diagnostic(
                rule, as: severity, message, range: range, advice: advice, notes: notes,
                labels: labels.filter { $0.range != range }))
    }

    mutating func report(
        _ rule: RuleDescription, as severity: Severity? = nil, _ attribute: XMLElement.Attribute,
        _ message: String, advice: String? = nil, notes: [String] = []
    ) {
        report(rule, as: severity, attribute.range, message, advice: advice, notes: notes)
    }

    /// The value that is checked; nil, with a finding, if only a build tells.
    mutating func known(_ attribute: XMLElement.Attribute) -> String? {
        if let value = values.value(of: attribute.value) { return value }
        report(
            .manifestUnresolvedValue, attribute, "\(quoted(attribute.value)) is known only in a build",
            advice: "give the merged manifest, or the value to 'aasa route' with --define")
        return nil
    }

    /// The value of an attribute that is true or false; nil if it is missing, if only a build tells, or if it is neither.
    mutating func flag(_ name: String, of element: XMLElement) -> Bool? {
        guard let attribute = tree.attribute(name, of: element), let value = known(attribute) else { return nil }
        switch value.lowercased() {
        case "true": return true
        case "false": return false
        default:
            report(
                .manifestAttributeIgnored, attribute,
                "the value \(quoted(value)) of '\(attribute.name)' is neither 'true' nor 'false'",
                advice: "write 'true' or 'false'")
            return nil
        }
    }

    mutating func checkPatterns(of element: XMLElement, isInGroup: Bool) {
        for part in isInGroup ? FilterGroup.Part.allCases : [.path] {
            for form in TextPattern.Form.allCases {
                guard let attribute = tree.attribute(part.rawValue + form.rawValue, of: element),
                    let value = known(attribute)
                else { continue }
                if let decoded = Escapes.decoded(value) {
                    report(
                        .manifestEncodedPath, attribute,
                        "\(quoted(value)) has an escape, but Android compares it with the decoded \(part.rawValue)",
                        advice: "write \(quoted(decoded))")
                }
                let checked = PatternValue(attribute, part, form, value, isInGroup: isInGroup)
                if let finding = paths.spelling(of: checked) {
                    diagnostics.append(finding)
                } else if part == .path, form != .suffix, !Self.canBeginPath(value, form) {
                    report(
                        .manifestPathWithoutSlash, attribute,
                        "\(quoted(value)) does not begin with '/', and every path does",
                        advice: "write \(quoted("/\(value)"))")
                } else if let finding = paths.meaning(of: checked) {
                    diagnostics.append(finding)
                }
            }
        }
    }

    private static func canBeginPath(_ value: String, _ form: TextPattern.Form) -> Bool {
        let patterns: Set<Unicode.Scalar> = form == .advanced ? ["/", ".", "*", "["] : ["/", ".", "*"]
        let isEscaped = form == .glob || form == .advanced
        guard let first = value.unicodeScalars.first(where: { !(isEscaped && $0 == "\\") }) else {
            // Every path begins with nothing.
            return form == .prefix
        }
        return patterns.contains(first)
    }
}

/// The escapes in a value.
private enum Escapes {
    /// The value without its escapes; nil if it has none.
    static func decoded(_ value: String) -> String? {
        let decoded = DecodedText(Array(value.utf8)).bytes
        return decoded.count == value.utf8.count ? nil : String(text: decoded)
    }
}
