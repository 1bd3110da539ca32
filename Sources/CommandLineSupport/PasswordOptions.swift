package import ArgumentParser
internal import Diagnostics
internal import Glibc
package import OpenSSL
package import SystemSupport

/// Where a password comes from; never from the arguments themselves, which other users see.
package struct PasswordOptions: ParsableArguments {
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

    package init() {}

    package func validate() throws {
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

    /// The source that the options name; nil if none of them was given.
    package var source: PasswordSource? {
        if let passwordEnv { return .environment(passwordEnv) }
        if let passwordFile { return .file(passwordFile) }
        return passwordFd.map { .descriptor($0) }
    }

    /// The password that the options name; nil if none of them was given. To be called once: a descriptor is empty then.
    ///
    /// - Throws: A usage error if it cannot be had.
    package func password() throws(ValidationError) -> SecretBytes? { try source?.read() }
}

/// Where a password comes from (push-certificates.md, section 11).
package enum PasswordSource {
    case environment(String)
    /// `-` is standard input.
    case file(String)
    case descriptor(Int32)

    /// More bytes are no password.
    static let limit = 1 << 16

    /// Whether reading it uses up standard input.
    package var isStandardInput: Bool {
        switch self {
        case .environment: false
        case .file(let path): path == "-" || path == "/dev/stdin"
        case .descriptor(let number): number == STDIN_FILENO
        }
    }

    /// Reads the password. What comes from a descriptor can be read only once.
    ///
    /// - Throws: A usage error if there is none to be had.
    package func read() throws(ValidationError) -> SecretBytes {
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

    private static func password(of descriptor: Int32, called name: String) throws(ValidationError) -> SecretBytes {
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

    private static func password(_ bytes: SecretBytes, from name: String) throws(ValidationError) -> SecretBytes {
        guard bytes.count <= limit else {
            throw ValidationError("\(name) contains more than \(grouped(limit)) bytes; a password is shorter")
        }
        guard bytes.withBytes({ !$0.contains(0) }) else {
            throw ValidationError("\(name) contains a NUL byte, which no password can have; expected UTF-8 text")
        }
        return bytes
    }
}

/// Reads what may be secret, and leaves no copy of it behind.
package enum SecretInput {
    /// Reads to the end, or `limit` bytes and one.
    ///
    /// - Parameter expected: How many bytes there probably are.
    package static func read(_ descriptor: Int32, expected: Int = 0, limit: Int) throws(SystemError) -> SecretBytes {
        var capacity = min(max(expected, 4_095), limit) + 1
        var held = SecretBytes([])
        while true {
            var isAtEnd = false
            var failure = SystemError(call: "malloc", number: ENOMEM)
            // A larger buffer takes over what the smaller one has, which is wiped when it goes.
            let next = SecretBytes(capacity: capacity) { buffer in
                let count = held.withBytes { bytes in
                    UnsafeMutableRawBufferPointer(buffer).copyBytes(from: bytes)
                    return bytes.count
                }
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                guard let more = FileReader.fill(rest, from: descriptor) else {
                    failure = SystemError(call: "read")
                    return nil
                }
                isAtEnd = more < rest.count
                return count + more
            }
            guard let next else { throw failure }
            if isAtEnd || next.count > limit { return next }
            held = next
            capacity = min(capacity * 4, limit + 1)
        }
    }
}
