package import FuzzingSupport

/// Makes manifests and links near to what their filters ask for.
package struct RandomManifests {
    package var random: SplitMix64
    private var unknowns = 0

    package init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private static let hosts = ["example.com", "www.example.com", "a.b.example.com", "shop.example", "EXAMPLE.com"]
    private static let wildcards = ["*.example.com", "*.b.example.com", "*", "*example.com", "*.example"]
    private static let pieces = ["a", "b", "ab", "aa", "é", ".", "-", "1", "A", "ba"]
    private static let actions = ["VIEW", "MAIN", "SEND"]

    package static let apis = [21, 23, 29, 30, 31, 34, 35, 35, 35, 35, 36, 36]

    // MARK: Manifests

    package mutating func manifest() -> SlowElement {
        unknowns = 0
        var application = SlowElement("application", flag("enabled", false: 4))
        for index in 0..<random.number(1...3) {
            var activity = SlowElement("activity", [("android:name", ".A\(index)")])
            activity.attributes += SlowElement("", flag("enabled", false: 8) + flag("exported", false: 10)).attributes
            activity.children = filters()
            application.children.append(activity)
            guard random.chance(20) else { continue }
            var alias = SlowElement(
                "activity-alias", [("android:name", ".Alias\(index)"), ("android:targetActivity", ".A\(index)")])
            alias.attributes += SlowElement("", flag("enabled", false: 10) + flag("exported", false: 10)).attributes
            alias.children = filters()
            application.children.append(alias)
        }
        if random.chance(8) { application.children.append(SlowElement("receiver", [], filters())) }
        if random.chance(4) { application.children += filters() }
        if random.chance(5) {
            let index = random.number(below: application.children.count)
            application.children[index].attributes.append((name: "tools:node", value: "remove"))
        }
        return SlowElement("manifest", [("package", "com.example.app")], [application])
    }

    private mutating func filters() -> [SlowElement] { (0..<random.number(1...3)).map { _ in filter() } }

    /// A flag that is usually missing or true, and false in so many of a hundred cases.
    private mutating func flag(_ name: String, false percent: Int) -> [(String, String)] {
        let name = "android:" + name
        if random.chance(percent) { return [(name, "false")] }
        if random.chance(2) { return [(name, unknown("bool"))] }
        // Without the prefix it is not an attribute of Android.
        if random.chance(1) { return [(String(name.dropFirst("android:".count)), "false")] }
        return random.chance(50) ? [(name, "true")] : []
    }

    private mutating func unknown(_ kind: String) -> String {
        // What is compared grows by two with each.
        guard unknowns < 4 else { return kind == "bool" ? "true" : "https" }
        unknowns += 1
        return kind != "bool" && random.chance(30) ? "${v\(unknowns)}" : "@\(kind)/v\(unknowns)"
    }

    private mutating func filter() -> SlowElement {
        var attributes: [(String, String)] = []
        if random.chance(60) {
            attributes.append(("android:autoVerify", random.chance(92) ? "true" : "false"))
        } else if random.chance(4) {
            attributes.append(("android:autoVerify", unknown("bool")))
        }
        var filter = SlowElement("intent-filter", attributes)
        filter.children.append(named("action", "action." + (random.chance(96) ? "VIEW" : random.pick(Self.actions))))
        if random.chance(5) { filter.children.append(named("action", "action.MAIN")) }
        for category in ["DEFAULT", "BROWSABLE"] where random.chance(96) {
            filter.children.append(named("category", "category." + category))
        }
        filter.children += data()
        if random.chance(45) { filter.children += (0..<random.number(1...3)).map { _ in group() } }
        if random.chance(2) {
            let index = random.number(below: filter.children.count)
            filter.children[index].attributes.append((name: "tools:node", value: "remove"))
        }
        if random.chance(10) { filter.children.reverse() }
        return filter
    }

    private func named(_ element: String, _ name: String) -> SlowElement {
        SlowElement(element, [("android:name", "android.intent." + name)])
    }

    private mutating func scheme() -> String {
        if random.chance(3) { return unknown("string") }
        return random.chance(85) ? "https" : random.pick(["http", "http", "app", "HTTPS"])
    }

    private mutating func host() -> String {
        if random.chance(3) { return unknown("string") }
        return random.chance(75) ? random.pick(Self.hosts) : random.pick(Self.wildcards)
    }

    /// `<data>` in one element, or in many that are pooled.
    private mutating func data() -> [SlowElement] {
        var parts: [[(String, String)]] = []
        if random.chance(97) { parts.append([("android:scheme", scheme())]) }
        if random.chance(15) { parts.append([("android:scheme", scheme())]) }
        for _ in 0..<random.pick([0, 1, 1, 1, 1, 1, 2, 3]) {
            var authority = [("android:host", host())]
            if random.chance(12) { authority.append(("android:port", random.pick(["443", "8443"]))) }
            parts.append(authority)
        }
        if random.chance(3) { parts.append([("android:port", "8443")]) }
        for _ in 0..<random.pick([0, 0, 0, 1, 1, 2, 3]) { parts.append(condition("path")) }
        if random.chance(2) { parts.append([("android:mimeType", "text/html")]) }
        if random.chance(4) { parts.append(condition("ssp")) }
        // It counts in groups only.
        if random.chance(3) { parts.append(condition(random.pick(["query", "fragment"]))) }
        var result = parts.map { SlowElement("data", $0) }
        guard result.count > 1, random.chance(60) else { return result }
        // One element takes over what others have, if its attributes allow it.
        for _ in 0..<random.number(1...result.count) where result.count > 1 {
            let from = random.number(below: result.count - 1) + 1
            let names = Set(result[0].attributes.map(\.name))
            guard result[from].attributes.allSatisfy({ !names.contains($0.name) }) else { continue }
            result[0].attributes += result.remove(at: from).attributes
        }
        return result
    }

    private mutating func group() -> SlowElement {
        var group = SlowElement("uri-relative-filter-group", random.chance(35) ? [("android:allow", "false")] : [])
        if random.chance(20) { group.attributes = SlowElement("", [("android:allow", "true")]).attributes }
        for _ in 0..<random.pick([0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3]) {
            var attributes = condition(random.pick(["path", "query", "query", "fragment"]))
            if random.chance(10) {
                attributes += condition(random.pick(["path", "query", "fragment"])).filter { $0.0 != attributes[0].0 }
            }
            if random.chance(3) { attributes.append(("android:host", "example.com")) }
            group.children.append(SlowElement("data", attributes))
        }
        return group
    }

    private mutating func condition(_ part: String) -> [(String, String)] {
        let form = random.pick(SlowPattern.forms)
        if part == "path", random.chance(3) {
            return [("android:" + random.pick(["path", "pathPrefix", "pathPattern"]), unknown("string"))]
        }
        let start = part == "path" ? "/" : part == "ssp" ? "//example.com/" : part == "query" ? "a=" : ""
        var value: String
        switch form {
        case "Pattern": value = start + words { $0.simplePart() }
        case "AdvancedPattern": value = start + words { $0.advancedPart() }
        case "Suffix": value = words { $0.random.pick(Self.pieces) }
        default: value = start + words { $0.random.pick(Self.pieces + ["/"]) }
        }
        if part != "ssp", random.chance(2) { value = "" }
        return [("android:" + part + form, value)]
    }

    private mutating func words(_ word: (inout RandomManifests) -> String) -> String {
        (0..<random.number(1...4)).map { _ in word(&self) }.joined()
    }

    private mutating func simplePart() -> String {
        if random.chance(55) { return random.pick(Self.pieces + ["/"]) }
        return random.pick([".*", ".*", ".*a", ".*/", ".", "a*", "b*", "\\.", "\\*", ".*\\.", "/.*", "é*"])
    }

    private mutating func advancedPart() -> String {
        if random.chance(50) { return random.pick(["a", "b", "ab", "é", "/", "-", "1"]) }
        if random.chance(1) { return random.pick(["[a", "*", "a**", "[]", "a{2,1}", "a{2", "\\"]) }
        let token = random.pick([".", "[ab]", "[a-c]", "[^/]", "[^a-b1]", "\\.", "\\*", "a", "[a\\]1-9]", "[é]"])
        return token + random.pick(["", "", "*", "+", "{2}", "{1,}", "{1,3}", "{0,1}"])
    }

    // MARK: Links

    /// A link near to a filter of a manifest.
    package mutating func url(near manifest: SlowElement) -> String {
        let filters = manifest.children.flatMap(\.children).flatMap(\.children).filter { $0.name == "intent-filter" }
        guard !filters.isEmpty else { return "https://example.com/" }
        let filter = random.pick(filters)
        let data = filter.all("data")
        let start = "//example.com/"
        if random.chance(60), let text = text("ssp", data), text.hasPrefix(start) {
            return "https:" + start + encoded(String(text.dropFirst(start.count)))
        }
        let groups = filter.all("uri-relative-filter-group")
        let group = groups.isEmpty || random.chance(20) ? nil : random.pick(groups)
        var scheme = random.pick(data.compactMap { $0.value("scheme") } + ["https"])
        if SlowElement.isUnknown(scheme) || scheme == "app" { scheme = "https" }
        let authority = random.pick(
            data.filter { $0.value("host") != nil } + [SlowElement("data", [("android:host", "example.com")])])
        var host = authority.value("host") ?? ""
        if SlowElement.isUnknown(host) { host = random.pick(Self.hosts) }
        if host.hasPrefix("*") {
            host = host == "*" ? random.pick(Self.hosts) : random.pick(["x", "www", "a.b", ""]) + host.dropFirst()
            if host.hasPrefix(".") { host.removeFirst() }
        }
        var port = authority.value("port").map { ":" + $0 } ?? ""
        if random.chance(6) { port = random.pick([":443", ":8443", ""]) }
        if random.chance(4) { host = random.pick(Self.hosts) }
        if random.chance(4) { scheme = random.pick(["http", "HTTPS"]) }
        let paths = (group.map { $0.all("data") } ?? []).filter { $0.value("path") != nil || hasPart("path", $0) }
        var path = text("path", paths.isEmpty ? data : paths) ?? "/" + words { $0.random.pick(Self.pieces) }
        if random.chance(30) { path = mutated(path) }
        if path.hasPrefix("/") { path.removeFirst() }
        let inGroup = group?.all("data") ?? []
        var items = inGroup.compactMap { text("query", [$0]) }
        if random.chance(12) { items.append(random.pick(["a=1", "b", "c=a&d", ""])) }
        if !items.isEmpty, random.chance(10) { items.removeLast() }
        if items.count > 1, random.chance(40) { items.reverse() }
        let query =
            items.isEmpty
            ? "" : "?" + items.map { encoded(mutatedSometimes($0)) }.joined(separator: random.chance(90) ? "&" : ";")
        var fragment = text("fragment", inGroup).map { "#" + encoded(mutatedSometimes($0)) } ?? ""
        if random.chance(6) { fragment = random.pick(["#", "#a", ""]) }
        let whole = random.chance(2) ? "" : "/" + encoded(path)
        return "\(scheme)://\(host)\(port)\(whole)\(query)\(fragment)"
    }

    private func hasPart(_ part: String, _ data: SlowElement) -> Bool {
        SlowPattern.forms.contains { data.value(part + $0) != nil }
    }

    /// A text that one of the conditions on a part probably takes.
    private mutating func text(_ part: String, _ data: [SlowElement]) -> String? {
        var conditions: [(form: String, pattern: String)] = []
        for element in data {
            for form in SlowPattern.forms { element.value(part + form).map { conditions.append((form, $0)) } }
        }
        guard !conditions.isEmpty else { return nil }
        let (form, pattern) = random.pick(conditions)
        if SlowElement.isUnknown(pattern) { return "/a" }
        switch form {
        case "": return pattern
        case "Prefix": return pattern + (random.chance(70) ? words { $0.random.pick(Self.pieces) } : "")
        case "Suffix": return (part == "path" ? "/" : "") + words { $0.random.pick(Self.pieces) } + pattern
        default: return sample(pattern)
        }
    }

    /// A text made along a pattern of either kind.
    private mutating func sample(_ pattern: String) -> String {
        var result = ""
        var rest = Array(pattern)[...]
        while let next = rest.popFirst() {
            var piece = String(next)
            switch next {
            case "\\": piece = rest.popFirst().map(String.init) ?? ""
            case ".": piece = random.pick(["a", "b", "x", "1", "é", "/"])
            case "[":
                let end = rest.lastIndex(of: "]") ?? rest.startIndex
                let first = rest.firstIndex(of: "]") ?? end
                rest = rest[min(first + 1, rest.endIndex)...]
                piece = random.pick(["a", "b", "1", "c", "é", "]"])
            default: break
            }
            guard let modifier = rest.first, "*+{".contains(modifier) else {
                result += piece
                continue
            }
            rest.removeFirst()
            if modifier == "{", let end = rest.firstIndex(of: "}") { rest = rest[(end + 1)...] }
            let count = modifier == "*" ? random.number(0...3) : random.number(1...3)
            result += String(repeating: piece, count: count)
        }
        return result
    }

    private mutating func mutatedSometimes(_ text: String) -> String { random.chance(15) ? mutated(text) : text }

    /// A text with one character more, less, or another one.
    private mutating func mutated(_ text: String) -> String {
        var characters = Array(text)
        let index = random.number(0...characters.count)
        switch random.number(below: 3) {
        case 0: characters.insert(random.pick(["a", "b", "/", ".", "x", "é", "*"]), at: index)
        case 1 where index < characters.count: characters.remove(at: index)
        default: if index < characters.count { characters[index] = random.pick(["a", "b", "/", ".", "x", "A"]) }
        }
        return String(characters)
    }

    private mutating func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "/.-_=&;*".unicodeScalars.contains(scalar)
            if byte < 0x80, isPlain, !random.chance(2) {
                result.unicodeScalars.append(scalar)
            } else {
                let digits = String(byte, radix: 16)
                result += "%" + (digits.utf8.count == 1 ? "0" : "") + (random.chance(50) ? digits.uppercased() : digits)
            }
        }
        return result
    }
}
