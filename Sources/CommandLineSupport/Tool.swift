public import ArgumentParser
internal import Glibc

/// The way of a program from its arguments to its exit code.
public enum Tool {
    /// Parses the arguments, runs their command, and ends the program.
    ///
    /// What an error repeats of the arguments is escaped, line by line.
    /// - Parameters:
    ///   - command: The root of all commands.
    ///   - failure: The exit code of all errors that are not one themselves, and of results that cannot be written; nil for
    ///     the parser's codes and `ExitStatus.outputFailed`.
    ///   - help: Gets the text of a help screen and gives the one that is shown.
    public static func run(
        _ command: (some ParsableCommand).Type, failure: ExitCode? = nil, help: (String) -> String = { $0 }
    ) -> Never {
        StandardDescriptors.fill()
        do {
            var parsed = try command.parseAsRoot()
            try parsed.run()
        } catch {
            let status = command.exitCode(for: error)
            let text = command.fullMessage(for: error)
            if status.isSuccess {
                var output = StandardOutput(failure: failure?.rawValue)
                if !text.isEmpty { output.write(help(text)) }
                output.flush()
                exit(status.rawValue)
            }
            for line in text.split(separator: "\n") { StandardError.write(String(line)) }
            exit((error is ExitCode ? status : failure ?? status).rawValue)
        }
        exit(ExitCode.success.rawValue)
    }
}
