import Glibc

/// Starts programs with little work: no program comes before them, and no thread waits for them.
enum Spawn {
    private typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>
    // Which the language does not see.
    private static let closeFrom = symbol(
        "posix_spawn_file_actions_addclosefrom_np", (@convention(c) (Actions, Int32) -> Int32).self)
    private static let changeFolder = symbol(
        "posix_spawn_file_actions_addchdir_np", (@convention(c) (Actions, UnsafePointer<CChar>) -> Int32).self)

    private static func symbol<Function>(_ name: String, _ type: Function.Type) -> Function? {
        dlsym(nil, name).map { unsafeBitCast($0, to: type) }
    }

    /// Starts a program in a process group of its own, without the descriptors and the blocked signals of the tests.
    ///
    /// - Parameters:
    ///   - arguments: a program that is on PATH, or the one at a path with a slash; or what `env` reads, such as
    ///     `NAME=VALUE` before it.
    ///   - folder: where it runs.
    ///   - descriptors: its standard input, output and error.
    static func start(_ arguments: [String], in folder: String?, _ descriptors: [Int32]) throws -> pid_t {
        let command =
            arguments.first.map { $0.contains("=") || $0.hasPrefix("-") } == true ? ["env"] + arguments : arguments
        guard let program = command.first else { throw TestFailure("no program to start") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        guard closeFrom?(&actions, Int32(descriptors.count)) == 0 else { throw TestFailure("no closefrom") }
        if let folder {
            guard changeFolder?(&actions, folder) == 0 else { throw TestFailure("no chdir") }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var list = command.map { strdup($0) } + [nil]
        defer { for text in list { free(text) } }
        var process: pid_t = 0
        let result = posix_spawnp(&process, program, &actions, &attributes, &list, environ)
        guard result == 0 else { throw TestFailure("\(program): \(String(cString: strerror(result)))") }
        return process
    }

    /// Waits until a process has ended.
    ///
    /// - Parameter end: when it is given up, on the clock of ``Waiting/seconds``.
    /// - Returns: its exit status, or the number of the signal that has ended it; nil if it was given up.
    static func wait(for process: pid_t, until end: Double) -> Int32? {
        var state: Int32 = 0
        // Most have ended, or are about to: their output has.
        var pause: UInt32 = 100
        while true {
            let ended = waitpid(process, &state, WNOHANG)
            if ended == process { break }
            guard Waiting.seconds < end else { return nil }
            usleep(pause)
            pause = min(pause + pause / 4, 50_000)
        }
        let signal = state & 0x7F
        return signal == 0 ? (state >> 8) & 0xFF : signal
    }

    /// Ends a process and all of its group.
    static func end(_ process: pid_t) {
        kill(-process, SIGKILL)
        var state: Int32 = 0
        while waitpid(process, &state, 0) < 0, errno == EINTR {}
    }
}
