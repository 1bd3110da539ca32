internal import Glibc
internal import SystemSupport

/// A pipe by which other threads wake one that waits for a database.
final class WakeUp: Sendable {
    /// Readable from a signal on, until that is taken.
    let descriptor: Int32
    private let writer: Int32

    init() throws(SystemError) {
        var descriptors: [Int32] = [-1, -1]
        guard pipe(&descriptors) == 0 else { throw SystemError(call: "pipe") }
        for descriptor in descriptors {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
        (descriptor, writer) = (descriptors[0], descriptors[1])
    }

    deinit {
        close(descriptor)
        close(writer)
    }

    func signal() {
        var byte: UInt8 = 1
        _ = write(writer, &byte, 1)
    }

    /// Takes all signals that have come.
    func take() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }

    /// Waits for a signal, where there is no database to wait for.
    func wait(milliseconds: Int) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, Int32(clamping: max(0, milliseconds)))
    }
}
