package import ArgumentParser
internal import BoundedText
internal import Dispatch
internal import Glibc
internal import SystemSupport

/// The way of a program from its arguments to its exit code.
package enum Tool {
    /// Parses the arguments, runs their command, and ends the program.
    ///
    /// Arguments that an error repeats are escaped, line by line.
    /// - Parameters:
    ///   - command: The root of all commands.
    ///   - failure: The exit code of all errors that are not one themselves, and of results that cannot be written; nil for
    ///     the parser's codes and `ExitStatus.outputFailed`.
    ///   - suggestions: What people type instead of the program's commands and options. It is asked for only after a mistake.
    ///   - manual: What `--generate-manual` prints.
    ///   - meanings: What values of options mean, for shells that show it as the user types.
    ///   - help: Gets the text of a help screen and its columns, and gives the one that is shown.
    ///   - shortcut: What to do for arguments that are so plain that the parser, which takes milliseconds, is not needed: it
    ///     would do the same. It gives nil for all others.
    package static func run(
        _ command: (some ParsableCommand).Type, failure: ExitCode? = nil,
        suggestions: @autoclosure @escaping () -> ArgumentSuggestions = ArgumentSuggestions(),
        manual: @autoclosure () -> Manual, meanings: @autoclosure () -> [String: String] = [:],
        help: (String, Int) -> String = { text, _ in text },
        shortcut: ([String]) -> (() throws -> Void)? = { _ in nil }
    ) -> Never {
        StandardDescriptors.fill()
        let arguments = boundedArguments(failure)
        // Scripts ask for it often, and it needs no parser.
        let asksForVersion = [["--version"], ["-V"], ["-v"], ["version"]]
        if asksForVersion.contains(arguments), arguments != ["version"] || !suggestions().isPath("version") {
            print(command.configuration.version, failure)
        }
        if let script = completionScript(arguments, of: command, meanings) { print(script, failure) }
        let run: () throws -> Void
        do {
            if arguments.first == Manual.option {
                print(try manual().text(Array(arguments.dropFirst()), program: command._commandName), failure)
            }
            if let shortcut = shortcut(arguments) {
                run = shortcut
            } else {
                var parsed = try command.parseAsRoot(try TypedArguments(command, suggestions).prepared(arguments))
                run = { try parsed.run() }
            }
        } catch let error as UnknownWord {
            StandardError.write("error: \(error.message)")
            exit((failure ?? ExitStatus.usage.code).rawValue)
        } catch {
            // The parser makes the usage of all options for each of its answers.
            let status = command.exitCode(for: error)
            if status.isSuccess { show(error, command, failure, help) }
            for line in UsageMessage(command, suggestions()).lines(error) { StandardError.write(line) }
            exit((failure ?? status).rawValue)
        }
        do {
            try run()
        } catch let status as ExitCode {
            exit(status.rawValue)
        } catch {
            let status = command.exitCode(for: error)
            if status.isSuccess { show(error, command, failure, help) }
            // The message is enough; the usage would not help.
            let message = command.message(for: error)
            for (number, line) in message.split(separator: "\n").enumerated() {
                StandardError.write(number == 0 ? "error: \(UsageMessage.sentence(String(line)))" : String(line))
            }
            exit((failure ?? status).rawValue)
        }
        exit(ExitCode.success.rawValue)
    }

    /// The arguments, none of which is changed: one that would have to be ends the program, since the answer about another
    /// URL or file would be wrong.
    private static func boundedArguments(_ failure: ExitCode?) -> [String] {
        let arguments = String.arguments.dropFirst().map(BoundedText.bounded)
        if let number = arguments.firstIndex(where: \.isChanged) {
            StandardError.write(
                """
                error: argument \(number + 1) has more than \(BoundedText.longestRunOfMarks) combining marks, or \
                \(BoundedText.longestRunOfIndicators) regional indicators, in succession
                """)
            StandardError.write("help: percent-encode them in a URL; put a file under another name")
            exit((failure ?? ExitStatus.usage.code).rawValue)
        }
        return arguments.map(\.text)
    }

    /// The script that completes arguments in a shell; nil if none is asked for, or that shell is not known.
    private static func completionScript(
        _ arguments: [String], of command: (some ParsableCommand).Type, _ meanings: () -> [String: String]
    ) -> String? {
        guard arguments.count == 2, arguments[0] == CompletionScript.option,
            let shell = CompletionShell(rawValue: arguments[1])
        else { return nil }
        return CompletionScript(command, shell, meanings: meanings()).text
    }

    /// Shows what is not an error but an answer, such as help, and ends the program.
    private static func show(
        _ answer: any Error, _ command: (some ParsableCommand).Type, _ failure: ExitCode?,
        _ help: (String, Int) -> String
    ) -> Never {
        let columns = HelpLayout.columns
        let text = command.fullMessage(for: answer, columns: columns)
        let shown = text.isEmpty ? "" : HelpLayout.wrappingUsage(help(text, columns), columns: columns)
        print(UnbrokenText.restore(shown), failure)
    }

    /// Prints a text, if there is one, and ends the program.
    private static func print(_ text: String, _ failure: ExitCode?) -> Never {
        var output = StandardOutput(failure: failure?.rawValue)
        if !text.isEmpty { output.write(text) }
        output.flush()
        exit(ExitCode.success.rawValue)
    }
}

/// The name, version and address that both programs say of themselves.
package enum Product {
    /// The name of the package, and of its main program.
    package static let name = "aasa"
    /// The version of everything that is built from this package, as in CHANGELOG.md.
    package static let version = "0.14.0"

    /// The line that `--version` prints.
    ///
    /// - Parameter openSSL: The version of the library in use, such as `3.0.17`.
    package static func versionLine(_ program: String, openSSL: String) -> String {
        "\(program) \(version) (OpenSSL \(openSSL))"
    }
}

/// The exit codes of the `aasa` commands.
package enum ExitStatus: Int32, Sendable {
    case done = 0
    /// Something was found that fails the command.
    case failed = 1
    case usage = 64
    /// A file cannot be used for what it should be.
    case unusableData = 65
    /// A file or folder is missing or unreadable.
    case missingFile = 66
    /// An address cannot be bound, or a library is missing.
    case unavailable = 69
    /// A result cannot be written, as on a full disk.
    case outputFailed = 74
    /// A bug.
    case internalError = 70

    package var code: ExitCode { ExitCode(rawValue) }
}

extension ExitStatus {
    /// Prints why a command fails, one reason per line, and returns what to throw.
    package func failure(_ messages: String...) -> ExitCode { failure(messages) }

    /// Prints why a command fails, one reason per line, and returns what to throw.
    package func failure(_ messages: [String]) -> ExitCode {
        for message in messages { StandardError.write(message) }
        return code
    }
}

/// Work of several tasks in a command that is not asynchronous itself.
package enum BlockingTask {
    /// Runs a body to its end, on other threads.
    package static func run<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) -> Result {
        let done = DispatchSemaphore(value: 0)
        let box = Locked<Result?>(nil)
        Task.detached {
            let result = await body()
            box.withLock { $0 = result }
            done.signal()
        }
        while true {
            done.wait()
            if let result = box.withLock({ $0 }) { return result }
        }
    }
}
