import ArgumentParser
import Fuzzing
import FuzzingSupport

struct AndroidCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "android",
        abstract: "Compare decisions by dynamic rules and by manifests of Android with those of slow matchers.",
        discussion: """
            For dynamic rules the index and the reference matcher are compared with a slow one, for manifests the verdicts \
            with those of a second reader, which was written from Android's documentation alone. Exits with 1 at the first \
            difference; the same seed repeats it.
            """)

    @Argument(help: "How many lists of rules, and as many patterns.")
    var count: Int

    @Option(help: ArgumentHelp("How many decisions by manifests.", valueName: "count"))
    var manifests = 0

    @OptionGroup var start: SeedOption

    func validate() throws {
        guard [count, manifests].allSatisfy((0...1_000_000_000).contains) else {
            throw ValidationError("COUNT is from 0 to 1000000000")
        }
    }

    func run() throws {
        var fuzzer = DynamicRuleFuzzer(seed: start.seed)
        for _ in 0..<count {
            guard let difference = fuzzer.round(urls: 40) ?? fuzzer.patternRound(texts: 40) else { continue }
            print("seed \(start.seed): \(difference)")
            throw ExitCode(1)
        }
        print("seed \(start.seed): \(fuzzer.decisions) decisions, \(fuzzer.matches) by a component, no difference")
        guard manifests > 0 else { return }
        var comparison = ManifestFuzzer(seed: start.seed)
        while comparison.decisions < manifests {
            guard let difference = try comparison.round(urls: 10) else { continue }
            print("seed \(start.seed): \(difference)")
            throw ExitCode(1)
        }
        print(
            "seed \(start.seed): \(comparison.decisions) decisions by manifests, \(comparison.opened) links opened, "
                + "no difference")
        if !comparison.unmet.isEmpty, manifests >= 10_000 {
            print("no link met: \(comparison.unmet.joined(separator: ", "))")
            throw ExitCode(1)
        }
    }
}
