/// A second reading of manifests, written from Android's public documentation alone: App Links, `<activity>`,
/// `<activity-alias>`, `<intent-filter>`, `<data>`, `<uri-relative-filter-group>`, `android.content.IntentFilter` and
/// `android.os.PatternMatcher`.
///
/// It knows nothing of the product's code, and is as slow as it is plain. Where the documentation is silent it follows the
/// decisions of docs/spec/android.md, section 5.
package struct SlowMatcher {
    package enum Answer: Sendable { case yes, no, undecided }

    /// The reasons for an answer and the parts of one, which are counted so that a test can tell what it has covered.
    package enum Step: String, CaseIterable, Sendable {
        case opens, noFilter, notVerified, undecided
        case applicationDisabled, disabled, notExported, exportedByDefault, alias, misplacedFilter, removed
        case noView, noCategory, noScheme, otherScheme, mimeType, noHost, otherHost, exactHost, wildcardHost, everyHost
        case samePort, otherPort, anyPort, noPath, ignoredPath
        case path, pathPrefix, pathSuffix, pathPattern, pathAdvancedPattern, pooledPaths, noPathMatches, tooNewPath
        case ssp, otherSSP, ignoredGroups, allowingGroup, blockingGroup, laterGroup, noGroup, emptyGroup,
            pathBeforeGroups
        case query, queryPrefix, querySuffix, queryPattern, queryAdvancedPattern, otherQuery, noQuery
        case fragment, fragmentPrefix, fragmentSuffix, fragmentPattern, fragmentAdvancedPattern, otherFragment,
            noFragment
        case verifiedByOther, verifiedByUnreachable, schemePreventsVerification, verifiedAll, oneIsNotListed, tooOld
    }

    package private(set) var counts: [Step: Int] = [:]
    private let api: Int
    /// Whether the site of a host lists the app.
    private let lists: (String) -> Bool

    package init(api: Int, lists: @escaping (String) -> Bool = { _ in true }) {
        self.api = api
        self.lists = lists
    }

    private mutating func met(_ step: Step) { counts[step, default: 0] += 1 }

    // MARK: A manifest

    /// Whether a link opens the app: the same whatever a build puts in the place of what only it tells, or undecided.
    package mutating func answer(_ manifest: SlowElement, _ url: String) -> Answer {
        guard let link = SlowLink(url) else { return .no }
        let manifest = withoutLogins(manifest)
        guard let unknown = manifest.unknownNames.first else { return opens(manifest, link) ? .yes : .no }
        let answers = Self.values(for: unknown, in: manifest, link).map {
            answer(manifest.replacing(unknown, by: $0), url)
        }
        if answers.allSatisfy({ $0 == answers[0] }) { return answers[0] }
        met(.undecided)
        return .undecided
    }

    /// The scheme of a filter without a host and verification is the app's own if only a build tells it: a login comes back
    /// to such a filter (docs/spec/android.md).
    private func withoutLogins(_ element: SlowElement) -> SlowElement {
        var copy = element
        copy.children = element.children.map(withoutLogins)
        let data = element.all("data")
        let asks = element.value("autoVerify").map { $0 != "false" } ?? false
        guard element.name == "intent-filter", !asks, !data.contains(where: { $0.value("host") != nil }) else {
            return copy
        }
        return data.compactMap { $0.value("scheme") }.filter(SlowElement.isUnknown)
            .reduce(copy) { $0.replacing($1, by: "app") }
    }

    /// The values that make a difference: one that matches the link, and one that does not.
    private static func values(for unknown: String, in element: SlowElement, _ link: SlowLink) -> [String] {
        guard let name = element.attributes.first(where: { $0.value == unknown })?.name else {
            return element.children.lazy.map { values(for: unknown, in: $0, link) }.first { !$0.isEmpty } ?? []
        }
        switch name {
        case "android:scheme": return [link.scheme, "app"]
        case "android:host": return [link.host, "other.invalid", "*"]
        case "android:port": return [link.port, "1"].compactMap { $0 }
        case "android:path": return [String(decoding: link.path, as: UTF16.self), "/~none~"]
        case "android:pathPrefix": return ["", "/~none~"]
        case "android:pathPattern": return [".*", "/~none~"]
        default: return ["true", "false"]
        }
    }

    private struct Component {
        let element: SlowElement
        let isReachable: Bool
    }

    private mutating func opens(_ manifest: SlowElement, _ link: SlowLink) -> Bool {
        let components = components(of: manifest)
        let filters = components.flatMap { component in
            component.element.all("intent-filter").map { Component(element: $0, isReachable: component.isReachable) }
        }
        let taking = filters.filter { $0.isReachable && takes($0.element, link) }
        guard !taking.isEmpty else {
            met(.noFilter)
            return false
        }
        guard isVerified(link.host, filters, taking) else {
            met(.notVerified)
            return false
        }
        met(.opens)
        return true
    }

    /// The activities and aliases, and whether another app can start them.
    private mutating func components(of manifest: SlowElement) -> [Component] {
        var result: [Component] = []
        for child in manifest.all("application") {
            let isEnabled = child.value("enabled") != "false"
            if !isEnabled { met(.applicationDisabled) }
            for component in child.children {
                guard component.name == "activity" || component.name == "activity-alias" else {
                    met(.misplacedFilter)
                    continue
                }
                if component.isRemoved || component.children.contains(where: \.isRemoved) { met(.removed) }
                if component.isRemoved { continue }
                if component.name == "activity-alias" { met(.alias) }
                if component.value("enabled") == "false" { met(.disabled) }
                if component.value("exported") == "false" { met(.notExported) }
                if component.value("exported") == nil { met(.exportedByDefault) }
                let isReachable =
                    isEnabled && component.value("enabled") != "false" && component.value("exported") != "false"
                result.append(Component(element: component, isReachable: isReachable))
            }
        }
        return result
    }

    // MARK: Verification

    private mutating func isVerified(_ host: String, _ filters: [Component], _ taking: [Component]) -> Bool {
        guard api >= 23 else {
            met(.tooOld)
            return false
        }
        guard api >= 31 else { return areAllVerified(host, filters) }
        var isVerified = false
        for filter in filters where filter.element.value("autoVerify") == "true" && isForWeb(filter.element) {
            // The site of `*.example.com` is `example.com`. That of `*` and of `*example.com` is none.
            let names = filter.element.all("data").compactMap { $0.value("host") }.filter { name in
                Self.site(of: name).map(lists) == true && Self.isHost(host, name)
            }
            guard !names.isEmpty else { continue }
            isVerified = true
            if !filter.isReachable { met(.verifiedByUnreachable) }
            if !taking.contains(where: { $0.element.value("autoVerify") == "true" }) { met(.verifiedByOther) }
        }
        return isVerified
    }

    /// On Android 11 and older, one filter that asks for it has all hosts verified, and all of them must list the app. A
    /// filter without a host is that of a browser.
    private mutating func areAllVerified(_ host: String, _ filters: [Component]) -> Bool {
        let web = filters.filter { isForWeb($0.element, withDefault: false) }
        guard web.contains(where: { $0.element.value("autoVerify") == "true" }) else { return false }
        let hosts = web.flatMap { $0.element.all("data").compactMap { $0.value("host") } }
        guard hosts.allSatisfy({ Self.site(of: $0).map(lists) == true }) else { return refuse(.oneIsNotListed) }
        guard hosts.contains(where: { Self.isHost(host, $0) }) else { return false }
        met(.verifiedAll)
        return true
    }

    /// Whether a filter is for web links and for nothing else.
    private mutating func isForWeb(_ filter: SlowElement, withDefault: Bool = true) -> Bool {
        let categories = withDefault ? ["BROWSABLE", "DEFAULT"] : ["BROWSABLE"]
        guard Self.names(filter, "action").contains("android.intent.action.VIEW"),
            categories.allSatisfy({ Self.names(filter, "category").contains("android.intent.category." + $0) })
        else { return false }
        let schemes = filter.all("data").compactMap { $0.value("scheme") }
        guard schemes.contains(where: Self.isWeb) else { return false }
        guard schemes.allSatisfy(Self.isWeb) else {
            met(.schemePreventsVerification)
            return false
        }
        return true
    }

    private static func isWeb(_ scheme: String) -> Bool { scheme == "http" || scheme == "https" }

    private static func names(_ filter: SlowElement, _ kind: String) -> [String] {
        filter.all(kind).compactMap { $0.value("name") }
    }

    /// The host whose file is read for a host of a filter; nil if there is none.
    private static func site(of name: String) -> String? {
        let site = name.hasPrefix("*.") ? String(name.dropFirst(2)) : name
        return site.contains("*") ? nil : site.lowercased()
    }

    private static func isHost(_ host: String, _ name: String) -> Bool {
        name.hasPrefix("*") ? host.hasSuffix(name.dropFirst().lowercased()) : host == name.lowercased()
    }

    // MARK: A filter

    private mutating func takes(_ filter: SlowElement, _ link: SlowLink) -> Bool {
        guard Self.names(filter, "action").contains("android.intent.action.VIEW") else { return refuse(.noView) }
        let categories = Self.names(filter, "category")
        guard categories.contains("android.intent.category.BROWSABLE"),
            categories.contains("android.intent.category.DEFAULT")
        else { return refuse(.noCategory) }
        let data = filter.all("data")
        let schemes = data.compactMap { $0.value("scheme") }
        guard !schemes.isEmpty else { return refuse(.noScheme) }
        guard schemes.contains(link.scheme) else { return refuse(.otherScheme) }
        guard data.allSatisfy({ $0.value("mimeType") == nil }) else { return refuse(.mimeType) }
        let parts = conditions("ssp", data)
        if parts.contains(where: { SlowPattern.matches($0.form, $0.pattern, link.schemeSpecificPart[...]) }) {
            met(.ssp)
            return true
        }
        if !parts.isEmpty { met(.otherSSP) }
        let hosts = data.filter { $0.value("host") != nil }
        guard !hosts.isEmpty else {
            met(.noHost)
            if !conditions("path", data).isEmpty { met(.ignoredPath) }
            return parts.isEmpty
        }
        // Each is asked, so that each is counted.
        guard hosts.filter({ isAuthority($0, link) }).count > 0 else { return false }
        return takesPath(filter, data, link)
    }

    private mutating func refuse(_ step: Step) -> Bool {
        met(step)
        return false
    }

    private mutating func isAuthority(_ data: SlowElement, _ link: SlowLink) -> Bool {
        guard let name = data.value("host"), Self.isHost(link.host, name) else { return refuse(.otherHost) }
        met(name == "*" ? .everyHost : name.hasPrefix("*") ? .wildcardHost : .exactHost)
        guard let port = data.value("port") else {
            met(.anyPort)
            return true
        }
        guard port == link.port else { return refuse(.otherPort) }
        met(.samePort)
        return true
    }

    private typealias Condition = (part: String, form: String, pattern: String)

    /// The conditions on a part of the link that this version of Android knows.
    private mutating func conditions(_ part: String, _ data: [SlowElement]) -> [Condition] {
        var result: [Condition] = []
        for element in data {
            for form in SlowPattern.forms {
                guard let pattern = element.value(part + form) else { continue }
                if api < 31, form == "Suffix" || form == "AdvancedPattern" {
                    met(.tooNewPath)
                } else {
                    result.append((part, form, pattern))
                }
            }
        }
        return result
    }

    private mutating func takesPath(_ filter: SlowElement, _ data: [SlowElement], _ link: SlowLink) -> Bool {
        let paths = conditions("path", data)
        let all = filter.all("uri-relative-filter-group")
        let groups = api >= 35 ? all : []
        if !all.isEmpty, groups.isEmpty { met(.ignoredGroups) }
        guard !paths.isEmpty || !groups.isEmpty else {
            met(.noPath)
            return true
        }
        if let path = paths.first(where: { SlowPattern.matches($0.form, $0.pattern, link.path[...]) }) {
            met(Step(rawValue: "path" + path.form) ?? .path)
            if paths.count > 1 { met(.pooledPaths) }
            if !groups.isEmpty { met(.pathBeforeGroups) }
            return true
        }
        if !paths.isEmpty { met(.noPathMatches) }
        for (index, group) in groups.enumerated() where matches(group, link) {
            if index > 0 { met(.laterGroup) }
            let allows = group.value("allow") != "false"
            met(allows ? .allowingGroup : .blockingGroup)
            return allows
        }
        if !groups.isEmpty { met(.noGroup) }
        return false
    }

    /// Whether all conditions of a group hold; it must have one.
    private mutating func matches(_ group: SlowElement, _ link: SlowLink) -> Bool {
        let required = ["path", "query", "fragment"].flatMap { conditions($0, group.all("data")) }
        guard !required.isEmpty else { return refuse(.emptyGroup) }
        for (part, form, pattern) in required {
            let texts: [SlowPattern.Units]
            switch part {
            case "path": texts = [link.path[...]]
            case "query": texts = link.queryItems
            default: texts = link.fragment.map { [$0[...]] } ?? []
            }
            guard texts.contains(where: { SlowPattern.matches(form, pattern, $0) }) else {
                if part == "query" { met(texts.isEmpty ? .noQuery : .otherQuery) }
                if part == "fragment" { met(texts.isEmpty ? .noFragment : .otherFragment) }
                return false
            }
            met(Step(rawValue: part + form) ?? .path)
        }
        return true
    }
}
