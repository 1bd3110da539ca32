internal import ArgumentParser
internal import Diagnostics

/// The arguments of a program before its parser gets them: the command is known, and global options come after it.
struct TypedArguments {
    /// A first word that is not a command.
    struct UnknownCommand: Error {
        /// One clause, with what to do.
        let message: String
    }

    private let command: any ParsableCommand.Type
    private let knownAids: () -> TypingAids

    /// - Parameter aids: Called only if a word is not a command: most runs do not need them.
    init(_ command: any ParsableCommand.Type, _ aids: @escaping () -> TypingAids) {
        self.command = command
        knownAids = aids
    }

    private var aids: TypingAids { knownAids() }

    private var names: [String] {
        command.configuration.subcommands.flatMap { [$0._commandName] + $0.configuration.aliases }
    }

    /// The arguments as the parser takes them.
    func prepared(_ arguments: [String]) throws(UnknownCommand) -> [String] {
        if arguments == ["-V"] { return ["--version"] }
        let globals = Self.globalOptions(arguments)
        let rest = arguments[globals.count...]
        guard let word = rest.first, !word.hasPrefix("-") else { return arguments }
        let names = self.names
        guard !names.isEmpty else { return arguments }
        if word == "help" {
            if let topic = rest.dropFirst().first, !topic.hasPrefix("-"), topic != "help", !names.contains(topic) {
                throw unknown(topic)
            }
            return Array(rest)
        }
        if names.contains(word) { return [word] + globals + rest.dropFirst() }
        // It is a path for the default command, unless it is none and looks like a command.
        guard command.configuration.defaultSubcommand != nil else { throw unknown(word) }
        if suggestion(word) != nil || aids.programs.contains(word), !word.contains("/"), !word.contains("."),
            !aids.isPath(word)
        {
            throw unknown(word)
        }
        return arguments
    }

    /// The options at the beginning that every command takes.
    private static func globalOptions(_ arguments: [String]) -> [String] {
        var count = 0
        while count < arguments.count {
            if arguments[count].hasPrefix("--color=") {
                count += 1
            } else if arguments[count] == "--color", count + 1 < arguments.count {
                count += 2
            } else {
                break
            }
        }
        return Array(arguments.prefix(count))
    }

    private func suggestion(_ word: String) -> String? {
        let word = String(word.prefix(64))
        return aids.commands[word.lowercased()] ?? Spelling.closest(to: word, among: names + ["help"])
    }

    /// What is meant by a word that is close to one that people use for a command.
    private func distantSuggestion(_ word: String) -> String? {
        let word = word.prefix(64).lowercased()
        return Spelling.closest(to: word, among: aids.commands.keys.sorted()).flatMap { aids.commands[$0] }
    }

    private func unknown(_ word: String) -> UnknownCommand {
        if aids.programs.contains(word) {
            let message = "'\(word)' is a program of its own; run it without '\(command._commandName)' before it"
            return UnknownCommand(message: message)
        }
        let start = "unknown command \(quoted(word))"
        if let suggestion = suggestion(word) ?? distantSuggestion(word) {
            return UnknownCommand(message: "\(start); did you mean '\(suggestion)'?")
        }
        return UnknownCommand(message: "\(start); '\(command._commandName) --help' lists the commands")
    }
}

/// What people type instead of the commands and options that a program has.
package struct TypingAids: Sendable {
    let commands: [String: String]
    let options: [String: String]
    let programs: Set<String>
    let isPath: @Sendable (String) -> Bool

    /// - Parameters:
    ///   - commands: What is suggested for a word that is not a command, such as `validate` for `lint`.
    ///   - options: What is suggested for an option that a command does not have, such as `--listen` for `--port`.
    ///   - programs: Other programs of the package, which are not commands.
    ///   - isPath: Whether a first word that is not a command is there as a file; asked only of programs whose default command
    ///     takes paths.
    package init(
        commands: [String: String] = [:], options: [String: String] = [:], programs: Set<String> = [],
        isPath: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
        self.commands = commands
        self.options = options
        self.programs = programs
        self.isPath = isPath
    }
}
