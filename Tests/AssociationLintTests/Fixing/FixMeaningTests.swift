import AppSiteAssociation
import AssociationLint
import Diagnostics
import PatternAnalysis
import Testing
import URLPatterns

/// The effect of fixes on links, on each of the systems that a file speaks to, for files with every mistake that has a fix.
@Suite("Links after fixes")
struct FixMeaningTests {
    /// Automatic fixes that change no decision.
    private static let exact: Set<String> = ["repeated-wildcard", "missing-leading-slash", "duplicate-app-id"]
    /// Automatic fixes of what matches nothing, or is not read: they do what was plainly meant, and nothing else.
    private static let restoring: Set<String> = [
        "misspelt-key", "unencoded-character", "whitespace-around-pattern", "whitespace-in-app-id",
        "leading-question-mark-in-query", "leading-hash-in-fragment", "missing-apps",
    ]

    /// The part that a system reads of a file.
    private struct Reading {
        let name: String
        let document: AssociationDocument
        let matcher: ReferenceMatcher

        init(_ name: String, _ document: AssociationDocument) {
            self.name = name
            self.document = document
            matcher = ReferenceMatcher(document)
        }

        func isOpen(_ url: String) -> Bool {
            guard let url = WebURL(url.utf8) else { return false }
            return matcher.decide(url).outcome == .open
        }

        func apps(_ url: String) -> [String] {
            guard let url = WebURL(url.utf8) else { return [] }
            return matcher.decide(url).appIDs
        }
    }

    /// It is not known whether iOS 12 reads all entries of an app, so each is also read alone.
    private static func readings(_ bytes: [UInt8], eachEntry: Bool) -> [String: Reading]? {
        guard let document = try? AssociationDocument(bytes) else { return nil }
        var all = [Reading("current", document)]
        if let old = document.forOldSystems {
            all.append(Reading("iOS 12", old))
            let details = old.appLinks?.details ?? []
            if eachEntry, details.count > 1 {
                for detail in details {
                    let links = AppLinks([detail], SubstitutionVariables())
                    all.append(
                        Reading(
                            "iOS 12, entry \(detail.index)", AssociationDocument(appLinks: links, source: old.source)))
                }
            }
        }
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }

    private static func applied(_ fixIt: FixIt, to bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for edit in fixIt.edits.reversed() {
            bytes.replaceSubrange(edit.range.start..<edit.range.end, with: edit.replacement.utf8)
        }
        return bytes
    }

    /// Files, and the examples of the rules with the first of them; with links for each.
    private static func files(seed: UInt64, _ count: Int) -> [(bytes: [UInt8], links: [String])] {
        var random = RandomFixFiles(seed: seed)
        let examples =
            seed == 0 ? RuleRegistry.catalogue.rules.filter { $0.subject == .associationFile }.map(\.badBytes) : []
        let all = examples + (0..<count).map { _ in Array(random.file().utf8) }
        return all.map { ($0, (0..<60).map { _ in random.link() }) }
    }

    private static let seeds: [UInt64] = Array(0..<8)
    private static let filesPerSeed = 40

    @Test("every automatic fix is known to be exact, or to restore what was meant")
    func classes() {
        let automatic = RuleRegistry.catalogue.rules.filter { $0.subject == .associationFile && $0.fix == .automatic }
        let ofPatterns = Set(automatic.map(\.code.rawValue)).subtracting(SyntaxCodes.all)
        #expect(ofPatterns == Self.exact.union(Self.restoring))
    }

