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
        building: String = "true", testing script: String, _ arguments: [String] = []
    ) throws -> Shell.Outcome {
        try folder.writeProgram("#!/bin/sh\ncase $1 in\nbuild) \(building) ;;\nesac\n", to: "bin/swift")
        let program = try folder.writeProgram(
            "#!/bin/sh\necho \"$*\" >'\(folder.path)/arguments'\n\(script)\n", to: "bin/tests")
        let variables = [
            "AASA_TEST_LOG=\(log)", "AASA_TEST_PROGRAM=\(program)", "PATH=\(folder.path)/bin:/usr/bin:/bin",
        ]
        return try Shell.run(["env"] + variables + [Repository.url(".ci/test").path] + arguments)
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
}
