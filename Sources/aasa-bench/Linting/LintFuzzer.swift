import AssociationLint
import Diagnostics

/// Checks mutated association files, and what the validator says about them.
package struct LintFuzzer {
    private var random: SplitMix64
    private var documents: FuzzGenerator
    private let seeds: [[UInt8]]
    private let linter: Linter
    /// The latest file.
    package private(set) var text: [UInt8] = []
    /// How many findings there were.
    package private(set) var findings = 0

    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        documents = FuzzGenerator(seed: seed)
        let examples = RuleRegistry.all.flatMap { [$0.badBytes, Array($0.good.utf8)] }
        seeds = examples.filter { $0.count < 4_096 }
        var options = LintOptions(minimumIOS: SystemVersion(12))
        for rule in RuleRegistry.all where !rule.isOnByDefault { options.settings[rule.code] = .warning }
        linter = Linter(options)
    }

    /// Checks one more file; says what is impossible about the answer.
    package mutating func round() -> String? {
        text = random.chance(5) ? Array(documents.document().json.utf8) : random.pick(seeds)
        if text.count > 8_192 { text = random.pick(seeds) }
        for _ in 0..<random.number(0...4) { mutate() }
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

    private mutating func mutate() {
        guard !text.isEmpty else {
            text = random.pick(seeds)
            return
        }
        let start = random.number(0...text.count - 1)
        let end = min(text.count, start + random.number(0...12))
        switch random.number(0...8) {
        case 0: text[start] = UInt8.random(in: 0...255, using: &random)
        case 1: text.removeSubrange(start..<end)
        case 2: text.insert(contentsOf: random.pick(Self.pieces).utf8, at: start)
        case 3: text.replaceSubrange(start..<end, with: random.pick(Self.pieces).utf8)
        case 4: text.insert(contentsOf: text[start..<end], at: random.number(0...text.count - 1))
        case 5: splice(start)
        case 6: moveToken(start)
        case 7: text[start] ^= 1 << UInt8.random(in: 0...7, using: &random)
        default: replaceString(start)
        }
    }

    /// Goes on with a part of another file.
    private mutating func splice(_ start: Int) {
        let other = random.pick(seeds)
        guard !other.isEmpty, text.count < 20_000 else { return }
        let from = random.number(0...other.count - 1)
        text.replaceSubrange(start..<min(text.count, start + 40), with: other[from..<min(other.count, from + 80)])
    }

    /// Moves what stands between two commas or brackets.
    private mutating func moveToken(_ start: Int) {
        let marks = Set(",{}[]:".utf8)
        guard let first = text[start...].firstIndex(where: marks.contains),
            let last = text[(first + 1)...].firstIndex(where: marks.contains)
        else { return }
        let token = Array(text[first..<last])
        text.removeSubrange(first..<last)
        text.insert(contentsOf: token, at: random.number(0...text.count))
    }

    /// Puts another text into a string.
    private mutating func replaceString(_ start: Int) {
        let quote = UInt8(ascii: "\"")
        guard let first = text[start...].firstIndex(of: quote),
            let last = text[(first + 1)...].firstIndex(of: quote)
        else { return }
        text.replaceSubrange((first + 1)..<last, with: random.pick(Self.pieces).utf8)
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
