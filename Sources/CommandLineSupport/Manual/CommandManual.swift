package import ArgumentParser

/// What the help screen and the manual page of a command say beyond its discussion and its arguments.
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
