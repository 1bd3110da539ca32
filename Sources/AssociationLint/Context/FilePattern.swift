internal import AppSiteAssociation
package import Diagnostics
package import JSONSyntax

/// A pattern in the file, and how it is compared.
package final class PatternPlace: Sendable {
    package enum Kind: Equatable, Sendable {
        case path
        /// A path of the legacy `paths`.
        case legacyPath
        case query
        case queryItem(name: String)
        case fragment
        /// A value of a variable, which has no variables itself.
        case variableValue(name: String)
    }

    /// How a pattern is compared; a value of a variable as all patterns that use the variable.
    struct Comparison {
        /// Whether it is compared with the URL as it stands. Neither this nor `isDecoded`: who knows.
        var isEncoded = true
        /// Whether it is compared with the decoded URL.
        var isDecoded = false
        var isCaseSensitive = true
    }

    package let kind: Kind
    package let string: JSONString
    /// The whole string, quotes included.
    package let range: SourceRange
    /// Whether it is compared with the URL as it stands, wherever it is used.
    package let percentEncoded: Bool
    /// Whether it is compared with the decoded URL, wherever it is used.
    package let percentDecoded: Bool
    package let caseSensitive: Bool
    /// The component, or the defaults, that it stands in; nil for legacy paths and variables.
    package let owner: LevelObject?
    /// The length of `NOT ` in front of a legacy path, else 0.
    package let prefixLength: Int
    /// What it is made of.
    package let anatomy: PatternAnatomy
    /// The list that it stands in, without an owner.
    private let list: JSONPointer
    private let index: Int

    /// A pattern in a component or in defaults.
    convenience init(
        _ kind: Kind, _ string: JSONString, _ range: SourceRange, _ comparison: Comparison, owner: LevelObject
    ) {
        self.init(kind, string, range, comparison, owner: owner, list: JSONPointer(), index: 0)
    }

    /// An element of a list: a legacy path or a value of a variable.
    convenience init(
        _ kind: Kind, _ string: JSONString, _ range: SourceRange, _ comparison: Comparison, index: Int,
        of list: JSONPointer
    ) {
        self.init(kind, string, range, comparison, owner: nil, list: list, index: index)
    }

    private init(
        _ kind: Kind, _ string: JSONString, _ range: SourceRange, _ comparison: Comparison, owner: LevelObject?,
        list: JSONPointer, index: Int
    ) {
        self.kind = kind
        self.string = string
        self.range = range
        self.list = list
        self.index = index
        percentEncoded = comparison.isEncoded
        percentDecoded = comparison.isDecoded
        caseSensitive = comparison.isCaseSensitive
        self.owner = owner
        anatomy = PatternAnatomy(kind, string.text, percentEncoded: comparison.isEncoded)
        prefixLength = kind == .legacyPath && anatomy.text.starts(with: "NOT ".utf8) ? 4 : 0
    }

    package var pointer: JSONPointer {
        guard let owner else { return list.element(index) }
        switch kind {
        case .path: return owner.pointer.member("/")
        case .query: return owner.pointer.member("?")
        case .queryItem(let name): return owner.pointer.member("?").member(name)
        case .fragment: return owner.pointer.member("#")
        case .legacyPath, .variableValue: return list.element(index)
        }
    }

    /// Whether it is compared with a path.
    package var isPath: Bool { kind == .path || kind == .legacyPath }

    /// Whether it is a value of a variable.
    package var isVariableValue: Bool { if case .variableValue = kind { true } else { false } }

    /// The bytes of the pattern, without the `NOT ` of a legacy path.
    package var pattern: ArraySlice<UInt8> { anatomy.text[prefixLength...] }

    /// The bytes of the file that a part of the string's UTF-8 text was read from.
    package func part(_ utf8: Range<Int>, in source: SourceText) -> SourceRange {
        string.sourceRange(ofUTF8: utf8, in: source)
    }
}

/// Finds the patterns of a file, and how each is compared.
enum PatternCollector {
    static func patterns(
        defaults: LevelObject?, entries: [EntryOutline], variables: [VariableOutline]
    ) -> [PatternPlace] {
        var places: [PatternPlace] = []
        if let defaults { places += patterns(of: defaults, [defaults]) }
        for entry in entries {
            let levels = [entry.defaults, defaults].compactMap { $0 }
            if let own = entry.defaults { places += patterns(of: own, levels) }
            for component in entry.components { places += patterns(of: component.level, [component.level] + levels) }
            if let paths = entry.level["paths"] {
                places += strings(paths, .legacyPath, entry.level.pointer.member("paths"))
            }
        }
        let uses = VariableComparisons(places)
        for variable in variables {
            places += strings(
                variable.member.value, .variableValue(name: variable.name), variable.pointer, uses[variable.name])
        }
        return places
    }

