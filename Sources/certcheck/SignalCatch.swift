import Glibc

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
