import EventLoops
import Foundation
import SystemSupport
import TestSupport
import Testing

@Suite("Paths of Unix sockets")
struct UnixSocketPathTests {
    @Test(
        "an absolute path is one, without what makes no difference",
        arguments: [
            ("/run/aasa/http.sock", "/run/aasa/http.sock"), ("/x", "/x"), ("//run///x", "/run/x"),
            ("/run/./x", "/run/x"),
            ("/run/../x", "/run/../x"), ("/run/a b:c", "/run/a b:c"),
            ("/" + String(repeating: "a", count: 106), "/" + String(repeating: "a", count: 106)),
        ])
    func good(text: String, expected: String) throws {
        #expect(try UnixSocketPath(text).text == expected)
        #expect(try UnixSocketPath(text).description == "unix:\(expected)")
    }

    @Test(
        "anything else is not, and why",
        arguments: [
            ("", .empty), ("run/x", .relative), ("./x", .relative), ("@aasa", .abstract), ("/", .folder),
            ("/run/", .folder), ("/run/.", .folder), ("/run/..", .folder), ("/run\0/x", .containsNUL),
            ("/" + String(repeating: "a", count: 107), .tooLong(108)),
            // Bytes count, not characters.
            ("/" + String(repeating: "ä", count: 54), .tooLong(109)),
        ] as [(String, UnixSocketPath.Problem)])
    func bad(text: String, problem: UnixSocketPath.Problem) {
        #expect(throws: problem) { try UnixSocketPath(text) }
    }
}

