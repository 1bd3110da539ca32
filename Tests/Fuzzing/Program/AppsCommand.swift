import ArgumentParser
import Fuzzing
import Glibc

struct AppsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "Read mutated entitlements, profiles, apps, projects and manifests.",
        discussion: """
            Exits with 1 at the first input that is answered against the rules, or takes more than two seconds of CPU \
            time, or once more than 200 MiB of memory are used; the input is then 'app-fuzz' in a folder in TMPDIR. A crash \
            is a crash, and leaves it, too. With --hostile there are also files that are made to take long.
            """
    )

    @OptionGroup var inputs: InputOptions

    @Option(help: "Make all inputs for this target (default: each in turn).")
    var target: AppFuzzTarget?

    @Flag(help: "Read the files that are made to take long, too.")
    var hostile = false

    func run() throws {
        let folder = try temporaryFolder()
        var fuzzer = try AppFuzzer(seed: inputs.start.seed, folder: folder)
        func of(_ number: Int) -> AppFuzzTarget { target ?? .of(number) }
        try inputs.run("apps", target: { of($0).rawValue }, check: { try fuzzer.check(of($0), $0) })
        printOutcomes(fuzzer.outcomes)
        if hostile { try runHostile(folder) }
        unlink("\(folder)/app-fuzz")
        rmdir(folder)
    }

    private func runHostile(_ folder: String) throws {
        var hostile = HostileApps(folder: folder)
        var violations: [String] = []
        for file in HostileApps.cases {
            if let violation = try hostile.check(file) { violations.append(violation) }
            let (time, memory) = hostile.latest
            print("\(file.name): \(time / 1_000_000) ms, \(memory >> 10) MiB")
        }
        for violation in violations { print(violation) }
        if !violations.isEmpty { throw ExitCode(1) }
        let (slowest, largest) = (hostile.slowest, hostile.largest)
        print(
            "\(HostileApps.cases.count) files that are made to take long: at most \(slowest.nanoseconds / 1_000_000) ms "
                + "(\(slowest.name)) and \(largest.kibibytes >> 10) MiB (\(largest.name))")
    }

    private func temporaryFolder() throws -> String {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/aasa-fuzz-XXXXXX".utf8CString)
        guard let folder = mkdtemp(&template) else { throw ValidationError("'\(parent)' cannot be written") }
        return String(cString: folder)
    }
}

extension AppFuzzTarget: ExpressibleByArgument {}
