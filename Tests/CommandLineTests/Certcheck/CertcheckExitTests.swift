import Foundation
import PushSamples
import TestSupport
import Testing

/// Exit codes and the forms of output (cli.md; push-certificates.md, sections 7 and 9).
@Suite("certcheck: results", .waiting)
struct CertcheckExitTests {
    private let tool: BuiltTool

    init() throws {
        tool = try .certcheck()
        for days in [-1, 13, 14, 15, 30, 31, 365] as [Int64] {
            try tool.write(CertcheckSamples.certificate(days: days), to: "in\(days)d.cer")
        }
    }

    private static let results: [(arguments: [String], status: Int32)] = [
        (["in365d.cer"], 0), (["in31d.cer"], 0), (["in30d.cer"], 1), (["in15d.cer"], 1), (["in14d.cer"], 2),
        (["in-1d.cer"], 2), (["in30d.cer", "none.cer"], 3), (["none.cer", "in13d.cer", "in15d.cer"], 2),
        (["--warning", "13", "--critical", "0", "in14d.cer"], 0),
        (["--warning", "365", "--critical", "31", "in31d.cer"], 2), (["--critical", "30", "in30d.cer"], 2),
    ]

    @Test(
        "the exit code is that of the worst file, in the order 2, 3, 1, 0",
        arguments: results)
    func status(arguments: [String], expected: Int32) throws {
        let outcome = try Shell.run(
            ["timeout", "60", tool.executable, "p12", "--now", SampleTime.nowText] + arguments, in: tool.folder.url)
        #expect(outcome.status == expected)
        #expect(!outcome.output.isEmpty)
        #expect(outcome.errors.isEmpty)
    }

    @Test("--strict fails for a warning that is not about time, and changes nothing worse")
    func strict() throws {
        // Nobody's authority has issued it.
        try tool.write(CertcheckSamples.certificate(), to: "foreign.cer")
        #expect(try tool.check("foreign.cer").status == 0)
        #expect(try tool.check("foreign.cer").text.contains("not-apple-issued"))
        #expect(try tool.check("--strict", "foreign.cer").status == 1)
        let object = try tool.check("--strict", "--format", "json", "foreign.cer").object()
        #expect(object["status"] as? String == "warning" && object["strict"] as? Bool == true)
        #expect(try tool.check("--strict", "in14d.cer").status == 2)
        #expect(try tool.check("--strict", "none.cer").status == 3)
    }

    @Test("text is coloured only when asked for, and says nothing else then")
    func color() throws {
        let plain = try tool.check("in15d.cer", "in-1d.cer", "none")
        #expect(!plain.text.contains("\u{1B}"))
        let colored = try tool.check("--color", "always", "in15d.cer", "in-1d.cer", "none")
        #expect(colored.text.contains("\u{1B}["))
        #expect(colored.text.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain.text)
    }

    @Test("what a path holds can neither write lines nor talk to the terminal")
    func hostilePaths() throws {
        let name = "a\u{1B}[31m\nb\"\\.cer"
        try tool.write(CertcheckSamples.certificate(), to: name)
        for format in ["text", "nagios", "prometheus"] {
            let outcome = try tool.check("--format", format, name, "none\u{1B}[0m\u{202E}\n")
            #expect(outcome.status == 3)
            #expect(!outcome.text.contains("\u{1B}") || format == "prometheus", "\(format)")
            #expect(!outcome.text.contains("[31m\nb"), "\(format)")
        }
        #expect(try tool.check("--format", "json", name).files() == ["\(name) ok"])
    }

    @Test("a result that cannot be written is exit 3, and said")
    func outputFails() throws {
        let now = "--now \(SampleTime.nowText)"
        let full = try tool.shell("$tool \(now) in365d.cer > /dev/full")
        #expect(full.status == 3)
        #expect(full.errors == "error: cannot write the result: no space left on device\n")
        let closed = try tool.shell("$tool \(now) in365d.cer >&-")
        #expect(closed.status == 3)
        #expect(closed.errors == "error: cannot write the result: bad file descriptor\n")
        let gone = try tool.shell("mkfifo p && { : < p & exec 3> p; wait; $tool \(now) in365d.cer >&3; }")
        #expect(gone.status == 3)
        #expect(gone.errors.isEmpty)
        #expect(try tool.shell("$tool \(now) in365d.cer in365d.cer <&- 2>&-").status == 0)
        #expect(try tool.shell("$tool \(now) - <&- 2>&-").status == 3)
    }
}
