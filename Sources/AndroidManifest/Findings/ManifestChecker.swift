internal import BoundedText
package import Diagnostics

/// Finds what is wrong with the filters for web links of a manifest.
package struct ManifestChecker {
    private let tree: ManifestTree
    /// The oldest version of Android that the app is for; nil if nobody has said so.
    private let minimumAPI: Int?
    private let values = BuildValues()
    private var diagnostics: [Diagnostic] = []
    private var paths = PathCheck()

    /// - Returns: The findings in file order.
    package static func findings(in root: ManifestElement, minimumAPI: Int? = nil) -> [Diagnostic] {
        var checker = ManifestChecker(root, minimumAPI)
        for activity in checker.tree.applications.flatMap({ checker.tree.activities(of: $0) }) {
            for filter in checker.tree.children(of: activity, named: "intent-filter") { checker.check(filter) }
        }
        checker.diagnostics += UnverifiedHosts.findings(AppManifest(root).filters.filter(\.getsLinks))
        return listed(
            checker.diagnostics.sorted {
                ($0.range.start, $0.range.end, $0.code.rawValue) < ($1.range.start, $1.range.end, $1.code.rawValue)
            })
    }

    /// So many findings of a code are listed.
    private static let mostFindings = 1_000

    /// The first findings of each code; the last of them says how many more there are.
    private static func listed(_ findings: [Diagnostic]) -> [Diagnostic] {
        let totals = Dictionary(findings.map { ($0.code, 1) }, uniquingKeysWith: +)
        var counts: [DiagnosticCode: Int] = [:]
        return findings.compactMap { finding in
            let count = counts[finding.code, default: 0] + 1
            counts[finding.code] = count
            guard count <= mostFindings else { return nil }
            guard count == mostFindings, let total = totals[finding.code], total > count else { return finding }
            var last = finding
            last.notes.append(
                counted(total - count, "more finding like this is", "more findings like this are") + " not listed")
            return last
        }
    }

    private init(_ root: ManifestElement, _ minimumAPI: Int?) {
        tree = ManifestTree(root)
        self.minimumAPI = minimumAPI
    }

    /// The values of the `<data>` of a filter, each with its attribute.
    private struct Pool {
        var schemes: [ManifestElement.Attribute] = []
        var hosts: [ManifestElement.Attribute] = []
        var isForContent = false
    }

    private mutating func check(_ filter: ManifestElement) {
        guard tree.names("action", in: filter).contains(IntentName.view) else { return }
        let children = tree.children(of: filter)
        let data = children.filter { $0.name == "data" }
        var pool = Pool()
        for element in data {
            pool.schemes += [tree.attribute("scheme", of: element)].compactMap { $0 }
            pool.hosts += [tree.attribute("host", of: element)].compactMap { $0 }
            pool.isForContent =
                pool.isForContent || tree.attribute("mimeType", of: element) != nil
                || tree.attribute("mimeGroup", of: element) != nil
        }
        let isForWeb = pool.schemes.contains { values.value(of: $0.value).map(LinkFilter.isForWeb) ?? true }
        guard !pool.isForContent, isForWeb || pool.schemes.isEmpty && !pool.hosts.isEmpty else { return }
        if isForWeb, !pool.hosts.isEmpty { checkCategories(filter, pool) }
        for host in pool.hosts { checkHost(host) }
        checkMixedData(filter, data)
        for element in data { checkData(element, pool) }
        let groups = children.filter { $0.name == "uri-relative-filter-group" }
        for group in groups {
            for element in tree.children(of: group, named: "data") { checkPatterns(of: element, isInGroup: true) }
            checkAge(of: group)
        }
        checkAge(of: data, hasGroups: !groups.isEmpty)
    }

    private mutating func report(
        _ rule: RuleDescription, _ attribute: ManifestElement.Attribute, _ message: String, advice: String? = nil,
        notes: [String] = []
    ) {
        diagnostics.append(Diagnostic(rule, message, range: attribute.range, advice: advice, notes: notes))
    }

    /// The value that is checked; nil, with a finding, if only a build tells.
    private mutating func known(_ attribute: ManifestElement.Attribute) -> String? {
        if let value = values.value(of: attribute.value) { return value }
        report(
            .manifestUnresolvedValue, attribute, "\(quoted(attribute.value)) is known only in a build",
            advice: "give the merged manifest, or the value to 'aasa route' with --define")
        return nil
    }

    private mutating func checkCategories(_ filter: ManifestElement, _ pool: Pool) {
        let categories = Set(tree.names("category", in: filter))
        let missing = [IntentName.defaultCategory, IntentName.browsable].filter { !categories.contains($0) }
        guard !missing.isEmpty, let host = pool.hosts.first else { return }
        let names = missing.map { String($0.split(separator: ".").last ?? "") }.joined(separator: " and ")
        diagnostics.append(
            Diagnostic(
                .manifestCategoryMissing,
                "the intent filter for \(quoted(host.value)) does not have the \(missing.count == 1 ? "category" : "categories") "
                    + "\(names), so it gets no links", range: filter.tagRange,
                advice: "add \(missing.map { "<category android:name=\"\($0)\" />" }.joined(separator: " and "))"))
    }

    private mutating func checkHost(_ attribute: ManifestElement.Attribute) {
        guard let host = known(attribute) else { return }
        let problem: String? =
            if host.contains("://") {
                "a scheme"
            } else if host.contains("/") {
                "a slash"
            } else if host.unicodeScalars.contains(where: \.properties.isWhitespace) {
                "white space"
            } else if host.contains(":"), !host.hasPrefix("[") {
                "a port"
            } else {
                nil
            }
        let advice = HostAdvice(host)
        if let problem {
            report(
                .manifestHostForm, attribute, "the host \(quoted(host)) has \(problem) in it", advice: advice.text)
        } else if host != "*", host.dropFirst(host.hasPrefix("*.") ? 1 : 0).contains("*") {
            report(
                .manifestHostForm, attribute, "'*' is not the first label of the host \(quoted(host))",
                advice: "write '*.' before the name of a host, or list the hosts")
        } else if host.isEmpty {
            report(.manifestHostForm, attribute, "the host is empty", advice: "write a host, or remove the attribute")
        }
    }

    /// Patterns of the same filter for several hosts.
    private mutating func checkMixedData(_ filter: ManifestElement, _ data: [ManifestElement]) {
        struct Pair: Hashable {
            let host: String
            let path: String
        }
        var hosts: [String] = []
        var paths: [String] = []
        var pairs = Set<Pair>()
        var first: ManifestElement?
        for element in data {
            let host = tree.attribute("host", of: element)?.value
            if let host, !hosts.contains(host) { hosts.append(host) }
            for form in TextPattern.Form.allCases {
                guard let attribute = tree.attribute("path\(form.rawValue)", of: element) else { continue }
                let path = "\(attribute.name)=\"\(attribute.value)\""
                if paths.count < Self.mostPaths, !paths.contains(path) { paths.append(path) }
                guard let host else { continue }
                pairs.insert(Pair(host: host, path: path))
                first = first ?? element
            }
            guard hosts.count < Self.mostPaths else { break }
        }
        // Whoever writes hosts and paths apart wants them to combine.
        guard hosts.count > 1, paths.count > 1, let first else { return }
        for host in hosts {
            guard let path = paths.first(where: { !pairs.contains(Pair(host: host, path: $0)) }) else { continue }
            diagnostics.append(
                Diagnostic(
                    .manifestMixedData,
                    "the intent filter takes each of its \(counted(hosts.count, "host")) with each of its "
                        + "\(counted(paths.count, "path"))", range: filter.tagRange,
                    advice: "write an intent filter for each host",
                    notes: ["no <data> has \(quoted(host)) with \(path.visible), but the filter takes them together"],
                    labels: [Diagnostic.Label(first.tagRange, "its host and its path count apart")]))
            return
        }
    }

    /// So many hosts and paths of a filter are compared.
    private static let mostPaths = 100

    private mutating func checkData(_ element: ManifestElement, _ pool: Pool) {
        if let scheme = tree.attribute("scheme", of: element) { _ = known(scheme) }
        if let host = tree.attribute("host", of: element), pool.schemes.isEmpty {
            report(
                .manifestAttributeIgnored, host, "'\(host.name)' is ignored, because the filter has no scheme",
                advice: "add android:scheme=\"https\"")
        }
        if let port = tree.attribute("port", of: element), known(port) != nil,
            tree.attribute("host", of: element) == nil
        {
            report(
                .manifestAttributeIgnored, port, "'\(port.name)' is ignored, because its <data> has no host",
                advice: "write it beside android:host")
        }
        checkPatterns(of: element, isInGroup: false)
        for form in TextPattern.Form.allCases {
            if let path = tree.attribute("path\(form.rawValue)", of: element), pool.hosts.isEmpty {
                report(
                    .manifestAttributeIgnored, path, "'\(path.name)' is ignored, because the filter has no host",
                    advice: "add android:host")
            }
            for part in ["query", "fragment"] {
                guard let attribute = tree.attribute(part + form.rawValue, of: element) else { continue }
                report(
                    .manifestAttributeIgnored, attribute,
                    "'\(attribute.name)' is ignored outside of <uri-relative-filter-group>",
                    advice: "move its <data> into a <uri-relative-filter-group>, which Android 15 and later read")
            }
        }
    }

    private mutating func checkPatterns(of element: ManifestElement, isInGroup: Bool) {
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

// What the oldest device does not know.
extension ManifestChecker {
    private mutating func checkAge(of group: ManifestElement) {
        guard let minimumAPI, minimumAPI < ManifestDecisions.groupAPI else { return }
        diagnostics.append(
            Diagnostic(
                .manifestAttributeIgnored,
                "<\(group.name)> is ignored before API \(ManifestDecisions.groupAPI)", range: group.tagRange,
                advice: Self.ageAdvice(ManifestDecisions.groupAPI),
                notes: ["without it the filter takes what its other <data> take, or every path if they have none"]))
    }

    private mutating func checkAge(of data: [ManifestElement], hasGroups: Bool) {
        guard let minimumAPI, minimumAPI < ManifestDecisions.suffixAPI else { return }
        func paths(_ element: ManifestElement) -> [(form: TextPattern.Form, attribute: ManifestElement.Attribute)] {
            TextPattern.Form.allCases.compactMap { form in
                tree.attribute("path\(form.rawValue)", of: element).map { (form, $0) }
            }
        }
        let all = data.flatMap(paths)
        let isWider = all.allSatisfy { $0.form.api > minimumAPI }
        for (form, attribute) in all where form.api > minimumAPI {
            report(
                .manifestAttributeIgnored, attribute, "'\(attribute.name)' is ignored before API \(form.api)",
                advice: Self.ageAdvice(form.api),
                notes: [isWider ? "without it the filter takes every path" : "without it the filter takes fewer paths"])
        }
    }

    private static func ageAdvice(_ api: Int) -> String {
        "use 'pathPrefix' or 'pathPattern', or ask for API \(api) with minSdkVersion"
    }
}

/// The escapes in a value.
private enum Escapes {
    /// The value without its escapes; nil if it has none.
    static func decoded(_ value: String) -> String? {
        let bytes = Array(value.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = bytes[index + 1].hexadecimalDigit,
                let low = bytes[index + 2].hexadecimalDigit
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result.count == bytes.count ? nil : String(text: result)
    }
}

/// The host that was probably meant by a value with more in it.
private struct HostAdvice {
    let text: String

    init(_ host: String) {
        var rest = host[...]
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.drop { $0.isWhitespace }
        let name = rest.prefix { $0 != "/" && $0 != ":" && !$0.isWhitespace }
        let port = rest.dropFirst(name.count)
        let number = port.first == ":" ? port.dropFirst().prefix { $0.isASCII && $0.isNumber } : ""
        guard !name.isEmpty else {
            text = "write the host alone, as in 'shop.example'"
            return
        }
        text = "write \(quoted(name))" + (number.isEmpty ? "" : ", and android:port=\"\(number)\"")
    }
}

extension String {
    /// For messages: no control characters, and not too long.
    fileprivate var visible: String { String(quoted(self, limit: 100).dropFirst().dropLast()) }
}
