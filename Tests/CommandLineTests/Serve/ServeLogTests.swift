import Foundation
import TestSupport
import Testing

/// Messages on standard error: how they are written, and which.
@Suite("aasa serve: messages", .waiting)
struct ServeLogTests {
    private func lines(_ server: RunningServer) -> [String] {
        server.logText.split(separator: "\n").map(String.init)
    }

    @Test("a line is a time, a level and a message")
    func text() throws {
        let server = try RunningServer(RunningServer.layOut())
        for line in lines(server) {
            #expect(line.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (error|warning|info): .+/#) != nil, "\(line)")
        }
    }

    @Test("in the journal a line begins with its priority instead, and one that is not the journal is told apart")
    func journal() throws {
        let folder = try RunningServer.layOut()
        try folder.write("", to: "sites/a.example/apple-app-site-association")
        let journal = [
            "sh", "-c", "export JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2); exec \"$@\"", "sh",
        ]
        let server = try RunningServer(folder, launcher: journal)
        for line in lines(server) {
            #expect(line.wholeMatch(of: #/<3>error: .+|<4>warning: .+|<6>info: .+/#) != nil, "\(line)")
        }
        #expect(lines(server).contains { $0.hasPrefix("<3>error: a.example: file rejected (1 error), ") })
        #expect(lines(server).contains { $0.hasPrefix("<6>info: ready: ") })
        let other = try RunningServer(RunningServer.layOut(), launcher: ["env", "JOURNAL_STREAM=1:2"])
        #expect(lines(other).allSatisfy { $0.hasPrefix("20") })
    }

    @Test("a failure to start has the priority of one in the journal")
    func failure() throws {
        let folder = try RunningServer.layOut()
        let script = "export JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2); exec \"$@\""
        let outcome = try Shell.run([
            "sh", "-c", script, "sh", RunningServer.executable, "serve", "--sites", "/nowhere", "--certs",
            "\(folder.path)/certs", "--listen", "127.0.0.1:0",
        ])
        #expect(outcome.status == 66)
        #expect(outcome.errors.hasPrefix("<3>error: cannot read the sites folder '/nowhere'"), "\(outcome.errors)")
    }

    @Test("'log.level' leaves out what is less, and a reload applies it")
    func level() throws {
        let server = try RunningServer(RunningServer.layOut())
        func reload(_ log: String) throws {
            try server.folder.write(#"{"log": \#(log)}"#, to: "server.json")
            server.signal(SIGHUP)
        }
        try reload(#"{"level": "error"}"#)
        try server.folder.write("", to: "sites/localhost/apple-app-site-association")
        #expect(server.waitForLog(" error: localhost: new file rejected (1 error), still serving version "))
        try server.folder.write("x", to: "sites/localhost/apple-app-site-association")
        #expect(server.waitForLogs(" error: localhost: new file rejected (1 error), still serving version ", count: 2))
        #expect(!server.logText.contains("reloaded: "))
        try reload(#"{"level": "info"}"#)
        #expect(server.waitForLog("info: reloaded: 1 setting changed (log.level)"))
    }

    @Test("messages can be JSON, an object a line, from the next reload on")
    func json() throws {
        let server = try RunningServer(RunningServer.layOut())
        let text = lines(server).count
        try server.folder.write(#"{"log": {"messages": "json"}}"#, to: "server.json")
        try server.folder.write("\u{7F}\"\n", to: "sites/a.example/apple-app-site-association")
        server.signal(SIGHUP)
        #expect(server.waitForLog("reloaded: "))
        let added = lines(server).dropFirst(text)
        #expect(added.count >= 3)
        for line in added {
            let members = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
            #expect(Set(members.keys) == ["level", "message", "time"])
            #expect(["error", "warning", "info"].contains(members["level"]))
            #expect(line.hasPrefix(#"{"level":""#) && line.unicodeScalars.allSatisfy { $0.value != 0x7F })
        }
    }

    @Test("a server name that no certificate covers is in the log, once")
    func refusedNames() throws {
        let server = try RunningServer(RunningServer.layOut(), threads: 2)
        for name in ["nobody.example", "nobody.example", "other.example", "nobody.example"] {
            _ = try server.curl(host: name)
        }
        #expect(server.waitForLog("info: refused the unknown server name 'nobody.example' (127.0.0.1): no certificate"))
        #expect(server.waitForLog("'other.example'"))
        #expect(lines(server).count { $0.contains("'nobody.example'") } == 1)
    }

    @Test("a port alone and localhost are addresses", arguments: ["localhost:0", ":0", "0"])
    func listen(address: String) throws {
        for isFlag in [true, false] {
            let server = try ServiceProcess(
                RunningServer.layOut(), configuration: isFlag ? "{}" : #"{"listen": ["\#(address)"]}"#,
                arguments: isFlag ? ["--listen", address] : [])
            #expect(try server.curl(port: server.port()).text == RunningServer.document)
        }
    }
}
