internal import AppSiteAssociation

/// One spelling of a rule's path pattern, as an index takes it.
struct PathEntry {
    /// The rule's place in the document, and whether it excludes.
    var key: RuleKey
    /// The number of the list of apps that the rule is for.
    var group: Int
    /// Where the conditions on query and fragment are in the memory; 0 if there are none.
    var condition: Int
    /// Nil for the plain check.
    var form: PatternForm?

    /// The bytes that stand in a row in the pattern.
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

/// A rule's place among all rules of a document and whether it excludes, in one number that sorts by place.
struct RuleKey: Equatable {
    /// The place times two, plus one if the rule excludes.
    var rawValue: UInt32

    /// Behind all rules.
    static let none = UInt32.max

    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    init(place: Int, excludes: Bool) {
        rawValue = UInt32(truncatingIfNeeded: place) << 1 | (excludes ? 1 : 0)
    }

    var place: Int { Int(rawValue >> 1) }
    var excludes: Bool { rawValue & 1 == 1 }
}
