import ArgumentParser
import Fuzzing
import FuzzingSupport

struct AndroidCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "android",
        abstract: "Compare decisions by dynamic rules of Android: the index, the reference matcher and a slow one.",
        discussion: "Exits with 1 at the first difference; the same seed repeats it.")

    @Argument(help: "How many lists of rules, and as many patterns.")
    var count: Int

    @OptionGroup var start: SeedOption

    func validate() throws {
        guard (1...1_000_000_000).contains(count) else { throw ValidationError("COUNT is from 1 to 1000000000") }
    }

    func run() throws {
        var fuzzer = DynamicRuleFuzzer(seed: start.seed)
        for _ in 0..<count {
            guard let difference = fuzzer.round(urls: 40) ?? fuzzer.patternRound(texts: 40) else { continue }
            print("seed \(start.seed): \(difference)")
            throw ExitCode(1)
        }
        print("seed \(start.seed): \(fuzzer.decisions) decisions, \(fuzzer.matches) by a component, no difference")
    }
}
