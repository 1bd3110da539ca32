import ArgumentParser

struct ServerFuzz: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Gives the server's parsers, and TLS, mutated input.",
        discussion: """
            Exits with 1 at the first input about which something impossible is said, and writes the input to standard output. \
            A crash is a crash; 'server-fuzz-latest' then holds the options that repeat it.
            """
    )

    @Argument(help: "How many inputs.")
    var count: Int

    @Option(help: "What gets them: \(ServerFuzzTarget.list); all of them, each in its share, unless one is named.")
    var target: ServerFuzzTarget?

    @Option(help: "Where the random numbers start; a run with the same seed checks the same.")
    var seed: UInt64 = .random(in: 0...1_000_000_000)

    @Option(help: "The number of the first input, to begin where another run ended.")
    var from = 0

    func validate() throws {
        guard (0...1_000_000_000_000).contains(count), (0...1_000_000_000_000).contains(from) else {
            throw ValidationError("COUNT and --from are from 0 to 1000000000000")
        }
    }

    func run() throws {
        let latest = try LatestInput("server-fuzz-latest")
        var fuzzer = try ServerFuzzer(seed: seed)
        var tally = ServerFuzzTally()
        for number in from..<from + count {
            let target = target ?? ServerFuzzTarget.of(number)
            latest.set(seed: seed, target, number: number)
            let start = ProcessTime.nanoseconds
            let complaint = try fuzzer.check(target, number)
            tally.add(target, number, ProcessTime.nanoseconds - start)
            if let complaint {
                print("seed \(seed), \(target.rawValue), input \(number): \(complaint)")
                throw ExitCode(1)
            }
        }
        print("seed \(seed): \(count) inputs, nothing impossible")
        for line in tally.lines { print(line) }
        for target in ServerFuzzTarget.allCases {
            let outcomes = fuzzer.outcomes(of: target).sorted { $0.value > $1.value }
            guard !outcomes.isEmpty else { continue }
            print("\(target.rawValue): " + outcomes.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
        }
    }
}
