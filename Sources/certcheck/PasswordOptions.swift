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

    /// The source that the options name; nil if none of them was given.
    var source: PasswordSource? {
        if let passwordEnv { return .environment(passwordEnv) }
        if let passwordFile { return .file(passwordFile) }
        return passwordFd.map { .descriptor($0) }
    }

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
struct PasswordProvider {
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

/// Asks somebody for a password, on the terminal itself, so that neither standard input nor standard output is touched.
enum TerminalPassword {
    /// Whether somebody is there to be asked.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 || isatty(STDERR_FILENO) == 1 }

    /// Shows a question and takes the line that is typed, unseen; nil if the input ends, or there is no terminal.
    ///
    /// What stops or ends the process meanwhile, as Ctrl-C and Ctrl-Z do, finds the terminal as it was before.
    static func ask(_ question: String) -> Password? {
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        defer { if descriptor >= 0 { close(descriptor) } }
        // Without a controlling terminal there may still be one at hand.
        let input = descriptor >= 0 ? descriptor : STDIN_FILENO
        let output = descriptor < 0 && isatty(STDERR_FILENO) == 1 ? STDERR_FILENO : input
        while true {
            switch askOnce(question, input, output) {
            case .answer(let answer): return answer
            case .signal(let number):
                // Ends the process, or comes back when a stopped one goes on, or is ignored.
                raise(number)
            }
        }
    }

    private enum Outcome {
        case answer(Password?)
        /// Came while it was waited for an answer.
        case signal(Int32)
    }

    private static func askOnce(_ question: String, _ input: Int32, _ output: Int32) -> Outcome {
        var before = termios()
        guard tcgetattr(input, &before) == 0 else { return .answer(nil) }
        guard let signals = SignalCatch([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]) else { return .answer(nil) }
        var unseen = before
        unseen.c_lflag &= ~tcflag_t(ECHO)
        // Canonical, so that a line can be corrected.
        unseen.c_lflag |= tcflag_t(ICANON | ISIG)
        unseen.c_iflag |= tcflag_t(ICRNL)
        // From the background this stops the process until it is in front, before anything is changed.
        var outcome = Outcome.answer(nil)
        if tcsetattr(input, TCSAFLUSH, &unseen) == 0 {
            write(question, to: output)
            outcome = wait(input, signals)
            // The rest of a pasted text goes too: it was not meant for the shell.
            tcsetattr(input, TCSAFLUSH, &before)
            write("\n", to: output)
        }
        signals.end()
        return outcome
    }

    private static func wait(_ input: Int32, _ signals: borrowing SignalCatch) -> Outcome {
        var isAtEnd = false
        // A terminal gives a line of no more than 4096 bytes.
        var caught: Int32?
        let line = SecretBytes(capacity: 1 << 13) { buffer in
            var count = 0
            while count < buffer.count, !isAtEnd {
                if let signal = signals.wait(for: input) {
                    caught = signal
                    return nil
                }
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                let more = read(input, rest.baseAddress, rest.count)
                if more > 0 {
                    count += more
                    if buffer[count - 1] == UInt8(ascii: "\n") { return count - 1 }
                } else if more == 0 || errno != EINTR && errno != EAGAIN {
                    isAtEnd = true
                }
            }
            // What was begun and ended by Ctrl-D is an answer too.
            return count > 0 ? count : nil
        }
        if let caught { return .signal(caught) }
        return .answer(line.map { Password($0) })
    }

    private static func write(_ text: String, to descriptor: Int32) {
        _ = Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}

/// Catches signals while it lives, so that they can be waited for together with input.
struct SignalCatch: ~Copyable {
    private let reader: Int32
    private let writer: Int32
    private let before: [(number: Int32, action: sigaction)]

    /// - Parameter signals: Those that are ignored stay so. There can be only one catch at a time.
    init?(_ signals: [Int32]) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0, let reader = ends.first, let writer = ends.last else { return nil }
        self.reader = reader
        self.writer = writer
        caught = writer
        before = signals.compactMap { number in
            var old = sigaction()
            guard sigaction(number, nil, &old) == 0, !Self.isIgnored(old) else { return nil }
            var new = sigaction()
            new.__sigaction_handler.sa_handler = { number in
                var byte = UInt8(truncatingIfNeeded: number)
                let failure = errno
                _ = write(caught, &byte, 1)
                errno = failure
            }
            return sigaction(number, &new, nil) == 0 ? (number, old) : nil
        }
    }

    deinit {
        for (number, action) in before {
            var action = action
            sigaction(number, &action, nil)
        }
        close(reader)
        close(writer)
    }

    /// Gives the signals back to whoever had them before.
    consuming func end() {}

    /// Waits until there is input, or a signal; gives the signal.
    func wait(for descriptor: Int32) -> Int32? {
        while true {
            var entries = [
                pollfd(fd: reader, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&entries, 2, -1) > 0 else {
                if errno == EINTR { continue }
                return nil
            }
            guard entries.first?.revents != 0 else { return nil }
            var byte: UInt8 = 0
            if read(reader, &byte, 1) == 1 { return Int32(byte) }
        }
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

/// Where the handler writes; it can be given nothing.
private nonisolated(unsafe) var caught: Int32 = -1
