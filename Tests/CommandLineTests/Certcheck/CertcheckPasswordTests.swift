import Foundation
import PushSamples
import TestSupport
import Testing

/// Passwords that somebody else keeps (push-certificates.md, section 11).
@Suite("certcheck: passwords", .waiting)
struct CertcheckPasswordTests {
    private static let now = "--now \(SampleTime.nowText)"

    private let tool: BuiltTool

    init() throws {
        tool = try .certcheck()
        try tool.write(CertcheckSamples.export(), to: "push.p12")
    }

    @Test("without a password a file that needs one is password-required; nobody waits for an answer")
    func none() throws {
        let outcome = try tool.check("--format", "json", "push.p12")
        #expect(outcome.status == 3)
        #expect(try outcome.files() == ["push.p12 password-required"])
        #expect(outcome.errors.isEmpty)
        let text = try tool.check("push.p12").text
        for option in ["--password-env", "--password-file", "--password-fd"] { #expect(text.contains(option)) }
    }

    @Test("the environment gives it as it is; empty is the empty password")
    func environment() throws {
        func status(_ value: String, _ file: String = "push.p12") throws -> [String] {
            try tool.check("--format", "json", "--password-env", "P", file, environment: ["P": value]).files()
        }
        #expect(try status("test-password") == ["push.p12 ok"])
        #expect(try status("test-password\n") == ["push.p12 wrong-password"])
        #expect(try status("") == ["push.p12 wrong-password"])
        try tool.write(CertcheckSamples.export(password: ""), to: "empty.p12")
        #expect(try status("", "empty.p12") == ["empty.p12 ok"])
        #expect(try status("anything", "empty.p12") == ["empty.p12 ok"])
        try tool.write(CertcheckSamples.export(password: "Größe \u{1F511}"), to: "umlaut.p12")
        #expect(try status("Größe \u{1F511}", "umlaut.p12") == ["umlaut.p12 ok"])
    }

    @Test(
        "of a file or a descriptor one end of line is left out",
        arguments: [
            ("test-password", true), ("test-password\n", true), ("test-password\r\n", true), ("test-password\r", false),
            ("test-password\n\n", false), (" test-password", false), ("test-password\nsecond line", false), ("", false),
        ])
    func content(text: String, isRight: Bool) throws {
        try tool.write(text, to: "secret")
        let expected = ["push.p12 \(isRight ? "ok" : "wrong-password")"]
        for option in [
            "--password-file secret", "--password-file=secret", "--password-fd 3 3< secret",
            "--password-fd 0 < secret", "--password-file - < secret", "--password-file /dev/stdin < secret",
        ] {
            let outcome = try tool.shell("$tool \(Self.now) --format json push.p12 \(option)")
            #expect(try outcome.files() == expected, "\(option)")
        }
        let piped = try tool.shell("cat secret | $tool \(Self.now) --format json --password-fd 0 push.p12")
        #expect(try piped.files() == expected)
    }

    @Test("it is tried on all files")
    func severalFiles() throws {
        try tool.write(CertcheckSamples.export(password: "other"), to: "other.p12")
        try tool.write(CertcheckSamples.certificate(), to: "push.cer")
        let outcome = try tool.check(
            "--format", "json", "--password-env", "P", "other.p12", "push.cer", "push.p12",
            environment: ["P": CertcheckSamples.password])
        #expect(try outcome.files() == ["other.p12 wrong-password", "push.cer ok", "push.p12 ok"])
    }

    @Test("it is never shown", arguments: ["text", "json", "nagios", "prometheus"])
    func secrecy(format: String) throws {
        for value in ["test-password", "wr0ng-secret"] {
            let outcome = try tool.check(
                "--format", format, "--password-env", "P", "push.p12", environment: ["P": value])
            #expect(!outcome.text.contains(value))
            #expect(!outcome.errors.contains(value))
        }
    }

    @Test("a password of many lines or bytes is one, up to the limit")
    func long() throws {
        let password = String(repeating: "long\n", count: 3_000) + "end"
        try tool.write(CertcheckSamples.export(password: password), to: "long.p12")
        try tool.write(password + "\n", to: "secret")
        #expect(
            try tool.check("--format", "json", "--password-file", "secret", "long.p12").files() == ["long.p12 ok"])
    }
}
