import Foundation
import TestSupport
import Testing

/// `.ci/test`, with a `swift` and tests that are made up.
@Suite(".ci/test", .waiting)
struct TestScriptTests {
    private let folder: TemporaryFolder
    private var log: String { folder.url.appendingPathComponent("test.log").path }

    init() throws { folder = try TemporaryFolder() }

    /// Runs it; the tests do what the script says.
    private func run(
        building: String = "true", testing script: String, _ arguments: [String] = [], launcher: [String] = []
    ) throws -> Shell.Outcome {
        try folder.writeProgram("#!/bin/sh\ncase $1 in\nbuild) \(building) ;;\nesac\n", to: "bin/swift")
        let program = try folder.writeProgram(
            "#!/bin/sh\necho \"$*\" >'\(folder.path)/arguments'\n\(script)\n", to: "bin/tests")
        let variables = [
            "AASA_TEST_LOG=\(log)", "AASA_TEST_PROGRAM=\(program)", "PATH=\(folder.path)/bin:/usr/bin:/bin",
        ]
        return try Shell.run(["env"] + variables + launcher + [Repository.url(".ci/test").path] + arguments)
    }

    private func lines(_ outcome: Shell.Outcome) -> [String] {
        outcome.text.split(separator: "\n").map(String.init)
    }

    private static let started = """
        echo '◇ Test run started.'
        echo '◇ Test "a" started.'
        echo '◇ Test "b to c" started.'
        echo '◇ Test case passing 1 argument x → "1 to 2" to "b to c" started.'
        echo '◇ Test d() started.'
        """

    @Test("what passes is counted, the rest is in the log")
    func passing() throws {
        let outcome = try run(
            testing: Self.started + """

                echo '➜ Test "e" skipped: "zip is not installed"'
                echo '➜ Test "f" skipped: "zip is not installed"'
                echo 'what a program prints'
                echo '✔ Test "a" passed after 0.100 seconds.'
                echo '✔ Test "b to c" with 1 test case passed after 0.100 seconds.'
                echo '✔ Test d() passed after 0.100 seconds.'
                echo '✔ Suite "s" passed after 0.100 seconds.'
                echo '✔ Test run with 5 tests in 1 suite passed after 0.100 seconds.'
                """, ["--filter", "x"])
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let lines = lines(outcome)
        #expect(lines.contains("tests: building") && lines.contains("skipped: zip is not installed"))
        #expect(lines.count == 5 && lines.last == "3 passed, 0 failed, 2 skipped", "\(lines)")
        #expect(lines.dropLast().last?.hasSuffix(" s; log: \(log)") == true)
        let text = try String(contentsOfFile: log, encoding: .utf8)
        #expect(text.contains("what a program prints\n") && text.split(separator: "\n").count == 13)
        let arguments = try String(contentsOfFile: "\(folder.path)/arguments", encoding: .utf8)
        #expect(arguments == "--testing-library swift-testing --parallel --filter x\n")
    }

