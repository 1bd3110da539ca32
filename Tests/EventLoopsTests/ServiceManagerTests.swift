import EventLoops
import Foundation
import TestSupport
import Testing

/// systemd without libsystemd: sd_listen_fds(3), sd_notify(3), sd_watchdog_enabled(3).
@Suite("Service manager")
struct ServiceManagerTests {
    private func environment(_ variables: [String: String], process: Int32 = 7) throws(ServiceManagerError)
        -> ServiceManagerEnvironment
    { try ServiceManagerEnvironment(variables, process: process) }

    private func abstractName() -> String { "@aasa-test-\(UUID().uuidString)" }

    @Test(
        "sockets are for the process that is named, and for no other",
        arguments: [
            (nil, nil, 0), ("7", nil, 0), ("7", "0", 0), ("7", "1", 1), ("7", "3", 3),
            ("7", "2147483647", 2_147_483_647),
            (nil, "1", 0), ("8", "1", 0), ("", "1", 0), ("x", "1", 0), ("8", "x", 0),
        ] as [(String?, String?, Int)])
    func sockets(process: String?, count: String?, expected: Int) throws {
        var variables: [String: String] = [:]
        variables["LISTEN_PID"] = process
        variables["LISTEN_FDS"] = count
        #expect(try environment(variables).socketCount == expected)
    }

