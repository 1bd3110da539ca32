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
