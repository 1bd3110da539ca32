import Android
import AssociationLint
import Diagnostics
import FuzzingSupport
import JSONSyntax
import Testing
import URLPatterns

/// The effect of fixes on links on Android, for asset links files with the mistakes that have fixes.
@Suite("Links on Android after fixes")
struct DynamicFixMeaningTests {
    /// Automatic fixes of what matches nothing, or is not read.
    private static let restoring: Set<String> = [
        "misspelt-key", "whitespace-around-pattern", "missing-leading-slash", "leading-hash-in-fragment",
    ]
    private static let package = "com.shop.app"

    private static func file(_ random: inout SplitMix64) -> String {
        let words = ["x", "y", "buy", "de"]
        func path(_ random: inout SplitMix64) -> String {
            let head = "/" + random.pick(words)
            return random.pick([
                head, head + "/*", "/*", head + "/" + random.pick(words), "*", head + "/**", "/**", head + "/*?",
                random.pick(words) + "/*", " " + head, head + "?a=b", head + "#top", "/#/r", "https://shop.com" + head,
                "/caf%C3%A9", "/a%20b/*", "NOT " + head, head + "/{id}",
            ])
        }
        // Every third file ends with an exclusion after a rule that opens everything.
        let ending = random.chance(33) ? [#"{"/":"/*"}"#, #"{"/":"/x","exclude":true}"#] : []
        let components = (0..<random.number(1...4)).map { _ in
            var keys = ["\"\(random.chance(95) ? "/" : "path")\":\"\(path(&random))\""]
            if random.chance(20) { keys.append("\"?\":{\"a\":\"\(random.pick(["b", "*", "?*"]))\"}") }
            if random.chance(20) { keys.append("\"#\":\"\(random.pick(["top", "#top", "*"]))\"") }
            if random.chance(35) { keys.append("\"\(random.pick(["exclude", "exclude", "Exclude"]))\":true") }
            return "{\(keys.joined(separator: ","))}"
        }
        let print = "\"" + (0..<32).map { $0 % 2 == 0 ? "A7" : "3F" }.joined(separator: ":") + "\""
        let prints = random.chance(20) ? [print, print] : [print]
        return """
            [{"relation":["delegate_permission/common.handle_all_urls"],
            "target":{"namespace":"android_app","package_name":"\(package)",
            "sha256_cert_fingerprints":[\(prints.joined(separator: ","))]},
            "relation_extensions":{"delegate_permission/common.handle_all_urls":{
            "dynamic_app_link_components":[\((components + ending).joined(separator: ",\n"))]}}}]
            """
    }

    /// Whether the file lets the app open a link; nil if the file does not name the app.
    private static func isOpen(_ url: String, _ document: AssetLinksDocument) -> Bool? {
        guard let app = document.apps.first(where: { $0.package == package }), let url = AndroidURL(url.utf8) else {
            return nil
        }
        guard let matcher = DynamicRuleMatcher(app) else { return true }
        var budget = WorkBudget()
        return matcher.decide(url, &budget).map { $0.outcome == .open }
    }

    @Test(
        "an automatic fix changes no decision where anything matched, and a suggested one names a link that changes",
        arguments: [UInt64](0..<6))
    func fixes(seed: UInt64) throws {
        var (random, links) = (SplitMix64(seed: seed), RandomFixFiles(seed: seed))
        var tried = Set<String>()
        let examples =
            seed == 0 ? RuleRegistry.catalogue.rules.filter { $0.subject == .assetLinks }.map(\.badBytes) : []
        for bytes in examples + (0..<60).map({ _ in Array(Self.file(&random).utf8) }) {
            let urls = (0..<60).map { _ in links.link() }
            let before = Linter().checkAssetLinks(bytes)
            guard before.isTreeReliable, before.isAsInFile else { continue }
            let old = AssetLinksDocument(JSONReader.read(bytes, path: "assetlinks.json"))
            for finding in before.diagnostics {
                let choice = ChosenFixes.Choice(code: finding.code, offset: finding.range.start)
                guard let (fixed, records) = try? ChosenFixes.apply([choice], to: bytes, before) else { continue }
                let new = AssetLinksDocument(JSONReader.read(fixed, path: "assetlinks.json"))
                let text = Comment(
                    rawValue: "\(finding.code): \(String(decoding: bytes, as: UTF8.self)) to "
                        + String(decoding: fixed, as: UTF8.self))
                tried.insert(finding.code.rawValue)
                let notes = ChosenFixes.notes(records, from: before, to: Linter().checkAssetLinks(fixed))
                let isSuggested = records.first?.fixIt.applicability == .suggested
                if !isSuggested, !Self.restoring.contains(finding.code.rawValue) {
                    #expect(urls.filter { Self.isOpen($0, old) != Self.isOpen($0, new) } == [], text)
                }
                for (effect, wasOpen) in [("no longer open an app", true), ("now open an app", false)] {
                    let told = notes.map(\.message).filter { $0.contains(effect) }
                    let changed = urls.first {
                        Self.isOpen($0, old) == wasOpen && Self.isOpen($0, new) == !wasOpen
                    }
                    if let changed, isSuggested || wasOpen { #expect(!told.isEmpty, "\(changed): \(text)") }
                    for message in told {
                        let named = String(message.split(separator: "'")[1])
                        #expect(Self.isOpen(named, old) == wasOpen && Self.isOpen(named, new) == !wasOpen, text)
                    }
                }
            }
        }
        if seed == 0 {
            #expect(tried.isSuperset(of: Self.restoring.union(["duplicate-fingerprint", "dead-exclude"])), "\(tried)")
        }
    }
}
