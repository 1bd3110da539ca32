internal import Diagnostics

// Filters that get no links, or all of them.
extension ManifestChecker {
    /// Reports a filter outside of an activity, and in one what is almost a filter, such as `<intent>`.
    mutating func checkOutside(_ element: XMLElement, of parent: XMLElement) {
        let isFilter = element.name == "intent-filter"
        guard isFilter || parent.isActivity, WrittenFilter(element, tree, values).wantsLinks else {
            for child in tree.children(of: element) { checkOutside(child, of: element) }
            return
        }
        report(
            .manifestNoLinks, element.tagRange, "<\(element.name)> in <\(parent.name)> gets no links",
            advice: isFilter ? "move it to the <activity> that opens them" : "write '<intent-filter>'")
    }

    mutating func checkExported(_ activity: XMLElement, _ filters: [WrittenFilter]) {
        guard let first = filters.first(where: \.wantsLinks), flag("exported", of: activity) == false,
            let exported = tree.attribute("exported", of: activity)
        else { return }
        report(
            .manifestNoLinks, exported.range,
            "the <\(activity.name)> is not exported, so its intent filters get no links",
            advice: "write '\(exported.name)=\"true\"'",
            labels: [Diagnostic.Label(first.element.tagRange, "a filter for links")])
    }

    /// Reports that an activity or the whole app is disabled, unless another activity has the same hosts: the app can choose
    /// between them while it runs.
    mutating func checkEnabled(_ element: XMLElement, _ filters: [WrittenFilter]) {
        let links = filters.filter(\.wantsLinks)
        guard let first = links.first, flag("enabled", of: element) == false,
            let enabled = tree.attribute("enabled", of: element),
            links.contains(where: { filter in
                filter.hosts.isEmpty || !filter.hosts.allSatisfy { enabledHosts.contains($0.value.lowercased()) }
            })
        else { return }
        report(
            .manifestNoLinks, as: .warning, enabled.range,
            "the <\(element.name)> is disabled, so its intent filters get no links", advice: "remove '\(enabled.name)'",
            notes: ["the app gets them once it enables the component itself"],
            labels: [Diagnostic.Label(first.element.tagRange, "a filter for links")])
    }

    /// Reports that a filter for links lacks the action VIEW.
    ///
    /// - Returns: Whether it has it.
    mutating func checkAction(_ filter: WrittenFilter, isVerified: Bool) -> Bool {
        guard !filter.isView else { return true }
        let misspelt = filter.actions.prefix(Self.maxNames).first { Self.isMisspelt($0.value) }
        guard filter.isForWeb, filter.contentType == nil, isVerified || misspelt != nil && filter.isBrowsable else {
            return false
        }
        report(
            .manifestNoLinks, misspelt?.range ?? filter.element.tagRange,
            "the intent filter does not have the action VIEW, so it gets no links",
            advice: misspelt != nil
                ? "write '\(IntentName.view)'" : "add <action android:name=\"\(IntentName.view)\" />")
        return false
    }

    /// At most this many names of a filter are checked for a slip.
    private static let maxNames = 20

    /// Whether an action is probably meant to be VIEW.
    private static func isMisspelt(_ action: String) -> Bool {
        let action = action.lowercased()
        guard action.hasPrefix("android.") || !action.contains("."), let last = action.split(separator: ".").last else {
            return false
        }
        return last.utf8.count <= 6 && Spelling.distance(String(last), "view") <= (last.first == "v" ? 2 : 1)
    }

