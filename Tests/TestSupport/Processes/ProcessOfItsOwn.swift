internal import Foundation

/// For tests of what concerns a process as a whole: its environment, its descriptors, its threads.
///
/// `#expect(processExitsWith:)` would do it, too; but once it was used, a thread of the library asks the system for ended
/// processes until somebody has waited for them, and the tests end thousands. It took a sixth of the time of two cores.
public enum ProcessOfItsOwn {
    private static let variable = "AASA_TESTS_ALONE"

    /// Runs the test again in a new process, and there the body.
    ///
    /// - Parameters:
    ///   - suite: the type that the test is in.
    ///   - test: the name of its function.
    public static func run<Suite>(
        _ suite: Suite.Type, test: String = #function, _ body: () async throws -> Void
    ) async throws {
        let name = "\(String(reflecting: suite))/\(test)"
        if ProcessInfo.processInfo.environment[variable] == name { return try await body() }
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let outcome = try Shell.run(
            [
                "env", "\(variable)=\(name)", tests, "--testing-library", "swift-testing", "--filter",
                "^\(NSRegularExpression.escapedPattern(for: name))",
            ])
        // Without a test of the name it is 69.
        guard outcome.status == 0 else { throw TestFailure("\(outcome.status): \(outcome.text)\(outcome.errors)") }
    }
}
