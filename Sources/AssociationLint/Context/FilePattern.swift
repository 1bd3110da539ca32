internal import AppSiteAssociation
internal import BoundedText
internal import Diagnostics
internal import JSONSyntax
internal import URLPatterns

/// A pattern in the file, and how it is compared.
final class FilePattern: Sendable {
    enum Kind: Equatable, Sendable {
        case path
        /// A path of the legacy `paths`.
        case legacyPath
        case query
        case queryItem(name: String)
        case fragment
        /// A value of a variable, which has no variables itself.
        case variableValue(name: String)
    }

    /// The comparison that a pattern takes part in; the value of a variable is compared as all patterns that use it.
    struct Comparison {
        /// Whether it is compared with the URL as it is. Neither this nor `isDecoded`: not known.
        var isEncoded = true
        /// Whether it is compared with the decoded URL.
        var isDecoded = false
        var isCaseSensitive = true
    }

    let kind: Kind
    let source: SourceText
    let string: JSONString
    /// The whole string, quotes included.
    let range: SourceRange
    private let comparison: Comparison
    /// The component, or the defaults, that it is in; nil for legacy paths and variables.
    let owner: SchemaObject?
    /// Whether it is a legacy path that excludes.
    let isLegacyExclusion: Bool
    /// Whether it is a pattern of a dynamic rule, which Android reads.
    let isAndroid: Bool
    /// The parsed pattern.
    let parsed: ParsedPattern
    /// The list that it is in, without an owner.
    private let list: JSONPointer
    private let index: Int

    fileprivate init(
        _ kind: Kind, _ source: SourceText, _ string: JSONString, _ range: SourceRange, _ comparison: Comparison,
        owner: SchemaObject?, list: JSONPointer, index: Int
    ) {
        self.kind = kind
        self.source = source
        self.string = string
        self.range = range
        self.list = list
        self.index = index
        self.comparison = comparison
        self.owner = owner
        let isAndroid = owner?.schema == .dynamicComponent
        self.isAndroid = isAndroid
        parsed = ParsedPattern(kind, string.text, percentEncoded: comparison.isEncoded, isAndroid: isAndroid)
        isLegacyExclusion = kind == .legacyPath && parsed.text.starts(with: "NOT ".utf8)
    }

    var pointer: JSONPointer {
        guard let owner else { return list.element(index) }
        switch kind {
        case .path: return owner.pointer.member("/")
        case .query: return owner.pointer.member("?")
        case .queryItem(let name): return owner.pointer.member("?").member(name)
        case .fragment: return owner.pointer.member("#")
        case .legacyPath, .variableValue: return list.element(index)
        }
    }

    /// Whether it is compared with the URL as it is, wherever it is used.
    var percentEncoded: Bool { comparison.isEncoded }
    /// Whether it is compared with the decoded URL, wherever it is used.
    var percentDecoded: Bool { comparison.isDecoded }
    var caseSensitive: Bool { comparison.isCaseSensitive }

    /// Whether it is compared with a path.
    var isPath: Bool { kind == .path || kind == .legacyPath }

    /// Whether it is a value of a variable.
    var isVariableValue: Bool { if case .variableValue = kind { true } else { false } }

    /// The bytes of the file that a part of the string's UTF-8 text was read from.
    func part(_ utf8: Range<Int>) -> SourceRange {
        string.sourceRange(ofUTF8: utf8, in: source)
    }
}

/// Collects the patterns of a file.
struct PatternCollector {
    private let source: SourceText
    private(set) var patterns: [FilePattern] = []

    init(_ source: SourceText) {
        self.source = source
    }

    /// Adds all patterns of an association file, values of variables too.
    mutating func add(defaults: SchemaObject?, entries: [DetailsEntry], variables: [DefinedVariable]) {
        if let defaults { add(defaults, [defaults]) }
        for entry in entries {
            let around = [entry.defaults, defaults].compactMap { $0 }
            if let own = entry.defaults { add(own, around) }
            for component in entry.components { add(component, [component] + around) }
            add(
                entry.object["paths"], .legacyPath, entry.object.pointer.member("paths"), FilePattern.Comparison())
        }
        let uses = VariableComparisons(patterns)
        for variable in variables {
            add(variable.member.value, .variableValue(name: variable.name), variable.pointer, uses[variable.name])
        }
    }

    /// Adds the patterns of a component of dynamic rules.
    mutating func add(dynamic component: SchemaObject) {
        add(component, FilePattern.Comparison(isEncoded: false, isDecoded: true))
    }

