internal import JSONSyntax

/// `substitutionVariables`: names that stand for one of several values in a pattern.
///
/// Names are compared byte by byte. A file's variable takes the place of a built-in one of its name.
public struct SubstitutionVariables: Sendable {
    /// The file's own variables, in its order.
    public let variables: [SubstitutionVariable]
    private let places: [[UInt8]: Int]

    public init(_ variables: [SubstitutionVariable] = []) {
        self.variables = variables
        places = Dictionary(
            variables.enumerated().map { (Array($1.name.utf8), $0) }, uniquingKeysWith: { _, later in later })
    }

    init(_ node: JSONNode?) {
        let members = node?.object?.distinctMembers ?? []
        self.init(
            members.compactMap { member in
                member.value.strings.map { SubstitutionVariable(name: member.key.text, values: $0.map(\.value)) }
            })
    }

    /// What a name stands for; nil if neither the file nor the system defines it.
    package func meaning(of name: [UInt8]) -> VariableMeaning? {
        let own = places[name].map { VariableMeaning.values(variables[$0].values) }
        let builtIn = BuiltInVariable(rawValue: String(decoding: name, as: UTF8.self))?.meaning
        return OpenDecisions.ownVariablesReplaceBuiltInOnes ? own ?? builtIn : builtIn ?? own
    }
}

/// A variable of a file.
public struct SubstitutionVariable: Sendable {
    public let name: String
    /// What `$(name)` may stand for; `*` and `?` in them are wildcards.
    public let values: [String]

    public init(name: String, values: [String]) {
        self.name = name
        self.values = values
    }
}

/// What a substitution variable stands for.
package enum VariableMeaning: Sendable {
    /// One ASCII character of a set.
    case character(ByteSet)
    /// One of several texts, in which `*` and `?` are wildcards.
    case values([String])
}
