import Foundation
import TestSupport
import Testing

/// Failures around a server that runs: files, folders, its log, the process itself (server.md, sections 5 to 8).
@Suite("aasa serve: faults", .waiting)
struct ServeFaultTests {
    private static let file = "sites/localhost/apple-app-site-association"
    private static let other = #"{"webcredentials":{"apps":["ABCDE12345.com.example.other"]}}"#

    private func connect(_ server: RunningServer) throws -> HTTPSClient {
        let client = try HTTPSClient(port: server.port)
        try client.handshake()
        return client
    }

    private func reload(_ server: RunningServer, until text: String) {
        server.signal(SIGHUP)
        #expect(server.waitForLog(text), "\(server.logText)")
    }

    private func move(_ folder: TemporaryFolder, _ source: String, to target: String) throws {
        try FileManager.default.moveItem(atPath: "\(folder.path)/\(source)", toPath: "\(folder.path)/\(target)")
    }

    @Test("killed under load, it serves again on the same port at once, and leaves nothing behind", arguments: [1, 2])
    func killed(threads: Int) throws {
        let folder = try RunningServer.layOut()
        let server = try RunningServer(folder, threads: threads)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        // Open, in the middle of a handshake, half closed: all are in the system's tables afterwards.
        let clients = try (0..<5).map { _ in try connect(server) }
        for client in clients { #expect(try client.get().status == 200) }
        let halfway = try HTTPSClient(port: server.port)
        halfway.socket.send(halfway.hello())
        clients[0].send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(clients[0].remainingAnswers().count == 1)
        server.signal(SIGKILL)
        #expect(server.exitStatus() == -SIGKILL)
        let next = try RunningServer(folder, threads: threads, listen: "127.0.0.1:\(server.port)")
        #expect(next.port == server.port)
        #expect(try connect(next).get().text == RunningServer.document)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == files)
        #expect(clients[1].remainingAnswers().isEmpty)
    }

    @Test("a process that was stopped for a while goes on where it was")
    func suspended() throws {
        let server = try RunningServer(
            RunningServer.layOut(), configuration: #"{"timeouts": {"handshake": 2, "header": 3600, "idle": 3600}}"#)
        let client = try connect(server)
        #expect(try client.get().status == 200)
        let halfway = try HTTPSClient(port: server.port)
        halfway.socket.send([22])
        server.signal(SIGSTOP)
        #expect(Waiting.until { server.isStopped })
        client.send("GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(!client.socket.hasSomething(within: 2_100))
        server.signal(SIGCONT)
        #expect(try client.answer().status == 200)
        // Its time was over long ago.
        #expect(halfway.remainingAnswers().isEmpty)
        #expect(halfway.ending == .orderly)
        #expect(try connect(server).get().status == 200)
    }

    @Test("signals in heaps disturb nobody", arguments: [1, 2])
    func manySignals(threads: Int) throws {
        let server = try RunningServer(RunningServer.layOut(), threads: threads)
        let client = try connect(server)
        for number in 0..<200 {
            server.signal(SIGHUP)
            if number % 10 == 0 { server.signal(SIGPIPE) }
            #expect(try client.get().status == 200)
        }
        #expect(server.waitForLog("reloaded: "))
        server.signal(SIGHUP)
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
    }

    @Test("whoever reads the log may go, stop reading or have no room", arguments: LogReader.allCases)
    func logReader(reader: LogReader) throws {
        let folder = try RunningServer.layOut()
        // Each reload writes some 30 kB: two fill a pipe.
        for number in 100..<200 {
            try folder.write("", to: "sites/\(String(repeating: "_", count: 200))\(number)/x")
        }
        let server = try RunningServer(folder, launcher: reader.launcher)
        let client = try connect(server)
        for number in 0..<20 {
            try server.folder.write(number % 2 == 0 ? Self.other : RunningServer.document, to: Self.file)
            server.signal(SIGHUP)
            #expect(try client.get().status == 200)
        }
        #expect(try connect(server).get().status == 200)
        #expect(server.isRunning)
    }

    /// The fate of the log's other end when the server is ready.
    enum LogReader: String, CaseIterable {
        case ends = ":"
        // Not for ever: the test ends when all have ended that the server has started.
        case stopsReading = "sleep 3"
        case isFull = "cat >/dev/full"

        /// Runs the command behind it with a log that the test sees up to the line that says "ready".
        var launcher: [String] {
            ["bash", "-c", "exec \"$@\" 2> >({ sed -u '/ ready: /q'; \(rawValue) 2>&-; } >&2)", "-"]
        }
    }

    @Test("a full disk for the access log costs lines and no requests")
    func fullDisk() throws {
        let server = try RunningServer(
            RunningServer.layOut(), configuration: #"{"log": {"access": "/dev/full"}}"#)
        let client = try connect(server)
        for _ in 0..<3_000 { try #require(client.get().status == 200) }
        #expect(server.waitForLog("/dev/full"))
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        let lines = server.logText.split(separator: "\n").count { $0.contains("/dev/full") }
        #expect(lines < 10, "it does not say so for each line")
    }

    @Test("a standard error that nobody reads holds nothing up, the end least of all")
    func unreadLog() throws {
        let folder = try RunningServer.layOut()
        let (unread, process) = (Pipe(), Process())
        let full = unread.fileHandleForWriting.fileDescriptor
        _ = fcntl(full, F_SETFL, O_NONBLOCK)
        let line = [UInt8](repeating: 0x0A, count: 4_096)
        while write(full, line, line.count) > 0 {}
        _ = fcntl(full, F_SETFL, 0)
        process.executableURL = URL(fileURLWithPath: RunningServer.executable)
        process.arguments = [
            "serve", "--config", try folder.write("{}", to: "server.json"), "--sites", "\(folder.path)/sites",
            "--certs",
            "\(folder.path)/certs", "--listen", "127.0.0.1:0",
        ]
        process.standardError = unread
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        // Until it has begun to take signals.
        #expect(Waiting.until { Self.catchesHangUps(process.processIdentifier) })
        for _ in 0..<50 { kill(process.processIdentifier, SIGHUP) }
        kill(process.processIdentifier, SIGTERM)
        let hasEnded = Waiting.until { !process.isRunning }
        #expect(hasEnded)
        if !hasEnded { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        try unread.fileHandleForReading.close()
    }

    private static func catchesHangUps(_ process: Int32) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        return status.split(separator: "\n").contains { line in
            let words = line.split(separator: "\t")
            guard words.count == 2, ["SigIgn:", "SigCgt:", "SigBlk:"].contains(words[0]) else { return false }
            return (UInt64(words[1], radix: 16) ?? 0) & 1 << UInt64(SIGHUP - 1) != 0
        }
    }

    @Test(
        "what stands in the place of a file neither stops a reload nor ends what is served",
        arguments: Obstacle.allCases)
    func obstacles(obstacle: Obstacle) throws {
        let server = try RunningServer(RunningServer.layOut())
        let client = try connect(server)
        let path = "\(server.folder.path)/\(Self.file)"
        try FileManager.default.removeItem(atPath: path)
        try obstacle.make(path)
        reload(server, until: "1 site kept at its last good version (localhost)")
        #expect(try client.get().text == RunningServer.document)
        #expect(try connect(server).get().text == RunningServer.document)
        _ = unlink(path)
        _ = rmdir(path)
        try server.folder.write(Self.other, to: Self.file)
        reload(server, until: "1 site changed (localhost)")
        #expect(try client.get().text == Self.other)
    }

    enum Obstacle: CaseIterable {
        case nothing, folder, fifo, danglingLink, linkLoop, endlessDevice, emptyDevice, hugeSparseFile, unreadable

        func make(_ path: String) throws {
            switch self {
            case .nothing: break
            case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .fifo: #expect(mkfifo(path, 0o600) == 0)
            case .danglingLink: #expect(symlink("nowhere", path) == 0)
            case .linkLoop: #expect(symlink(path, path) == 0)
            case .endlessDevice: #expect(symlink("/dev/zero", path) == 0)
            case .emptyDevice: #expect(symlink("/dev/null", path) == 0)
            case .hugeSparseFile:
                #expect(FileManager.default.createFile(atPath: path, contents: nil))
                #expect(truncate(path, 1 << 40) == 0)
            case .unreadable:
                // The superuser reads everything; a socket is what not even he opens.
                #expect(FileManager.default.createFile(atPath: path, contents: Data("{}".utf8)))
                #expect(chmod(path, 0) == 0)
                guard geteuid() == 0 else { return }
                try FileManager.default.removeItem(atPath: path)
                #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
            }
        }
    }

    @Test(
        "when a folder is gone, all that was read from it is served on, until it is back",
        arguments: ["sites", "certs"])
    func goneFolder(name: String) throws {
        let folder = try RunningServer.layOut(names: ["DNS:localhost", "DNS:a.example"])
        try folder.write(Self.other, to: "sites/a.example/apple-app-site-association")
        let server = try RunningServer(folder)
        let client = try connect(server)
        try move(folder, name, to: "elsewhere")
        for _ in 0..<2 {
            reload(server, until: "'\(folder.path)/\(name)': no such file or directory")
            #expect(server.waitForLog("read before"))
            for client in [client, try connect(server)] {
                #expect(try client.get().text == RunningServer.document)
                #expect(try client.get(host: "a.example").text == Self.other)
            }
        }
        try move(folder, "elsewhere", to: name)
        try folder.write(Self.other, to: Self.file)
        reload(server, until: "1 site changed (localhost)")
        #expect(try client.get().text == Self.other)
    }

    @Test(
        "a file that is replaced, and a site and a certificate that go, while an answer is under way: it arrives whole")
    func replacedUnderWay() throws {
        let large = [1, 2].map { #"{"applinks":{"_":""# + String(repeating: "\($0)", count: 120_000) + #""}}"# }
        let folder = try RunningServer.layOut(document: large[0])
        try folder.write(Self.other, to: "sites/a.example/apple-app-site-association")
        try TestCertificate.make(["DNS:a.example"], in: folder.url.appendingPathComponent("certs/other"))
        let server = try RunningServer(folder)
        // They take nothing for now; each is stopped in the middle of a body.
        let clients = try (0..<4).map { _ in try HTTPSClient(port: server.port, receiveBuffer: 4_096) }
        let request = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for client in clients { try client.handshake(andSend: String(repeating: request, count: 10)) }
        for client in clients { #expect(client.socket.hasSomething()) }
        try folder.write(large[1], to: Self.file)
        reload(server, until: "1 site changed (localhost)")
        try TestCertificate.make(["DNS:localhost"], in: folder.url.appendingPathComponent("certs/localhost"))
        reload(server, until: "1 certificate changed")
        try FileManager.default.removeItem(atPath: "\(folder.path)/sites/localhost")
        try FileManager.default.removeItem(atPath: "\(folder.path)/certs/localhost")
        reload(server, until: "1 certificate removed")
        for client in clients {
            let answers = try (0..<10).map { _ in try client.answer() }
            #expect(answers[0].text == large[0])
            #expect(answers[9].status == 404)
            for answer in answers { #expect(answer.status == 404 || answer.text == large[0]) }
        }
    }

    @Test("a certificate of which a part is gone is presented on", arguments: ["fullchain.pem", "privkey.pem"])
    func gonePart(name: String) throws {
        let server = try RunningServer(RunningServer.layOut())
        let before = try connect(server).presented
        #expect(!before.isEmpty)
        try FileManager.default.removeItem(atPath: "\(server.folder.path)/certs/localhost/\(name)")
        // It may be about to be renewed: that is not called an error yet.
        reload(server, until: "waiting for a matching key: ")
        #expect(try connect(server).presented == before)
        #expect(try connect(server).get().status == 200)
    }
}
