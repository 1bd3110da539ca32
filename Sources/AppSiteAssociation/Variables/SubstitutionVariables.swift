internal import JSONSyntax

/// `substitutionVariables`: names that stand for one of several values in a pattern.
///
/// Names are compared byte by byte. A file's variable takes the place of a built-in one of its name.
public struct SubstitutionVariables: Sendable {
    /// The file's own variables, in its order.
    public let variables: [SubstitutionVariable]

    public init(_ variables: [SubstitutionVariable] = []) {
        self.variables = variables
    }

    init(_ node: JSONNode?) {
        let members = node?.object?.distinctMembers ?? []
        self.init(
            members.compactMap { member in
                member.value.strings.map { SubstitutionVariable(name: member.key.text, values: $0.map(\.value)) }
            })
    }
}

/// A variable of a file.
public struct SubstitutionVariable: Sendable {
    public let name: String
    /// What `$(name)` may stand for; `*` and `?` in them are wildcards.
    public let values: [String]

    /// What it stands for if no text can say it; nil if its values do.
    package let elements: [PatternElement]?

    public init(name: String, values: [String]) {
        self.name = name
        self.values = values
        elements = nil
    }

    package init(name: String, elements: [PatternElement]) {
        self.name = name
        values = []
        self.elements = elements
    }
}
