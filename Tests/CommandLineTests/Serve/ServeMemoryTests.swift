import Foundation
import FuzzingSupport
import SystemSupport
import TestSupport
import Testing

/// The last good files of sites, which `stateFolder` keeps over restarts (server.md, section 5), seen from outside.
@Suite("aasa serve: what is served after a restart", .waiting)
struct ServeMemoryTests {
    private static let site = "sites/localhost/apple-app-site-association"
    private static let bad = #"{"applinks": {},}"#
    private let folder: TemporaryFolder

    init() throws {
        folder = try RunningServer.layOut(names: ["DNS:localhost", "DNS:other.localhost"])
        // A site that is always good: without it a server may have nothing to serve.
        try folder.write(RunningServer.document, to: "sites/other.localhost/apple-app-site-association")
    }

    private var state: String { "\(folder.path)/var/state" }
    private var database: URL { URL(fileURLWithPath: "\(state)/last-good.db") }

    private func start(launcher: [String] = []) throws -> RunningServer {
        let admin = "unix:\(folder.path)/admin.sock"
        return try RunningServer(
            folder, configuration: #"{"stateFolder": "var/state", "admin": "\#(admin)"}"#, launcher: launcher)
    }

    /// Ends a server in good order, after a text is remembered: its end waits only a moment for what is being written.
    private func end(_ server: RunningServer, remembering text: String? = nil) throws {
        if let text { #expect(try Waiting.until { isRemembered(text, in: database.path) }) }
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
    }

    /// Whether a text is in the database, or in its log of what is written next.
    private func isRemembered(_ text: String, in database: String) -> Bool {
        [database, "\(database)-wal"].contains { path in
            (try? Data(contentsOf: URL(fileURLWithPath: path)))?.range(of: Data(text.utf8)) != nil
        }
    }

    /// Serves what is there until a text of it is remembered.
    private func remember(_ text: String = RunningServer.document) throws {
        let server = try start()
        #expect(!server.logText.contains("last good"), "\(server.logText)")
        try end(server, remembering: text)
    }

    /// The answer of the admin listener.
    private func admin(_ path: String) throws -> String {
        try Shell.run(["curl", "-sS", "--unix-socket", "\(folder.path)/admin.sock", "http://localhost\(path)"]).text
    }

    private func answer(_ server: RunningServer) throws -> [String] {
        try server.curl("/apple-app-site-association", ["-w", "\n%{http_code} %header{last-modified}"]).text
            .components(separatedBy: "\n")
    }

    private func document(_ number: Int) -> String {
        #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app"],"components":[{"/":"/n\#(number)/*"}]}]}}"#
    }

    @Test("a file with errors is stale after a restart, as it was before, until it is mended")
    func restart() throws {
        let first = try start()
        let before = try answer(first)
        #expect(before.first == RunningServer.document && before.last?.hasPrefix("200 ") == true)
        try end(first, remembering: RunningServer.document)
        #expect(FileStatus(at: state)?.permissions == 0o700)
        #expect(FileStatus(at: database.path)?.permissions == 0o600)
        try folder.write(Self.bad, to: Self.site)
        for _ in 0..<2 {
            let server = try start()
            #expect(try answer(server) == before)
            let sites = try admin("/sites")
            #expect(sites.contains(#""state":"stale""#) && sites.contains("trailing-comma"))
            #expect(try !admin("/metrics").contains(#"kind="stale-until-restart"} 1"#))
            try end(server)
        }
        let server = try start()
        try folder.write(document(1), to: Self.site)
        server.signal(SIGHUP)
        #expect(server.waitForLog("1 site changed (localhost)"))
        #expect(try answer(server).first == document(1))
        try end(server, remembering: document(1))
        try folder.write(Self.bad, to: Self.site)
        #expect(try answer(start()).first == document(1))
    }

    @Test("only a good file takes its place, and one that was removed stays away")
    func removed() throws {
        try folder.write("[]", to: "sites/localhost/assetlinks.json")
        try remember()
        try FileManager.default.removeItem(atPath: "\(folder.path)/sites/localhost/assetlinks.json")
        try FileManager.default.removeItem(atPath: "\(folder.path)/sites/other.localhost")
        // Remembered in the same step in which the others are forgotten.
        try folder.write(document(1), to: Self.site)
        try remember(document(1))
        try folder.write("{", to: "sites/localhost/assetlinks.json")
        try folder.write(Self.bad, to: "sites/other.localhost/apple-app-site-association")
        let server = try start()
        #expect(try server.curl("/.well-known/assetlinks.json", ["-w", "%{http_code}"]).text.hasSuffix("503"))
        let other = try server.curl(
            "/apple-app-site-association", ["-w", "%{http_code}"], host: "other.localhost")
        #expect(other.text.hasSuffix("503"), "\(other.text)")
        #expect(try answer(server).first == document(1))
    }

    @Test("without a folder nothing is remembered, and systemd's folder is one", arguments: [false, true])
    func service(isService: Bool) throws {
        let launcher = isService ? ["env", "STATE_DIRECTORY=\(folder.path)/lib:/elsewhere"] : []
        let first = try RunningServer(folder, launcher: launcher)
        let database = "\(folder.path)/lib/.last-good/last-good.db"
        if isService {
            #expect(try Waiting.until { isRemembered(RunningServer.document, in: database) })
        }
        try end(first)
        try folder.write(Self.bad, to: Self.site)
        let server = try RunningServer(folder, launcher: launcher)
        #expect(try answer(server).last?.hasPrefix(isService ? "200 " : "503 ") == true)
        #expect(Path.isFolder("\(folder.path)/lib/.last-good") == isService)
    }

    @Test("a server that is killed at any instant leaves a file that once was good", arguments: TestSeeds.of(1...1))
    func killed(seed: UInt64) throws {
        try remember()
        var random = SplitMix64(seed: seed)
        var number = 0
        var documents: Set<String> = [RunningServer.document]
        for _ in 0..<6 {
            try folder.write(document(number), to: Self.site)
            documents.insert(document(number))
            let server = try start()
            for _ in 0..<random.number(0...3) {
                number += 1
                try folder.write(document(number), to: Self.site)
                documents.insert(document(number))
                server.signal(SIGHUP)
                usleep(UInt32(random.number(0...30_000)))
            }
            server.signal(SIGKILL)
            _ = server.exitStatus()
            number += 1
            try folder.write(Self.bad, to: Self.site)
            let next = try start()
            #expect(documents.contains(try #require(try answer(next).first)))
            #expect(!next.logText.contains("damaged"), "\(next.logText)")
            next.signal(SIGKILL)
            _ = next.exitStatus()
        }
    }

    /// The damages of the database.
    enum Damage: CaseIterable {
        case truncated, garbled, otherFile, flipped
    }

    @Test("a damaged database is one line, never a wrong byte, and made anew", arguments: Damage.allCases)
    func damaged(_ damage: Damage) throws {
        try remember()
        var bytes = try Data(contentsOf: database)
        switch damage {
        case .truncated: bytes = bytes.prefix(bytes.count - 5_000)
        case .garbled: for index in stride(from: 20, to: bytes.count, by: 3) { bytes[index] ^= 0x5A }
        case .otherFile: bytes = Data("not a database".utf8)
        case .flipped:
            let place = try #require(bytes.range(of: Data("com.example.app".utf8)))
            bytes[place.lowerBound] ^= 1
        }
        try bytes.write(to: database)
        let text = try String(contentsOf: folder.url.appendingPathComponent(Self.site), encoding: .utf8)
        try folder.write(Self.bad, to: Self.site)
        var server = try start()
        #expect(server.waitForLog("\(database.path): the last good files of sites are damaged and forgotten: "))
        #expect(server.logText.components(separatedBy: "are damaged").count == 2, "\(server.logText)")
        #expect(try answer(server).last?.hasPrefix("503 ") == true)
        try folder.write(text, to: Self.site)
        server.signal(SIGHUP)
        #expect(server.waitForLog("1 site changed (localhost)"))
        try end(server, remembering: text)
        try folder.write(Self.bad, to: Self.site)
        server = try start()
        #expect(try answer(server).first == text && !server.logText.contains("damaged"))
    }

    @Test("two servers with one folder do no harm: the second says that it keeps nothing")
    func two() throws {
        let first = try start()
        let second = try RunningServer(folder, configuration: #"{"stateFolder": "var/state"}"#)
        #expect(second.waitForLog("\(state): the last good files of sites are not kept over a restart: another "))
        try folder.write(document(1), to: Self.site)
        for server in [second, first] {
            server.signal(SIGHUP)
            #expect(server.waitForLog("1 site changed (localhost)"))
            #expect(try answer(server).first == document(1))
        }
        try end(first, remembering: document(1))
        try folder.write(document(2), to: Self.site)
        second.signal(SIGHUP)
        #expect(second.waitForLog("are kept again"))
        try end(second, remembering: document(2))
        try folder.write(Self.bad, to: Self.site)
        #expect(try answer(start()).first == document(2))
    }

    @Test("a full disk is one line, and what was remembered before stays")
    func full() throws {
        try remember()
        try folder.write(document(1), to: Self.site)
        let server = try start(launcher: ["prlimit", "--fsize=0"])
        #expect(server.waitForLog("are not kept over a restart: file too large"), "\(server.logText)")
        #expect(try answer(server).first == document(1))
        try folder.write(document(2), to: Self.site)
        server.signal(SIGHUP)
        #expect(server.waitForLog("1 site changed (localhost)"))
        try end(server)
        #expect(server.logText.components(separatedBy: "are not kept").count == 2, "\(server.logText)")
        try folder.write(Self.bad, to: Self.site)
        #expect(try answer(start()).first == RunningServer.document)
    }

    @Test("a folder that cannot be made is one line, and the server runs")
    func unusable() throws {
        try folder.write("", to: "var/state")
        let server = try start()
        #expect(server.waitForLog("\(state): the last good files of sites are not kept over a restart: file exists"))
        #expect(try answer(server).last?.hasPrefix("200 ") == true)
        // So what is stale is in memory only, and the health of the server says that.
        try folder.write(Self.bad, to: Self.site)
        server.signal(SIGHUP)
        #expect(server.waitForLog("1 site kept at its last good version (localhost)"))
        let problem = #"aasa_problems{kind="stale-until-restart",severity="warning",site=""} 1\#n"#
        #expect(try admin("/metrics").contains(problem))
        #expect(try answer(server).last?.hasPrefix("200 ") == true)
    }
}