    private static func strings(
        _ node: JSONNode?, _ kind: PatternPlace.Kind, _ pointer: JSONPointer,
        _ comparison: PatternPlace.Comparison = PatternPlace.Comparison()
    ) -> [PatternPlace] {
        (node?.array ?? []).enumerated().compactMap { index, node in
            node.string.map {
                PatternPlace(kind, $0, node.range, comparison, index: index, of: pointer)
            }
        }
    }

    /// - Parameter levels: Where flags are looked for: the object itself, then the defaults around it.
    private static func patterns(of object: LevelObject, _ levels: [LevelObject]) -> [PatternPlace] {
        func flag(_ key: String) -> Bool {
            for level in levels {
                if let found = level[key]?.boolean { return found }
            }
            return true
        }
        let isEncoded = flag("percentEncoded")
        let comparison = PatternPlace.Comparison(
            isEncoded: isEncoded, isDecoded: !isEncoded, isCaseSensitive: flag("caseSensitive"))
        var places: [PatternPlace] = []
        func add(_ kind: PatternPlace.Kind, _ node: JSONNode?) {
            guard let node, let string = node.string else { return }
            places.append(PatternPlace(kind, string, node.range, comparison, owner: object))
        }
        add(.path, object["/"])
        let query = object["?"]
        add(.query, query)
        add(.fragment, object["#"])
        for item in query?.object?.distinctMembers ?? [] { add(.queryItem(name: item.key.text), item.value) }
        return places
    }
}

/// How the values of variables are compared: as the patterns that use them, if these agree.
struct VariableComparisons {
    private var comparisons: [ArraySlice<UInt8>: PatternPlace.Comparison] = [:]

    init(_ patterns: [PatternPlace]) {
        for pattern in patterns {
            for range in pattern.anatomy.variables {
                let name = pattern.anatomy.text[(range.lowerBound + 2)..<(range.upperBound - 1)]
                let old = comparisons[name]
                comparisons[name] = PatternPlace.Comparison(
                    isEncoded: pattern.percentEncoded && old?.isEncoded != false,
                    isDecoded: pattern.percentDecoded && old?.isDecoded != false,
                    isCaseSensitive: pattern.caseSensitive && old?.isCaseSensitive != false)
            }
        }
    }

    /// Of a variable that is not used nothing is known.
    subscript(name: String) -> PatternPlace.Comparison {
        comparisons[ArraySlice(name.utf8)]
            ?? PatternPlace.Comparison(isEncoded: false, isDecoded: false, isCaseSensitive: false)
    }
}

extension PatternPlace {
    /// Replaces parts of the pattern; what is put in is escaped as JSON asks.
    ///
    /// - Parameter parts: Ranges of the string's UTF-8 form, in order, and what to put there.
    func edits(_ parts: [(range: Range<Int>, text: String)], in source: SourceText) -> [TextEdit] {
        // To find a place in a string with escapes takes a walk from its beginning.
        if !string.isVerbatim, parts.count > 32, let first = parts.first, let last = parts.last {
            return edits([(first.range.lowerBound..<last.range.upperBound, replaced(parts))], in: source)
        }
        return parts.map { TextEdit(range: part($0.range, in: source), replacement: Self.escaped($0.text)) }
    }

    /// Replaces one part of the pattern.
    func edit(_ range: Range<Int>, _ text: String, in source: SourceText) -> TextEdit {
        TextEdit(range: part(range, in: source), replacement: Self.escaped(text))
    }

    /// What stands from the first to the last part, once they are replaced.
    func replaced(_ parts: [(range: Range<Int>, text: String)]) -> String {
        var result: [UInt8] = []
        var end = parts.first?.range.lowerBound ?? 0
        for (range, text) in parts {
            result += anatomy.text[end..<range.lowerBound]
            result += text.utf8
            end = range.upperBound
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func escaped(_ text: String) -> String {
        String(decoding: JSONEdits.literal(text).utf8.dropFirst().dropLast(), as: UTF8.self)
    }
}

extension LevelObject {
    /// Puts a member behind the others, beside other edits.
    func adding(_ key: String, _ value: String, to edits: [TextEdit], in source: SourceText) -> [TextEdit] {
        (edits + [JSONEdits.insert(last: key, value, in: node, source: source)])
            .sorted { $0.range.start < $1.range.start }
    }
}
