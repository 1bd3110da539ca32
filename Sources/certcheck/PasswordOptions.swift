import ArgumentParser
import PushCertificates

/// Where a password comes from; never from the arguments themselves, which other users see.
struct PasswordOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The password is in this environment variable.", valueName: "name"))
    var passwordEnv: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The password is what this file holds, without the end of line behind it.", valueName: "file"),
        completion: .file())
    var passwordFile: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The password is what comes from this open file descriptor, like 3.", valueName: "number"))
    var passwordFd: Int32?

    func validate() throws {
        let given = [
            passwordEnv.map { _ in "--password-env" }, passwordFile.map { _ in "--password-file" },
            passwordFd.map { _ in "--password-fd" },
        ].compactMap { $0 }
        if let first = given.first, given.count > 1 {
            let others = given.dropFirst().joined(separator: " and ")
            throw ValidationError("\(first) and \(others) exclude each other; the password is in one place")
        }
        if let passwordFd, passwordFd < 0 {
            throw ValidationError("'--password-fd \(passwordFd)' is no descriptor; expected 0 or more")
        }
    }

    /// What the options name; nil if none of them was given.
    var source: PasswordSource? {
        if let passwordEnv { return .environment(passwordEnv) }
        if let passwordFile { return .file(passwordFile) }
        return passwordFd.map { .descriptor($0) }
    }

    /// Whether one of the options was given.
    var isGiven: Bool { source != nil }

    /// The password that the options name; nil if none of them was given. To be called once: a descriptor is empty then.
    ///
    /// - Throws: A usage error if it cannot be had.
    func password() throws(ValidationError) -> Password? { try source?.read() }
}
