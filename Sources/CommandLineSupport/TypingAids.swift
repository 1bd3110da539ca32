/// What people type instead of the commands and options that a program has.
public struct TypingAids: Sendable {
    let commands: [String: String]
    let options: [String: String]
    let isPath: @Sendable (String) -> Bool

    /// - Parameters:
    ///   - commands: What is suggested for a word that is not a command, such as `validate` for `lint`.
    ///   - options: What is suggested for an option that a command does not have, such as `--listen` for `--port`.
    ///   - isPath: Whether a first word that is not a command is there as a file; asked only of programs whose default command
    ///     takes paths.
    public init(
        commands: [String: String] = [:], options: [String: String] = [:],
        isPath: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
        self.commands = commands
        self.options = options
        self.isPath = isPath
    }
}
