internal import AppSiteAssociation
internal import Diagnostics

/// The variables that the patterns of a file use.
struct VariableUse {
    typealias Name = ArraySlice<UInt8>

    /// The names that patterns use, and those that a misspelt one is taken to mean.
    private(set) var used: Set<Name> = []
    /// What a name that is not defined was probably meant to be; nil if there is nothing like it.
    private(set) var undefined: [Name: String?] = [:]

    init(_ context: LintContext) {
        let own = context.variables.map(\.name)
        let builtIn = BuiltInVariable.allCases.map(\.rawValue)
        let defined = Set((own + builtIn).map { Name($0.utf8) })
        // Spelling takes its time: a file with thousands of names gets no help.
        let candidates = Array((builtIn + own.filter { $0.utf8.count <= 32 }).prefix(100))
        for pattern in context.patterns {
            for name in pattern.parsed.variableNames {
                guard used.insert(name).inserted, !defined.contains(name) else { continue }
                let meant = undefined.count < 32 ? Self.closest(to: name, candidates) : nil
                undefined[name] = .some(meant)
                if let meant { used.insert(Name(meant.utf8)) }
            }
            // A variable without its closing bracket is meant to be used, too.
            if let name = pattern.parsed.unclosedName { used.insert(name) }
        }
    }

    private static func closest(to name: Name, _ candidates: [String]) -> String? {
        guard (2...32).contains(name.count) else { return nil }
        let word = String(decoding: name, as: UTF8.self)
        guard let found = Spelling.closest(to: word, among: candidates) else { return nil }
        // Of a short word two changes leave nothing.
        return word.utf8.count > 4 || Spelling.distance(word.lowercased(), found.lowercased()) < 2 ? found : nil
    }
}

extension ParsedPattern {
    /// The names of the variables, as often as they are used.
    var variableNames: some Sequence<ArraySlice<UInt8>> {
        variables.lazy.map { [text] range in text[(range.lowerBound + 2)..<(range.upperBound - 1)] }
    }

    /// The word after the `$(` that is not closed.
    var unclosedName: ArraySlice<UInt8>? {
        guard let start = unclosedVariable?.lowerBound else { return nil }
        let name = text[(start + 2)...].prefix { $0.isWord || $0 == UInt8(ascii: "-") }
        return name.isEmpty ? nil : name
    }
}
