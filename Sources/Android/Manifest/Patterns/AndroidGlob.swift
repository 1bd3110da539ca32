/// A `pathPattern` (Android, `PATTERN_SIMPLE_GLOB`): `.` is any character, `*` after a character any number of it, and
/// `\` takes the meaning away.
///
/// Nothing is tried twice: a run takes all it can, and `.*` goes to the first place where the next character is. What
/// would match with another choice does not.
package struct AndroidGlob: Hashable, Sendable {
    private enum Step: Hashable {
        case one(UInt16)
        case anyOne
        case run(UInt16)
        /// Up to the first character that is this one, and that one too; to the end if it is nil.
        case anyUntil(UInt16?)
    }

    private let steps: [Step]

    /// The characters that it names.
    var units: [UInt16] {
        steps.compactMap { step in
            switch step {
            case .one(let unit), .run(let unit): unit
            case .anyUntil(let unit): unit
            case .anyOne: nil
            }
        }
    }

    /// The number of its steps.
    var length: Int { steps.count }

    package init(_ pattern: String) {
        let units = Array(pattern.utf16)
        let (star, dot, escape) = (UInt16(ascii: "*"), UInt16(ascii: "."), UInt16(ascii: "\\"))
        var steps: [Step] = []
        var index = 0
        /// The next character, and whether it has no meaning but itself.
        func character() -> (UInt16, isEscaped: Bool)? {
            guard index < units.count else { return nil }
            defer { index += 1 }
            guard units[index] == escape else { return (units[index], false) }
            index += 1
            // Android reads a NUL where nothing follows.
            return (index < units.count ? units[index] : 0, true)
        }
        while let (unit, isEscaped) = character() {
            let isAny = unit == dot && !(isEscaped && ManifestDecisions.escapedDotIsLiteral)
            let isRepeated = index < units.count && units[index] == star
            if isRepeated { index += 1 }
            switch (isAny, isRepeated) {
            case (true, false): steps.append(.anyOne)
            case (true, true): steps.append(.anyUntil(character()?.0))
            case (false, true): steps.append(.run(unit))
            case (false, false): steps.append(.one(unit))
            }
        }
        self.steps = steps
    }

    package func matches(_ text: String) -> Bool { matches(Array(text.utf16)) }

    func matches(_ units: [UInt16]) -> Bool { read(units).matches }

    /// Whether it matches, and the character at which the last `.*` stopped before the text was over or went wrong.
    func read(_ units: [UInt16]) -> (matches: Bool, stop: UInt16?) {
        var index = 0
        var stop: UInt16?
        for step in steps {
            switch step {
            case .one(let unit):
                guard index < units.count, units[index] == unit else { return (false, stop) }
                index += 1
            case .anyOne:
                guard index < units.count else { return (false, stop) }
                index += 1
            case .run(let unit):
                // Where the text is over, only `.*` may be left.
                guard index < units.count || !ManifestDecisions.runsNeedText else { return (false, stop) }
                while index < units.count, units[index] == unit { index += 1 }
            case .anyUntil(nil): return (true, stop)
            case .anyUntil(let unit?):
                guard let next = units[index...].firstIndex(of: unit) else { return (false, stop) }
                index = next + 1
                stop = unit
            }
        }
        return (index == units.count, stop)
    }
}

extension AndroidGlob {
    /// Adds a state for each step, another one for the inside of each run, and their edges.
    ///
    /// - Returns: Whether that was possible.
    func addStates(to builder: inout ManifestAutomatonBuilder) -> Bool {
        guard steps.count < TextPattern.maxStates / 2 else { return false }
        let first = (0...steps.count).map { _ in builder.state() }
        let inside = steps.map { step in if case .run = step { builder.state() } else { -1 } }
        // What is possible from a run depends on what follows, so the last step comes first.
        var following: UnitEdges = []
        var isEnd = true
        builder.accept(first[steps.count])
        for (index, step) in steps.enumerated().reversed() {
            switch step {
            case .one(let unit): (following, isEnd) = ([(.one(unit), first[index + 1])], false)
            case .anyOne: (following, isEnd) = ([(.every, first[index + 1])], false)
            case .anyUntil(nil): (following, isEnd) = ([(.every, first[index])], true)
            case .anyUntil(let unit?):
                guard let others = UnitSet.every.subtracting(.one(unit)) else { return false }
                (following, isEnd) = ([(.one(unit), first[index + 1]), (others, first[index])], false)
            case .run(let unit):
                guard let rest = following.subtracting(.one(unit)) else { return false }
                following = [(.one(unit), inside[index])] + rest
                for edge in following { builder.add(edge.units, from: inside[index], to: edge.target) }
                builder.accept(inside[index], isEnd)
                // Where the text is over, a run does not match.
                if ManifestDecisions.runsNeedText { isEnd = false }
            }
            for edge in following { builder.add(edge.units, from: first[index], to: edge.target) }
            builder.accept(first[index], isEnd)
            guard builder.edgeCount <= TextPattern.maxEdges else { return false }
        }
        return true
    }
}

extension AndroidGlob {
    /// The texts that the pattern would match if runs gave characters back where that helps.
    ///
    /// A `.*` before a `/` is then one segment, unless it is at the start, and one before a `=` is a name: that is how people
    /// write them.
    ///
    /// - Parameter starsAreAny: Whether a `*` after a character is any text, as in patterns of other kinds.
    func pieces(starsAreAny: Bool) -> [PatternPiece] {
        let (slash, equals) = (UInt16(ascii: "/"), UInt16(ascii: "="))
        return steps.enumerated().flatMap { index, step -> [PatternPiece] in
            switch step {
            case .one(let unit):
                [starsAreAny && unit == UInt16(ascii: "*") ? PatternPiece(.every, 0, .max) : PatternPiece(.one(unit))]
            case .anyOne: [PatternPiece(.every)]
            case .run(let unit):
                starsAreAny
                    ? [PatternPiece(.one(unit)), PatternPiece(.every, 0, .max)] : [PatternPiece(.one(unit), 0, .max)]
            case .anyUntil(let unit):
                [
                    PatternPiece(
                        unit.flatMap { $0 == equals || $0 == slash && index > 0 ? .except($0) : nil } ?? .every, 0, .max
                    )
                ]
                    + (unit.map { [PatternPiece(.one($0))] } ?? [])
            }
        }
    }
}

extension UInt16 {
    init(ascii scalar: Unicode.Scalar) { self = UInt16(truncatingIfNeeded: scalar.value) }
}
