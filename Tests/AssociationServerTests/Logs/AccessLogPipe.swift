import Glibc
import TestSupport

/// A pipe whose reader reads when a test says so.
final class AccessLogPipe {
    let readEnd: Int32
    let writeEnd: Int32
    private var isWriteEndOpen = true

    /// - Parameter isSocket: a pair of sockets instead, as the journal of systemd gives one.
    init(isSocket: Bool = false) throws {
        var ends: [Int32] = [-1, -1]
        let result =
            isSocket
            ? socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) : pipe(&ends)
        guard result == 0 else { throw TestFailure("pipe: \(String(cString: strerror(errno)))") }
        readEnd = ends[0]
        writeEnd = ends[1]
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(readEnd)
        closeWriteEnd()
    }

    /// Opened anew, the log has a description of its own, which does not block.
    var path: String { "/proc/self/fd/\(writeEnd)" }

    func closeWriteEnd() {
        if isWriteEndOpen { close(writeEnd) }
        isWriteEndOpen = false
    }

    /// Writes line feeds until it takes no more.
    func fill() {
        let flags = fcntl(writeEnd, F_GETFL)
        _ = fcntl(writeEnd, F_SETFL, flags | O_NONBLOCK)
        let junk = [UInt8](repeating: UInt8(ascii: "\n"), count: 4_096)
        while write(writeEnd, junk, junk.count) > 0 {}
        while write(writeEnd, junk, 1) > 0 {}
        _ = fcntl(writeEnd, F_SETFL, flags)
    }

    /// All until every writer has closed its end.
    func readToEnd() -> [UInt8] {
        closeWriteEnd()
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(readEnd, &buffer, buffer.count)
            if count > 0 { all += buffer[..<count] } else if count == 0 || errno != EINTR { return all }
        }
    }

    /// Reads until there is enough.
    func read(until isEnough: ([UInt8]) -> Bool) -> [UInt8] { Self.read(readEnd, until: isEnough) }

    static func read(_ descriptor: Int32, until isEnough: ([UInt8]) -> Bool) -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isEnough(all) {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 60_000) > 0 else { return all }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return all }
            all += buffer[..<count]
        }
        return all
    }
}
