import ArgumentParser
import FuzzingSupport

/// The numbered inputs of a run, each of which depends on nothing but its number and the seed.
struct InputOptions: ParsableArguments {
    @Argument(help: "How many inputs.")
    var count: Int

    @OptionGroup var start: SeedOption

    @Option(help: "Begin with the input of this number, where another run ended.")
    var from = 0

    func validate() throws {
        guard (0...1_000_000_000_000).contains(count), (0...1_000_000_000_000).contains(from) else {
            throw ValidationError("COUNT and --from are from 0 to 1000000000000")
        }
    }

    /// Checks all inputs, and ends the program at the first one that breaks a rule, that takes too long, or with which too
    /// much memory is used.
    ///
    /// - Parameters:
    ///   - name: the subcommand.
    ///   - check: takes target and number, and returns the rule that was broken.
    ///   - keep: is called before the program ends with a violation, with a name for the input.
    func run(
        _ name: String, target: (Int) -> String?, check: (Int) throws -> String?,
        keep: (String) throws -> Void = { _ in }
    ) throws {
        let latest = try LatestInput("\(name)-fuzz-latest")
        let memory = PeakMemory.kibibytes
        var earlyMemory = memory
        var tally = Tally()
        for number in from..<from + count {
            let target = target(number)
            let option = target.map { " --target \($0)" } ?? ""
            latest.set("aasa-fuzz \(name) 1\(option) --seed \(start.seed) --from \(number)")
            let begin = ProcessTime.nanoseconds
            var violation = try check(number)
            let time = ProcessTime.nanoseconds - begin
            tally.add(target ?? name, number, time)
            if number - from == count / 10 { earlyMemory = PeakMemory.kibibytes }
            if violation == nil, time > 2_000_000_000 { violation = "took \(time / 1_000_000) ms" }
            if violation == nil, number % 1_024 == 0, PeakMemory.kibibytes - memory > 200 << 10 {
                violation = "uses \(PeakMemory.kibibytes >> 10) MiB"
            }
            guard let violation else { continue }
            try keep("\(name)-fuzz-\(start.seed)-\(number)")
            print("seed \(start.seed), \(target ?? name), input \(number): \(violation)")
            throw ExitCode(1)
        }
        print("seed \(start.seed): \(count) inputs, no violation")
        for line in tally.lines { print(line) }
        let peak = PeakMemory.kibibytes
        print("\(peak - memory) KiB more than at the start, \(peak - earlyMemory) KiB more than after a tenth")
    }
}

/// The number of inputs of each target, and the time that they took.
private struct Tally {
    private struct Row {
        var count = 0
        var nanoseconds = 0
        var slowest = (nanoseconds: 0, number: 0)
    }

    private var rows: [String: Row] = [:]

    mutating func add(_ target: String, _ number: Int, _ nanoseconds: Int) {
        var row = rows[target] ?? Row()
        row.count += 1
        row.nanoseconds += nanoseconds
        if nanoseconds > row.slowest.nanoseconds { row.slowest = (nanoseconds, number) }
        rows[target] = row
    }

    var lines: [String] {
        rows.sorted { $0.key < $1.key }.map { target, row in
            let speed = row.count * 1_000_000_000 / max(1, row.nanoseconds)
            let slowest = "input \(row.slowest.number) took \(row.slowest.nanoseconds / 1_000) µs"
            return "\(target): \(row.count) inputs, \(speed) a second; \(slowest)"
        }
    }
}
