internal import ArgumentParser
internal import Diagnostics

/// The report of an error in the arguments: one sentence, and where the help is.
struct UsageMessage {
    private let command: any ParsableCommand.Type
    private let aids: TypingAids

    init(_ command: any ParsableCommand.Type, _ aids: TypingAids) {
        self.command = command
        self.aids = aids
    }

    /// The lines for an error that the parser, or the validation of a command, has thrown.
    func lines(_ error: any Error) -> [String] {
        let name = commandName(error)
        let lines = command.message(for: error).split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
        var sentence = Self.sentence(lines.first ?? "")
        if let option = unknownOption(sentence) {
            sentence = "unknown option '\(option)'\(hint(option, name))"
        }
        return ["error: \(sentence)"] + lines.dropFirst() + ["help: see '\(name) --help'"]
    }

    /// The words of the command that the error is about, as `aasa serve`.
    private func commandName(_ error: any Error) -> String {
        // The parser tells it at the end of its own message only.
        let message = command.fullMessage(for: error)
        let start = "  See '"
        guard let line = message.split(separator: "\n").last(where: { $0.hasPrefix(start) }),
            let end = line.firstRange(of: " --help'")
        else { return command._commandName }
        return String(line[..<end.lowerBound].dropFirst(start.count))
    }

    /// A message of the parser as the messages of the commands are: without capitals at its beginning and full stops.
    static func sentence(_ message: String) -> String {
        var text = message.replacing(". Did you mean ", with: "; did you mean ")
        if let choice = text.firstRange(of: ". Please provide one of ") {
            let values = text[choice.upperBound...].replacing(" and '", with: " or '")
            text = text[..<choice.lowerBound] + "; expected " + values
        }
        let start = text.prefix(2)
        if start.count == 2, start.first?.isUppercase == true, start.last?.isLowercase == true {
            text = start.lowercased() + text.dropFirst(2)
        }
        return text.hasSuffix(".") && !text.hasSuffix("..") ? String(text.dropLast()) : text
    }

    private func unknownOption(_ sentence: String) -> String? {
        let start = "unknown option '"
        guard sentence.hasPrefix(start) else { return nil }
        let rest = sentence.dropFirst(start.count)
        return rest.firstRange(of: "'").map { String(rest[..<$0.lowerBound]) }
    }

    private func hint(_ option: String, _ commandName: String) -> String {
        let options = Self.options(in: help(commandName))
        let known = aids.options[option.lowercased()].flatMap { meant in
            options.contains(String(meant.prefix { $0 != " " })) ? meant : nil
        }
        guard let meant = known ?? Spelling.closest(to: String(option.prefix(64)), among: options) else { return "" }
        return "; did you mean '\(meant)'?"
    }

    /// The help of a command that is named as `aasa serve`.
    private func help(_ name: String) -> String {
        let words = name.split(separator: " ").dropFirst()
        let subcommand = command.configuration.subcommands.first { words.last.map(String.init) == $0._commandName }
        let longLine = 10_000
        return subcommand.map { command.helpMessage(for: $0, columns: longLine) }
            ?? command.helpMessage(columns: longLine)
    }

    /// The long options that a help screen explains.
    private static func options(in help: String) -> [String] {
        help.split(separator: "\n").filter { $0.hasPrefix("  -") }.flatMap { line in
            line.split(separator: " ").prefix(3).filter { $0.hasPrefix("--") }.map {
                String($0.prefix { $0 != "," })
            }
        }
    }
}
