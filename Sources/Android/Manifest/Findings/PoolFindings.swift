internal import Diagnostics
internal import URLPatterns

// Values of different <data> that combine.
extension ManifestChecker {
    /// At most this many hosts and paths of a filter are compared.
    static let maxPaths = 100

    /// A condition on the path in the `<data>` of a filter.
    struct PathCondition {
        let form: TextPattern.Form
        let attribute: XMLElement.Attribute
        let element: XMLElement

        var text: String { "\(attribute.name)=\"\(quoted(attribute.value, limit: 100).dropFirst().dropLast())\"" }
    }

    func pathConditions(of element: XMLElement) -> [PathCondition] {
        TextPattern.Form.allCases.compactMap { form in
            tree.attribute("path\(form.rawValue)", of: element).map {
                PathCondition(form: form, attribute: $0, element: element)
            }
        }
    }

    mutating func checkPool(_ filter: WrittenFilter) {
        guard filter.isForWeb else { return }
        for element in filter.data {
            let conditions = pathConditions(of: element)
            guard conditions.count > 1 else { continue }
            report(
                .manifestMixedData, conditions[1].attribute,
                "a <data> has \(quoted(conditions[0].attribute.name)) and \(quoted(conditions[1].attribute.name)), and one of them is enough",
                advice: "write the one that is meant, or each in a <data> of its own")
        }
        guard !checkSchemes(filter), !checkHostsWithPaths(filter) else { return }
        if !checkCoveringPath(filter) { checkMissingPath(filter) }
    }

    /// Reports a scheme of the app's own that combines with the hosts of web links.
    private mutating func checkSchemes(_ filter: WrittenFilter) -> Bool {
        let schemes = filter.data.prefix(Self.maxPaths).map { element in
            tree.attribute("scheme", of: element).flatMap { values.value(of: $0.value) }.map(WrittenFilter.plain)
        }
        let hosts = filter.data.prefix(Self.maxPaths).map { tree.attribute("host", of: $0)?.value }
        let webHosts = zip(schemes, hosts).compactMap { LinkFilter.isForWeb($0 ?? "") ? $1 : nil }
        guard let host = webHosts.first else { return false }
        for (index, scheme) in schemes.enumerated() {
            guard let scheme, !LinkFilter.isForWeb(scheme), !scheme.isEmpty else { continue }
            let note: String
            if let own = hosts[index] {
                guard !webHosts.contains(own) else { continue }
                note = "no <data> has \(quoted(scheme)) with \(quoted(host)), but the filter takes them together"
            } else {
                note = "\(quoted(scheme)) is taken with the host \(quoted(host)), and not with others"
            }
            report(
                .manifestMixedData, filter.element.tagRange,
                "the scheme \(quoted(scheme)) combines with the hosts of the web links",
                advice: "write an intent filter for the scheme \(quoted(scheme))", notes: [note],
                labels: [Diagnostic.Label(filter.data[index].tagRange, "its scheme and its host count apart")])
            return true
        }
        return false
    }

    /// Reports paths of the same filter for several hosts.
    private mutating func checkHostsWithPaths(_ filter: WrittenFilter) -> Bool {
        struct Pair: Hashable {
            let host: String
            let path: String
        }
        var hosts: [String] = []
        var paths: [String] = []
        var pairs = Set<Pair>()
        var first: XMLElement?
        for element in filter.data {
            let host = tree.attribute("host", of: element)?.value
            if let host, !hosts.contains(host) { hosts.append(host) }
            for condition in pathConditions(of: element) {
                let path = condition.text
                if paths.count < Self.maxPaths, !paths.contains(path) { paths.append(path) }
                guard let host else { continue }
                pairs.insert(Pair(host: host, path: path))
                first = first ?? element
            }
            guard hosts.count < Self.maxPaths else { break }
        }
        // Hosts and paths that are written apart are meant to combine.
        guard hosts.count > 1, paths.count > 1, let first else { return false }
        for host in hosts {
            guard let path = paths.first(where: { !pairs.contains(Pair(host: host, path: $0)) }) else { continue }
            report(
                .manifestMixedData, filter.element.tagRange,
                "the intent filter takes each of its \(counted(hosts.count, "host")) with each of its "
                    + "\(counted(paths.count, "path"))",
                advice: "write an intent filter for each host",
                notes: ["no <data> has \(quoted(host)) with \(path), but the filter takes them together"],
                labels: [Diagnostic.Label(first.tagRange, "its host and its path count apart")])
            return true
        }
        return false
    }

    /// Reports a path that takes every link, beside others.
    private mutating func checkCoveringPath(_ filter: WrittenFilter) -> Bool {
        let conditions = filter.data.prefix(Self.maxPaths).flatMap { pathConditions(of: $0) }
        guard let covering = conditions.first(where: { coversAll($0) }) else { return false }
        let others = conditions.filter { !coversAll($0) }
        guard let other = others.first else { return true }
        report(
            .manifestPathCoversAll, covering.attribute,
            "\(quoted(covering.attribute.value)) takes every path, so \(counted(others.count, "other path has", "other paths have")) no effect",
            advice: "remove it, or the others",
            notes: ["one of them is \(other.text)"])
        return true
    }

    private mutating func coversAll(_ condition: PathCondition) -> Bool {
        guard let value = values.value(of: condition.attribute.value) else { return false }
        let pattern = TextPattern(condition.form, value)
        // Most are ruled out by a text or two.
        for text in ["/", "/a/b.c", "/-/%~"] where pattern.matches(Array(text.utf16), &budget) != .yes { return false }
        return PatternRelation.isNone(of: [.prefix(Array("/".utf16))], outside: [pattern], &budget) == true
    }

    /// Reports a host that seems to be taken with every path, and is taken with those of other `<data>`.
    private mutating func checkMissingPath(_ filter: WrittenFilter) {
        let data = filter.data.prefix(Self.maxPaths).compactMap { element in
            tree.attribute("host", of: element).map {
                (
                    element: element, host: $0.value, scheme: tree.attribute("scheme", of: element)?.value,
                    path: pathConditions(of: element).first
                )
            }
        }
        guard let other = data.first(where: { $0.path != nil }), let path = other.path else { return }
        // A host alone is meant to combine.
        for item in data where item.path == nil && item.scheme != nil && !hasPart("ssp", item.element) {
            // Another scheme for the same host is meant to have its paths.
            let isForScheme = data.contains { $0.path != nil && $0.host == item.host && $0.scheme != item.scheme }
            guard !isForScheme else { continue }
            report(
                .manifestMixedData, filter.element.tagRange,
                "the <data> for \(quoted(item.host)) has no path, but is taken with the paths of other <data> only",
                advice: "write an intent filter for it", notes: ["the path of another <data> is \(path.text)"],
                labels: [Diagnostic.Label(item.element.tagRange, "this does not take every path")])
            return
        }
    }

    private func hasPart(_ part: String, _ element: XMLElement) -> Bool {
        TextPattern.Form.allCases.contains { tree.attribute(part + $0.rawValue, of: element) != nil }
    }
}
