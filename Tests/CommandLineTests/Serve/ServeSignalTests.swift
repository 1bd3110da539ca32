import Foundation
import TestSupport
import Testing

/// Signals, also before there is a server to get them (server.md, section 8).
@Suite("aasa serve: signals", .waiting)
struct ServeSignalTests {
    /// Sites that take a while to be checked.
    private func layOut(sites: Int) throws -> TemporaryFolder {
        let folder = try RunningServer.layOut()
        let components = (0..<700).map { #"{"/": "/a\#($0)/*/b\#($0)", "comment": "x"}"# }.joined(separator: ",")
        let document =
            #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.links"],"components":[\#(components)]}]}}"#
        for number in 0..<sites {
            try folder.write(document, to: "sites/s\(number).example/apple-app-site-association")
        }
        return folder
    }

    private func start(_ folder: TemporaryFolder) throws -> ServiceProcess {
        let server = try ServiceProcess(folder)
        // From then on no signal does what it does by default.
        while !server.handles(SIGTERM) || !server.handles(SIGHUP) || !server.handles(SIGUSR1) || !server.handles(SIGINT)
        {
            usleep(500)
        }
        return server
    }

    @Test("a signal to end while sites are read ends it at once, with exit 0", arguments: [SIGTERM, SIGINT])
    func endWhileLoading(signal: Int32) throws {
        let server = try start(layOut(sites: 100))
        server.signal(signal)
        #expect(server.exitStatus() == 0)
        #expect(
            server.logText.hasSuffix(
                " info: \(signal == SIGTERM ? "SIGTERM" : "SIGINT"): stopped before it was ready\n"))
        #expect(!server.logText.contains(" ready: "))
    }

    @Test("signals to read again while sites are read are one reload after it")
    func reloadWhileLoading() throws {
        let server = try start(layOut(sites: 30))
        server.signal(SIGHUP)
        server.signal(SIGUSR1)
        server.signal(SIGHUP)
        let port = try server.port()
        #expect(server.waitForLog("reloaded: nothing has changed"))
        #expect(try server.curl(port: port).text == RunningServer.document)
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
        #expect(server.logText.split(separator: "\n").count { $0.contains("reloaded: ") } == 1)
    }

    @Test("SIGUSR1 and SIGPIPE leave it running, and SIGHUP that was ignored does not stay so")
    func harmless() throws {
        let server = try ServiceProcess(RunningServer.layOut(), prefix: "nohup")
        let port = try server.port()
        for signal in [SIGUSR1, SIGPIPE, SIGUSR1, SIGHUP] { server.signal(signal) }
        #expect(server.waitForLog("reloaded: "))
        #expect(try server.curl(port: port).text == RunningServer.document)
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
    }

    @Test("SIGQUIT keeps its default")
    func quit() throws {
        let server = try ServiceProcess(RunningServer.layOut(), prefix: "sh -c 'ulimit -c 0; exec \"$@\"' sh")
        _ = try server.port()
        server.signal(SIGQUIT)
        #expect([-SIGQUIT, -SIGQUIT - 0x80].contains(server.exitStatus()))
    }

    @Test("signals that whoever started it had blocked work")
    func blocked() throws {
        let server = try ServiceProcess(
            RunningServer.layOut(), prefix: "env --block-signal=TERM --block-signal=HUP")
        _ = try server.port()
        server.signal(SIGHUP)
        #expect(server.waitForLog("reloaded: "))
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
    }

    @Test("a signal to read again that comes before the program has begun is kept", arguments: [SIGHUP, SIGUSR1])
    func earliest(signal: Int32) throws {
        // The dynamic linker says what it does; before its first initializer signals are held back.
        let server = try ServiceProcess(RunningServer.layOut(), variables: ["LD_DEBUG": "files"])
        #expect(server.waitForLog("calling init: "))
        server.signal(signal)
        let port = try server.port()
        if signal == SIGHUP { #expect(server.waitForLog("reloaded: ")) }
        #expect(try server.curl(port: port).text == RunningServer.document)
    }
}