    @Test("an automatic fix changes no decision, or only those of the rule that matched nothing", arguments: seeds)
    func automatic(seed: UInt64) throws {
        var tried: [String: Int] = [:]
        for (bytes, links) in Self.files(seed: seed, Self.filesPerSeed) {
            guard let before = Self.readings(bytes, eachEntry: true) else { continue }
            for finding in Linter().check(bytes).diagnostics {
                guard let fixIt = finding.fixIts.first(where: { $0.applicability == .automatic }) else { continue }
                let fixed = Self.applied(fixIt, to: bytes)
                let text = Comment("\(finding.code) in \(String(decoding: bytes, as: UTF8.self))")
                let after = try #require(Self.readings(fixed, eachEntry: true), text)
                tried[finding.code.rawValue, default: 0] += 1
                for (name, old) in before {
                    guard let new = after[name] else {
                        Issue.record("\(name) does not read the file any more: \(text)")
                        continue
                    }
                    let isExact = !Self.restoring.contains(finding.code.rawValue)
                    if isExact || finding.code.rawValue == "missing-apps" {
                        let changed = links.filter { old.apps($0) != new.apps($0) }
                        #expect(changed == [], "\(name): \(text)")
                        let changes = LinkComparison(old: old.document, new: new.document).changes
                        #expect(changes.map(\.witness) == [], "\(name): \(text)")
                    } else if finding.code.rawValue.hasSuffix("-app-id") {
                        #expect(links.filter { old.isOpen($0) && !new.isOpen($0) } == [], "\(name): \(text)")
                    } else if finding.code.rawValue != "misspelt-key" {
                        try Self.expectOnlyRule(of: finding, old, new, text)
                    }
                }
            }
        }
        if seed == 0 { #expect(Self.exact.union(Self.restoring).isSubset(of: tried.keys), "\(tried)") }
    }

    /// The rule that was mended decides about every link that changes, and decided about none before; or about links with
    /// the same mistake.
    private static func expectOnlyRule(
        of finding: Diagnostic, _ old: Reading, _ new: Reading, _ text: Comment
    ) throws {
        let pointer = try #require(finding.pointer)
        // Patterns of defaults and variables are in several rules.
        guard pointer.contains("/components/") || pointer.contains("/paths/") else { return }
        let matchesMistakes = finding.code.rawValue.hasPrefix("leading-")
        func isMended(_ rule: Rule?) -> Bool { rule.map { (pointer + "/").hasPrefix($0.pointer + "/") } ?? false }
        for change in LinkComparison(old: old.document, new: new.document).changes {
            let wasDecided = isMended(change.old.rule)
            #expect(isMended(change.new.rule) || wasDecided, "\(new.name), \(change.witness): \(text)")
            #expect(!wasDecided || matchesMistakes, "\(new.name), \(change.witness): \(text)")
        }
    }

    @Test("suggested fixes name a link that they close, and one that they open, on each system", arguments: seeds)
    func suggested(seed: UInt64) throws {
        for (bytes, links) in Self.files(seed: seed, Self.filesPerSeed) {
            let start = Fixer(Linter()).fix(bytes, path: "file")
            let outcome = Fixer(Linter(), upTo: .suggested).fix(bytes, path: "file")
            guard start.failure == nil, outcome.bytes != start.bytes else { continue }
            // What automatic fixes have opened was meant to open.
            try Self.expectNamed(
                outcome.notes, from: (closed: bytes, opened: start.bytes), to: outcome.bytes, links, "all of them")
        }
    }

    @Test("one suggested fix names a link that it closes, and one that it opens, on each system", arguments: seeds)
    func chosen(seed: UInt64) throws {
        var tried = Set<String>()
        for (bytes, links) in Self.files(seed: seed, Self.filesPerSeed) {
            let before = Linter().check(bytes)
            guard Self.readings(bytes, eachEntry: false) != nil else { continue }
            for finding in before.diagnostics {
                guard
                    let fixIt = finding.fixIts.first(where: { !$0.edits.isEmpty && $0.applicability != .displayOnly }),
                    fixIt.applicability == .suggested
                else { continue }
                let choice = ChosenFixes.Choice(code: finding.code, offset: finding.range.start)
                let (fixed, records) = try ChosenFixes.apply([choice], to: bytes, before)
                #expect(fixed == Self.applied(fixIt, to: bytes))
                tried.insert(finding.code.rawValue)
                let notes = ChosenFixes.notes(records, from: before, to: Linter().check(fixed))
                try Self.expectNamed(notes, from: (bytes, bytes), to: fixed, links, "\(finding.code)")
            }
        }
        if seed == 0 {
            let suggested = RuleRegistry.catalogue.rules.filter {
                $0.subject == .associationFile && $0.fix == .suggested && $0.isOnByDefault && $0.minimumIOS == nil
            }
            let untried = Set(suggested.map(\.code.rawValue)).subtracting(tried).subtracting(SyntaxCodes.all)
            #expect(untried == [])
        }
    }

    /// Looks for links that change in a way that no note tells, and for links in notes that do not change.
    private static func expectNamed(
        _ notes: [Report.Note], from old: (closed: [UInt8], opened: [UInt8]), to new: [UInt8], _ links: [String],
        _ fix: String
    ) throws {
        guard let start = readings(old.opened, eachEntry: false), let after = readings(new, eachEntry: false) else {
            return
        }
        let first = start.merging(readings(old.closed, eachEntry: false) ?? [:]) { $1 }
        let text = Comment(
            rawValue:
                "\(fix): \(String(decoding: old.closed, as: UTF8.self)) to \(String(decoding: new, as: UTF8.self)), "
                + "\(notes.map(\.message))")
        for (effect, wasOpen) in [("no longer open an app", true), ("now open an app", false)] {
            let told = notes.map(\.message).filter { $0.contains(effect) }
            for (name, was) in wasOpen ? first : start {
                guard let now = after[name] else { continue }
                let changed = links.first { was.isOpen($0) == wasOpen && now.isOpen($0) != wasOpen }
                if let changed { #expect(!told.isEmpty, "\(name), \(changed): \(text)") }
                for message in told where message.hasSuffix("iOS 12 and older") == (name == "iOS 12") {
                    let named = String(message.split(separator: "'")[1])
                    #expect(was.isOpen(named) == wasOpen && now.isOpen(named) != wasOpen, "\(name), \(named): \(text)")
                }
            }
        }
        // Nobody has a link that only a mistake made.
        for message in notes.map(\.message) where message.contains("open an app") {
            let named = message.split(separator: "'")[1].dropFirst("https://".count)
            #expect(!["//", ":", "{", "/../", "shop.com"].contains { named.contains($0) }, "\(named): \(text)")
        }
    }
}

/// The rules about the syntax: without their fixes nothing is read.
private enum SyntaxCodes {
    static let all: Set<String> = Set(
        RuleRegistry.catalogue.rules.filter { rule in
            rule.subject == .associationFile
                && Linter().check(rule.badBytes).everything.contains { $0.code == rule.code && $0.pointer == nil }
        }.map(\.code.rawValue))
}
