internal import Diagnostics
internal import Glibc
package import OpenSSL

/// The password of a run: from an option, or asked for when the first file needs it; at most once.
package struct PasswordProvider {
    package private(set) var password: SecretBytes?
    private var mayAsk: Bool

    /// - Parameter given: What an option named; nil if there was none.
    package init(given: SecretBytes?) {
        password = given
        mayAsk = given == nil && TerminalPassword.isPossible
    }

    /// Asks once, if there is a terminal; returns whether there is a password now that was not there before.
    package mutating func ask(for path: String) -> Bool {
        guard mayAsk else { return false }
        mayAsk = false
        password = TerminalPassword.ask("Password for '\(VisibleText.escaped(path))': ")
        return password != nil
    }
}

/// Asks for a password on the terminal itself, so that neither standard input nor standard output is touched.
package enum TerminalPassword {
    /// Whether there is a terminal to ask on.
    package static var isPossible: Bool { isatty(STDIN_FILENO) == 1 || isatty(STDERR_FILENO) == 1 }

    /// Shows a question and takes the line that is typed, unseen; nil if the input ends, or there is no terminal.
    ///
    /// If the process is stopped or ended meanwhile, as by Ctrl-C and Ctrl-Z, the terminal is restored first.
    package static func ask(_ question: String) -> SecretBytes? {
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
        case answer(SecretBytes?)
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
            // Text that is ended by Ctrl-D is an answer, too.
            return count > 0 ? count : nil
        }
        if let caught { return .signal(caught) }
        return .answer(line)
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

    /// Restores the handlers that the signals had before.
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
