import Foundation
import Glibc
import TestSupport
import Testing

/// `action.yml` and its scripts, as a runner of GitHub Actions starts them.
@Suite("The action", .waiting)
struct ActionTests {
    private static let scripts = Repository.url("Packaging/action").path

    private let tool: BuiltTool

    init() throws { tool = try BuiltTool() }

    /// Runs the action's only step in the folder of the tool.
    private func check(_ inputs: [String: String], program: String? = nil) throws -> Shell.Outcome {
        var variables = [
            "AASA_FILES": ".", "AASA_STRICT": "false", "AASA_DOCTOR": "", "AASA_BINARY": program ?? tool.executable,
            "AASA_VERSION": "",
        ]
        variables["GITHUB_OUTPUT"] = "\(tool.folder.path)/outputs"
        variables["GITHUB_ACTION_PATH"] = Repository.root.path
        variables["RUNNER_TEMP"] = try folder("runner temp")
        variables.merge(inputs) { $1 }
        return try Shell.run(
            variables.map { "\($0.key)=\($0.value)" } + ["sh", "\(Self.scripts)/check.sh"],
            in: tool.folder.url)
    }

    private func folder(_ name: String) throws -> String {
        let folder = tool.folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.path
    }

    private var outputs: String { (try? tool.text("outputs")) ?? "" }

    /// A program that writes its arguments, one per line, to `arguments`.
    private func recorder(_ text: String = "") throws -> String {
        try tool.folder.writeProgram(
            "#!/bin/sh\n\(text)\nprintf '%s\\n' \"$@\" >>'\(tool.folder.path)/arguments'\n", to: "recorder/bin/aasa")
    }

    private var arguments: [String] {
        ((try? tool.text("arguments")) ?? "").split(separator: "\n").map(String.init)
    }
}

// What is checked, and how it ends.
extension ActionTests {
    @Test("errors are annotations, are counted, and fail; warnings do so where it is strict")
    func findings() throws {
        try tool.write(BuiltTool.faulty, to: "bad site/apple-app-site-association")
        try tool.write(BuiltTool.doubtful, to: "doubtful/apple-app-site-association")
        var outcome = try check([:])
        #expect(outcome.status == 1)
        #expect(outcome.text.contains("::error file=bad site/apple-app-site-association,line=1,"))
        #expect(outcome.text.contains("::warning file=doubtful/apple-app-site-association,line=1,"))
        #expect(outputs == "errors=1\nwarnings=1\n")
        outcome = try check(["AASA_FILES": "doubtful"])
        #expect(outcome.status == 0)
        outcome = try check(["AASA_FILES": "doubtful", "AASA_STRICT": "true"])
        #expect(outcome.status == 1 && outcome.text.hasSuffix("warnings fail, because the input 'strict' is 'true'\n"))
        #expect(outputs.hasSuffix("errors=0\nwarnings=1\nerrors=0\nwarnings=1\n"))
    }

    @Test("each line of 'files' is one file, whatever blanks, patterns and dashes are in it")
    func files() throws {
        let names = ["a b/apple-app-site-association", "*", "-x", "$(touch made)", "'quoted'"]
        for name in names { try tool.write(BuiltTool.sound, to: name) }
        let files = names.joined(separator: "\n")
        #expect(try check(["AASA_FILES": "\n\(files)\n"]).status == 0)
        #expect(outputs == "errors=0\nwarnings=0\n")
        #expect(try check(["AASA_FILES": "\(files)\n"], program: recorder()).status == 0)
        #expect(arguments == ["validate", "--format", "github", "--"] + names)
        #expect(!FileManager.default.fileExists(atPath: "\(tool.folder.path)/made"))
    }

    @Test("no file to check is a failure, and so is a missing one")
    func nothing() throws {
        var outcome = try check([:])
        #expect(outcome.status == 66 && outcome.text.hasPrefix("::error file=.,"))
        #expect(outputs == "errors=1\nwarnings=0\n")
        outcome = try check(["AASA_FILES": "missing"])
        #expect(outcome.status == 66)
        outcome = try check(["AASA_FILES": "\n\n"])
        #expect(outcome.status == 64)
        #expect(outcome.errors == "::error title=aasa::the input 'files' names no file and no folder\n")
    }

