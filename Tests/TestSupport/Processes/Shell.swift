public import Foundation
internal import Glibc

/// Runs programs and waits for them.
public enum Shell {
    public struct Outcome: Sendable {
        public let status: Int32
        public let output: Data
        public let errors: String

        public var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Runs a program that is on PATH, or the one at a path with a slash.
    ///
    /// One that takes longer than any test may is killed, with its process group.
    ///
    /// - Parameter input: what it reads on standard input.
    @discardableResult
    public static func run(_ arguments: [String], input: Data = Data(), in folder: URL? = nil) throws -> Outcome {
        var pipes = try Pipes(input: Array(input))
        let process: pid_t
        do {
            process = try Spawn.start(arguments, in: folder?.path, pipes.childEnds)
        } catch {
            pipes.close()
            throw error
        }
        pipes.closeChildEnds()
        let end = Waiting.seconds + Double(Patience.longest)
        guard pipes.transfer(until: end), let status = Spawn.wait(for: process, until: end) else {
            pipes.close()
            Spawn.end(process)
            Patience.waitedInVain()
            throw TestFailure("it does not end: \(arguments.joined(separator: " "))")
        }
        return Outcome(
            status: status, output: Data(pipes.output), errors: String(decoding: pipes.errors, as: UTF8.self))
    }
}

/// The pipes to a program. All three are served at once: a full one would stop the program.
private struct Pipes {
    /// For standard input, output and error: the end that is read, and the one that is written.
    private var ends: [(reading: Int32, writing: Int32)] = []
    private var input: ArraySlice<UInt8>
    private(set) var output: [UInt8] = []
    private(set) var errors: [UInt8] = []

    init(input: [UInt8]) throws {
        self.input = input[...]
        for _ in 0..<3 {
            var pair: [Int32] = [-1, -1]
            guard pipe(&pair) == 0 else { throw TestFailure("pipe: \(String(cString: strerror(errno)))") }
            for descriptor in pair { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
            ends.append((pair[0], pair[1]))
        }
    }

    var childEnds: [Int32] { [ends[0].reading, ends[1].writing, ends[2].writing] }

    mutating func close() {
        for (reading, writing) in ends {
            for descriptor in [reading, writing] where descriptor >= 0 { Glibc.close(descriptor) }
        }
        ends = []
    }

    mutating func closeChildEnds() {
        for descriptor in childEnds { Glibc.close(descriptor) }
        (ends[0].reading, ends[1].writing, ends[2].writing) = (-1, -1, -1)
        if input.isEmpty { endInput() } else { _ = fcntl(ends[0].writing, F_SETFL, O_NONBLOCK) }
    }

    /// Writes the input and reads the output until all who write it have ended.
    ///
    /// - Parameter end: when it is given up, on the clock of ``Waiting/seconds``.
    /// - Returns: whether they have ended.
    mutating func transfer(until end: Double) -> Bool {
        // Who does not read all of its input is no reason to end the tests.
        var (brokenPipe, before) = (sigset_t(), sigset_t())
        sigemptyset(&brokenPipe)
        sigaddset(&brokenPipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &brokenPipe, &before)
        defer {
            var none = timespec()
            while sigtimedwait(&brokenPipe, nil, &none) == SIGPIPE {}
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while ends[1].reading >= 0 || ends[2].reading >= 0 {
            var waiting = [
                pollfd(fd: ends[0].writing, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: ends[1].reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: ends[2].reading, events: Int16(POLLIN), revents: 0),
            ]
            let left = end - Waiting.seconds
            guard left > 0 else { return false }
            guard poll(&waiting, 3, Int32(left * 1_000) + 1) > 0 else { continue }
            if waiting[0].revents != 0 { writeSome() }
            if waiting[1].revents != 0, !Self.read(ends[1].reading, &buffer, &output) { ends[1].reading = -1 }
            if waiting[2].revents != 0, !Self.read(ends[2].reading, &buffer, &errors) { ends[2].reading = -1 }
        }
        endInput()
        return true
    }

    private mutating func writeSome() {
        let count = input.withUnsafeBytes { write(ends[0].writing, $0.baseAddress, $0.count) }
        if count > 0 { input.removeFirst(count) }
        if input.isEmpty || count < 0 && errno != EAGAIN && errno != EINTR { endInput() }
    }

    private mutating func endInput() {
        if ends[0].writing >= 0 { Glibc.close(ends[0].writing) }
        ends[0].writing = -1
    }

    /// - Returns: whether there may be more; if not, the descriptor is closed.
    private static func read(_ descriptor: Int32, _ buffer: inout [UInt8], _ bytes: inout [UInt8]) -> Bool {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 {
            bytes += buffer[..<count]
            return true
        }
        if count < 0, errno == EINTR || errno == EAGAIN { return true }
        Glibc.close(descriptor)
        return false
    }
}
