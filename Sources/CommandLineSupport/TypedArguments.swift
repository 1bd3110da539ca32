internal import ArgumentParser
internal import Diagnostics

/// A first word that is not a command, or a name that is not a page of the manual.
struct UnknownWord: Error {
    /// One clause, with what to do.
    let message: String
}

/// The arguments of a program before its parser gets them: the command is known, and global options come after it.
struct TypedArguments {
    private let command: any ParsableCommand.Type
    private let makeSuggestions: () -> ArgumentSuggestions

    /// - Parameter suggestions: Called only if a word is not a command: most runs do not need them.
    init(_ command: any ParsableCommand.Type, _ suggestions: @escaping () -> ArgumentSuggestions) {
        self.command = command
        makeSuggestions = suggestions
    }

    private var suggestions: ArgumentSuggestions { makeSuggestions() }

    private var names: [String] {
        command.configuration.subcommands.flatMap { [$0._commandName] + $0.configuration.aliases }
    }

    /// The arguments as the parser takes them.
    func prepared(_ arguments: [String]) throws(UnknownWord) -> [String] {
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
        if suggestion(word) != nil || suggestions.programs.contains(word), !word.contains("/"), !word.contains("."),
            !suggestions.isPath(word)
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
        return suggestions.commands[word.lowercased()] ?? Spelling.closest(to: word, among: names + ["help"])
    }

    /// A sentence about the command that is meant by a word close to one that people use for it.
    private func distantSuggestion(_ word: String) -> String? {
        let word = word.prefix(64).lowercased()
        return Spelling.closest(to: word, among: suggestions.commands.keys.sorted()).flatMap {
            suggestions.commands[$0]
        }
    }

    private func unknown(_ word: String) -> UnknownWord {
        if suggestions.programs.contains(word) {
            let message = "'\(word)' is a program of its own; run it without '\(command._commandName)' before it"
            return UnknownWord(message: message)
        }
        let start = "unknown command \(quoted(word))"
        if let suggestion = suggestion(word) ?? distantSuggestion(word) {
            return UnknownWord(message: "\(start); did you mean '\(suggestion)'?")
        }
        return UnknownWord(message: "\(start); '\(command._commandName) --help' lists the commands")
    }
}

/// The words that people type instead of the commands and options that a program has.
package struct ArgumentSuggestions: Sendable {
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

/// Options that are all written out, with each value in the next argument, as units and scripts start a program.
///
/// They are read without the option parser, where its milliseconds count. What could mean something else to the parser is
/// not read.
package struct PlainOptions {
    private var values: [(option: String, value: String)] = []
    private var given: [String] = []

    /// - Parameters:
    ///   - single: Options with a value that can be given once.
    ///   - repeatable: Options with a value that can be given often.
    ///   - flags: Options without a value.
    /// - Returns: nil if there is anything else: `--option=value`, an operand, an option a second time, no value, or one
    ///   that is empty or may be an option.
    package init?(_ arguments: ArraySlice<String>, single: [String], repeatable: [String], flags: [String]) {
        var arguments = arguments.makeIterator()
        while let option = arguments.next() {
            if flags.contains(option), !given.contains(option) {
                given.append(option)
            } else if repeatable.contains(option) || single.contains(option) && self[option] == nil,
                let value = arguments.next(), !value.isEmpty, !value.hasPrefix("-")
            {
                values.append((option, value))
            } else {
                return nil
            }
        }
    }

    /// The value of an option that can be given once.
    package subscript(_ option: String) -> String? { values.first { $0.option == option }?.value }

    /// The values of an option, in their order.
    package func all(_ option: String) -> [String] { values.filter { $0.option == option }.map(\.value) }

    package func has(_ flag: String) -> Bool { given.contains(flag) }
}
