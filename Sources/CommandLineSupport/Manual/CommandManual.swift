package import ArgumentParser
internal import BoundedText
internal import Glibc
internal import JSONSyntax
internal import SystemSupport

/// The sections of the help screen and the manual page of a command beyond its discussion and its arguments.
package struct CommandManual: Sendable {
    /// A line to type, and what it is for.
    package struct Example: Sendable {
        let command: String
        /// A clause that a colon follows, such as `check a file`.
        let purpose: String

        package init(_ command: String, _ purpose: String) {
            self.command = command
            self.purpose = purpose
        }
    }

    /// An exit code, and when a command has it.
    package struct Exit: Sendable {
        let status: Int32
        /// A clause that begins with "if" or the like.
        let condition: String

        package init(_ status: Int32, _ condition: String) {
            self.status = status
            self.condition = condition
        }

        package init(_ status: ExitStatus, _ condition: String) { self.init(status.rawValue, condition) }
    }

    /// A file, a variable or a code, and what is to be said about it.
    package struct Entry: Sendable {
        let name: String
        /// Sentences.
        let text: String

        package init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }

    let examples: [Example]
    let exits: [Exit]
    /// Sentences that `exits` cannot say.
    let exitRemark: String
    let files: [Entry]
    let environment: [Entry]
    /// The codes of findings, made when they are needed.
    let diagnostics: @Sendable () -> [Entry]
    /// Pages such as `aasa.json(5)`, besides those of the other commands.
    let seeAlso: [String]

    package init(
        examples: [Example], exits: [Exit], exitRemark: String = "", files: [Entry] = [],
        environment: [Entry] = [], diagnostics: @escaping @Sendable () -> [Entry] = { [] }, seeAlso: [String] = []
    ) {
        self.examples = examples
        self.exits = exits
        self.exitRemark = exitRemark
        self.files = files
        self.environment = environment
        self.diagnostics = diagnostics
        self.seeAlso = seeAlso
    }

    /// The discussion of a help screen: the text of the command, then examples and exit codes.
    package func discussion(_ text: String = "") -> String {
        let appendix = self.appendix
        let text = UnbrokenText.protect(text)
        return text + (text.isEmpty || appendix.isEmpty ? "" : "\n\n") + appendix
    }

    /// A discussion without what the manual page has sections for.
    func text(of discussion: String) -> String {
        let end = appendix
        let discussion = UnbrokenText.restore(discussion)
        guard !end.isEmpty, discussion.hasSuffix(end) else { return discussion }
        return String(discussion.dropLast(end.count))
    }

    /// Every start makes it for every command, so it is made by appending alone: the first use of `joined`, which is
    /// generic, took longer than all the rest of it.
    private var appendix: String {
        var text = ""
        if !examples.isEmpty { text += "Examples:" }
        for example in examples {
            text += "\n  "
            text += example.command
        }
        guard !exits.isEmpty else { return text }
        text += text.isEmpty ? "Exit" : "\n\nExit"
        for (index, exit) in exits.enumerated() {
            text += index == 0 ? " " : ", "
            text += "\(exit.status) "
            text += exit.condition
        }
        text += "."
        if !exitRemark.isEmpty { text += " \(exitRemark)" }
        return text
    }
}

extension CommandManual {
    /// The variables that every program respects.
    package static let terminalVariables: [Entry] = [
        Entry("COLUMNS", "The width of help screens."),
        Entry("NO_COLOR", "If it is not empty, `--color auto` uses no colors."),
        Entry("FORCE_COLOR", "If it is neither empty, `0` nor `false`, `--color auto` uses colors everywhere."),
        Entry("CLICOLOR_FORCE", "As `FORCE_COLOR`."),
    ]
}

/// A command whose help screen and manual page are made from one text.
package protocol ManualCommand: ParsableCommand {
    /// The configuration of the command has `manual.discussion(…)` as its discussion.
    static var manual: CommandManual { get }
}

/// A command and its arguments, as the parser has them.
struct CommandDescription {
    let name: String
    /// One sentence.
    let abstract: String
    let discussion: String
    let arguments: [ArgumentDescription]
    /// The subcommands but `help`.
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
        abstract = object.text("abstract")
        discussion = object.text("discussion")
        arguments = object.objects("arguments").filter(\.isShown).map(ArgumentDescription.init)
        subcommands = object.objects("subcommands").filter(\.isShown).map { CommandDescription($0) }
            .filter { $0.name != "help" }
    }
}

/// An option, a flag or a value without a name.
struct ArgumentDescription {
    enum Kind: String {
        case positional, option, flag
    }

    let kind: Kind
    /// The title of the group that it belongs to, as `Password`.
    let group: String
    let isOptional: Bool
    let isRepeating: Bool
    /// The names as they are typed: `-q`, `--quiet`.
    let names: [String]
    let valueName: String
    let defaultValue: String
    let values: [String]
    let abstract: String

    fileprivate init(_ object: JSONObject) {
        kind = Kind(rawValue: object.text("kind")) ?? .positional
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
    fileprivate var isShown: Bool { self["shouldDisplay"]?.boolean ?? true }
    fileprivate func text(_ name: String) -> String { self[name]?.string?.text ?? "" }
    fileprivate func texts(_ name: String) -> [String] { (self[name]?.array ?? []).compactMap { $0.string?.text } }
    fileprivate func objects(_ name: String) -> [JSONObject] { (self[name]?.array ?? []).compactMap(\.object) }
}

/// The manual of a program: the pages of its commands, and those of the files that it reads.
///
/// `PROGRAM --generate-manual` lists the pages, and `PROGRAM --generate-manual PAGE…` prints some of them, so that a
/// package is made from the program alone.
package struct Manual {
    private let pages: () -> [ManualPage]

    static let option = "--generate-manual"

    /// - Parameters:
    ///   - command: The root of all commands.
    ///   - filePages: Pages of section 5.
    package init(
        of command: any ParsableCommand.Type, layout: CommandPages.Layout,
        filePages: @escaping () -> [ManualPage] = { [] }
    ) {
        pages = { CommandPages(of: command, layout: layout).pages + filePages() }
    }

    /// The pages that are asked for, or the names of all, without the end of the last line.
    func text(_ names: [String], program: String) throws(UnknownWord) -> String {
        let pages = pages()
        guard !names.isEmpty else { return pages.map(\.fileName).joined(separator: "\n") }
        var texts: [String] = []
        for name in names {
            guard let page = pages.first(where: { $0.fileName == name }) else {
                throw UnknownWord(message: "unknown page '\(name)'; '\(program) \(Self.option)' lists the pages")
            }
            texts.append(page.text(date: Self.date))
        }
        return texts.joined(separator: "\n")
    }

    /// The day of SOURCE_DATE_EPOCH, else today, as mdoc writes it.
    private static var date: String {
        let epoch = getenv("SOURCE_DATE_EPOCH").flatMap { Int64(String(cText: $0)) }
        let seconds = min(max(epoch ?? Int64(time(nil)), 0), InternetDate.latest)
        let date = CivilDate(secondsSince1970: seconds)
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        return "\(months[date.month - 1]) \(date.day), \(date.year)"
    }
}
