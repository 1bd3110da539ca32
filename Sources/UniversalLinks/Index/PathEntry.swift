internal import AppSiteAssociation
internal import URLPatterns

/// An entry in the index's memory: a rule, and what must hold beyond where the entry was found.
///
/// | bytes | what |
/// |---|---|
/// | 0 | the rule's key |
/// | 4 | the group of apps |
/// | 8 | conditions on query and fragment, or 0 |
/// | 12, 16 | the program for the path and its kind |
/// | 20 | where in the path the program begins |
/// | 24 | 1 if the `/` after the path is compared too |
/// | 32 | the bytes that the path must have, as bits modulo 64 |
enum EntryRecord {
    static let size = 40

    enum Kind {
        /// Nothing is left to compare.
        static let always = 0
        static let glob = 1
        static let elements = 2
        static let plainCheck = 3
    }

    /// Writes entries in a row, each with where in the path the rest of its pattern begins; nil if nothing is left.
    static func write(
        _ entries: [(entry: PathEntry, start: Int?)], percentEncoded: Bool, into arena: inout Arena
    ) -> Int {
        let offset = arena.reserve(entries.count * size)
        for (number, item) in entries.enumerated() {
            let record = offset + number * size
            write(item.entry, start: item.start, percentEncoded: percentEncoded, at: record, into: &arena)
        }
        return offset
    }

    /// Writes entries in a row whose patterns are to be compared in full.
    static func write(_ entries: [PathEntry], percentEncoded: Bool, into arena: inout Arena) -> Int {
        write(entries.map { ($0, 0) }, percentEncoded: percentEncoded, into: &arena)
    }

    private static func write(
        _ entry: PathEntry, start: Int?, percentEncoded: Bool, at offset: Int, into arena: inout Arena
    ) {
        arena.store(entry.key.rawValue, at: offset)
        arena.store(entry.group, at: offset + 4)
        arena.store(entry.condition, at: offset + 8)
        guard let form = entry.form else {
            arena.store(Kind.plainCheck, at: offset + 16)
            return
        }
        guard let start else { return }
        let rest = Array(form.elements.dropFirst(start))
        let (kind, program) = program(rest, percentEncoded: percentEncoded, into: &arena)
        arena.store(program, at: offset + 12)
        arena.store(kind, at: offset + 16)
        arena.store(start, at: offset + 20)
        arena.store(form.includesParent ? 1 : 0, at: offset + 24)
        arena.store(entry.literalRuns.reduce(0) { $0 | bits($1.bytes) }, at: offset + 32)
    }

    /// Writes a pattern as a glob if it is one, else as a program of elements.
    static func program(
        _ pattern: [PatternElement], percentEncoded: Bool, into arena: inout Arena
    ) -> (kind: Int, program: Int) {
        if canBeGlob(pattern, percentEncoded: percentEncoded), let glob = GlobPattern(pattern) {
            return (Kind.glob, GlobProgram.write(glob, into: &arena))
        }
        return (Kind.elements, ElementProgram.write(pattern, percentEncoded: percentEncoded, into: &arena))
    }

    /// Whether one byte is as much as a `?` of a pattern stands for, so that the pattern can be a glob.
    static func canBeGlob(_ pattern: [PatternElement], percentEncoded: Bool) -> Bool {
        percentEncoded && OpenDecisions.questionMarkMatchesSlash || !pattern.contains(.anyCharacter)
    }

    static func bits(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0) { $0 | 1 << UInt64($1 & 63) }
    }

    /// Whether the path and the conditions of an entry hold.
    static func holds(
        _ entry: UnsafeRawPointer, _ text: IndexText, _ request: inout RoutingRequest, _ meter: some StepMeter
    ) -> Bool {
        meter.spend(8)
        if meter.isSpent { return false }
        let kind = entry.int(16)
        if kind == Kind.plainCheck { return request.passesPlainCheck(entry.half(0), meter) }
        let end = text.count &+ entry.int(24)
        let program = request.memory + entry.int(12)
        if kind == Kind.glob {
            guard GlobProgram.matches(program, text.base, from: entry.int(20), to: end, meter) else { return false }
        } else if kind == Kind.elements {
            // Where a comparison can take long, it is worth a look for the bytes that the path must have.
            if type(of: meter).counts, !hasBytes(entry, text, meter) { return false }
            guard ElementProgram.matches(program, request.memory, text.base, from: entry.int(20), to: end, meter)
            else { return false }
        }
        let condition = entry.int(8)
        return condition == 0 || Condition.holds(request.memory + condition, &request, meter)
    }
}

extension EntryRecord {
    /// Whether a path, with the `/` after it, has the bytes that an entry asks for.
    private static func hasBytes(_ entry: UnsafeRawPointer, _ text: IndexText, _ meter: some StepMeter) -> Bool {
        meter.spend(text.count &>> 2)
        return entry.word(32) & ~text.presentBytes == 0
    }
}

/// One spelling of a rule's path pattern, as an index takes it.
struct PathEntry {
    /// The rule's index in the document, and whether it excludes.
    var key: RuleKey
    /// The number of the list of apps that the rule is for.
    var group: Int
    /// Where the conditions on query and fragment are in the memory; 0 if there are none.
    var condition: Int
    /// Nil for the plain check.
    var form: PatternForm?

    /// The bytes in a row in the pattern.
    struct Run {
        var bytes: [UInt8]
        var isAtStart: Bool
        var isAtEnd: Bool
    }

    var literalRuns: [Run] {
        guard let form else { return [] }
        var runs: [Run] = []
        var current: [UInt8] = []
        func run(upTo offset: Int) -> Run {
            Run(
                bytes: current, isAtStart: offset == current.count,
                isAtEnd: offset == form.elements.count && !form.includesParent)
        }
        for (offset, element) in form.elements.enumerated() {
            if case .byte(let byte) = element {
                current.append(byte)
            } else if !current.isEmpty {
                runs.append(run(upTo: offset))
                current = []
            }
        }
        return current.isEmpty ? runs : runs + [run(upTo: form.elements.count)]
    }
}

/// A rule's index among all rules of a document and whether it excludes, in one number that sorts by index.
struct RuleKey: Equatable {
    /// The index times two, plus one if the rule excludes.
    var rawValue: UInt32

    /// After all rules.
    static let none = UInt32.max
    /// No rule, because to find it takes more steps than a decision may.
    static let undecided = UInt32.max - 1

    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    init(index: Int, excludes: Bool) {
        rawValue = UInt32(truncatingIfNeeded: index) << 1 | (excludes ? 1 : 0)
    }

    var index: Int { Int(rawValue >> 1) }
    var excludes: Bool { rawValue & 1 == 1 }
}

/// One way in which a pattern may be spelt, its variables filled in, and how it is compared.
struct PatternForm: Equatable {
    /// The elements; a list of words is still an element.
    var elements: [PatternElement]
    /// Whether the text is compared with the `/` after it: the form ends in a `/*` that may be left out.
    var includesParent = false

    /// The number of spellings that a pattern may have before it goes to the plain check.
    static let maximumCount = 64
    /// The length that a form may have, in elements.
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

/// The size that may be written out for the variables of a document, so that its memory stays in proportion to its
/// text.
struct SpellingBudget {
    /// For one pattern, in elements.
    private static let limit = 4096
    private var rest: Int

    init(textLength: Int) {
        rest = (1 << 18) + 4 * textLength
    }

    func allows(_ length: Int) -> Bool { length <= min(Self.limit, rest) }

    mutating func spend(_ length: Int) { rest -= length }

    /// The facts about the values of a variable.
    struct Facts {
        /// The number of elements of all forms together.
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
