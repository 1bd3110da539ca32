internal import AppSiteAssociation

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
        if canBeGlob(pattern, percentEncoded: percentEncoded), let glob = Glob(pattern) {
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
        var present: UInt64 = 0
        var offset = 0
        while offset <= text.count {
            present |= 1 &<< UInt64(text.base.byte(offset) & 63)
            offset &+= 1
        }
        return entry.word(32) & ~present == 0
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
