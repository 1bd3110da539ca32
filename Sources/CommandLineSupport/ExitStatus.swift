package import ArgumentParser

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
