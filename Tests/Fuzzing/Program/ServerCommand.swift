import ArgumentParser
import Fuzzing
import FuzzingSupport

struct ServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server",
        abstract: "Give the server's parsers, and TLS, mutated input.",
        discussion: """
            Exits with 1 at the first input that is answered against the rules, and writes the input to standard output. \
            A crash is a crash; 'server-fuzz-latest' then holds the options that repeat it.
            """
    )

    @Argument(help: "How many inputs.")
    var count: Int

    @Option(help: "Give them to this target (default: to all, each in its share).")
    var target: ServerFuzzTarget?

    @OptionGroup var start: SeedOption

    @Option(help: "Begin with the input of this number, where another run ended.")
    var from = 0

    func validate() throws {
        guard (0...1_000_000_000_000).contains(count), (0...1_000_000_000_000).contains(from) else {
            throw ValidationError("COUNT and --from are from 0 to 1000000000000")
        }
    }

    func run() throws {
        let seed = start.seed
        let latest = try LatestInput("server-fuzz-latest")
        var fuzzer = try ServerFuzzer(seed: seed)
        var tally = Tally()
        for number in from..<from + count {
            let target = target ?? ServerFuzzTarget.of(number)
            latest.set("aasa-fuzz server 1 --target \(target.rawValue) --seed \(seed) --from \(number)")
            let start = ProcessTime.nanoseconds
            let violation = try fuzzer.check(target, number)
            tally.add(target, number, ProcessTime.nanoseconds - start)
            if let violation {
                print("seed \(seed), \(target.rawValue), input \(number): \(violation)")
                throw ExitCode(1)
            }
        }
        print("seed \(seed): \(count) inputs, no violation")
        for line in tally.lines { print(line) }
        for target in ServerFuzzTarget.allCases {
            let outcomes = fuzzer.outcomes(of: target).sorted { $0.value > $1.value }
            guard !outcomes.isEmpty else { continue }
            print("\(target.rawValue): " + outcomes.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
        }
    }
}

extension ServerFuzzTarget: ExpressibleByArgument {}

/// The number of inputs of each target, and the time that they took.
private struct Tally {
    private struct Row {
        var count = 0
        var nanoseconds = 0
        var slowest = (nanoseconds: 0, number: 0)
    }

    private var rows: [ServerFuzzTarget: Row] = [:]

    mutating func add(_ target: ServerFuzzTarget, _ number: Int, _ nanoseconds: Int) {
        rows[target, default: Row()].count += 1
        rows[target, default: Row()].nanoseconds += nanoseconds
        if nanoseconds > rows[target, default: Row()].slowest.nanoseconds {
            rows[target, default: Row()].slowest = (nanoseconds, number)
        }
    }

    var lines: [String] {
        ServerFuzzTarget.allCases.compactMap { target in
            guard let row = rows[target] else { return nil }
            let speed = row.count * 1_000_000_000 / max(1, row.nanoseconds)
            let slowest = "input \(row.slowest.number) took \(row.slowest.nanoseconds / 1_000) µs"
            return "\(target.rawValue): \(row.count) inputs, \(speed) a second; \(slowest)"
        }
    }
}
