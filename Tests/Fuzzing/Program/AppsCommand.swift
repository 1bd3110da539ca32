import ArgumentParser
import Fuzzing
import FuzzingSupport
import Glibc

struct AppsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "Read mutated entitlements, profiles, apps, projects and manifests.",
        discussion: """
            Exits with 1 at the first file that is answered against the rules, or takes more than two seconds of CPU \
            time or 200 MiB of memory; the file is then 'app-fuzz' in a folder that is named. A crash is a crash, and \
            leaves the file, too. With --hostile there are also files that are made to take long.
            """
    )

    @Argument(help: "How many files.")
    var count: Int

    @Option(help: "Make them for this reader (default: for all in turn).")
    var target: AppFuzzTarget?

    @Flag(help: "Read the files that are made to take long, too.")
    var hostile = false

    @OptionGroup var start: SeedOption

    @Option(help: "Begin with the file of this number, where another run ended.")
    var from = 0

    func validate() throws {
        guard (0...1_000_000_000).contains(count), (0...1_000_000_000).contains(from) else {
            throw ValidationError("COUNT and --from are from 0 to 1000000000")
        }
    }

    func run() throws {
        let folder = try temporaryFolder()
        var fuzzer = try AppFuzzer(seed: start.seed, folder: folder)
        let begin = ProcessTime.nanoseconds
        let memory = Self.memory
        for number in from..<from + count {
            var violation = try fuzzer.check(target ?? AppFuzzTarget.of(number), number)
            if violation == nil, number % 1_024 == 0, Self.memory - memory > 200 << 10 {
                violation = "uses \(Self.memory >> 10) MiB"
            }
            if let violation {
                print("seed \(start.seed), file \(number): \(violation)")
                throw ExitCode(1)
            }
        }
        let time = max(1, ProcessTime.nanoseconds - begin)
        print("seed \(start.seed): \(count) files, no violation, \(count * 1_000_000_000 / time) a second")
        print("\((Self.memory - memory) >> 10) MiB more than at the start")
        print(fuzzer.outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
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

    /// The largest resident size so far, in KiB.
    private static var memory: Int {
        var usage = rusage()
        getrusage(numericCast(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }
}

extension AppFuzzTarget: ExpressibleByArgument {}
