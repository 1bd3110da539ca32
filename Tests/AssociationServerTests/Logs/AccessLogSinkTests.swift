import AssociationServer
import Diagnostics
import Foundation
import TestSupport
import Testing

/// Opening, reopening and losing the sink of the access log.
@Suite("Sinks of the access log")
struct AccessLogSinkTests {
    private let reports = AccessLogReports()
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/access.log" }

    init() throws { folder = try TemporaryFolder() }

    private func line(_ number: Int) -> [UInt8] { AccessLogRequest.numbered(number).line(.json) }

    private func lines(_ numbers: some Sequence<Int>) -> [UInt8] { numbers.flatMap(line) }

    private func write(_ numbers: some Sequence<Int>, to buffer: AccessLogBuffer) {
        for number in numbers { AccessLogRequest.numbered(number).append(to: buffer) }
        buffer.flush()
    }

    private func contents(_ path: String) -> [UInt8] {
        (try? Data(contentsOf: URL(fileURLWithPath: path))).map { [UInt8]($0) } ?? []
    }

    private func holds(_ path: String, _ expected: [UInt8]) -> Bool {
        AccessLogReports.wait { contents(path) == expected }
    }

    @Test("a file is made, for its user and group, and appended to")
    func file() throws {
        for round in 0..<2 {
            let log = try #require(try reports.open(.file(path)))
            write([round], to: log.makeBuffer())
            log.close()
        }
        #expect(contents(path) == lines(0..<2))
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 & ~0o640 == 0)
        #expect(status.st_mode & 0o600 == 0o600)
    }

    @Test("the line of a process that was killed is ended first")
    func brokenEnd() throws {
        try folder.write("{\"half\":", to: "access.log")
        let log = try #require(try reports.open(.file(path)))
        write(1...2, to: log.makeBuffer())
        log.close()
        #expect(contents(path) == Array("{\"half\":\n".utf8) + lines(1...2))
    }

    @Test("reopened, lines go to the path again, and none is lost")
    func reopen() throws {
        let log = try #require(try reports.open(.file(path), blocksPerLoop: 1_000))
        let buffer = log.makeBuffer()
        var expected: [UInt8] = []
        for round in 0..<20 {
            write(round * 50..<round * 50 + 50, to: buffer)
            #expect(rename(path, "\(path).\(round)") == 0)
            write(round * 50 + 1_000..<round * 50 + 1_010, to: buffer)
            log.reopen()
            expected += lines(round * 50..<round * 50 + 50) + lines(round * 50 + 1_000..<round * 50 + 1_010)
            #expect(AccessLogReports.wait { access(path, F_OK) == 0 })
        }
        write([5_000], to: buffer)
        log.close()
        let found = (0..<20).flatMap { contents("\(path).\($0)") } + contents(path)
        #expect(found == expected + line(5_000))
        #expect(contents(path).suffix(line(5_000).count) == line(5_000)[...])
        #expect(log.droppedLines == 0)
        #expect(reports.all == [])
    }

    @Test("what cannot be reopened stays open, and that is logged once")
    func reopenFails() throws {
        let log = try #require(try reports.open(.file(path)))
        let buffer = log.makeBuffer()
        write([1], to: buffer)
        #expect(holds(path, line(1)))
        #expect(rename(path, "\(path).1") == 0)
        #expect(mkdir(path, 0o755) == 0)
        log.reopen()
        #expect(reports.contain("lines still go to the old file"))
        write([2], to: buffer)
        #expect(holds("\(path).1", lines(1...2)))
        #expect(rmdir(path) == 0)
        log.reopen()
        #expect(AccessLogReports.wait { access(path, F_OK) == 0 })
        write([3], to: buffer)
        log.close()
        #expect(contents(path) == line(3))
        #expect(reports.all.count == 1)
        #expect(
            reports.all.first?.hasPrefix("the access log '\(path)' cannot be opened: it is a folder; expected the path")
                == true)
    }

    @Test("a full disk loses lines and says so; when there is room, they are written again")
    func fullDisk() throws {
        #expect(symlink("/dev/full", path) == 0)
        let log = try #require(try reports.open(.file(path)))
        let buffer = log.makeBuffer()
        write(0..<7, to: buffer)
        #expect(reports.contain("cannot be written: no space left on device; 7 lines are lost so far; free disk space"))
        write(0..<3, to: buffer)
        #expect(AccessLogReports.wait { log.droppedLines == 10 })
        #expect(unlink(path) == 0)
        log.reopen()
        write([1], to: buffer)
        #expect(holds(path, line(1)))
        #expect(reports.contain("can be written again; 10 lines are lost"))
        log.close()
        #expect(reports.all.count == 2)
        #expect(log.droppedLines == 10)
    }

    @Test("when a reader has ended lines are lost; those that the next one gets do not melt together")
    func readerGone() throws {
        #expect(mkfifo(path, 0o600) == 0)
        let first = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let log = try #require(try reports.open(.file(path), blocksPerLoop: 1))
        let buffer = log.makeBuffer()
        // Two pages and a bit each: the sixteen that a pipe has hold five lines, and a page of the next.
        let long = AccessLogRequest(target: [UInt8](repeating: 1, count: 1_400)).line(.json)
        #expect((8_193...12_287).contains(long.count))
        for _ in 0..<8 { AccessLogRequest(target: [UInt8](repeating: 1, count: 1_400)).append(to: buffer) }
        #expect(buffer.isEmpty)
        // Without a block there is nowhere to put it, and then it is told that nobody reads.
        AccessLogRequest.numbered(0).append(to: buffer)
        #expect(reports.contain("its reader does not read; 1 line is lost so far"))
        close(first)
        #expect(AccessLogReports.wait { log.droppedLines > 1 })
        #expect(log.droppedLines == 4)
        let second = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(second) }
        write([1], to: buffer)
        let expected = (0..<5).flatMap { _ in long } + long[..<4_096] + Array("\n".utf8) + line(1)
        #expect(AccessLogPipe.read(second) { $0.count >= expected.count } == expected)
        #expect(reports.contain("can be written again; 4 lines are lost"))
        log.close()
    }

    @Test(
        "what cannot be opened is logged at once, with what to do",
        arguments: [
            (.folder, "it is a folder; expected the path of a file, such as"),
            (.missingFolder, "is missing; create it, and let the server's user write there"),
            (.notFolder, "is not a folder; expected the path of a file"),
            (.fifo, "nobody reads this FIFO; start its reader first, or name a file"),
            (.socket, "it is a socket; expected the path of a file"),
        ] as [(Obstacle, String)])
    func unusable(obstacle: Obstacle, message: String) throws {
        let path = try place(obstacle)
        let error = #expect(throws: ServerError.self) { try reports.open(.file(path)) }
        #expect(error?.code == .unreadable)
        #expect(error?.description.hasPrefix("the access log '\(path)' cannot be opened: ") == true)
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }

    @Test(
        "without opening it most of that is known, and nothing is made",
        arguments: [.folder, .missingFolder, .notFolder, .socket] as [Obstacle])
    func foreseen(obstacle: Obstacle) throws {
        var log = ServerConfiguration.Log()
        log.access = .file(path)
        #expect(AccessLog.problem(log) == nil)
        #expect(access(path, F_OK) != 0)
        let place = try place(obstacle)
        log.access = .file(place)
        let error = #expect(throws: ServerError.self) { try reports.open(.file(place)) }
        #expect(AccessLog.problem(log)?.message == error?.description)
        #expect(AccessLog.problem(log)?.path == "log.access")
    }

    @Test("a file or a folder that cannot be written is known, too", .enabled(if: getuid() != 0, "root may write"))
    func foreseenRights() throws {
        var log = ServerConfiguration.Log()
        log.access = .file(path)
        #expect(chmod(folder.path, 0o555) == 0)
        #expect(AccessLog.problem(log)?.message.contains("let the server's user write it") == true)
        #expect(chmod(folder.path, 0o755) == 0)
        try folder.write("", to: "access.log")
        #expect(AccessLog.problem(log) == nil)
        #expect(chmod(path, 0o444) == 0)
        #expect(AccessLog.problem(log)?.message.contains("let the server's user write it") == true)
    }

    enum Obstacle: Sendable { case folder, missingFolder, notFolder, fifo, socket }

    private func place(_ obstacle: Obstacle) throws -> String {
        switch obstacle {
        case .folder: #expect(mkdir(path, 0o755) == 0)
        case .missingFolder: return "\(folder.path)/logs/access.log"
        case .notFolder:
            try folder.write("", to: "access.log")
            return "\(path)/access.log"
        case .fifo: #expect(mkfifo(path, 0o600) == 0)
        case .socket: try bindSocket()
        }
        return path
    }

    private func bindSocket() throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        try #require(bytes.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(result == 0)
    }

    @Test("standard output that is closed, or for reading only, is an error")
    func unusableOutput() throws {
        let pipe = try AccessLogPipe()
        let cases = [(Int32(999_999), "it is closed"), (pipe.readEnd, "it is closed, or open only for reading")]
        for (descriptor, problem) in cases {
            let error = #expect(throws: ServerError.self) {
                try reports.open(.standardOutput, standardOutput: descriptor)
            }
            #expect(
                error?.description == """
                    the access log on standard output cannot be written: \(problem); redirect it, \
                    or set 'log.access' in server.json to "none" or to a path
                    """)
        }
    }
}
