internal import AppSiteAssociation

/// One way in which a pattern may be spelt, its variables filled in, and how it is compared.
struct PatternForm: Equatable {
    /// The elements; a list of words is still an element.
    var elements: [PatternElement]
    /// Whether the text is compared with the `/` after it: the form ends in a `/*` that may be left out.
    var includesParent = false

    /// How many spellings a pattern may have before it goes to the plain check.
    static let maximumCount = 64
    /// How long a form may be, in elements.
    static let maximumLength = 65_535

    /// The forms of a pattern; nil if it is one for the plain check.
    static func forms(of pattern: [PatternElement], _ budget: inout SpellingBudget) -> [PatternForm]? {
        guard let spellings = spellings(of: pattern, &budget) else { return nil }
        guard spellings.allSatisfy({ $0.count <= maximumLength }) else { return nil }
        return unique(spellings.map { PatternForm(elements: $0) })
    }

    /// The forms of a path pattern: without the slashes at its ends, the tail `/*` optional.
    static func pathForms(of pattern: [PatternElement], _ budget: inout SpellingBudget) -> [PatternForm]? {
        guard let forms = forms(of: pattern, &budget) else { return nil }
        for form in forms {
            for case .oneOf(let words) in form.elements where budget.facts(of: words).canHideSlashes { return nil }
        }
        let canOmitTail = OpenDecisions.canOmitTail(pattern)
        return unique(forms.flatMap { pathForms($0.elements, canOmitTail: canOmitTail) })
    }

    private static func pathForms(_ elements: [PatternElement], canOmitTail: Bool) -> [PatternForm] {
        let slash = PatternElement.byte(UInt8(ascii: "/"))
        func trimmedEnd(_ elements: ArraySlice<PatternElement>) -> ArraySlice<PatternElement> {
            elements.prefix((elements.lastIndex { $0 != slash } ?? elements.startIndex - 1) + 1 - elements.startIndex)
        }
        let trimmed = trimmedEnd(elements.drop { $0 == slash })
        guard canOmitTail, trimmed.count >= 2, trimmed.last == .anyRun, trimmed.dropLast().last == slash else {
            return [PatternForm(elements: Array(trimmed))]
        }
        let stem = trimmed.dropLast(2)
        if stem.last != slash { return [PatternForm(elements: Array(trimmed), includesParent: true)] }
        return [PatternForm(elements: Array(trimmedEnd(stem))), PatternForm(elements: Array(trimmed))]
    }

    /// Writes the values of variables out, as long as there are not too many; longer lists of words stay.
    private static func spellings(of pattern: [PatternElement], _ budget: inout SpellingBudget) -> [[PatternElement]]? {
        var result: [[PatternElement]] = [[]]
        var isWrittenOut = false
        for element in pattern {
            guard case .oneOf(let values) = element else {
                for number in result.indices { result[number].append(element) }
                continue
            }
            let facts = budget.facts(of: values)
            // As many elements as there would be: each spelling once for each value, and the value.
            let length = result.reduce(0) { $0 + $1.count } * values.count + result.count * facts.length
            if result.count * values.count <= maximumCount, budget.allows(length) {
                result = result.flatMap { start in values.map { start + $0 } }
                isWrittenOut = true
            } else if facts.areWords {
                for number in result.indices { result[number].append(element) }
            } else {
                return nil
            }
        }
        if isWrittenOut { budget.spend(result.reduce(0) { $0 + $1.count }) }
        return result
    }

    private static func unique(_ forms: [PatternForm]) -> [PatternForm] {
        var kept: [PatternForm] = []
        for form in forms where !kept.contains(form) { kept.append(form) }
        return kept
    }
}

/// How much may be written out for the variables of a document, so that its memory stays in proportion to its text.
struct SpellingBudget {
    /// For one pattern, in elements.
    private static let limit = 4096
    private var rest: Int

    init(textLength: Int) {
        rest = (1 << 18) + 4 * textLength
    }

    func allows(_ length: Int) -> Bool { length <= min(Self.limit, rest) }

    mutating func spend(_ length: Int) { rest -= length }

    /// What is known of the values of a variable.
    struct Facts {
        /// How many elements all of them have together.
        let length: Int
        /// Whether they are texts without wildcards.
        let areWords: Bool
        /// Whether one is empty or has a slash at an end, so that what is trimmed, or what the tail of the pattern is, depends on
        /// the word.
        let canHideSlashes: Bool

        init(_ values: [[PatternElement]]) {
            let slash = PatternElement.byte(UInt8(ascii: "/"))
            length = values.reduce(0) { $0 + $1.count }
            areWords = values.allSatisfy { $0.allSatisfy(\.isByte) }
            canHideSlashes = values.contains { $0.isEmpty || $0.first == slash || $0.last == slash }
        }
    }

    /// By where the values are stored: a pattern may name a variable thousands of times. The values are kept, so that nothing
    /// else takes their place in memory.
    private var known: [UnsafeRawPointer: (values: [[PatternElement]], facts: Facts)] = [:]

    mutating func facts(of values: [[PatternElement]]) -> Facts {
        guard let storage = values.withUnsafeBytes({ $0.baseAddress }), !values.isEmpty else { return Facts(values) }
        if let known = known[storage] { return known.facts }
        let facts = Facts(values)
        known[storage] = (values, facts)
        return facts
    }
}

extension PatternElement {
    var isByte: Bool { if case .byte = self { true } else { false } }
}