    @Test("an input that cannot be is named, and cannot write lines of its own")
    func inputs() throws {
        try tool.write(BuiltTool.sound, to: "apple-app-site-association")
        var outcome = try check(["AASA_STRICT": "yes\n::error::50% off"])
        #expect(outcome.status == 64 && outcome.text.isEmpty)
        #expect(
            outcome.errors == "::error title=aasa::the input 'strict' is 'yes%0A::error::50%25 off';"
                + " expected 'true' or 'false'\n")
        outcome = try check([:], program: "/nowhere/aasa")
        #expect(outcome.status == 64)
        #expect(outcome.errors == "::error title=aasa::the input 'binary' is '/nowhere/aasa', which is not a program\n")
    }

    @Test("domains are for an aasa that knows them; another one says so, after it has checked the files")
    func doctor() throws {
        try tool.write(BuiltTool.doubtful, to: "apple-app-site-association")
        let knowing = try recorder(#"[ "$1 $2" != "doctor --help" ] || exit 0"#)
        #expect(try check(["AASA_DOCTOR": "a.example\n  b.example *\n"], program: knowing).status == 0)
        #expect(
            arguments == ["validate", "--format", "github", "--", "."]
                + ["doctor", "--format", "github", "--", "a.example", "b.example", "*"])
        let failing = try recorder(
            #"case "$1" in doctor) [ "$2" = --help ] || { echo "::error title=x::y"; exit 7; } ;; esac"#)
        #expect(try check(["AASA_DOCTOR": "a.example"], program: failing).status == 7)
        #expect(outputs.hasSuffix("errors=1\nwarnings=0\n"))
        let old = try recorder(
            #"case "$1" in doctor) exit 64 ;; --version) echo "aasa 0.1.0 (OpenSSL 3.0.19)"; exit 0 ;; esac"#)
        let outcome = try check(["AASA_DOCTOR": "a.example"], program: old)
        #expect(outcome.status == 64)
        #expect(
            outcome.errors == "::error title=aasa::'aasa 0.1.0 (OpenSSL 3.0.19)' cannot check domains; leave out the"
                + " input 'doctor', or use a later version\n")
        #expect(outputs.hasSuffix("errors=0\nwarnings=0\n"))
    }
}

// The download.
extension ActionTests {
    private static let machine = (try? Shell.run(["uname", "-m"]).text.dropLast()).map(String.init) ?? ""

    /// Makes a release in the folder `releases`, whose program is the recorder.
    private func release(_ tag: String, version: String = "0.9.1", sum: String? = nil) throws {
        let name = "aasa-\(version)-linux-\(Self.machine)"
        let folder = try folder("releases/\(tag)")
        _ = try recorder("[ \"$1\" != --version ] || exit 0")
        try tool.shell(
            "mkdir -p '\(name)' && cp -r recorder/bin '\(name)' && tar -czf '\(folder)/\(name).tar.gz' '\(name)'")
        let sums = try Shell.run(["sha256sum", "\(name).tar.gz"], in: URL(fileURLWithPath: folder)).text
        try (sum.map { "\($0)  \(name).tar.gz\n" } ?? "0000  other.tar.gz\n\(sums)")
            .write(toFile: "\(folder)/SHA256SUMS", atomically: true, encoding: .utf8)
    }

    /// Runs the action without a program, and with releases at an address.
    private func download(
        _ version: String, from releases: String? = nil, as path: String? = nil
    ) throws -> Shell.Outcome {
        try check([
            "AASA_BINARY": "", "AASA_VERSION": version,
            "AASA_RELEASES": releases ?? "file://\(tool.folder.path)/releases",
            "GITHUB_ACTION_PATH": path ?? Repository.root.path,
        ])
    }

    @Test("a release is downloaded, compared with its sums, and run", arguments: ["v0.9.1", "0.9.1"])
    func downloaded(_ tag: String) throws {
        try release(tag)
        let outcome = try download(tag)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(arguments == ["validate", "--format", "github", "--", "."])
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(tool.folder.path)/runner temp")
        #expect(left == ["aasa-0.9.1-linux-\(Self.machine)"])
    }

    @Test("without a folder of the runner, one that another user may have made is not used")
    func sharedFolder() throws {
        try release("0.9.1")
        let temporary = try folder("shared")
        let expected = "aasa-0.9.1-linux-\(Self.machine)"
        // A link to nowhere would be an error for whoever writes there.
        try FileManager.default.createSymbolicLink(
            atPath: "\(temporary)/\(expected)", withDestinationPath: "/nowhere/at/all")
        let variables = ["AASA_RELEASES=file://\(tool.folder.path)/releases", "RUNNER_TEMP=", "TMPDIR=\(temporary)"]
        let outcome = try Shell.run(variables + ["sh", "\(Self.scripts)/fetch.sh", "0.9.1"], in: tool.folder.url)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(outcome.text.hasPrefix("\(temporary)/\(expected).") && outcome.text.hasSuffix("/aasa\n"))
    }

