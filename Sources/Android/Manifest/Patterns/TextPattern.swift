internal import URLPatterns

/// A pattern of a filter for the path, for an item of the query or for the fragment, in one of its five forms (Android,
/// `PatternMatcher`). Texts are compared as UTF-16.
package enum TextPattern: Sendable {
    case exact([UInt16])
    case prefix([UInt16])
    case suffix([UInt16])
    /// `pathPattern`.
    case glob(AndroidGlob)
    /// `pathAdvancedPattern`; nil if it is malformed.
    case advanced(AdvancedGlob?)
    /// A value that only a build tells.
    case unresolved

    /// The forms, by what their attributes are called after `path`, `query`, `fragment` or `ssp`.
    package enum Form: String, CaseIterable, Sendable {
        case exact = ""
        case prefix = "Prefix"
        case suffix = "Suffix"
        case glob = "Pattern"
        case advanced = "AdvancedPattern"

        /// The first version of Android that has it, as an attribute of the path.
        package var api: Int { self == .suffix || self == .advanced ? ManifestDecisions.suffixAPI : 1 }
    }

    init(_ form: Form, _ text: String?) {
        guard let text else {
            self = .unresolved
            return
        }
        self =
            switch form {
            case .exact: .exact(Array(text.utf16))
            case .prefix: .prefix(Array(text.utf16))
            case .suffix: .suffix(Array(text.utf16))
            case .glob: .glob(AndroidGlob(text))
            case .advanced: .advanced(AdvancedGlob(text))
            }
    }

    /// Whether only a build tells what it is.
    var isUnresolved: Bool { if case .unresolved = self { true } else { false } }

    /// The characters that the pattern names, of ranges the first and the last, as UTF-16.
    package var units: [UInt16] {
        switch self {
        case .exact(let units), .prefix(let units), .suffix(let units): units
        case .glob(let glob): glob.units
        case .advanced(let glob): glob?.units ?? []
        case .unresolved: []
        }
    }

    func matches(_ text: [UInt16], _ budget: inout WorkBudget) -> Decision {
        budget.spend(text.count + length)
        if budget.isSpent { return .undecided }
        switch self {
        case .exact(let pattern): return Decision(pattern == text)
        case .prefix(let pattern): return Decision(text.starts(with: pattern))
        case .suffix(let pattern): return Decision(text.suffix(pattern.count).elementsEqual(pattern))
        case .glob(let glob): return Decision(glob.matches(text))
        case .advanced(let pattern?): return pattern.matches(text, &budget)
        case .advanced(nil): return Decision(!ManifestDecisions.malformedPatternMatchesNothing)
        case .unresolved: return .undecided
        }
    }

    /// The work that it takes to read it, about the number of its characters.
    var length: Int {
        switch self {
        case .exact(let pattern), .prefix(let pattern), .suffix(let pattern): pattern.count
        case .glob(let glob): glob.length
        case .advanced(let pattern): pattern?.length ?? 0
        case .unresolved: 0
        }
    }
}
