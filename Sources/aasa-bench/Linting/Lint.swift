import ArgumentParser
import AssociationLint

struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures what checking a file takes: microseconds of CPU time, the median of some rounds.")

    @Argument(help: "The files.")
    var files: [String]

    @Option(help: "How often each is checked.")
    var rounds = 21

    func run() throws {
        for path in files {
            guard let bytes = InputBytes.read(path) else { throw ValidationError("cannot read '\(path)'") }
            let linter = Linter()
            let times = (0..<max(1, rounds)).map { _ in
                let start = ProcessTime.nanoseconds
                _ = linter.check(bytes, path: path)
                return ProcessTime.nanoseconds - start
            }.sorted()
            let count = linter.check(bytes, path: path).diagnostics.count
            print("\(times[times.count / 2] / 1_000) µs  \(bytes.count) bytes  \(count) findings  \(path)")
        }
    }
}
