import AssociationLint
import Diagnostics

/// Checks mutated association files, and what the validator says about them.
package struct LintFuzzer {
    private var random: SplitMix64
    private var documents: FuzzGenerator
    private let mutator: JSONMutator
    private let linter: Linter
    /// The latest file.
    package private(set) var text: [UInt8] = []
    /// How many findings there were.
    package private(set) var findings = 0

    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        documents = FuzzGenerator(seed: seed)
        let examples = RuleRegistry.all.flatMap { [$0.badBytes, Array($0.good.utf8)] }
        mutator = JSONMutator(seeds: examples.filter { $0.count < 4_096 }, pieces: Self.pieces)
        var options = LintOptions(minimumIOS: SystemVersion(12))
        for rule in RuleRegistry.all where !rule.isOnByDefault { options.settings[rule.code] = .warning }
        linter = Linter(options)
    }

    /// Checks one more file; says what is impossible about the answer.
    package mutating func round() -> String? {
        text = random.chance(5) ? Array(documents.document().json.utf8) : random.pick(mutator.seeds)
        if text.count > 8_192 { text = random.pick(mutator.seeds) }
        for _ in 0..<random.number(0...4) { mutator.mutate(&text, &random) }
        let result = linter.check(text)
        findings += result.diagnostics.count
        if let complaint = LintProof.complaint(about: result) { return complaint }
        if random.chance(5) {
            findings += LintConfiguration(text, path: ".aasa.json").diagnostics.count
            findings += CaseList.read(text, path: "cases.json").diagnostics.count
        }
        if random.chance(20), let complaint = LintProof.complaint(aboutFixesOf: text, linter) { return complaint }
        return nil
    }

    private static let pieces = [
        "\"", "'", ",", ",,", ":", "{", "}", "[", "]", "{}", "[]", "\\", "\\u", "\\ud83d", "\\u0000", "\\/", "//", "/*",
        "#",
        "\n", "\r\n", "\t", " ", "\u{A0}", "\u{FEFF}", "“", "”", "é", "日本", "\u{1F600}", "e\u{301}", "\0",
        "null", "true", "false", "1", "-", "0.5", "1e9", "NaN", "<<<<<<<", "=======", "{{ x }}", "<%", "${", "---\n",
        "\"applinks\"", "\"details\"", "\"appID\"", "\"appIDs\"", "\"appId\"", "\"components\"", "\"component\"",
        "\"paths\"", "\"path\"", "\"apps\"", "\"defaults\"", "\"substitutionVariables\"", "\"exclude\"", "\"/\"",
        "\"?\"",
        "\"#\"", "\"caseSensitive\"", "\"percentEncoded\"", "\"comment\"", "\"webcredentials\"", "\"appclips\"",
        "/buy/*", "/buy/?id=*", "/*", "*", "**", "?*", "NOT /x", "NOT  /x", "not /x", "/a b", " /x ", "/%c3%A9", "/%zz",
        "/%",
        "$(", "$(lang)", "$(x)", "$()", "/$(a)/$(b)/*", "{id}", ":id", "^/x$", "/.*", "//x//", "/../x",
        "https://x.example/a",
        "www.x.example", "#top", "?a=1&b=2", "com.example.app", "7K3QWZ9PLM.com.shop.app", "ABCDE12345.com.example.app",
        "TEAMID.com.x", " 7K3QWZ9PLM.com.shop.app", "7k3qwz9plm.com.shop.app", "7K3QWZ9PLM.*", ".", "..", "",
    ]
}