    @Test("a number of sockets that is none is an error", arguments: ["x", "", "-1", "1.5", "2147483648", "1 "])
    func wrongCount(text: String) {
        let error = #expect(throws: ServiceManagerError.self) {
            try environment(["LISTEN_PID": "7", "LISTEN_FDS": text])
        }
        #expect(error?.description == "LISTEN_FDS is '\(text)'; expected the number of sockets")
    }

    @Test(
        "sockets have names, or none",
        arguments: [
            (nil, ["", ""]), ("", ["", ""]), ("https", ["https", ""]), ("https:admin", ["https", "admin"]),
            (":admin", ["", "admin"]), ("a:b:c", ["a", "b"]),
            ("aasa.socket:aasa.socket", ["aasa.socket", "aasa.socket"]),
        ] as [(String?, [String])])
    func names(text: String?, expected: [String]) throws {
        var variables = ["LISTEN_PID": "7", "LISTEN_FDS": "2"]
        variables["LISTEN_FDNAMES"] = text
        let environment = try environment(variables)
        #expect([environment.socketName(0), environment.socketName(1)] == expected)
        #expect(environment.socketName(-1) == "")
    }

    @Test(
        "the watchdog is for the process that is named, or for every one",
        arguments: [
            (nil, nil, nil), ("30000000", nil, 30_000_000), ("30000000", "7", 30_000_000), ("30000000", "8", nil),
            ("30000000", "", nil), ("0", nil, nil), ("-1", nil, nil), ("x", nil, nil),
            ("99999999999999999999", nil, nil),
        ] as [(String?, String?, Int64?)])
    func watchdog(microseconds: String?, process: String?, expected: Int64?) throws {
        var variables: [String: String] = [:]
        variables["WATCHDOG_USEC"] = microseconds
        variables["WATCHDOG_PID"] = process
        #expect(try environment(variables).watchdogMicroseconds == expected)
    }

    @Test("an empty name of a socket is none")
    func notifySocket() throws {
        #expect(try environment([:]).notifySocket == nil)
        #expect(try environment(["NOTIFY_SOCKET": ""]).notifySocket == nil)
        #expect(try environment(["NOTIFY_SOCKET": "@a"]).notifySocket == "@a")
        #expect(try environment([:]) == ServiceManagerEnvironment())
    }

    @Test("what is meant for this process is taken out of the environment, and nothing else", arguments: ["1", "x"])
    func taking(count: String) throws {
        var variables = ["PATH": "/bin", "LISTEN_PID": "7", "LISTEN_FDS": count, "LISTEN_FDNAMES": "admin"]
        variables["NOTIFY_SOCKET"] = "@a"
        variables["WATCHDOG_USEC"] = "1"
        variables["WATCHDOG_PID"] = "7"
        variables["LISTEN_PIDFDID"] = "5"
        let environment = try? ServiceManagerEnvironment.take(
            process: 7, value: { variables[$0] }, remove: { variables[$0] = nil })
        #expect(variables == ["PATH": "/bin"])
        #expect((environment == nil) == (count == "x"))
        if let environment {
            #expect(environment.socketCount == 1)
            #expect(environment.socketName(0) == "admin")
            #expect(environment.notifySocket == "@a")
            #expect(environment.watchdogMicroseconds == 1)
        }
    }

    @Test(
        "messages are assignments, a line each",
        arguments: [
            (.ready(status: "2 sites"), "READY=1\nSTATUS=2 sites"),
            (.reloading(monotonicMicroseconds: 12_345), "RELOADING=1\nMONOTONIC_USEC=12345\nSTATUS=reloading"),
            (.stopping(status: "draining"), "STOPPING=1\nSTATUS=draining"),
            (.working(status: "reading"), "STATUS=reading"), (.watchdog, "WATCHDOG=1"),
            (.ready(status: "a\nWATCHDOG=trigger\r\nb\0"), "READY=1\nSTATUS=a WATCHDOG=trigger  b "),
        ] as [(ServiceManagerMessage, String)])
    func messages(message: ServiceManagerMessage, expected: String) { #expect(message.text == expected) }

    @Test("what is told arrives, at a path and at an abstract name", arguments: [true, false])
    func telling(isAbstract: Bool) throws {
        let folder = try TemporaryFolder()
        let receiver = try DatagramReceiver(isAbstract ? abstractName() : "\(folder.path)/notify")
        let reports = Lines()
        let manager = ServiceManager(try environment(["NOTIFY_SOCKET": receiver.name])) { reports.add($0) }
        #expect(manager.isThere)
        manager.notify(.ready(status: "ok"))
        #expect(receiver.next() == "READY=1\nSTATUS=ok")
        manager.notifyReloading()
        let lines = try #require(receiver.next()).split(separator: "\n")
        #expect(lines.first == "RELOADING=1")
        let microseconds = try #require(lines.dropFirst().first?.split(separator: "=").last.flatMap { Int64($0) })
        #expect((0...60_000_000).contains(Clock.preciseNanoseconds() / 1_000 - microseconds))
        #expect(reports.all.isEmpty)
    }

    @Test("without a socket nobody is notified, and nothing is logged about it")
    func nobody() throws {
        let reports = Lines()
        let manager = ServiceManager(ServiceManagerEnvironment()) { reports.add($0) }
        #expect(!manager.isThere)
        manager.notify(.watchdog)
        manager.watch { _ in true }
        #expect(reports.all.isEmpty)
    }

    @Test("a socket that is gone is one line, however often something is told")
    func goneSocket() throws {
        let reports = Lines()
        let manager = ServiceManager(try environment(["NOTIFY_SOCKET": "/nowhere/notify"])) { reports.add($0) }
        manager.notify(.ready(status: ""))
        manager.notify(.watchdog)
        #expect(reports.all == ["cannot notify the service manager: sendto: no such file or directory"])
    }

    @Test(
        "a name that can be no socket is one line",
        arguments: [
            ("notify", "neither an absolute path nor a name after an '@'"), ("vsock:2:1", "neither an absolute path"),
            ("/" + String(repeating: "a", count: 107), "file name too long"),
            ("@" + String(repeating: "a", count: 108), "file name too long"),
        ])
    func impossibleName(name: String, expected: String) throws {
        let reports = Lines()
        let manager = ServiceManager(try environment(["NOTIFY_SOCKET": name])) { reports.add($0) }
        #expect(!manager.isThere)
        manager.notify(.watchdog)
        #expect(reports.all.count == 1)
        #expect(reports.all.first?.contains(expected) == true, "\(reports.all)")
    }

    @Test("the longest names are used", arguments: ["/", "@"])
    func longestName(first: String) throws {
        let reports = Lines()
        let name = first + String(repeating: "a", count: first == "/" ? 106 : 107)
        let manager = ServiceManager(try environment(["NOTIFY_SOCKET": name])) { reports.add($0) }
        #expect(manager.isThere)
        #expect(reports.all.isEmpty)
    }

    @Test("a service manager that does not listen holds nothing up for long, and is one line")
    func fullSocket() throws {
        let receiver = try DatagramReceiver(abstractName())
        let reports = Lines()
        let manager = ServiceManager(try environment(["NOTIFY_SOCKET": receiver.name])) { reports.add($0) }
        for _ in 0..<10_000 {
            manager.notify(.watchdog)
            if !reports.all.isEmpty { break }
        }
        #expect(reports.all == ["cannot notify the service manager: sendto: resource temporarily unavailable"])
        #expect(receiver.next() == "WATCHDOG=1")
    }

    @Test(
        "a sign comes twice in the time allowed, and its answer within half of the time between two",
        arguments: [
            (30_000_000, 15_000, 7_500), (1_000_000, 500, 250), (1, 1, 1), (3_000, 1, 1),
            (Int64.max, 43_200_000, 21_600_000),
        ] as [(Int64, Int, Int)])
    func plan(microseconds: Int64, interval: Int, patience: Int) {
        #expect(ServiceManager.watchdogPlan(microseconds) == (interval, patience))
    }

    @Test("the watchdog is notified as long as the loops are alive, and no longer")
    func signs() throws {
        let receiver = try DatagramReceiver(abstractName())
        let reports = Lines()
        let manager = ServiceManager(
            try environment(["NOTIFY_SOCKET": receiver.name, "WATCHDOG_USEC": "20000"])
        ) { reports.add($0) }
        let isAlive = Lines()
        manager.watch { _ in isAlive.all.isEmpty }
        for _ in 0..<3 { #expect(receiver.next() == "WATCHDOG=1") }
        isAlive.add("no")
        #expect(reports.wait(for: 2))
        #expect(
            reports.all.first?.hasPrefix("an event loop has not answered within 5 ms, so the watchdog is not")
                == true)
        // Those from before.
        while receiver.next(withinMilliseconds: 0) != nil {}
        let count = reports.all.count
        #expect(reports.wait(for: count + 3))
        #expect(receiver.next(withinMilliseconds: 0) == nil)
    }

    @Test("no watchdog is notified where there is none")
    func unwatched() throws {
        let receiver = try DatagramReceiver(abstractName())
        let manager = ServiceManager(try environment(["NOTIFY_SOCKET": receiver.name])) { _ in }
        let asked = Lines()
        manager.watch { _ in
            asked.add("")
            return true
        }
        manager.notify(.ready(status: ""))
        #expect(receiver.next() == "READY=1\nSTATUS=")
        #expect(asked.all.isEmpty)
    }
}

/// Lines that come on other threads.
final class Lines: Sendable {
    private let condition = NSCondition()
    nonisolated(unsafe) private var lines: [String] = []

    func add(_ line: String) {
        condition.lock()
        lines.append(line)
        condition.broadcast()
        condition.unlock()
    }

    var all: [String] {
        condition.lock()
        defer { condition.unlock() }
        return lines
    }

    /// Waits until there are so many.
    func wait(for count: Int) -> Bool {
        let limit = Date(timeIntervalSinceNow: Double(Patience.seconds))
        condition.lock()
        defer { condition.unlock() }
        while lines.count < count {
            if !condition.wait(until: limit) { return false }
        }
        return true
    }
}
