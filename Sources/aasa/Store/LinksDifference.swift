import Diagnostics
import JSONSyntax
import SystemSupport

/// The links and pages that differ between two versions of a `links.json`: which are new, gone, lead elsewhere, or say
/// something else.
struct LinksDifference {
    private struct Entry {
        /// Where it leads, with the kind of its answer.
        let target: String
        /// All of it, as it is written.
        let text: [UInt8]
    }

    private var new: [(name: String, target: String)] = []
    private var gone: [(name: String, target: String)] = []
    private var elsewhere: [(name: String, from: String, to: String)] = []
    private var changed: [String] = []

    /// The most entries of each list that are shown to people, and to programs.
    private static let maxLines = 20
    private static let maxMembers = 1_000

    /// - Returns: nil if one of them is not a JSON object.
    init?(old: [UInt8], new bytes: [UInt8]) {
        guard let old = Self.entries(old), let new = Self.entries(bytes) else { return nil }
        let before = Dictionary(old.map { ($0.name, $0.entry) }) { first, _ in first }
        let after = Dictionary(new.map { ($0.name, $0.entry) }) { first, _ in first }
        for (name, entry) in new {
            guard let previous = before[name] else {
                self.new.append((name, entry.target))
                continue
            }
            if previous.target != entry.target {
                elsewhere.append((name, previous.target, entry.target))
            } else if previous.text != entry.text {
                changed.append(name)
            }
        }
        gone = old.filter { after[$0.name] == nil }.map { ($0.name, $0.entry.target) }
    }

    /// The links by their paths, the pages by their routes, and the rest by its keys.
    private static func entries(_ bytes: [UInt8]) -> [(name: String, entry: Entry)]? {
        let document = JSONReader.read(bytes, path: "links.json", limits: .configuration)
        guard let root = document.root?.object else { return nil }
        func entry(_ node: JSONNode) -> Entry {
            let targets = ["to", "appURL"].compactMap { node.object?[$0]?.string?.text }.joined(separator: " and ")
            let isRedirect = node.object?["answer"]?.string?.text == "redirect"
            return Entry(
                target: (targets.isEmpty ? "its page" : targets) + (isRedirect ? " (redirect)" : ""),
                text: Array(document.source.bytes[node.range.start..<node.range.end]))
        }
        var entries: [(name: String, entry: Entry)] = []
        for member in root.members {
            switch (member.key.text, member.value.object, member.value.array) {
            case ("links", let links?, _): entries += links.members.map { ($0.key.text, entry($0.value)) }
            case ("pages", _, let pages?):
                entries += pages.map { ("page \($0.object?["route"]?.string?.text ?? "without a route")", entry($0)) }
            case (let key, _, _): entries.append(("'\(key)'", entry(member.value)))
            }
        }
        return entries
    }

    /// For people, a line for each.
    var lines: [String] {
        let all =
            new.map { "new: \($0.name) leads to \($0.target)" }
            + gone.map { "gone: \($0.name), which led to \($0.target)" }
            + elsewhere.map { "leads elsewhere: \($0.name), from \($0.from) to \($0.to)" }
            + changed.map { "changed: \($0)" }
        let others = all.count > Self.maxLines ? ["and \(counted(all.count - Self.maxLines, "other change"))"] : []
        return all.prefix(Self.maxLines).map { VisibleText.escaped($0) } + others
    }

    var json: JSONOutput {
        func list<Element>(_ all: [Element], _ member: (Element) -> JSONOutput) -> JSONOutput {
            .array(all.prefix(Self.maxMembers).map(member))
        }
        return .object([
            "new": list(new) { .object(["link": .string($0.name), "to": .string($0.target)]) },
            "gone": list(gone) { .object(["link": .string($0.name), "to": .string($0.target)]) },
            "elsewhere": list(elsewhere) {
                .object(["link": .string($0.name), "from": .string($0.from), "to": .string($0.to)])
            },
            "changed": list(changed, JSONOutput.string),
            "count": .number(new.count + gone.count + elsewhere.count + changed.count),
        ])
    }
}
