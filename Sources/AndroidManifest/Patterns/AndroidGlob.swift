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

    func matches(_ units: [UInt16]) -> Bool {
        var index = 0
        for step in steps {
            switch step {
            case .one(let unit):
                guard index < units.count, units[index] == unit else { return false }
                index += 1
            case .anyOne:
                guard index < units.count else { return false }
                index += 1
            case .run(let unit):
                // Where the text is over, only `.*` may be left.
                guard index < units.count else { return false }
                while index < units.count, units[index] == unit { index += 1 }
            case .anyUntil(nil): return true
            case .anyUntil(let unit?):
                guard let next = units[index...].firstIndex(of: unit) else { return false }
                index = next + 1
            }
        }
        return index == units.count
    }
}

extension UInt16 {
    init(ascii scalar: Unicode.Scalar) { self = UInt16(truncatingIfNeeded: scalar.value) }
}
