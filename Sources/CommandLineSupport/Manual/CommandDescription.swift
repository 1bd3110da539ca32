internal import ArgumentParser
internal import JSONSyntax

/// A command and its arguments, as the parser has them.
struct CommandDescription {
    let name: String
    let aliases: [String]
    let isShown: Bool
    /// One sentence.
    let abstract: String
    let discussion: String
    let arguments: [ArgumentDescription]
    /// Without `help`.
    let subcommands: [CommandDescription]

    /// The description of a program with all its commands.
    ///
    /// The parser gives away its definitions as JSON only.
    init(of command: any ParsableCommand.Type) {
        let document = JSONReader.read(Array(command._dumpHelp().utf8), path: "", limits: .configuration)
        self.init(document.root?.object?["command"]?.object ?? JSONObject([]))
    }

    private init(_ object: JSONObject) {
        name = object.text("commandName")
        aliases = object.texts("aliases")
        isShown = object["shouldDisplay"]?.boolean ?? true
        abstract = object.text("abstract")
        discussion = object.text("discussion")
        arguments = object.objects("arguments").map(ArgumentDescription.init).filter(\.isShown)
        subcommands = object.objects("subcommands").map { CommandDescription($0) }
            .filter { $0.isShown && $0.name != "help" }
    }
}

/// An option, a flag or a value without a name.
struct ArgumentDescription {
    enum Kind: String {
        case positional, option, flag
    }

    let kind: Kind
    let isShown: Bool
    /// The title of the group that it belongs to, as `Password`.
    let group: String
    let isOptional: Bool
    let isRepeating: Bool
    /// As they are typed: `-q`, `--quiet`.
    let names: [String]
    let valueName: String
    let defaultValue: String
    let values: [String]
    let abstract: String

    fileprivate init(_ object: JSONObject) {
        kind = Kind(rawValue: object.text("kind")) ?? .positional
        isShown = object["shouldDisplay"]?.boolean ?? true
        group = object.text("sectionTitle")
        isOptional = object["isOptional"]?.boolean ?? false
        isRepeating = object["isRepeating"]?.boolean ?? false
        names = object.objects("names").map { ($0.text("kind") == "long" ? "--" : "-") + $0.text("name") }
        valueName = object.text("valueName")
        defaultValue = object.text("defaultValue")
        values = object.texts("allValues")
        abstract = object.text("abstract")
    }

    /// Whether it is one that every command has, and no usage line shows.
    var isStandard: Bool { names.contains("--help") || names.contains("--version") }

    /// The long name if there is one.
    var preferredName: String { names.first { $0.hasPrefix("--") } ?? names.first ?? "" }
}

extension JSONObject {
    fileprivate func text(_ name: String) -> String { self[name]?.string?.text ?? "" }
    fileprivate func texts(_ name: String) -> [String] { (self[name]?.array ?? []).compactMap { $0.string?.text } }
    fileprivate func objects(_ name: String) -> [JSONObject] { (self[name]?.array ?? []).compactMap(\.object) }
}
