import Android
import AppSiteAssociation
import FuzzingSupport
import JSONSyntax
import Testing
import URLPatterns

/// Random rules of both platforms over a few letters, and all small ordinary URLs that they could be about.
struct SmallLinks {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// URLs with up to three segments, some queries and fragments.
    static let ordinary: [String] = {
        let segments = ["a", "b", "ab"]
        var paths = ["/"]
        var level = [""]
        for _ in 0..<3 {
            level = level.flatMap { start in segments.map { "\(start)/\($0)" } }
            paths += level + level.map { "\($0)/" }
        }
        let queries = ["", "?k=", "?k=a", "?k=ab", "?l=a", "?k=b&l=a", "?l=ab&k=a"]
        let fragments = ["", "#a", "#ab"]
        return paths.flatMap { path in
            queries.flatMap { query in fragments.map { "https://example.com\(path)\(query)\($0)" } }
        }
    }()

    /// The same, and others that are not ordinary.
    static let every =
        ordinary
        + ["//a", "/a//b", "/a?k=a&k=b", "/a?k", "/a?k=a;l=a", "/#", "/b#", "/%61", "/a?k=a%26l=a", "/b?l=b;k=a&"].map {
            "https://example.com\($0)"
        }

    mutating func pattern(_ start: String = "/") -> String {
        var text = random.chance(90) ? start : ""
        for _ in 0..<random.number(0...4) {
            text += random.pick(["a", "b", "ab", "/", "/", "*", "?", "?*"])
        }
        return text
    }

    private mutating func value() -> String { random.pick(["a", "b", "*", "?*", "a*", "*b", "?", "*a*"]) }

    private mutating func component() -> [String] {
        var members: [String] = []
        if random.chance(85) { members.append("\"/\": \"\(pattern())\"") }
        if random.chance(30) {
            let items = ["k", "l"].filter { _ in random.chance(60) }.map { "\"\($0)\": \"\(value())\"" }
            if !items.isEmpty { members.append("\"?\": { \(items.joined(separator: ", ")) }") }
        }
        if random.chance(15) { members.append("\"#\": \"\(value())\"") }
        if random.chance(35) { members.append("\"exclude\": true") }
        return members.filter { !$0.hasSuffix(": \"\"") }
    }

    private mutating func components() -> String {
        (0..<random.number(1...4)).map { _ in "{ \(component().joined(separator: ", ")) }" }.joined(separator: ", ")
    }

    mutating func association() throws -> AssociationDocument {
        var list: [String] = []
        for _ in 0..<random.number(1...4) {
            var members = component()
            if random.chance(10) { members.append("\"caseSensitive\": false") }
            list.append("{ \(members.joined(separator: ", ")) }")
        }
        return try Self.association(list.joined(separator: ", "))
    }

    static func association(_ components: String, variables: String = "") throws -> AssociationDocument {
        try AssociationDocument(
            """
            {"applinks": {"substitutionVariables": {\(variables)},
              "details": [{"appIDs": ["ABCDE12345.com.example.app"], "components": [\(components)]}]}}
            """)
    }

    static let app = "ABCDE12345.com.example.app"

    mutating func assetLinks() -> AssetLinksDocument { Self.assetLinks(random.chance(10) ? nil : components()) }

    static func assetLinks(_ components: String?, package: String = "com.example.app", pair: String = "AB")
        -> AssetLinksDocument
    {
        let fingerprint = ([String](repeating: pair, count: 31) + ["01"]).joined(separator: ":")
        let rules = components.map {
            """
            , "relation_extensions": {"delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": [\($0)]}}
            """
        }
        let text = """
            [{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace": "android_app",
              "package_name": "\(package)", "sha256_cert_fingerprints": ["\(fingerprint)"]}\(rules ?? "")}]
            """
        return AssetLinksDocument(JSONReader.read(Array(text.utf8), path: "assetlinks.json", limits: .assetLinksFile))
    }

    static func apps(_ document: AssetLinksDocument) -> [(package: String, components: [DynamicComponent])] {
        document.apps.compactMap { app in app.components.map { (app.package, $0) } }
    }
}

extension DynamicRuleMatcher {
    /// The decision, whatever it takes.
    func decide(_ url: String) throws -> DynamicDecision {
        var budget = WorkBudget.unlimited
        let url = try #require(AndroidURL(url))
        return try #require(decide(url, &budget))
    }
}