    /// Adds the strings of a list.
    private mutating func add(
        _ list: JSONNode?, _ kind: FilePattern.Kind, _ pointer: JSONPointer, _ comparison: FilePattern.Comparison
    ) {
        for (index, node) in (list?.array ?? []).enumerated() {
            add(kind, node, comparison, list: pointer, index: index)
        }
    }

    /// - Parameter objects: Where flags are looked for: the object itself, then the defaults around it.
    private mutating func add(_ object: SchemaObject, _ objects: [SchemaObject]) {
        func flag(_ key: String) -> Bool { objects.lazy.compactMap { $0[key]?.boolean }.first ?? true }
        let isEncoded = flag("percentEncoded")
        add(
            object,
            FilePattern.Comparison(
                isEncoded: isEncoded, isDecoded: !isEncoded, isCaseSensitive: flag("caseSensitive")))
    }

    private mutating func add(_ object: SchemaObject, _ comparison: FilePattern.Comparison) {
        let query = object["?"]
        add(.path, object["/"], comparison, owner: object)
        add(.query, query, comparison, owner: object)
        add(.fragment, object["#"], comparison, owner: object)
        for item in query?.object?.distinctMembers ?? [] {
            add(.queryItem(name: item.key.text), item.value, comparison, owner: object)
        }
    }

    private mutating func add(
        _ kind: FilePattern.Kind, _ node: JSONNode?, _ comparison: FilePattern.Comparison,
        owner: SchemaObject? = nil, list: JSONPointer = JSONPointer(), index: Int = 0
    ) {
        guard let node, let string = node.string else { return }
        patterns.append(
            FilePattern(kind, source, string, node.range, comparison, owner: owner, list: list, index: index))
    }
}

/// The comparisons for the values of variables: those of the patterns that use them, if these agree.
private struct VariableComparisons {
    private var comparisons: [ArraySlice<UInt8>: FilePattern.Comparison] = [:]

    init(_ patterns: [FilePattern]) {
        for pattern in patterns {
            for name in pattern.parsed.variableNames {
                let old = comparisons[name]
                comparisons[name] = FilePattern.Comparison(
                    isEncoded: pattern.percentEncoded && old?.isEncoded != false,
                    isDecoded: pattern.percentDecoded && old?.isDecoded != false,
                    isCaseSensitive: pattern.caseSensitive && old?.isCaseSensitive != false)
            }
        }
    }

    /// The comparison by a variable's name; of one that is not used nothing is known.
    subscript(name: String) -> FilePattern.Comparison {
        comparisons[ArraySlice(name.utf8)]
            ?? FilePattern.Comparison(isEncoded: false, isDecoded: false, isCaseSensitive: false)
    }
}

// Edits of parts of a pattern.
extension FilePattern {
    /// Replaces parts of the pattern; the new text is escaped as JSON requires.
    ///
    /// - Parameter parts: Ranges of the string's UTF-8 form, in order, and what to put there.
    func edits(_ parts: [(range: Range<Int>, text: String)]) -> [TextEdit] {
        // To find an offset in a string with escapes takes a walk from its beginning.
        if !string.isVerbatim, parts.count > 32, let first = parts.first, let last = parts.last {
            return edits([(first.range.lowerBound..<last.range.upperBound, replaced(parts))])
        }
        return parts.map { TextEdit(range: part($0.range), replacement: Self.escaped($0.text)) }
    }

    /// Replaces one part of the pattern.
    func edit(_ range: Range<Int>, _ text: String) -> TextEdit {
        TextEdit(range: part(range), replacement: Self.escaped(text))
    }

    /// The pattern, without what excludes, with parts of it replaced.
    func text(with parts: [(range: Range<Int>, text: String)]) -> String {
        let body = parsed.body
        return replaced([(body.lowerBound..<body.lowerBound, "")] + parts + [(body.upperBound..<body.upperBound, "")])
    }

    /// The text from the first to the last part, with the parts replaced.
    private func replaced(_ parts: [(range: Range<Int>, text: String)]) -> String {
        var result: [UInt8] = []
        var end = parts.first?.range.lowerBound ?? 0
        for (range, text) in parts {
            result += parsed.text[end..<range.lowerBound]
            result += text.utf8
            end = range.upperBound
        }
        return String(text: result)
    }

    private static func escaped(_ text: String) -> String {
        String(text: JSONEdits.literal(text).utf8.dropFirst().dropLast())
    }
}

extension SchemaObject {
    /// Adds a last member, beside other edits.
    func adding(_ key: String, _ value: String, to edits: [TextEdit], in source: SourceText) -> [TextEdit] {
        (edits + [JSONEdits.insert(last: key, value, in: node, source: source)])
            .sorted { $0.range.start < $1.range.start }
    }
}
