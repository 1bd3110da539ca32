import ArgumentParser
import CommandLineSupport
import Diagnostics
import Glibc
import OpenSSL
import PushCertificates
import SystemSupport

/// Where a password comes from; never from the arguments themselves, which other users see.
struct PasswordOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Read the password from this environment variable.", valueName: "name"))
    var passwordEnv: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Read the password from this file, without the line break at its end.", valueName: "file"),
        completion: .file())
    var passwordFile: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Read the password from this open file descriptor, e.g. 3.", valueName: "number"))
    var passwordFd: Int32?

    func validate() throws {
        let given = [
            passwordEnv.map { _ in "--password-env" }, passwordFile.map { _ in "--password-file" },
            passwordFd.map { _ in "--password-fd" },
        ].compactMap { $0 }
        if let first = given.first, given.count > 1 {
            let others = given.dropFirst().joined(separator: " and ")
            throw ValidationError("\(first) and \(others) exclude each other; give the password only once")
        }
        if let passwordFd, passwordFd < 0 {
            throw ValidationError("'--password-fd \(passwordFd)' is not a descriptor; expected 0 or more")
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

/// Where a password comes from (push-certificates.md, section 11).
enum PasswordSource {
    case environment(String)
    /// `-` is standard input.
    case file(String)
    case descriptor(Int32)

    /// More bytes are no password.
    static let limit = 1 << 16

    /// Whether reading it uses up standard input.
    var isStandardInput: Bool {
        switch self {
        case .environment: false
        case .file(let path): path == "-" || path == "/dev/stdin"
        case .descriptor(let number): number == STDIN_FILENO
        }
    }

    /// Reads the password. What comes from a descriptor can be read only once.
    ///
    /// - Throws: A usage error if there is none to be had.
    func read() throws(ValidationError) -> Password {
        switch self {
        case .environment(let name):
            guard let value = getenv(name) else {
                throw ValidationError("the environment variable \(quoted(name)) is not set, so there is no password")
            }
            // Stays in the environment: another option may name it too, and there is no other program to inherit it.
            let bytes = UnsafeBufferPointer(start: value, count: strlen(value)).lazy.map(UInt8.init(bitPattern:))
            return try Self.password(SecretBytes(bytes), from: "the environment variable \(quoted(name))")
        case .file("-"):
            return try Self.password(of: STDIN_FILENO, called: "standard input")
        case .file(let path):
            let name = "the password file \(quoted(path))"
            let descriptor = open(RawPath(argument: path).cString, O_RDONLY | O_CLOEXEC | O_NOCTTY)
            guard descriptor >= 0 else {
                throw ValidationError("\(name) cannot be read: \(SystemError(call: "open").reason)")
            }
            defer { close(descriptor) }
            return try Self.password(of: descriptor, called: name)
        case .descriptor(let number):
            return try Self.password(of: number, called: "the descriptor \(number)")
        }
    }

    private static func password(of descriptor: Int32, called name: String) throws(ValidationError) -> Password {
        let content: SecretBytes
        do throws(SystemError) {
            content = try SecretInput.read(descriptor, limit: limit + 2)
        } catch {
            throw ValidationError("\(name) cannot be read: \(error.reason)")
        }
        let line = content.withBytes { bytes in
            let line = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
            return SecretBytes(line.count < bytes.count && line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }
        return try password(line, from: name)
    }

    private static func password(_ bytes: SecretBytes, from name: String) throws(ValidationError) -> Password {
        guard bytes.count <= limit else {
            throw ValidationError("\(name) contains more than \(grouped(limit)) bytes; a password is shorter")
        }
        guard bytes.withBytes({ !$0.contains(0) }) else {
            throw ValidationError("\(name) contains a NUL byte, which no password can have; expected UTF-8 text")
        }
        return Password(bytes)
    }
}

/// The password of a run: from an option, or asked for when the first file needs it; at most once.
struct PasswordSupply {
    private(set) var password: Password?
    private var mayAsk: Bool

    /// - Parameter given: What an option named; nil if there was none.
    init(given: Password?) {
        password = given
        mayAsk = given == nil && TerminalPassword.isPossible
    }

    /// Asks if nobody was asked yet and somebody is there; whether there is a password now that was not there before.
    mutating func ask(for path: String) -> Bool {
        guard mayAsk else { return false }
        mayAsk = false
        password = TerminalPassword.ask("Password for '\(VisibleText.escaped(path))': ")
        return password != nil
    }
}
