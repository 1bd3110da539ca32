import Foundation

/// A network of its own for a server, with as many addresses as a test wants; only the superuser can have one made.
public enum NetworkNamespace {
    public static let isPossible: Bool = {
        guard setns != nil, let outcome = try? Shell.run(launcher(addresses: []) + ["true"]) else { return false }
        return outcome.status == 0
    }()

    /// Runs the command behind it on a network with no more than a loopback interface.
    ///
    /// - Parameter addresses: of the interface, beside 127.0.0.1 and ::1.
    public static func launcher(addresses: [String]) -> [String] {
        let lines = ["ip link set lo up"] + addresses.map { "ip address add \($0) dev lo nodad" }
        return ["unshare", "--net", "sh", "-c", (lines + ["exec \"$@\""]).joined(separator: " && "), "-"]
    }

    private typealias Enter = @convention(c) (Int32, Int32) -> Int32
    /// setns(2), which the language does not see.
    private static let setns: Enter? = dlsym(nil, "setns").map { unsafeBitCast($0, to: Enter.self) }

    /// Does something on the network of a process; sockets that are made there stay there.
    package static func of<Result>(_ process: Int32, _ body: @escaping () throws -> Result) throws -> Result {
        let outcome = Outcome<Result>()
        let done = DispatchSemaphore(value: 0)
        let work = Work {
            outcome.result = Swift.Result {
                let descriptor = open("/proc/\(process)/ns/net", O_RDONLY | O_CLOEXEC)
                defer { close(descriptor) }
                guard let setns, setns(descriptor, 0) == 0 else { throw TestFailure("setns: \(errno)") }
                return try body()
            }
            done.signal()
        }
        // The thread is the only one that goes there, and ends there.
        Thread { work.body() }.start()
        done.wait()
        guard let result = outcome.result else { throw TestFailure("no thread") }
        return try result.get()
    }

    private final class Outcome<Success>: @unchecked Sendable {
        var result: Result<Success, any Error>?
    }

    private struct Work: @unchecked Sendable {
        let body: () -> Void
    }
}
