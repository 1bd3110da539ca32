import Foundation
import Fuzzing
import TestSupport
import Testing

/// Files that are made to take long, seen from outside.
@Suite("Files made to take long", .waiting)
struct HostileFileTests {
    /// Takes what is left of a process within 500 MiB of addresses; it has about 250 before it does anything.
    private static let limits = "ulimit -v 512000; ulimit -t \(30 * Patience.slowness);"

    private static let commands = [
        "validate hostile", "diff hostile other", "diff other hostile", "test hostile --routes routes",
        "route hostile https://example.com/aaa",
    ]

    /// Each file with two commands at least, and each command with three files.
    private static let pairs = HostileFiles.known.enumerated().flatMap { number, file in
        commands.enumerated().filter { ($0.offset + number) % 5 < 2 }.map { (file, $0.element) }
    }

    // A sanitizer takes terabytes of addresses.
    @Test("are taken in bounded memory", .enabled(if: !Patience.isSanitizing), arguments: pairs)
    func memory(file: HostileFiles.Known, command: String) throws {
        let tool = try BuiltTool()
        try tool.write(file.text, to: "hostile")
        try tool.write(BuiltTool.sound, to: "sound")
        try tool.write(
            #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[{"/":"/buy/*"}]}]}}"#,
            to: "other")
        try tool.write("/buy/{product}\n/a/{rest:*}\n", to: "routes")
        let outcome = try tool.shell("\(Self.limits) exec $tool \(command)")
        #expect([0, 1].contains(outcome.status), "\(outcome.status): \(outcome.errors.prefix(400))")
        #expect(outcome.text.utf8.count < 3_000_000)
    }

    @Test("in one site's folder do not keep the server from serving, nor from another site's change")
    func server() throws {
        let folder = try RunningServer.layOut(names: ["DNS:localhost", "DNS:a.example"])
        let file = "sites/a.example/apple-app-site-association"
        try folder.write(RunningServer.document, to: file)
        let server = try RunningServer(folder)
        let hostile = HostileFiles.known[HostileFiles.known.count - 1].text
        for (number, text) in HostileFiles.known.map(\.text).enumerated() {
            try folder.write(text, to: file)
            #expect(server.waitForLogs("reloaded: 1 site changed (a.example)", count: number + 1), "\(server.logText)")
            #expect(try server.curl("/apple-app-site-association").text == RunningServer.document)
        }
        #expect(try server.curl("/apple-app-site-association", host: "a.example").text == hostile)
        // Both at once: the other site does not wait long for the hostile one.
        let other = RunningServer.document + " "
        try folder.write(hostile + " ", to: file)
        try folder.write(other, to: "sites/localhost/apple-app-site-association")
        #expect(server.waitForLog("localhost"), "\(server.logText)")
        #expect(try Waiting.until { try server.curl("/apple-app-site-association").text == other })
        #expect(server.isRunning)
    }
}
