import ArgumentParser
import CommandLineSupport

/// The exit codes of `certcheck` that are no result of a check: 0 to 2 are `CheckReport`'s.
enum CheckExit {
    /// Something could not be done: a usage error, a file that cannot be read or written.
    static let failed = ExitCode(3)

    /// Says on standard error why a command fails, and gives what to throw.
    static func failure(_ message: String) -> ExitCode {
        StandardError.write(message)
        return failed
    }
}
