import AppSiteAssociation
import Foundation
import TestSupport
import Testing
import URLPatterns
import UniversalLinks

/// The lists of what macOS is to be asked, and the answers that it gave.
@Suite("The cases for a Mac", .waiting)
struct FidelityTests {
    @Test("the lists have cases and nothing else, each once", arguments: ["cases.tsv", "rules.tsv"])
    func lists(_ name: String) throws {
        let cases = try FidelityCase.list(name)
        #expect(cases.count > 50)
        #expect(cases.allSatisfy { $0 != nil })
        let names = cases.compactMap { $0 }.map(\.description)
        #expect(Set(names).count == names.count)
        // The shell splits at tabs, and would take two for one.
        #expect(cases.compactMap { $0 }.allSatisfy { !$0.file.isEmpty && !$0.url.isEmpty && !$0.name.isEmpty })
    }

    @Test("they expect what the reference matcher and the router decide today", arguments: ["cases.tsv", "rules.tsv"])
    func expected(_ name: String) throws {
        for sample in try FidelityCase.list(name).compactMap({ $0 }) {
            #expect(try FidelityVerdict.ofReference(sample.file, sample.url) == sample.expected, "\(sample)")
            #expect(try FidelityVerdict.ofRouter(sample.file, sample.url) == sample.expected, "\(sample)")
        }
    }

    @Test("every open decision has a case, and every case has one")
    func decisions() throws {
        let source = try Repository.text("Sources/URLPatterns/OpenDecisions.swift")
        let members = Set(source.matches(of: /package static (?:let|func) (\w+)/).map { String($0.1) })
        #expect(members.count > 14)
        let shown = Set(try FidelityCase.list("cases.tsv").compactMap { $0 }.flatMap(\.decisions))
        #expect(shown == members)
    }

    /// The cases of the specification with app IDs that a system accepts. `AASA_WRITE_FIDELITY=1 swift test --filter
    /// FidelityTests` writes the list anew.
    @Test("the list of rules has every case of the specification that a line can hold")
    func rules() throws {
        let lines = MatchingCase.all.compactMap { sample -> String? in
            let file = Self.withRealApps(sample.document.json)
            let isPlain = (file + sample.url + sample.name).unicodeScalars.allSatisfy { $0.value >= 0x20 }
            // A file that is no document is none to ask about.
            guard isPlain, !file.isEmpty, (try? AssociationDocument(file)) != nil else { return nil }
            let expected = FidelityVerdict(sample.expected.outcome, sample.expected.apps.map(Self.realApp))
            return FidelityCase(
                name: sample.name, decisions: ["rule"], file: file, url: sample.url, expected: expected
            ).line
        }
        let url = FidelityCase.folder.appendingPathComponent("rules.tsv")
        let text =
            "# The cases of this project's own tests, written by FidelityTests.\n"
            + lines.joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["AASA_WRITE_FIDELITY"] != nil {
            try Data(text.utf8).write(to: url)
        }
        #expect(try Data(contentsOf: url) == Data(text.utf8))
    }

    private static func realApp(_ name: String) -> String {
        name.utf8.count == 1 ? "ABCDE12345.com.example.\(name)" : name
    }

    private static func withRealApps(_ file: String) -> String {
        func renamed(_ text: Substring) -> String {
            String(text).replacing(/"([A-Za-z])"/) { "\"\(realApp(String($0.1)))\"" }
        }
        return file.replacing(/"appIDs": \[[^\]]*\]/) { renamed($0.0) }.replacing(/"appID": "[^"]*"/) { renamed($0.0) }
            .replacing(/"([A-Z])": \{"paths"/) { renamed($0.0) }
    }

    @Test("recorded answers of macOS are what this project decides")
    func recorded() throws {
        for recording in try Recording.all(in: FidelityCase.folder.appendingPathComponent("recorded")) {
            #expect(!recording.answers.isEmpty, "\(recording.name)")
            for difference in try recording.differences() { Issue.record("\(difference)") }
        }
    }