    @Test("a failure is shown whole, and is the exit status")
    func failing() throws {
        let outcome = try run(
            testing: Self.started + """

                echo '✘ Test "a" recorded an issue at ATests.swift:1:2: Expectation failed: "x'
                echo 'y" == "z"'
                echo '↳ a comment'
                echo '✔ Test d() passed after 0.100 seconds.'
                echo '✘ Test "a" failed after 0.100 seconds with 1 issue.'
                echo '✘ Suite "s" failed after 0.100 seconds with 1 issue.'
                echo '✘ Test run with 2 tests in 1 suite failed after 0.100 seconds with 1 issue.'
                exit 3
                """, ["--skip-build"])
        #expect(outcome.status == 3)
        let lines = lines(outcome)
        #expect(
            lines.prefix(3) == [
                #"✘ Test "a" recorded an issue at ATests.swift:1:2: Expectation failed: "x"#, #"y" == "z""#,
                "↳ a comment",
            ])
        #expect(lines.count == 5 && lines.last == "1 passed, 1 failed", "\(lines)")
    }

    @Test("a crash is one, with the tests that had begun")
    func crash() throws {
        let outcome = try run(
            testing: Self.started + """

                echo '✔ Test "a" passed after 0.100 seconds.'
                echo 'M/a.swift:7: Fatal error: Index out of range'
                kill -TRAP $$
                """, ["--skip-build"])
        #expect(outcome.status == 128 + SIGTRAP)
        let lines = lines(outcome)
        #expect(lines.contains("M/a.swift:7: Fatal error: Index out of range"))
        #expect(lines.contains(#"    Test "b to c""#) && lines.contains("    Test d()"))
        #expect(!lines.contains(#"    Test "a""#))
        #expect(lines.last == "1 passed, 1 failed", "\(lines)")
        // One that says nothing, not even that it has failed.
        let silent = try run(testing: "exit 0", ["--skip-build"])
        #expect(silent.status == 1 && self.lines(silent).last == "0 passed, 1 failed")
    }

    @Test("a build that fails shows its errors, and no test is run")
    func build() throws {
        let outcome = try run(
            building: "echo '[1/2] Compiling a'; echo '/a.swift:1:2: error: no such thing'; echo 'setup: x'; exit 1",
            testing: "exit 0")
        #expect(outcome.status == 1)
        #expect(lines(outcome) == ["tests: building", "/a.swift:1:2: error: no such thing", "setup: x"])
        #expect(outcome.errors == "tests: the build failed; log: \(log)\n")
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/arguments"))
    }

    @Test("on a terminal the steps of a build are written over each other, and the log has the rest")
    func terminal() throws {
        let outcome = try run(
            building: "echo '[1/2] Compiling a'; echo 'warning: ignoring -x'; echo 'error: no'; exit 1",
            testing: "exit 0",
            launcher: ["TERM=xterm", "script", "-q", "-e", "/dev/null", "-c"])
        #expect(outcome.status == 1)
        #expect(outcome.text.contains("tests: building\r\n\r[1/2] Compiling a\u{1B}[K\r\u{1B}[Kerror: no\r\n"))
        #expect(!outcome.text.contains("ignoring"), "\(outcome.text)")
        #expect(try String(contentsOfFile: log, encoding: .utf8).contains("warning: ignoring -x\n"))
    }

    @Test("tests get a folder in memory, if there is room, and a root that nobody trusts; neither stays")
    func surroundings() throws {
        let script = """
            echo '◇ Test run started.'
            echo "$AASA_TEST_FOLDER" >'\(folder.path)/place'
            [ -z "$AASA_TEST_FOLDER" ] || echo x >"$AASA_TEST_FOLDER/left"
            openssl x509 -noout -subject -in "$SSL_CERT_FILE" >>'\(folder.path)/place'
            echo '✔ Test run with 1 test in 1 suite passed after 0.100 seconds.'
            """
        func place(_ launcher: String...) throws -> [String] {
            #expect(try run(testing: script, ["--skip-build"], launcher: launcher).status == 0)
            return try String(contentsOfFile: "\(folder.path)/place", encoding: .utf8).components(separatedBy: "\n")
        }
        let own = try place("env", "-u", "AASA_TEST_FOLDER")
        #expect(own[0].isEmpty || own[0].hasPrefix("/dev/shm/aasa-"), "\(own)")
        #expect(own[0].isEmpty || !FileManager.default.fileExists(atPath: own[0]))
        #expect(own[1] == "subject=CN = none" && !FileManager.default.fileExists(atPath: "\(log).roots"))
        // Somebody else's stays.
        #expect(try place("env", "AASA_TEST_FOLDER=\(folder.path)")[0] == folder.path)
        #expect(FileManager.default.fileExists(atPath: "\(folder.path)/left"))
    }

    @Test("an interrupted run says so, whatever the tests do about it")
    func interrupted() throws {
        // All processes of its group get the signal, as from a terminal.
        let outcome = try run(
            testing: "echo '◇ Test run started.'; kill -INT 0; exit 130", ["--skip-build"], launcher: ["setsid", "-w"])
        #expect(outcome.status == 130, "\(outcome.text)")
        #expect(outcome.text.isEmpty && outcome.errors == "tests: interrupted; log: \(log)\n")
    }
}