    mutating func checkCategories(_ filter: WrittenFilter) {
        let categories = Set(filter.categories.map(\.value))
        let missing = [IntentName.defaultCategory, IntentName.browsable].filter { !categories.contains($0) }
        guard !missing.isEmpty, let host = filter.hosts.first else { return }
        let names = missing.map { String($0.split(separator: ".").last ?? "") }.joined(separator: " and ")
        let misspelt = filter.categories.prefix(Self.maxNames).first { category in
            category.value.utf8.count < 60
                && missing.contains { (1...2).contains(Spelling.distance(category.value, $0)) }
        }
        report(
            .manifestCategoryMissing, filter.element.tagRange,
            "the intent filter for \(quoted(host.value)) does not have the \(missing.count == 1 ? "category" : "categories") "
                + "\(names), so it gets no links",
            advice: "add \(missing.map { "<category android:name=\"\($0)\" />" }.joined(separator: " and "))",
            labels: misspelt.map { [Diagnostic.Label($0.range, "this is another one")] } ?? [])
    }

    /// Reports a type of content, which no link has.
    ///
    /// - Returns: Whether the filter has none.
    mutating func checkContentType(_ filter: WrittenFilter) -> Bool {
        guard let type = filter.contentType else { return true }
        // Players and download managers take files of a type from any host.
        let namesHost = filter.hosts.contains { $0.value != "*" }
        if filter.isForWeb, filter.asksForVerification == .yes || filter.isBrowsable && namesHost {
            report(
                .manifestNoLinks, type,
                "a link has no type of content, so the intent filter gets none with '\(type.name)'",
                advice: "remove it, or write it in an intent filter of its own")
        }
        return false
    }

    /// Reports that a filter is also the one by which the app is started from its icon.
    mutating func checkLauncher(_ filter: WrittenFilter) {
        guard let main = filter.actions.first(where: { $0.value == "android.intent.action.MAIN" }), !filter.data.isEmpty
        else { return }
        let launcher = filter.categories.first { $0.value.hasSuffix("LAUNCHER") }
        report(
            .manifestMainAndView, as: launcher == nil ? .warning : .error, main,
            launcher == nil
                ? "the action MAIN has no effect in an intent filter with <data>"
                : "the app has no icon by this intent filter, because a start from the icon has no data",
            advice: launcher == nil
                ? "remove it"
                : "write MAIN and \(launcher?.value.split(separator: ".").last ?? "") in an intent filter of their own")
    }

    /// Reports a filter that asks for all hosts, and one without `https`.
    mutating func checkReach(_ filter: WrittenFilter) {
        guard filter.isForWeb else { return }
        let names = ["port"] + TextPattern.Form.allCases.flatMap { ["path\($0.rawValue)", "ssp\($0.rawValue)"] }
        let hasConditions = filter.data.contains { data in names.contains { tree.attribute($0, of: data) != nil } }
        if filter.asksForVerification == .yes {
            if filter.hosts.isEmpty, !hasConditions, filter.groups.isEmpty,
                filter.schemes.contains(where: { LinkFilter.isForWeb($0.value) })
            {
                report(
                    .manifestWholeWeb, filter.element.tagRange,
                    "the intent filter asks for every link of the web, because it has no host",
                    advice: "add android:host",
                    notes: ["no host is verified for it"])
            } else if let star = filter.hosts.first(where: { $0.value == "*" }) {
                report(
                    .manifestWholeWeb, star, "the host '*' is every host of the web, and none of them is verified",
                    advice: "list the hosts, or write '*.' before a domain", notes: unverifiedNotes)
            }
        }
        let schemes = filter.schemes.map { values.value(of: $0.value).map(WrittenFilter.plain) }
        guard let scheme = filter.schemes.first(where: { $0.value == "http" }), !schemes.contains("https"),
            !schemes.contains(nil), !filter.hosts.contains(where: { httpsHosts.contains($0.value.lowercased()) }),
            let host = filter.hosts.first(where: { isDomain($0.value) })
        else { return }
        report(
            .manifestNoHTTPS, scheme, "the intent filter takes only http links of \(quoted(host.value))",
            advice: "add <data android:scheme=\"https\" />")
    }

    /// The consequence of a host that cannot be verified for the oldest device.
    var unverifiedNotes: [String] {
        minimumAPI.map { $0 < ManifestDecisions.separateHostsAPI } == true
            ? ["before Android 12 one host that is not verified leaves all hosts of the app unverified"] : []
    }
}
