import Foundation
import PushSamples
import TestSupport
import Testing

/// The files that `certcheck` reads (push-certificates.md, sections 1 and 6).
@Suite("certcheck: files and folders", .waiting)
struct CertcheckInputTests {
    private let tool: BuiltTool

    init() throws {
        tool = try .certcheck()
    }

    private func messages(_ outcome: Shell.Outcome) throws -> [String] {
        try #require(try outcome.object()["files"] as? [[String: Any]]).map { $0["errorMessage"] as? String ?? "" }
    }

    @Test("the content decides, whatever the name; - is standard input")
    func content() throws {
        try tool.write(CertcheckSamples.certificate(), to: "export.p12")
        try tool.write(CertcheckSamples.export(password: ""), to: "page.html")
        try tool.write(SampleKey.p256(2).pem(), to: "token")
        try tool.write("<!DOCTYPE html><title>Sign in</title>", to: "push.cer")
        let outcome = try tool.check("--format", "json", "export.p12", "page.html", "token", "push.cer")
        #expect(
            try outcome.files() == ["export.p12 ok", "page.html ok", "token ok", "push.cer not-a-certificate"])
        let input = try tool.check("--format", "json", "-", input: CertcheckSamples.certificate())
        #expect(try input.files() == ["- ok"])
        #expect(input.status == 0)
        #expect(try tool.check("--format", "json", "-").files() == ["- not-a-certificate"])
        #expect(try tool.check("--format", "json", "-", input: Array("x".utf8)).status == 3)
    }

    @Test("what cannot be read says why, and nothing is waited for")
    func unreadable() throws {
        try tool.write(CertcheckSamples.certificate(), to: "file")
        #expect(mkfifo(tool.folder.path + "/pipe", 0o600) == 0)
        try tool.link("to-pipe", to: "pipe")
        try tool.link("dangling", to: "nowhere")
        try tool.link("loop", to: "loop")
        let long = String(repeating: "x", count: 300)
        let paths = [
            "none", "file/x", "", "dangling", "pipe", "to-pipe", "/dev/zero", "/dev/tty", "loop", long,
            "/proc/self/mem",
        ]
        let outcome = try Shell.run(
            [tool.executable, "--format", "json"] + paths, in: tool.folder.url)
        #expect(outcome.status == 3)
        let codes = ["not-found", "not-found", "not-found", "not-found"] + Array(repeating: "unreadable", count: 7)
        #expect(try outcome.files() == zip(paths, codes).map { "\($0) \($1)" })
        let texts = [
            "there is no such file", "there is no such file: a part of the path is not a folder",
            "the path is empty", "it is a broken symbolic link", "this is a pipe",
            "this is a pipe", "this is a device", "this is a device", "too many levels of symbolic links",
            "file name too long", "input/output error",
        ]
        let messages = try messages(outcome)
        #expect(messages.count == texts.count)
        for (message, text) in zip(messages, texts) { #expect(message.contains(text)) }
        let folder = try tool.shell("$tool --format json - < .")
        #expect(try folder.files() == ["- unreadable"])
        #expect(try self.messages(folder).first?.contains("is a directory") == true)
    }

    @Test("more than 10 MiB are not read, from a file or a pipe; exactly 10 MiB are")
    func large() throws {
        try tool.write("", to: "huge")
        let handle = try #require(FileHandle(forWritingAtPath: tool.folder.path + "/huge"))
        try handle.truncate(atOffset: 1 << 42)
        let outcome = try tool.check("--format", "json", "huge")
        #expect(outcome.status == 3)
        #expect(try outcome.files() == ["huge too-large"])
        let message = try messages(outcome).first
        #expect(message?.contains("the file has 4,398,046,511,104 bytes; the limit is 10,485,760") == true)
        try handle.truncate(atOffset: 10_485_761)
        #expect(try tool.check("--format", "json", "huge").files() == ["huge too-large"])
        #expect(try tool.shell("$tool --format json - < huge").files() == ["- too-large"])
        #expect(try tool.shell("cat huge | $tool --format json -").files() == ["- too-large"])
        #expect(try tool.shell("yes | $tool --format json -").files() == ["- too-large"])
        try handle.truncate(atOffset: 10_485_760)
        try handle.close()
        #expect(try tool.check("--format", "json", "huge").files() == ["huge not-a-certificate"])
        #expect(try tool.shell("cat huge | $tool --format json -").files() == ["- not-a-certificate"])
    }

    @Test("a folder is searched for certificates, in the order of the bytes of the paths")
    func folders() throws {
        let certificate = try CertcheckSamples.certificate()
        for name in ["a/z", "a.b", "a-b", "B", "a/é", "a/deep/er/x.html", ".hidden/y"] {
            try tool.write(certificate, to: "all/\(name)")
        }
        try tool.write("<html></html>", to: "all/page.cer")
        try tool.write(SampleKey.p256(1).pkcs8(), to: "all/a/key")
        try tool.write("", to: "all/empty")
        try tool.write(Array("-----BEGIN CERTIFICATE-----\nAAAA".utf8), to: "all/cut.pem")
        try tool.link("all/a/up", to: "..")
        try tool.link("all/link", to: "a/z")
        try tool.link("linked", to: "all")
        let expected = [
            ".hidden/y ok", "B ok", "a-b ok", "a.b ok", "a/deep/er/x.html ok", "a/z ok", "a/é ok", "cut.pem corrupt",
            "link ok",
        ]
        #expect(try tool.check("--format", "json", "all").files() == expected.map { "all/\($0)" })
        #expect(try tool.check("--format", "json", "linked/").files() == expected.map { "linked/\($0)" })
        let here = try tool.shell("cd all; $tool --now \(SampleTime.nowText) --format json .")
        #expect(try here.files() == expected)
        #expect(here.status == 3)
        let both = try tool.check("--format", "json", "all/link", "all/a/deep", "none", "all/B")
        #expect(
            try both.files() == ["all/link ok", "all/a/deep/er/x.html ok", "none not-found", "all/B ok"])
    }

    @Test("in a folder only what is no certificate is passed over; a pipe counts, and is not waited for")
    func foldersWithOthers() throws {
        try tool.write(CertcheckSamples.certificate(), to: "all/sound")
        try tool.write("text", to: "all/text")
        #expect(mkfifo(tool.folder.path + "/all/pipe", 0o600) == 0)
        try tool.link("all/dangling", to: "nowhere")
        let outcome = try tool.check("--format", "json", "all")
        #expect(outcome.status == 3)
        #expect(try outcome.files() == ["all/dangling not-found", "all/pipe unreadable", "all/sound ok"])

        try tool.write("text", to: "none/text")
        let none = try tool.check("--format", "json", "none", "all/sound")
        #expect(none.status == 3)
        #expect(try none.files() == ["none not-a-certificate", "all/sound ok"])
    }

    @Test("a folder that cannot be read is said, among the others", .enabled(if: geteuid() != 0))
    func lockedFolder() throws {
        try tool.write(CertcheckSamples.certificate(), to: "all/a")
        try tool.write(CertcheckSamples.certificate(), to: "all/b/x")
        try tool.write(CertcheckSamples.certificate(), to: "all/c")
        let locked = tool.folder.path + "/all/b"
        #expect(chmod(locked, 0) == 0)
        defer { chmod(locked, 0o700) }
        #expect(try tool.check("--format", "json", "all").files() == ["all/a ok", "all/b unreadable", "all/c ok"])
        #expect(try tool.check("--format", "json", "all/b").files() == ["all/b unreadable"])
    }

    @Test("the private key of a certificate that is checked with it is not a key for tokens")
    func keyOfCertificate() throws {
        let folder = tool.folder.url.appendingPathComponent("live")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let made = try Shell.run(
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                "/CN=shop.example", "-days", "90", "-keyout", "privkey.pem", "-out", "fullchain.pem",
            ], in: folder)
        try #require(made.status == 0, "\(made.errors)")
        let outcome = try tool.check("--format", "json", "live")
        #expect(try outcome.files().map { $0.prefix { $0 != " " } } == ["live/fullchain.pem"])
        // At the clock's own time, at which the certificate was made.
        let named = try tool.shell("$tool live/fullchain.pem live/privkey.pem")
        #expect(named.status == 0)
        #expect(
            named.text.contains("private key   in 'live/privkey.pem', matches the certificate\n"), "\(named.text)")
        // Alone it may be either.
        let alone = try tool.check("live/privkey.pem")
        #expect(alone.status == 0)
        #expect(alone.text.contains("if it is a key from Apple's developer portal (.p8), it signs tokens"))
    }

    @Test("names need not be UTF-8, and a file - in a folder is not standard input")
    func oddNames() throws {
        try tool.write(CertcheckSamples.certificate(), to: "file")
        let line = """
            mkdir all && cp file "all/$(printf 'push-\\374.cer')" && cp file all/- && cd all
            $tool --now \(SampleTime.nowText) --format json
            """
        #expect(try tool.shell("\(line) .").files() == ["./- ok", "push-\u{FFFD}.cer ok"])
        #expect(
            try tool.shell("cd all; $tool --now \(SampleTime.nowText) --format json \"$(printf 'push-\\374.cer')\"")
                .files()
                == ["push-\u{FFFD}.cer ok"])
    }

    @Test("of a volume that Kubernetes fills each file is shown once, by the name that lasts")
    func volume() throws {
        try tool.write(CertcheckSamples.certificate(), to: "volume/..2026_11_21_00_00_00.1/push.cer")
        try tool.write(CertcheckSamples.certificate(), to: "volume/..other/push.cer")
        try tool.link("volume/..data", to: "..2026_11_21_00_00_00.1")
        try tool.link("volume/push.cer", to: "..data/push.cer")
        let outcome = try tool.check("--format", "json", "volume")
        #expect(try outcome.files() == ["volume/..other/push.cer ok", "volume/push.cer ok"])
    }
}
