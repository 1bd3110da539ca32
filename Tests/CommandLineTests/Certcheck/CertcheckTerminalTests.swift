import Foundation
import PushSamples
import TestSupport
import Testing

/// Passwords that are asked for (push-certificates.md, section 11).
@Suite("certcheck: asking for the password", .waiting)
struct CertcheckTerminalTests {
    private let tool: BuiltTool
    private let terminal: PseudoTerminal

    init() throws {
        tool = try .certcheck()
        terminal = try PseudoTerminal()
        try tool.write(CertcheckSamples.export(), to: "a.p12")
        try tool.write(CertcheckSamples.export(), to: "b.p12")
        try tool.write(CertcheckSamples.certificate(), to: "c.cer")
    }

    private static let question = "Password for 'a.p12': "

    /// Runs a line in the terminal, in which `$check` is `certcheck` at the time of the samples.
    private func start(_ line: String) throws {
        let check = "\(tool.executable) --now \(SampleTime.nowText) --format json"
        try terminal.run("cd '\(tool.folder.path)'; \(line)", environment: ["check": check])
    }

    private func files(_ name: String = "out") throws -> [String] {
        let outcome = try tool.shell("cat \(name)")
        return try outcome.files()
    }

    @Test("once, unseen, on the terminal, when the first file needs it; and it is tried on all files")
    func asks() throws {
        try tool.write(CertcheckSamples.export(password: "other"), to: "d.p12")
        try start("$check c.cer a.p12 b.p12 d.p12 > out")
        #expect(terminal.waits(for: Self.question))
        #expect(!terminal.echoes)
        terminal.type("typo\u{15}test-passwort\u{7F}d\n")
        #expect(terminal.exitStatus() == 3)
        #expect(terminal.text == "\(Self.question)\r\n")
        #expect(try files() == ["c.cer ok", "a.p12 ok", "b.p12 ok", "d.p12 wrong-password"])
    }

    @Test("for an encrypted key of a readable file too")
    func encryptedKey() throws {
        let key = try SampleKey.p256(1).encryptedPEM(SampleEncryption(.aes256, password: .text("test-password")))
        try tool.write(try SampleProfile.universal.certificate().pem() + key, to: "a.p12")
        try start("$check a.p12 > out")
        #expect(terminal.waits(for: Self.question))
        terminal.type("test-password\n")
        #expect(terminal.exitStatus() == 0)
        #expect(try tool.text("out").contains(#""keyMatches":true"#))
    }

    @Test(
        "an empty answer is the empty password, and the end of input is none",
        arguments: ["\n", "\u{4}", "x\u{4}\u{4}"])
    func answers(typed: String) throws {
        try start("$check a.p12 b.p12 > out")
        #expect(terminal.waits(for: Self.question))
        terminal.type(typed)
        #expect(terminal.exitStatus() == 3)
        #expect(terminal.text == "\(Self.question)\r\n")
        let code = typed == "\u{4}" ? "password-required" : "wrong-password"
        #expect(try files() == ["a.p12 \(code)", "b.p12 \(code)"])
    }

    @Test("of standard input too, which the answer is not taken from")
    func standardInput() throws {
        try start("cat a.p12 | $check - > out 2> errors")
        #expect(!terminal.waits(for: "Password"))
        #expect(terminal.exitStatus() == 3)
        #expect(try files() == ["- password-required"])

        let other = try PseudoTerminal()
        let line = "cat a.p12 | \(tool.executable) --format json - > out"
        try other.run("cd '\(tool.folder.path)'; \(line)", environment: [:])
        #expect(other.waits(for: "Password for '-': "))
        other.type("test-password\n")
        _ = other.exitStatus()
        #expect(try files().first?.contains("password") == false)
    }

    @Test(
        "not if an option was given, no file needs it, or nobody is there",
        arguments: [
            "--password-env check a.p12", "c.cer", "a.p12 < /dev/null 2> errors", "--password-fd 0 a.p12 < text",
        ])
    func doesNotAsk(arguments: String) throws {
        try tool.write("wrong", to: "text")
        try start("$check \(arguments) > out")
        _ = terminal.exitStatus()
        #expect(!terminal.text.contains("Password for"))
        #expect(try files().count == 1)
    }

    @Test("Ctrl-C ends it, with the terminal as it was")
    func interrupt() throws {
        try start("trap : INT; $check a.p12 > out; echo status $?; read x")
        #expect(terminal.waits(for: Self.question))
        #expect(!terminal.echoes)
        terminal.type("secr\u{3}")
        #expect(terminal.waits(for: "status 130"))
        #expect(terminal.echoes)
        #expect(!terminal.text.contains("secr"))
        #expect(try tool.text("out").isEmpty)
        terminal.type("\n")
        _ = terminal.exitStatus()
    }

    @Test("so does a signal from elsewhere")
    func terminate() throws {
        try start("$check a.p12 > out & echo pid $!; wait $!; echo status $?; read x")
        #expect(terminal.waits(for: Self.question))
        #expect(!terminal.echoes)
        let match = try #require(terminal.text.firstMatch(of: /pid (\d+)/))
        kill(try #require(pid_t(match.1)), SIGTERM)
        #expect(terminal.waits(for: "status 143"))
        #expect(terminal.echoes)
        terminal.type("\n")
        _ = terminal.exitStatus()
    }

    @Test("after Ctrl-Z it asks again")
    func stop() throws {
        try start("$check a.p12 > out")
        #expect(terminal.waits(for: Self.question))
        // There is no shell with job control above, so that it goes on at once.
        terminal.type("half\u{1A}")
        #expect(terminal.waits(for: Self.question, count: 2))
        terminal.type("test-password\n")
        #expect(terminal.exitStatus() == 0)
        #expect(!terminal.text.contains("half"))
        #expect(try files() == ["a.p12 ok"])
    }
}
