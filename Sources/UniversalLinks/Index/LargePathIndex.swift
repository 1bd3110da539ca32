internal import AppSiteAssociation
internal import URLPatterns

/// An index of many entries: a hash table of whole segments, and tables of literals for the patterns that begin with a
/// wildcard.
///
/// | bytes | what |
/// |---|---|
/// | 0 | the seed of all hashes |
/// | 8, 12 | the table of segments and its mask |
/// | 16 | the depth of the deepest node |
/// | 24, 28, 32 | entries that every path is asked for: where, how many, the lowest key |
/// | 36, 40, 44 | entries without a literal of 4 bytes, likewise |
/// | 48 | 1 if a `/*` at the end of a literal pattern needs a path that goes on |
/// | 64 | the table of each kind of literal, 32 bytes each |
struct LargePathIndex {
    static let grams = 64
    static let headerSize = grams + GramKind.allCases.count * GramTable.headerSize
    static let maximumDepth = 16
    /// The largest number of entries with a pattern left to compare at one segment; the others are found by a literal.
    static let maximumListLength = 8

    private var nodes: [SegmentNode] = []
    private var nodeNumbers: [[UInt8]: Int] = [:]
    private var everywhere: [PathEntry] = []
    private var byLiteral: [PathEntry] = []
    private let percentEncoded: Bool
    private let seed: UInt64
    /// Whether a `/*` at the end of a literal pattern needs a path that goes on: so it is where none includes its parent.
    private let goesOn: Bool

    static func write(
        _ entries: [PathEntry], percentEncoded: Bool, seed: UInt64, isSingleGroup: Bool, into arena: inout Arena
    ) -> Int {
        let goesOn = entries.allSatisfy { $0.form?.includesParent != true }
        var index = LargePathIndex(percentEncoded: percentEncoded, seed: seed, goesOn: goesOn)
        for entry in entries { index.add(entry) }
        return index.write(isSingleGroup: isSingleGroup, into: &arena)
    }

    private init(percentEncoded: Bool, seed: UInt64, goesOn: Bool) {
        self.percentEncoded = percentEncoded
        self.seed = seed
        self.goesOn = goesOn
    }

    private mutating func add(_ entry: PathEntry) {
        guard let form = entry.form, form.elements != [.anyRun] else {
            everywhere.append(entry)
            return
        }
        let slash = UInt8(ascii: "/")
        let prefix = form.elements.prefix { $0.isByte }.map { if case .byte(let byte) = $0 { byte } else { slash } }
        let depth = prefix.count { $0 == slash }
        if prefix.count == form.elements.count, depth < Self.maximumDepth {
            let node = node(prefix[...])
            nodes[node].exact.append(entry)
            note(entry, at: node)
            return
        }
        guard let cut = cut(prefix) else {
            byLiteral.append(entry)
            return
        }
        let node = node(prefix[..<cut])
        let rest = form.elements[(cut + 1)...]
        if rest.count == 1, rest.first == .anyRun, form.includesParent != goesOn {
            nodes[node].prefix.append(entry)
        } else if nodes[node].list.count < Self.maximumListLength || !hasLiteral(entry) {
            nodes[node].list.append(entry)
        } else {
            byLiteral.append(entry)
            return
        }
        note(entry, at: node)
    }

    /// The last slash of a literal prefix that is not too deep; nil if there is none.
    private func cut(_ prefix: [UInt8]) -> Int? {
        let slashes = prefix.indices.filter { prefix[$0] == UInt8(ascii: "/") }
        return slashes.prefix(Self.maximumDepth).last
    }

    private func hasLiteral(_ entry: PathEntry) -> Bool { !GramKind.literals(of: entry, seed: seed).isEmpty }

    /// The node of a path, made with all nodes above it.
    private mutating func node(_ path: ArraySlice<UInt8>) -> Int {
        let key = Array(path)
        if let number = nodeNumbers[key] { return number }
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        let parent = slash.map { node(path[..<$0]) }
        let segment = Array(path[(slash.map { $0 + 1 } ?? path.startIndex)...])
        let depth = (parent.map { nodes[$0].depth } ?? 0) + 1
        nodes.append(SegmentNode(parent: parent, segment: segment, depth: depth))
        nodeNumbers[key] = nodes.count - 1
        return nodes.count - 1
    }

    private mutating func note(_ entry: PathEntry, at node: Int) {
        var current: Int? = node
        while let number = current, nodes[number].lowest > entry.key.rawValue {
            nodes[number].lowest = entry.key.rawValue
            current = nodes[number].parent
        }
    }

    private func write(isSingleGroup: Bool, into arena: inout Arena) -> Int {
        let start = arena.reserve(Self.headerSize, alignment: 64)
        let (table, mask) = SegmentTable.write(
            nodes, percentEncoded: percentEncoded, seed: seed, keepsAll: !isSingleGroup, into: &arena)
        arena.store(seed, at: start)
        arena.store(table, at: start + 8)
        arena.store(mask, at: start + 12)
        arena.store(nodes.map(\.depth).max() ?? 0, at: start + 16)
        write(everywhere, at: start + 24, into: &arena)
        let (literals, rest) = GramTable.choose(byLiteral, seed: seed)
        write(rest, at: start + 36, into: &arena)
        arena.store(goesOn ? 1 : 0, at: start + 48)
        for kind in GramKind.allCases {
            GramTable.write(
                literals[kind] ?? [:], percentEncoded: percentEncoded,
                at: start + Self.grams + kind.rawValue * GramTable.headerSize, into: &arena)
        }
        return start
    }

    private func write(_ entries: [PathEntry], at offset: Int, into arena: inout Arena) {
        let list = EntryRecord.write(entries, percentEncoded: percentEncoded, into: &arena)
        arena.store(list, at: offset)
        arena.store(entries.count, at: offset + 4)
        arena.store(entries.first?.key.rawValue ?? RuleKey.none, at: offset + 8)
    }
}

/// A segment of a path in a tree, while the tree is built.
struct SegmentNode {
    let parent: Int?
    let segment: [UInt8]
    let depth: Int
    /// The path ends here.
    var exact: [PathEntry] = []
    /// The path ends here or goes on in any way.
    var prefix: [PathEntry] = []
    /// The path goes on with a pattern.
    var list: [PathEntry] = []
    /// The lowest key of all entries here and below.
    var lowest = RuleKey.none
}
