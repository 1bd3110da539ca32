import CommandLineSupport
import Diagnostics
import Glibc
import OpenSSL
import PushCertificates

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
