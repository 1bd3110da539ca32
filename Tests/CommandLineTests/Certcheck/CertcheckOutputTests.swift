import Foundation
import PushSamples
import TestSupport
import Testing

/// `certcheck --output`.
@Suite("certcheck: --output", .waiting)
struct CertcheckOutputTests {
    private static let now = "--now \(SampleTime.nowText)"

    private let tool: BuiltTool

    init() throws {
        tool = try .certcheck()
        try tool.write(CertcheckSamples.certificate(), to: "push.cer")
        try tool.write(CertcheckSamples.certificate(days: 3), to: "old.cer")
    }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: "\(tool.folder.path)/\(name)")[.posixPermissions] as? Int
    }

    private func names(_ name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(tool.folder.path)/\(name)").sorted()
    }

    @Test("the file gets what standard output would have, and standard output nothing")
    func writes() throws {
        try FileManager.default.createDirectory(
            at: tool.folder.url.appendingPathComponent("out"), withIntermediateDirectories: true)
        for format in ["text", "json", "prometheus", "nagios"] {
            let outcome = try tool.shell(
                "umask 077; $tool \(Self.now) --format \(format) --output out/x.prom push.cer old.cer")
            #expect(outcome.status == 2)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.isEmpty)
            #expect(try tool.text("out/x.prom") == tool.check("--format", format, "push.cer", "old.cer").text)
            #expect(try mode("out/x.prom") == 0o644)
            #expect(try names("out") == ["x.prom"])
        }
        #expect(try tool.check("--output", "-", "push.cer").text == tool.check("push.cer").text)
        try tool.shell("$tool \(Self.now) --color always --output out/x.prom push.cer")
        #expect(try tool.text("out/x.prom").contains("\u{1B}["))
    }

    @Test("a file that is there keeps its permissions")
    func replaces() throws {
        try tool.write("before", to: "out/real")
        #expect(chmod("\(tool.folder.path)/out/real", 0o600) == 0)
        #expect(try tool.check("--output", "out/real", "push.cer").status == 0)
        #expect(try tool.text("out/real") == tool.check("push.cer").text)
        #expect(try mode("out/real") == 0o600)
        #expect(try names("out") == ["real"])
    }

    @Test("what cannot be written is exit 3, says why, and leaves all as it was")
    func fails() throws {
        try tool.write("before", to: "out/real")
        try tool.link("out/dangling", to: "nowhere/x")
        try tool.link("out/link", to: "real")
        for (path, reason) in [
            ("none/x", "no such file or directory"), ("out", "it is not a regular file"),
            ("push.cer/x", "not a directory"), ("/dev/null", "it is not a regular file"),
            ("out/dangling", "it is a symbolic link"), ("out/link", "it is a symbolic link; name the file itself"),
            ("out/new/", "it does not name a file"),
            ("", "it does not name a file"), ("/proc/x", "no such file or directory"),
        ] {
            let outcome = try tool.check("--output", path, "old.cer")
            #expect(outcome.status == 3, "\(path)")
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("error: cannot write '\(path)': "))
            #expect(outcome.errors.contains(reason), "\(outcome.errors)")
        }
        if Patience.allowsFileLimits {
            let limited = try tool.shell("ulimit -f 0; $tool \(Self.now) --output out/real push.cer")
            #expect(limited.status == 3)
            #expect(limited.errors == "error: cannot write 'out/real': file too large\n")
        }
        #expect(try tool.text("out/real") == "before")
        #expect(try names("out") == ["dangling", "link", "real"])
    }
}