    @Test(
        "without a version it is that of the action: its tag, or else what its changelog says",
        arguments: ["v0.9.1", "0.9.1", "main", "v0", "feature/x", "8c38e0aa8c38e0aa8c38e0aa8c38e0aa8c38e0aa"])
    func ownVersion(_ reference: String) throws {
        let action = "_actions/somebody/swift-universal-links/\(reference)"
        let named = reference.contains(".") ? "0.0.1" : "0.9.1"
        let changelog = "# Changelog\n\n## [\(named)] – 2026-12-01\n\n## [0.1.0] – 2026-11-01\n"
        try tool.write(changelog, to: "\(action)/CHANGELOG.md")
        try release("v0.9.1")
        let outcome = try download("", as: "\(tool.folder.path)/\(action)")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(arguments.first == "validate")
    }

    @Test("nothing of a file with another checksum is run")
    func wrongSum() throws {
        let sum = String(repeating: "0", count: 64)
        try release("v0.9.1", sum: sum)
        let outcome = try download("0.9.1")
        #expect(outcome.status == 64 && arguments.isEmpty)
        #expect(outcome.errors.contains("is not what its release names: its SHA-256 is "))
        #expect(outcome.errors.hasSuffix(", in SHA256SUMS \(sum); nothing of it was run\n"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(tool.folder.path)/runner temp").isEmpty)
    }

    @Test("what a release does not have is named")
    func missing() throws {
        try release("v0.9.1")
        let releases = "file://\(tool.folder.path)/releases"
        var outcome = try download("0.9.2")
        #expect(outcome.status == 64)
        #expect(outcome.errors == "::error title=aasa::there is no release 0.9.2 at \(releases)\n")
        try FileManager.default.removeItem(
            atPath: "\(tool.folder.path)/releases/v0.9.1/aasa-0.9.1-linux-\(Self.machine).tar.gz")
        outcome = try download("0.9.1")
        #expect(outcome.errors.contains("release 0.9.1 does not have aasa-0.9.1-linux-\(Self.machine).tar.gz"))
        try tool.write("00  aasa-0.9.1-linux-vax.tar.gz\n", to: "releases/v0.9.1/SHA256SUMS")
        outcome = try download("0.9.1")
        #expect(
            outcome.errors.contains("release 0.9.1 has no program for \(Self.machine): its SHA256SUMS does not name"))
        outcome = try download("latest")
        #expect(outcome.status == 64)
        #expect(outcome.errors == "::error title=aasa::the input 'version' is 'latest'; expected one such as 0.4.0\n")
    }

    @Test(
        "a version of several lines is refused, although one of them is a version",
        arguments: [
            "../evil\n0.4.0", "0.4.0\n../evil", "0.4.0\n", "\n0.4.0", "0.4.0\r",
        ])
    func severalLines(version: String) throws {
        try release("v0.9.1")
        let outcome = try download(version)
        #expect(outcome.status == 64 && outcome.text.isEmpty)
        let shown = version.replacing("\r", with: "%0D").replacing("\n", with: "%0A")
        #expect(outcome.errors == "::error title=aasa::the input 'version' is '\(shown)'; expected one such as 0.4.0\n")
    }

    @Test("an archive without the program, and a program that does not run, are named")
    func unusable() throws {
        try release("v0.9.1")
        let folder = "\(tool.folder.path)/releases/v0.9.1"
        let name = "aasa-0.9.1-linux-\(Self.machine).tar.gz"
        try tool.shell("printf x >'\(folder)/\(name)' && cd '\(folder)' && sha256sum '\(name)' >SHA256SUMS")
        #expect(try download("0.9.1").errors.contains("\(name) has no aasa-0.9.1-linux-\(Self.machine)/bin/aasa: "))
        _ = try recorder("echo 'no GLIBC_9' >&2; exit 1")
        try tool.shell(
            """
            folder=aasa-0.9.1-linux-\(Self.machine); rm -rf "$folder"; mkdir "$folder"; cp -r recorder/bin "$folder"
            tar -czf '\(folder)/\(name)' "$folder" && cd '\(folder)' && sha256sum '\(name)' >SHA256SUMS
            """)
        let errors = try download("0.9.1").errors
        #expect(errors.contains("aasa 0.9.1 does not run on this machine: no GLIBC_9; it needs Debian 12"))
    }

    @Test("a server that has no such release, and one that does not answer, are told apart")
    func servers() throws {
        let closed = try BoundSocket(isListening: false)
        var outcome = try download("0.9.1", from: "http://127.0.0.1:\(closed.port)")
        #expect(outcome.status == 64)
        #expect(
            outcome.errors.hasPrefix(
                "::error title=aasa::cannot download http://127.0.0.1:\(closed.port)/v0.9.1/SHA256SUMS: curl: (7) "))
        let socket = try BoundSocket()
        // Of the tag with the v, and of the one without.
        let answering = Thread {
            for _ in 0..<2 {
                let client = accept(socket.descriptor, nil, nil)
                var request = [UInt8](repeating: 0, count: 4_096)
                _ = read(client, &request, request.count)
                let answer = Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
                _ = write(client, answer, answer.count)
                close(client)
            }
        }
        answering.start()
        outcome = try download("0.9.1", from: "http://127.0.0.1:\(socket.port)")
        #expect(outcome.status == 64)
        #expect(outcome.errors == "::error title=aasa::there is no release 0.9.1 at http://127.0.0.1:\(socket.port)\n")
    }

    @Test("without releases to look in, and outside of a repository, a program has to be named")
    func noRepository() throws {
        let outcome = try check(["AASA_BINARY": "", "AASA_VERSION": "0.9.1", "AASA_RELEASES": ""])
        #expect(outcome.status == 64)
        #expect(
            outcome.errors == "::error title=aasa::the action is not from a repository with releases;"
                + " give the path of an aasa as 'binary'\n")
    }
}

