import Glibc
import TestSupport

/// A terminal with a program in it, and somebody who types.
final class PseudoTerminal {
    private let master: Int32
    private let path: String
    private var process: pid_t = 0
    private var received: [UInt8] = []

    init() throws {
        var ends: (master: Int32, slave: Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 64)
        guard openpty(&ends.master, &ends.slave, &name, nil, nil) == 0 else {
            throw TestFailure("no pseudo-terminal: \(String(cString: strerror(errno)))")
        }
        close(ends.slave)
        _ = fcntl(ends.master, F_SETFD, FD_CLOEXEC)
        master = ends.master
        path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        close(master)
        if process > 0 {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
    }

    /// Runs a line of the shell as the leader of a session of its own, whose terminal this is.
    func run(_ line: String, environment: [String: String]) throws {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        // Opened by the leader of a session, it becomes the terminal of that session.
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
        // The threads of tests block signals, and what they start would too.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // With POSIX_SPAWN_SETSID, which the C library shows to GNU programs only.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | 0x80)
        let variables = environment.merging(["PATH": "/usr/bin:/bin", "TERM": "dumb"]) { own, _ in own }
        let words = Self.copies(["timeout", "--foreground", "60", "sh", "-c", line])
        let pairs = Self.copies(variables.map { "\($0.key)=\($0.value)" })
        defer { for text in words + pairs { free(text) } }
        let failure = posix_spawn(&process, "/usr/bin/timeout", &actions, &attributes, words, pairs)
        guard failure == 0 else { throw TestFailure("no process: \(String(cString: strerror(failure)))") }
    }

    private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }

    /// The text that the program has shown, with the line ends of terminals.
    var text: String { String(decoding: received, as: UTF8.self) }

    /// Whether what is typed is shown.
    var echoes: Bool {
        var state = termios()
        return tcgetattr(master, &state) == 0 && state.c_lflag & tcflag_t(ECHO) != 0
    }

    func type(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) } }

    /// Waits until the program has shown a text so many times; false if it ends before, or twenty seconds pass.
    func waits(for text: String, count: Int = 1) -> Bool {
        while self.text.ranges(of: text).count < count {
            guard receive() else { return false }
        }
        return true
    }

    /// Waits until the program has ended.
    func exitStatus() -> Int32 {
        while receive() {}
        var status: Int32 = 0
        waitpid(process, &status, 0)
        process = 0
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    private func receive() -> Bool {
        var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 20_000) > 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = read(master, &buffer, buffer.count)
        guard count > 0 else { return false }
        received += buffer.prefix(count)
        return true
    }
}