@Suite("Unix sockets that are listened on")
struct UnixListenerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { "\(folder.path)/x.sock" }

    private func listen(
        _ path: String? = nil, mode: UInt16 = 0o660, owner: String? = nil, group: String? = nil
    ) throws -> Listener {
        try Listener(
            UnixSocketPath(path ?? self.path), UnixSocketAccess(mode: mode, owner: owner, group: group))
    }

    private func error(_ path: String? = nil, owner: String? = nil, group: String? = nil) -> UnixSocketError? {
        #expect(throws: UnixSocketError.self) { try listen(path, owner: owner, group: group) }
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }

    private func status(_ path: String) throws -> stat {
        var status = stat()
        try #require(lstat(path, &status) == 0)
        return status
    }

    /// A Unix socket that a test has bound by itself.
    private func bound(_ path: String, type: __socket_type = SOCK_STREAM, listens: Bool = true) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
        if listens { try #require(Glibc.listen(descriptor, 1) == 0) }
        return descriptor
    }

    @Test(
        "the socket has its mode, whatever the umask, and nothing else is in the folder", arguments: [0o600, 0o666, 0])
    func mode(mode: UInt16) throws {
        let listener = try listen(mode: mode)
        let status = try status(path)
        #expect(status.st_mode & S_IFMT == S_IFSOCK)
        #expect(status.st_mode & 0o7777 == mode_t(mode))
        #expect(try names() == ["x.sock"])
        #expect(try listener.address == .unix(UnixSocketPath(path)))
        #expect(listener.address.isLocal && listener.address.port == nil)
        #expect(!listener.replacesStaleSocket)
        #expect(fcntl(listener.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test("a client is accepted, and has no address")
    func accepting() throws {
        let listener = try listen()
        guard case .none = listener.accept() else {
            Issue.record("nobody has connected")
            return
        }
        let client = try RawSocket(path: path)
        guard case .connection(let accepted, let peer) = listener.accept() else {
            Issue.record("not accepted")
            return
        }
        #expect(peer == nil)
        #expect(fcntl(accepted, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(accepted, F_GETFD) & FD_CLOEXEC != 0)
        Socket.close(accepted)
        #expect(client.receive() == .ended(.orderly))
    }

    @Test(
        "the path may be as long as the system allows, whatever the socket is called", arguments: ["x", "xxxxxxxxxxxx"])
    func longPath(name: String) throws {
        let rest = UnixSocketPath.longest - folder.path.utf8.count - name.utf8.count - 2
        let long = "\(folder.path)/\(String(repeating: "d", count: rest))"
        try FileManager.default.createDirectory(atPath: long, withIntermediateDirectories: false)
        let path = "\(long)/\(name)"
        #expect(path.utf8.count == UnixSocketPath.longest)
        let listener = try listen(path)
        let client = try RawSocket(path: path)
        withExtendedLifetime((listener, client)) {}
        #expect(try FileManager.default.contentsOfDirectory(atPath: long) == [name])
    }

    @Test("a group by its number is set")
    func group() throws {
        let listener = try listen(group: "\(getgid())")
        #expect(try status(path).st_gid == getgid())
        withExtendedLifetime(listener) {}
    }

    @Test("owner and group by name or number are set", .enabled(if: getuid() == 0, "needs root"))
    func owners() throws {
        let named = try listen(mode: 0o640, owner: "nobody", group: "nogroup")
        let status = try status(path)
        #expect(status.st_uid == getpwnam("nobody")?.pointee.pw_uid)
        #expect(status.st_gid == getgrnam("nogroup")?.pointee.gr_gid)
        #expect(status.st_mode & 0o7777 == 0o640)
        let other = "\(folder.path)/y.sock"
        let numbered = try listen(other, owner: "12345", group: "23456")
        #expect(try (self.status(other).st_uid, self.status(other).st_gid) == (12_345, 23_456))
        withExtendedLifetime((named, numbered)) {}
    }

    @Test("an unknown user or group leaves nothing behind")
    func unknownOwners() throws {
        #expect(error(owner: "no such user") == .unknownOwner("no such user"))
        #expect(error(group: "no such group") == .unknownGroup("no such group"))
        #expect(error(owner: "4294967296") == .unknownOwner("4294967296"))
        #expect(try names() == [])
    }

    @Test("a socket that nobody listens on is replaced", arguments: [true, false])
    func stale(wasListening: Bool) throws {
        close(try bound(path, listens: wasListening))
        let listener = try listen()
        #expect(listener.replacesStaleSocket)
        _ = try RawSocket(path: path)
        guard case .connection(let accepted, _) = listener.accept() else {
            Issue.record("another one is there")
            return
        }
        Socket.close(accepted)
        #expect(try names() == ["x.sock"])
    }

    @Test("one that is listened on stays, also if its backlog is full, and so does one for datagrams")
    func live() throws {
        let first = try listen()
        #expect(error() == .inUse)
        _ = try RawSocket(path: path)
        guard case .connection(let probe, _) = first.accept() else {
            Issue.record("not asked")
            return
        }
        Socket.close(probe)
        let full = "\(folder.path)/full.sock"
        let descriptor = try bound(full)
        let clients = try (0..<2).map { _ in try RawSocket(path: full) }
        #expect(error(full) == .inUse)
        let datagrams = "\(folder.path)/datagrams.sock"
        let other = try bound(datagrams, type: SOCK_DGRAM, listens: false)
        #expect(error(datagrams) == .inUse)
        #expect(try names().sorted() == ["datagrams.sock", "full.sock", "x.sock"])
        withExtendedLifetime((first, clients)) {}
        close(descriptor)
        close(other)
    }

    @Test("of many that want a path at the same time one gets it")
    func atOnce() throws {
        let path = try UnixSocketPath(path)
        let results = Locked<[Result<Listener, UnixSocketError>]>([])
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            let result = Result { () throws(UnixSocketError) in
                try Listener(path, UnixSocketAccess(mode: 0o600))
            }
            results.withLock { $0.append(result) }
        }
        let all = results.withLock { $0 }
        #expect(all.compactMap { try? $0.get() }.count == 1)
        for result in all { if case .failure(let error) = result { #expect(error == .inUse) } }
        _ = try RawSocket(path: path.text)
        #expect(try names() == ["x.sock"])
    }

    @Test("what is not a socket is left as it is")
    func occupied() throws {
        let file = try folder.write("mine", to: "file")
        #expect(error(file) == .occupied(.regular))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
        try FileManager.default.createDirectory(atPath: "\(folder.path)/d", withIntermediateDirectories: false)
        #expect(error("\(folder.path)/d") == .occupied(.folder))
        // Also a link to a socket that is stale.
        close(try bound(path))
        try folder.link("link", to: "x.sock")
        #expect(error("\(folder.path)/link") == .occupied(.link))
        #expect(try names().sorted() == ["d", "file", "link", "x.sock"])
    }

    @Test("a folder that is not there, or is none, is an error of its own")
    func missingFolder() throws {
        #expect(error("\(folder.path)/no/x.sock") == .missingFolder("\(folder.path)/no"))
        let file = try folder.write("", to: "file")
        #expect(error("\(file)/x.sock") == .failed(SystemError(call: "stat", number: ENOTDIR)))
        // There are no sockets in /proc.
        if case .missingFolder = error("/proc/x.sock") { Issue.record("/proc is there") }
    }

    @Test("the file goes with its listener, unless it is another one's by then")
    func removal() throws {
        var first: Listener? = try listen()
        let file = try #require(first?.file)
        first = nil
        #expect(try names() == [])
        first = try listen()
        #expect(unlink(path) == 0)
        let second = try listen()
        #expect(!second.replacesStaleSocket)
        first?.file?.remove()
        file.remove()
        first = nil
        #expect(try names() == ["x.sock"])
        _ = try RawSocket(path: path)
        second.file?.remove()
        #expect(try names() == [])
        try folder.write("mine", to: "x.sock")
        withExtendedLifetime(second) {}
        second.file?.remove()
        #expect(try names() == ["x.sock"])
    }

    @Test("one that somebody else has made is taken over, and stays")
    func adopted() throws {
        let descriptor = try bound(path)
        var listener: Listener? = try Listener(adopting: dup(descriptor))
        #expect(try listener?.address == .unix(UnixSocketPath(path)))
        #expect(listener?.file == nil)
        let client = try RawSocket(path: path)
        guard case .connection(let accepted, nil) = try #require(listener).accept() else {
            Issue.record("not accepted")
            return
        }
        Socket.close(accepted)
        listener = nil
        #expect(try names() == ["x.sock"])
        withExtendedLifetime(client) {}
        close(descriptor)
    }

    @Test("an abstract one cannot be taken over")
    func abstract() throws {
        let descriptor = try bound("\0aasa-test-\(UUID().uuidString)")
        defer { close(descriptor) }
        let error = #expect(throws: SystemError.self) { try Listener(adopting: descriptor) }
        #expect(
            error?.reason
                == "it is a Unix socket without an absolute path; expected an absolute path in 'ListenStream='"
        )
    }
}