// The files that GitHub and pre-commit read.
extension ActionTests {
    @Test("action.yml has the inputs and outputs of the contract, and no expression in a script")
    func definition() throws {
        let text = try Repository.text("action.yml")
        func names(_ section: String) -> [String] {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let rest = lines.drop { $0 != "\(section):" }.dropFirst().prefix { $0.hasPrefix(" ") }
            return rest.compactMap { $0.wholeMatch(of: #/ {2}(\w+):/#).map { String($0.1) } }
        }
        #expect(names("inputs") == ["files", "strict", "doctor", "binary", "version"])
        #expect(names("outputs") == ["errors", "warnings"])
        #expect(text.contains("\n  using: composite\n"))
        let scripts = text.matches(of: #/(?m)^ +run: (.*)$/#).map { String($0.1) }
        #expect(scripts == [#"sh "$GITHUB_ACTION_PATH/Packaging/action/check.sh""#])
        // Each input gets to the script by the environment.
        for name in names("inputs") {
            #expect(text.contains("        AASA_\(name.uppercased()): ${{ inputs.\(name) }}\n"), "\(name)")
        }
    }

    @Test("the scripts are those of every shell", .needs(ExternalProgram("shellcheck")))
    func shellcheck() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.scripts).sorted()
        #expect(names == ["check.sh", "failure.sh", "fetch.sh"])
        let outcome = try Shell.run(
            ["shellcheck", "--external-sources", "--source-path=SCRIPTDIR", "--severity=style"] + names,
            in: URL(fileURLWithPath: Self.scripts))
        #expect(outcome.status == 0, "\(outcome.text)")
    }

    @Test("the hooks of pre-commit match association files, and run on them")
    func hooks() throws {
        let text = try Repository.text(".pre-commit-hooks.yaml")
        func values(_ key: String) -> [String] {
            text.matches(of: #/(?m)^[- ] +(\w+): (.*)$/#).filter { $0.1 == key }.map { String($0.2) }
        }
        #expect(values("id") == ["aasa-validate", "aasa-validate-system"])
        #expect(values("language") == ["swift", "system"])
        #expect(Set(values("files")) == [#"(^|/)(apple-app-site-association(\.json)?|assetlinks\.json)$"#])
        let pattern = try Regex(try #require(values("files").first))
        let matching = [
            "apple-app-site-association", "public/.well-known/apple-app-site-association.json", "a b/assetlinks.json",
        ]
        for path in matching { #expect(path.firstMatch(of: pattern) != nil, "\(path)") }
        for path in ["my-apple-app-site-association", "assetlinks.json.orig", "apple-app-site-association.txt"] {
            #expect(path.firstMatch(of: pattern) == nil, "\(path)")
        }
        // As pre-commit does: the entry, and then the files.
        #expect(Set(values("entry")) == ["aasa validate"])
        let entry = try #require(values("entry").first)
        try tool.write(BuiltTool.sound, to: matching[0])
        try tool.write(BuiltTool.faulty, to: matching[1])
        let path = "PATH=\(URL(fileURLWithPath: tool.executable).deletingLastPathComponent().path):$PATH"
        #expect(try tool.shell("\(path) \(entry) '\(matching[0])'").status == 0)
        #expect(try tool.shell("\(path) \(entry) '\(matching[0])' '\(matching[1])'").status == 1)
    }
}
