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
    let string: JSONString
    /// The whole string, quotes included.
    let range: SourceRange
    /// Whether it is compared with the URL as it is, wherever it is used.
    let percentEncoded: Bool
    /// Whether it is compared with the decoded URL, wherever it is used.
    let percentDecoded: Bool
    let caseSensitive: Bool
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

    private init(
        _ kind: Kind, _ string: JSONString, _ range: SourceRange, _ comparison: Comparison,
        owner: SchemaObject? = nil, list: JSONPointer = JSONPointer(), index: Int = 0
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

    /// Whether it is compared with a path.
    var isPath: Bool { kind == .path || kind == .legacyPath }

    /// Whether it is a value of a variable.
    var isVariableValue: Bool { if case .variableValue = kind { true } else { false } }

    /// The bytes of the file that a part of the string's UTF-8 text was read from.
    func part(_ utf8: Range<Int>, in source: SourceText) -> SourceRange {
        string.sourceRange(ofUTF8: utf8, in: source)
    }
}

extension FilePattern {
    /// All patterns of a file, values of variables too.
    static func all(
        defaults: SchemaObject?, entries: [DetailsEntry], variables: [DefinedVariable]
    ) -> [FilePattern] {
        var found: [FilePattern] = []
        if let defaults { found += patterns(of: defaults, [defaults]) }
        for entry in entries {
            let around = [entry.defaults, defaults].compactMap { $0 }
            if let own = entry.defaults { found += patterns(of: own, around) }
            for component in entry.components {
                found += patterns(of: component.object, [component.object] + around)
            }
            if let paths = entry.object["paths"] {
                found += strings(paths, .legacyPath, entry.object.pointer.member("paths"), Comparison())
            }
        }
        let uses = VariableComparisons(found)
        for variable in variables {
            found += strings(
                variable.member.value, .variableValue(name: variable.name), variable.pointer, uses[variable.name])
        }
        return found
    }

    /// The patterns of a dynamic rule.
    static func all(in component: SchemaObject) -> [FilePattern] {
        patterns(of: component, Comparison(isEncoded: false, isDecoded: true, isCaseSensitive: true))
    }

    private static func strings(
        _ node: JSONNode, _ kind: Kind, _ pointer: JSONPointer, _ comparison: Comparison
    ) -> [FilePattern] {
        (node.array ?? []).enumerated().compactMap { index, node in
            node.string.map { FilePattern(kind, $0, node.range, comparison, list: pointer, index: index) }
        }
    }

    /// - Parameter objects: Where flags are looked for: the object itself, then the defaults around it.
    private static func patterns(of object: SchemaObject, _ objects: [SchemaObject]) -> [FilePattern] {
        func flag(_ key: String) -> Bool {
            for object in objects {
                if let found = object[key]?.boolean { return found }
            }
            return true
        }
        let isEncoded = flag("percentEncoded")
        return patterns(
            of: object,
            Comparison(isEncoded: isEncoded, isDecoded: !isEncoded, isCaseSensitive: flag("caseSensitive")))
    }

    private static func patterns(of object: SchemaObject, _ comparison: Comparison) -> [FilePattern] {
        var found: [FilePattern] = []
        func add(_ kind: Kind, _ node: JSONNode?) {
            guard let node, let string = node.string else { return }
            found.append(FilePattern(kind, string, node.range, comparison, owner: object))
        }
        add(.path, object["/"])
        let query = object["?"]
        add(.query, query)
        add(.fragment, object["#"])
        for item in query?.object?.distinctMembers ?? [] { add(.queryItem(name: item.key.text), item.value) }
        return found
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
    func edits(_ parts: [(range: Range<Int>, text: String)], in source: SourceText) -> [TextEdit] {
        // To find an offset in a string with escapes takes a walk from its beginning.
        if !string.isVerbatim, parts.count > 32, let first = parts.first, let last = parts.last {
            return edits([(first.range.lowerBound..<last.range.upperBound, replaced(parts))], in: source)
        }
        return parts.map { TextEdit(range: part($0.range, in: source), replacement: Self.escaped($0.text)) }
    }

    /// Replaces one part of the pattern.
    func edit(_ range: Range<Int>, _ text: String, in source: SourceText) -> TextEdit {
        TextEdit(range: part(range, in: source), replacement: Self.escaped(text))
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
