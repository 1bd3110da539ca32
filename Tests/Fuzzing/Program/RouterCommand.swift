import ArgumentParser
import Fuzzing
import FuzzingSupport

struct RouterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "router",
        abstract: "Compare the router's index with the reference matcher on random documents and URLs.",
        discussion: """
            Exits with 1 at the first difference, and prints it with the smallest document that shows it. With --hostile \
            there are also files of 128 KiB and URLs of 8 KB that are made to take long; it exits with 1 if one takes more \
            than two seconds of CPU time, or more than 200 MiB of memory.
            """
    )

    @Argument(help: "For how many seconds of CPU time.")
    var seconds: Int

    @Option(help: "Decide with the files that are made to take long, and so many others.")
    var hostile: Int?

    @OptionGroup var start: SeedOption

    func run() throws {
        let seed = start.seed
        var fuzzer = RouterFuzzer(seed: seed)
        let end = ProcessTime.nanoseconds + seconds * 1_000_000_000
        while ProcessTime.nanoseconds < end {
            if let difference = try fuzzer.round(urls: 100) {
                print("seed \(seed), after \(fuzzer.decisions) decisions: \(difference)")
                throw ExitCode(1)
            }
        }
        print("seed \(seed): \(fuzzer.decisions) decisions, no difference")
        if let hostile { try runHostile(hostile) }
    }

    private func runHostile(_ count: Int) throws {
        var results: [HostileDocuments.Result] = []
        for item in HostileDocuments.cases {
            let file = item.file()
            let found = try HostileDocuments.urls(item.unit).map { try HostileDocuments.check(item.name, file, $0) }
            results += found
            print(Self.line(item.name, found))
        }
        var random = HostileDocuments(seed: start.seed)
        for number in 0..<count {
            let (name, file, unit) = random.file()
            let found = try HostileDocuments.urls(unit).map {
                try HostileDocuments.check("seed \(start.seed), file \(number): \(name)", file, $0)
            }
            results += found
        }
        let violations = results.compactMap(\.violation)
        for violation in violations { print(violation) }
        print(Self.line("\(results.count) URLs that are made to take long", results))
        if !violations.isEmpty { throw ExitCode(1) }
    }

    private static func line(_ name: String, _ results: [HostileDocuments.Result]) -> String {
        let slowest = results.max { $0.nanoseconds < $1.nanoseconds }
        let memory = results.map(\.kibibytes).max() ?? 0
        let open = results.count { !$0.isDecided }
        return
            "\(name): at most \((slowest?.nanoseconds ?? 0) / 1_000_000) ms (\(slowest?.name ?? "")) and \(memory >> 10) MiB; "
            + "\(open) of \(results.count) not decided"
    }
}
