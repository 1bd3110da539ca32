import Foundation
import PushSamples
import TestSupport
import Testing

/// Passwords of `certcheck combine` that are asked for (push-certificates.md, sections 10 and 11).
@Suite("certcheck combine: asking for passwords", .waiting)
struct CertcheckRenewalTerminalTests {
    private static let new = "Password for the new file: "
    private static let again = "The same password again: "

    private let tool: BuiltTool
    private let terminal: PseudoTerminal

    init() throws {
        tool = try .certcheck()
        terminal = try PseudoTerminal()
        try tool.write(SampleProfile.universal.certificate().valid().der(), to: "aps.cer")
        try tool.write(SampleKey.p256().pem(), to: "app.key")
        try tool.write(
            SampleKey.p256().encryptedPEM(SampleEncryption(.aes256, password: "of the key")), to: "locked.key")
        try tool.write(
            SamplePKCS12.export(SampleProfile.universal.certificate(), password: "of the old").der(), to: "old.p12")
    }

    private func start(_ arguments: String) throws {
        try terminal.run(
            "cd '\(tool.folder.path)'; $tool combine aps.cer \(arguments) > out 2> errors",
            environment: ["tool": tool.executable])
    }

    private func answer(_ question: String, _ text: String) {
        #expect(terminal.waits(for: question))
        #expect(!terminal.echoes)
        terminal.type("\(text)\n")
    }

    @Test("the password of the new file is asked for twice, unseen")
    func twice() throws {
        try start("--key app.key")
        answer(Self.new, "pässwort")
        answer(Self.again, "pässwort")
        #expect(terminal.exitStatus() == 0)
        #expect(terminal.text == "\(Self.new)\r\n\(Self.again)\r\n")
        #expect(try tool.pkcs12("aps.p12", password: "pässwort").status == 0)
    }

    @Test("two that are not the same, and an empty one, are refused")
    func refused() throws {
        try start("--key app.key")
        answer(Self.new, "one")
        answer(Self.again, "other")
        #expect(terminal.exitStatus() == 3)
        #expect(try tool.text("errors").contains("the two passwords differ"))
        #expect(try !tool.names().contains("aps.p12"))
    }

    @Test("an empty one is refused at once")
    func empty() throws {
        try start("--key app.key")
        answer(Self.new, "")
        #expect(terminal.exitStatus() == 3)
        #expect(terminal.text == "\(Self.new)\r\n")
        #expect(try tool.text("errors").contains("empty"))
    }

    @Test("those of an encrypted key and of the file in use are asked for when they are needed")
    func others() throws {
        try start("--key locked.key --old old.p12")
        answer("Password for 'locked.key': ", "of the key")
        answer("Password for 'old.p12': ", "of the old")
        answer(Self.new, "new")
        answer(Self.again, "new")
        #expect(terminal.exitStatus() == 0)
        #expect(try tool.pkcs12("aps.p12", password: "new").status == 0)
    }

    @Test("what was typed once is tried on the other files")
    func once() throws {
        try tool.write(
            SamplePKCS12.export(SampleProfile.universal.certificate(), password: "of the key").der(), to: "old.p12")
        try FileManager.default.removeItem(at: tool.folder.url.appendingPathComponent("app.key"))
        try start("--keys . --old old.p12")
        answer("Password for 'locked.key' and 1 more: ", "of the key")
        answer(Self.new, "new")
        answer(Self.again, "new")
        #expect(terminal.exitStatus() == 0)
        #expect(try tool.text("out").contains("key from      locked.key\n"))
    }

    @Test("nobody is asked where an option says it, or where the file cannot be made")
    func unasked() throws {
        try tool.write("mine", to: "aps.p12")
        try start("--key locked.key")
        #expect(terminal.exitStatus() == 3)
        #expect(terminal.text == "")
    }
}
