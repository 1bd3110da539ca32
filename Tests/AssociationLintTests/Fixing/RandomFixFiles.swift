import FuzzingSupport

/// Small files with the mistakes that fixes are about, in entries of every generation, and links that people could have.
struct RandomFixFiles {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { random.pick(elements) }
    private mutating func chance(_ percent: Int) -> Bool { random.chance(percent) }
    private mutating func list(_ count: ClosedRange<Int>, _ element: (inout RandomFixFiles) -> String) -> String {
        let count = random.number(count)
        return (0..<count).map { _ in element(&self) }.joined(separator: ",")
    }

    private static let apps = ["7K3QWZ9PLM.com.shop.app", "7K3QWZ9PLM.com.shop.app", "7K3QWZ9PLM.com.shop.admin"]
    private static let words = ["x", "y", "buy", "caf%C3%A9", "a%20b", "X", "7", "de"]

    mutating func file() -> String {
        var links: [String] = []
        if chance(75) { links.append(#""apps":\#(pick(["[]", "[]", "[]", "[\"\(Self.apps[0])\"]"]))"#) }
        if chance(15) { links.append("\"defaults\":{\(flags())}") }
        if chance(30) {
            let values = pick([#""x","y""#, #""x","""#, #""**""#, #""y/**""#, #""é""#, #""x ""#])
            links.append("\"substitutionVariables\":{\"v\":[\(values)]}")
        }
        let count = pick([1, 1, 2, 2, 3])
        if chance(8) {
            let entries = Self.apps.dropFirst().map { "\"\($0)\":{\(oldRules())}" }
            links.append("\"details\":{\(entries.joined(separator: ","))}")
        } else {
            links.append("\"details\":[\((0..<count).map { _ in entry() }.joined(separator: ",\n"))]")
        }
        let services = chance(10) ? #","webcredentials":{"apps":["\#(Self.apps[0])","\#(Self.apps[0])"]}"# : ""
        return "{\"applinks\":{\(links.joined(separator: ",\n"))}\(services)}"
    }

    private mutating func app() -> String {
        let app = pick(Self.apps)
        return chance(92) ? app : pick([" " + app, app.lowercased(), app + "\u{A0}"])
    }

    private mutating func entry() -> String {
        let new = pick(["appIDs", "appIDs", "appIDs", "appIds"])
        let many = "\"\(new)\":[\(list(1...2) { "\"\($0.app())\"" })]"
        let single = "\"\(pick(["appID", "appID", "appID", "appId"]))\":\"\(app())\""
        let defaults = chance(15) ? ",\"defaults\":{\(flags())}" : ""
        return switch random.number(0...9) {
        case 0...2: "{\(many)\(defaults),\(newRules())}"
        case 3...5: "{\(single),\(oldRules())\(defaults)}"
        case 6, 7: "{\(single),\(oldRules()),\(many)\(defaults),\(newRules())}"
        case 8: "{\(many),\(oldRules())\(defaults)}"
        default: "{\(single),\(newRules())\(defaults)}"
        }
    }

    private mutating func newRules() -> String {
        let rules = list(1...4) { $0.component() }
        let key = pick(["components", "components", "components", "Components"])
        return chance(95) || rules.contains("},{") ? "\"\(key)\":[\(rules)]" : "\"\(key)\":\(rules)"
    }

    private mutating func oldRules() -> String {
        let rules = list(1...4) { files in
            let word = files.chance(30) ? files.pick(["NOT ", "NOT ", "NOT ", "not ", "NOT  ", "!"]) : ""
            return "\"\(word)\(files.path())\""
        }
        let key = pick(["paths", "paths", "paths", "Paths"])
        return chance(95) || rules.contains(",") ? "\"\(key)\":[\(rules)]" : "\"\(key)\":\(rules)"
    }

    private mutating func flags() -> String {
        var keys: [String] = []
        if chance(30) { keys.append("\"caseSensitive\":\(chance(50))") }
        if chance(30) { keys.append("\"percentEncoded\":\(chance(50))") }
        if chance(15) { keys.append("\"exclude\":\(chance(50))") }
        return keys.joined(separator: ",")
    }

    private mutating func component() -> String {
        var keys: [String] = []
        if chance(92) { keys.append("\"\(chance(95) ? "/" : "path")\":\"\(chance(4) ? "NOT " : "")\(path())\"") }
        if chance(25) { keys.append("\"?\":\(query())") }
        if chance(20) { keys.append("\"#\":\"\(pick(["*", "#top", "top", "/r/**", "?*"]))\"") }
        if chance(30) { keys.append("\"\(pick(["exclude", "exclude", "exclude", "Exclude"]))\":true") }
        let flags = chance(25) ? flags() : ""
        if !flags.isEmpty, !flags.contains("exclude") { keys.append(flags) }
        return "{\(keys.joined(separator: ","))}"
    }

    private mutating func query() -> String {
        pick([
            #"{"a":"*"}"#, #"{"a":"b"}"#, #"{"a":1}"#, #"{"a":"**"}"#, #""?a=b""#, #""a=*""#, #""*""#, #""a=**""#,
            #"{"a":"?*","c":"*"}"#,
        ])
    }

    /// A path pattern, most of them without a mistake.
    private mutating func path() -> String {
        let word = pick(Self.words)
        let head = "/" + pick(Self.words)
        if chance(50) { return pick([head, head + "/*", head + "/" + word, head + "*", "/*", "*", "/", head + "/?*"]) }
        return pick([
            head + "/**", "/**", "/*/**", "**", head + "/**/" + word, head + "**", "/$(v)/**", "/$(v)", "/$(lang)/**",
            word + "/*", " " + head, head + "/* ", "/café", "/a b/*", head + "//" + word, head + "?a=b", "/?a=b",
            head + "#top", "/#/r", "https://shop.com" + head, "https://shop.com", "shop.com" + head,
            "/caf%c3%a9", head + "?*", "", head + "/{id}", head + "/:id", "/$(Lang)", head + "/.*",
            "http://x.example/*#top",
        ])
    }

    /// A link without a mistake.
    mutating func link() -> String {
        let path = (0..<random.number(0...3)).map { _ in pick(Self.words) }.joined(separator: "/")
        let query = chance(40) ? "?" + pick(["a=b", "a=c", "a=", "c=d", "c=d&a=b"]) : ""
        let fragment = chance(30) ? "#" + pick(["top", "/r", "/r/x"]) : ""
        return "https://example.com/" + path + (chance(10) && !path.isEmpty ? "/" : "") + query + fragment
    }
}