    @Test("an answer that agrees is told from one that does not, and from one that nobody understands")
    func comparison() throws {
        let folder = try TemporaryFolder()
        let file =
            #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.a","ABCDE12345.com.example.b"],"components":[{"/":"/no","exclude":true},{"/":"/yes"}]}]}}"#
        func line(_ name: String, _ path: String, _ output: String) -> String {
            [name, file, "https://example.com\(path)", "0", output].joined(separator: "\t")
        }
        func says(_ app: String, _ what: String) -> String {
            #"{ s = applinks, a = ABCDE12345.com.example.\#(app), d = example.com }: Pattern "u" \#(what)"#
        }
        let lines = [
            "# macOS 99.0 (99A1), arm64", line("open", "/yes", says("a", "matched.") + #"\n"# + says("b", "matched.")),
            line("excluded", "/no", says("a", "blocked match.") + #"\n"# + says("b", "blocked match.") + #"\n"#),
            line("none", "/x", "Input JSON did not match input URL."),
            line("one app", "/yes", says("a", "matched.")),
            line("order", "/yes", says("b", "matched.") + #"\n"# + says("a", "matched.")),
            line("opens", "/x", says("a", "matched.")), line("blocks", "/x", says("a", "blocked match.")),
            line("misses", "/yes", "Input JSON did not match input URL."),
            line("odd", "/yes", #"C:\\x\tsudo: a password is required"#),
        ]
        try folder.write(lines.joined(separator: "\n") + "\n", to: "macOS-99.tsv")
        let recordings = try Recording.all(in: folder.url)
        #expect(recordings.map(\.answers.count) == [9])
        let both = "open ABCDE12345.com.example.a ABCDE12345.com.example.b"
        #expect(
            try recordings[0].differences() == [
                "macOS-99.tsv: one app: https://example.com/yes: macOS says 'open ABCDE12345.com.example.a', we say '\(both)'",
                "macOS-99.tsv: order: https://example.com/yes: macOS says "
                    + "'open ABCDE12345.com.example.b ABCDE12345.com.example.a', we say '\(both)'",
                "macOS-99.tsv: opens: https://example.com/x: macOS says 'open ABCDE12345.com.example.a', we say 'none'",
                "macOS-99.tsv: blocks: https://example.com/x: macOS says 'excluded', we say 'none'",
                "macOS-99.tsv: misses: https://example.com/yes: macOS says 'none', we say '\(both)'",
                "macOS-99.tsv: odd: https://example.com/yes: unknown answer 'C:\\x\tsudo: a password is required'",
            ])
    }
}

/// `Tests/Fidelity/record`, with a swcutil and an sw_vers that are made up.
@Suite("Recording on a Mac", .waiting)
struct RecordScriptTests {
    private let folder: TemporaryFolder
    private let script: String

    init() throws {
        folder = try TemporaryFolder()
        // A copy, so that nothing is written into the project.
        for name in ["record", "cases.tsv", "rules.tsv"] {
            try folder.write(
                Data(contentsOf: FidelityCase.folder.appendingPathComponent(name)), to: "kit/\(name)")
        }
        script = folder.url.appendingPathComponent("kit/record").path
        try program("sw_vers", #"case $1 in -productVersion) echo 99.1 ;; -buildVersion) echo 99A5388g ;; esac"#)
        try program("sudo", #"[ "$1" = -v ] || exec "$@""#)
    }

    private func program(_ name: String, _ text: String) throws {
        try folder.writeProgram("#!/bin/sh\n\(text)\n", to: "bin/\(name)")
    }

    private func record(_ arguments: String...) throws -> Shell.Outcome {
        try Shell.run(
            ["PATH=\(folder.path)/bin:/usr/bin:/bin", "sh", script] + arguments)
    }

    @Test("it asks for every case as swcutil is to be asked, and what it writes is read back whole")
    func answers() throws {
        // Says what it was given: three arguments with a value each, and a file that can be read.
        try program(
            "swcutil",
            """
            [ "$#" = 7 ] && [ "$1 $2 $3 $4 $6" = 'verify -d example.com -j -u' ] || exit 9
            printf '%s' '{ s = applinks, a = X.y, d = example.com }: Pattern "'
            printf '%s' "$7"
            printf '%s\\n' '" matched.'
            printf 'back\\\\slash\\tand tab\\n'
            IFS= read -r file <"$5" || :
            printf '%s' "$file"
            exit 3
            """)
        // A Mac has time for all of them: here those that a shell could spoil, and every tenth of the others.
        let path = folder.url.appendingPathComponent("kit/rules.tsv")
        let lines = Array(try Data(contentsOf: path)).split(separator: UInt8(ascii: "\n")).enumerated()
        let kept = lines.filter { number, line in
            number % 10 == 0 || line.contains { $0 >= 0x7F || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "$") }
        }
        try Data(kept.flatMap { $0.element + [UInt8(ascii: "\n")] }).write(to: path)
        let outcome = try record()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let recordings = try Recording.all(in: folder.url.appendingPathComponent("kit/recorded"))
        #expect(recordings.map(\.name) == ["macOS-99.1-99A5388g.tsv"])
        let answers = try #require(recordings.first).answers
        let cases = try ["cases.tsv", "rules.tsv"].flatMap {
            try FidelityCase.list($0, in: folder.url.appendingPathComponent("kit"))
        }.compactMap { $0 }
        #expect(cases.count > 100)
        #expect(answers.map(\.name) == cases.map(\.name))
        #expect(answers.map(\.file) == cases.map(\.file))
        #expect(answers.map(\.url) == cases.map(\.url))
        #expect(answers.allSatisfy { $0.status == "3" && $0.verdict == .open(["X.y"]) })
        for answer in answers {
            let expected =
                "{ s = applinks, a = X.y, d = example.com }: Pattern \"\(answer.url)\" matched.\nback\\slash\tand tab\n\(answer.file)"
            #expect(Array(answer.output.utf8) == Array(expected.utf8), "\(answer.name)")
        }
        #expect(outcome.errors.hasPrefix("\(cases.count) answers of macOS 99.1 (99A5388g) are in "))
        let again = try record()
        #expect(again.status == 1 && again.errors.contains("exists; remove it first"))
    }

    @Test("what is not a Mac is refused in one sentence")
    func elsewhere() throws {
        let missing = try record("x.tsv")
        #expect(missing.status == 1)
        #expect(missing.errors == "record: there is no swcutil here; macOS 11 or later has it\n")
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("bin/sw_vers"))
        let other = try record()
        #expect(other.status == 1 && other.errors == "record: this is not macOS: there is no sw_vers\n")
    }
}
