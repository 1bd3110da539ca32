internal import Diagnostics

// Attributes that Android does not read where they are.
extension ManifestChecker {
    /// The attributes of `<data>` that are not conditions.
    private static let plainNames = ["scheme", "host", "port", "mimeType", "mimeGroup"]

    private static let dataNames = Set(
        plainNames
            + ["path", "query", "fragment", "ssp"].flatMap { part in
                TextPattern.Form.allCases.map { part + $0.rawValue }
            })

    private static let namesByLowercase = Dictionary(uniqueKeysWithValues: dataNames.map { ($0.lowercased(), $0) })

    /// Checks the names of a filter's attributes.
    ///
    /// - Returns: Whether Android reads what the filter is about; else nothing else is to be said about it.
    mutating func checkNames(_ filter: WrittenFilter) -> Bool {
        guard !filter.data.isEmpty || !filter.groups.isEmpty else { return true }
        let named = tree.children(of: filter.element).filter { $0.name == "action" || $0.name == "category" }
        let inGroups = filter.groups.flatMap(\.data)
        var isRead = true
        let elements: [([XMLElement], Set<String>)] = [
            ([filter.element], ["autoVerify"]), (named, ["name"]), (filter.data + inGroups, Self.dataNames),
            (filter.groups.map(\.element), ["allow"]),
        ]
        for (elements, names) in elements {
            for element in elements {
                for attribute in element.attributes
                where names.contains(attribute.name) && tree.attribute(attribute.name, of: element) == nil {
                    let name = tree.prefixed(attribute.name)
                    report(
                        .manifestAttributeIgnored, attribute,
                        "\(quoted(attribute.name)) is ignored without the prefix of Android's attributes",
                        advice: "write \(quoted(name))")
                    isRead = false
                }
            }
        }
        for element in filter.data + inGroups + filter.groups.map(\.element) { checkUnknownNames(of: element) }
        for element in inGroups {
            for attribute in Self.plainNames.compactMap({ tree.attribute($0, of: element) }) {
                report(
                    .manifestAttributeIgnored, attribute,
                    "'\(attribute.name)' is ignored inside of <\(WrittenFilter.groupName)>",
                    advice: "write it in a <data> of the filter, before the group")
            }
        }
        return isRead
    }

    private mutating func checkUnknownNames(of element: XMLElement) {
        let names = element.name == "data" ? Self.dataNames : ["allow"]
        for attribute in element.attributes {
            let isExclude = attribute.name == "exclude" || attribute.name == tree.prefixed("exclude")
            guard isExclude || element.name == "data",
                let name = tree.unprefixed(attribute.name) ?? (isExclude ? "" : nil),
                !names.contains(name)
            else { continue }
            let meant = Self.namesByLowercase[name.lowercased()]
            report(
                .manifestAttributeIgnored, attribute, "<\(element.name)> has no attribute \(quoted(attribute.name))",
                advice: isExclude
                    ? "write the paths that the filter must not take in a <\(WrittenFilter.groupName) "
                        + "android:allow=\"false\">" : meant.map { "write \(quoted(tree.prefixed($0)))" } ?? "remove it"
            )
        }
    }

    /// Reports `autoVerify` on another element than a filter.
    mutating func checkPlaceOfVerification(_ element: XMLElement) {
        guard let attribute = tree.attribute("autoVerify", of: element) else { return }
        report(
            .manifestAttributeIgnored, attribute, "'\(attribute.name)' is ignored on <\(element.name)>",
            advice: "write it on the <intent-filter>")
    }

    /// Reports `autoVerify` of a filter without links that could be verified.
    mutating func checkVerifiedSchemes(_ filter: WrittenFilter) {
        guard let attribute = tree.attribute("autoVerify", of: filter.element), filter.asksForVerification == .yes,
            !filter.isForWeb, filter.hosts.isEmpty || !filter.schemes.isEmpty, filter.groups.isEmpty
        else { return }
        report(
            .manifestAttributeIgnored, attribute,
            "'\(attribute.name)' is ignored, because the filter has neither the scheme 'https' nor 'http'",
            advice: "remove it")
    }

    mutating func checkData(_ element: XMLElement, _ filter: WrittenFilter) {
        if let host = tree.attribute("host", of: element), filter.schemes.isEmpty {
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
            if let path = tree.attribute("path\(form.rawValue)", of: element), filter.hosts.isEmpty {
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

    // What the oldest device does not know.

    mutating func checkAge(of group: XMLElement) {
        guard let minimumAPI, minimumAPI < ManifestDecisions.groupAPI else { return }
        report(
            .manifestAttributeIgnored, group.tagRange,
            "<\(group.name)> is ignored before API \(ManifestDecisions.groupAPI)",
            advice: Self.ageAdvice(ManifestDecisions.groupAPI),
            notes: ["without it the filter takes what its other <data> take, or every path if they have none"])
    }

    mutating func checkAge(of data: [XMLElement]) {
        guard let minimumAPI, minimumAPI < ManifestDecisions.suffixAPI else { return }
        let all = data.flatMap(pathConditions)
        let isWider = all.allSatisfy { $0.form.api > minimumAPI }
        for condition in all where condition.form.api > minimumAPI {
            report(
                .manifestAttributeIgnored, condition.attribute,
                "'\(condition.attribute.name)' is ignored before API \(condition.form.api)",
                advice: Self.ageAdvice(condition.form.api),
                notes: [isWider ? "without it the filter takes every path" : "without it the filter takes fewer paths"])
        }
    }

    private static func ageAdvice(_ api: Int) -> String {
        "use 'pathPrefix' or 'pathPattern', or ask for API \(api) with minSdkVersion"
    }
}
