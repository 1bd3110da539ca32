internal import Dispatch
internal import Glibc
internal import SystemSupport

/// Lines that are written to a descriptor aside, so that nobody has to wait for whoever reads them.
///
/// What is not taken waits, up to a bound; lines beyond it are lost, and the next line that gets through says how many.
final class BackgroundLines: Sendable {
    private struct State {
        var lines: [[UInt8]] = []
        var bytes = 0
        var lost = 0
        var isWriting = false
    }

    /// Of lines that wait.
    private static let mostBytes = 1 << 20

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "log")
    private let state = Locked(State())

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// - Parameter line: with its line feed.
    func write(_ line: [UInt8]) {
        let isFirst = state.withLock { state in
            guard state.bytes + line.count <= Self.mostBytes else {
                state.lost += 1
                return false
            }
            state.lines.append(line)
            state.bytes += line.count
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isFirst { queue.async { [self] in writeAll() } }
    }

    /// Waits until all is written, or the time is over.
    func finish(milliseconds: Int) {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + .milliseconds(milliseconds))
    }

    private func writeAll() {
        while true {
            let (lines, lost) = state.withLock { state in
                defer {
                    state.lines = []
                    state.lost = 0
                    if state.lines.isEmpty, state.bytes == 0 { state.isWriting = false }
                    state.bytes = 0
                }
                return (state.lines, state.lost)
            }
            if lines.isEmpty, lost == 0 { return }
            for line in lines { write(whole: line) }
            if lost > 0 { write(whole: Array("log: \(lost) lines were lost, because nobody read them\n".utf8)) }
        }
    }

    private func write(whole line: [UInt8]) {
        var start = 0
        while start < line.count {
            let count = line.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + start }, line.count - start)
            }
            if count > 0 { start += count }
            if count < 0, errno == EAGAIN {
                var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waited, 1, -1)
            } else if count < 0, errno != EINTR {
                return
            }
        }
    }
}
