internal import ArgumentParser
internal import BoundedText
internal import Diagnostics
internal import Glibc

/// The report of an error in the arguments: one sentence, and where the help is.
struct UsageMessage {
    private let command: any ParsableCommand.Type
    private let suggestions: ArgumentSuggestions

    init(_ command: any ParsableCommand.Type, _ suggestions: ArgumentSuggestions) {
        self.command = command
        self.suggestions = suggestions
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
        var described = CommandDescription(of: command)
        for word in commandName.split(separator: " ").dropFirst() {
            described = described.subcommands.first { $0.name == word } ?? described
        }
        let options = described.arguments.flatMap(\.names).filter { $0.hasPrefix("--") }
        let known = suggestions.options[option.lowercased()].flatMap { meant in
            options.contains(String(meant.prefix { $0 != " " })) ? meant : nil
        }
        guard let meant = known ?? Spelling.closest(to: String(option.prefix(64)), among: options) else { return "" }
        return "; did you mean '\(meant)'?"
    }
}

/// The width of help screens, and the way in which their usage is broken into lines.
enum HelpLayout {
    /// The columns for help: what COLUMNS says, or the terminal; 80 without one. Text beyond 100 columns is hard to read.
    static var columns: Int {
        let asked = getenv("COLUMNS").flatMap { Int(String(cText: $0)) }.flatMap { $0 > 0 ? $0 : nil }
        return min(max(asked ?? Terminal.columns(of: STDOUT_FILENO) ?? 80, 40), 100)
    }

    /// Breaks the lines of `USAGE:` that do not fit, never within an option and its value, whose blanks
    /// `UnbrokenText.restore` makes spaces again.
    static func wrappingUsage(_ text: String, columns: Int) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.firstIndex(where: { $0.hasPrefix("USAGE: ") }) else { return text }
        let end = lines[first...].firstIndex(of: "") ?? lines.endIndex
        let usage = lines[first..<end].flatMap { wrapped($0, columns: columns) }
        lines.replaceSubrange(first..<end, with: usage)
        return lines.joined(separator: "\n")
    }

    /// The lines of a usage, with other blanks in brackets in place of spaces, as `UnbrokenText` puts them.
    private static func wrapped(_ line: String, columns: Int) -> [String] {
        var depth = 0
        let protected = line.map { character -> Character in
            if character == "[" { depth += 1 }
            if character == "]" { depth -= 1 }
            return character == " " && depth > 0 ? "\u{A0}" : character
        }
        return WrappedText.lines(String(protected), columns: columns, indent: 11)
    }
}

/// Text of a help screen in which the parser, which breaks lines at spaces, leaves what is in quotation marks in one line.
enum UnbrokenText {
    /// A longer text in quotation marks may be broken.
    private static let longest = 40

    /// The text with other blanks in place of the spaces between single quotation marks, such as those of a command.
    static func protect(_ text: String) -> String {
        let quote = UInt8(ascii: "'")
        let bytes = Array(text.utf8)
        guard bytes.contains(quote) else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 64)
        var index = 0
        while index < bytes.count {
            let isStart = bytes[index] == quote && (index == 0 || [0x20, 0x0A, 0x28].contains(bytes[index - 1]))
            guard isStart, let end = bytes[(index + 1)...].prefix(longest).firstIndex(of: quote),
                !bytes[index..<end].contains(0x0A)
            else {
                result.append(bytes[index])
                index += 1
                continue
            }
            for byte in bytes[index...end] { result += byte == 0x20 ? [0xC2, 0xA0] : [byte] }
            index = end + 1
        }
        return String(text: result)
    }

    /// The text with spaces again.
    static func restore(_ text: String) -> String {
        text.utf8.contains(0xC2) ? text.replacing("\u{A0}", with: " ") : text
    }
}
