internal import Glibc
package import SystemSupport

/// Files that a command reads whole.
package enum InputFile {
    /// Reads a file, which may be a pipe, or standard input for `-`; no more than `limit` bytes and one.
    package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
        path == "-"
            ? try FileReader.readToEnd(STDIN_FILENO, limit: limit)
            : try FileReader.readToEnd(RawPath(argument: path), limit: limit)
    }

    /// The name of a path in messages.
    package static func name(_ path: String) -> String {
        path == "-" ? "<standard input>" : RawPath(argument: path).shown
    }
}

/// The lines of standard input, as they come.
package struct InputLines: ~Copyable {
    /// The bytes of a line that is not complete yet.
    private var pending: [UInt8] = []
    private var isAtEnd = false

    package init() {}

    /// The complete lines that came next, without their line ends (LF or CR LF); nil at the end.
    ///
    /// Waits only if there is none.
    package mutating func next() -> [ArraySlice<UInt8>]? {
        while !isAtEnd {
            let start = pending.count
            guard fill() else { continue }
            guard let last = pending[start...].lastIndex(of: UInt8(ascii: "\n")) else { continue }
            let complete = Array(pending[..<last])
            pending.removeSubrange(...last)
            return Self.lines(complete)
        }
        guard !pending.isEmpty else { return nil }
        defer { pending = [] }
        return Self.lines(pending)
    }

    /// Reads once; false if nothing came.
    private mutating func fill() -> Bool {
        let start = pending.count
        let room = 1 << 16
        pending += [UInt8](repeating: 0, count: room)
        let count = pending.withUnsafeMutableBytes { buffer in
            Glibc.read(STDIN_FILENO, buffer.baseAddress.map { $0 + start }, room)
        }
        let failure = errno
        pending.removeLast(room - max(0, count))
        if count == 0 || count < 0 && failure != EINTR { isAtEnd = true }
        return count > 0
    }

    private static func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
        text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }
    }
}
