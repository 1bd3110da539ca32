/// The text of an association file, put together from as little as a case wants to say.
struct SampleDocument: Sendable, ExpressibleByStringLiteral {
    /// The entries of `details`, each as JSON; nil if the file cannot be put together from them.
    private(set) var entries: [String]?
    /// The other members of `applinks`, as JSON.
    private var members = ""
    private var text = ""

    /// One entry of app `A` with these components.
    init(stringLiteral components: String) {
        self = .components(components)
    }

    /// One entry of app `A` with these components, and `defaults` and `substitutionVariables`, all of them the inside of
    /// their brackets.
    static func components(
        _ components: String, defaults: String? = nil, entryDefaults: String? = nil, variables: String? = nil
    ) -> SampleDocument {
        let inEntry = entryDefaults.map { #", "defaults": {\#($0)}"# } ?? ""
        return .entries(
            [#"{"appIDs": ["A"], "components": [\#(components)]\#(inEntry)}"#], defaults: defaults, variables: variables
        )
    }

    /// A component, and what variables stand for.
    static func variables(_ variables: String, _ component: String) -> SampleDocument {
        .components(component, variables: variables)
    }

    /// One entry of app `A` with legacy paths, the inside of their brackets.
    static func paths(_ paths: String) -> SampleDocument {
        .entries([#"{"appID": "A", "paths": [\#(paths)]}"#])
    }

    static func entries(_ entries: [String], defaults: String? = nil, variables: String? = nil) -> SampleDocument {
        var document = SampleDocument(text: "")
        document.entries = entries
        if let defaults { document.members += #", "defaults": {\#(defaults)}"# }
        if let variables { document.members += #", "substitutionVariables": {\#(variables)}"# }
        return document
    }

    /// A whole file.
    static func file(_ text: String) -> SampleDocument { SampleDocument(text: text) }

    private init(text: String) {
        self.text = text
    }

    var json: String {
        guard let entries else { return text }
        return #"{"applinks": {"details": [\#(entries.joined(separator: ", "))]\#(members)}}"#
    }

    /// The same document with other entries around its own; nil if it cannot be put together so.
    func surrounded(by before: String, and behind: String?) -> SampleDocument? {
        guard let entries else { return nil }
        var copy = self
        copy.entries = [before] + entries + (behind.map { [$0] } ?? [])
        return copy
    }
}