@Suite("A question to a listener of this machine", .waiting)
struct LocalClientTests {
    /// A listener, and what it does with its one client.
    private func ask(
        milliseconds: Int = Patience.seconds * 1_000, limit: Int = 1_000, _ answer: @escaping @Sendable (Int32) -> Void
    ) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let path = try UnixSocketPath("\(folder.path)/x.sock")
        let listener = try Listener(path, UnixSocketAccess(mode: 0o600))
        let done = DispatchSemaphore(value: 0)
        Thread {
            var waiting = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&waiting, 1, 20_000)
            if case .connection(let client, _) = listener.accept() {
                _ = fcntl(client, F_SETFL, 0)
                answer(client)
                Socket.close(client)
            }
            done.signal()
        }.start()
        defer { done.wait() }
        return try LocalClient.ask(Array("question".utf8), at: .unix(path), within: milliseconds, limit: limit)
    }

    private static func write(_ text: String, to client: Int32) {
        _ = send(client, text, text.utf8.count, Int32(MSG_NOSIGNAL))
    }

    @Test("what comes back until the end is the answer, however it comes")
    func answer() throws {
        let answer = try ask { client in
            var question = [UInt8](repeating: 0, count: 8)
            _ = recv(client, &question, 8, Int32(MSG_WAITALL))
            Self.write(String(decoding: question, as: UTF8.self) + ", ", to: client)
            Self.write("answer", to: client)
        }
        #expect(String(decoding: answer, as: UTF8.self) == "question, answer")
    }

    @Test("an answer without an end is cut")
    func endless() throws {
        let answer = try ask { client in
            while send(client, "xxxxxxxxxxxxxxxx", 16, Int32(MSG_NOSIGNAL)) > 0 {}
        }
        #expect(answer == [UInt8](repeating: UInt8(ascii: "x"), count: 1_000))
    }

    @Test("nobody waits for an answer that does not come, or comes byte by byte", arguments: [true, false])
    func patience(isSilent: Bool) throws {
        let error = #expect(throws: SystemError.self) {
            _ = try ask(milliseconds: 300) { client in
                var question = [UInt8](repeating: 0, count: 8)
                _ = recv(client, &question, 8, Int32(MSG_WAITALL))
                // Until the client has gone.
                var waiting = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
                while poll(&waiting, 1, 20) == 0 {
                    if !isSilent { Self.write("x", to: client) }
                }
            }
        }
        #expect(error?.isTimeout == true)
    }

    @Test("nobody there is an error")
    func nobody() throws {
        let folder = try TemporaryFolder()
        let path = try UnixSocketPath("\(folder.path)/x.sock")
        let missing = #expect(throws: SystemError.self) {
            try LocalClient.ask([], at: .unix(path), within: Patience.seconds * 1_000, limit: 1)
        }
        #expect(missing?.reason == "no such file or directory")
        let socket = try BoundSocket(isListening: false)
        let address = try #require(SocketAddress("127.0.0.1:\(socket.port)"))
        let refused = #expect(throws: SystemError.self) {
            try LocalClient.ask([1], at: .internet(address), within: Patience.seconds * 1_000, limit: 1)
        }
        #expect(refused?.reason == "connection refused")
    }
}
