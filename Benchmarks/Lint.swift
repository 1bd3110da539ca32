import ArgumentParser
import AssociationLint
import FoundationEssentials
import FuzzingSupport

struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure what checking a file takes: microseconds of CPU time, the median of some rounds.")

    @Argument(help: "The files.")
    var files: [String]

    @Option(help: "Check each this often.")
    var rounds = 21

    func run() throws {
        for path in files {
            guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
                throw ValidationError("'\(path)' cannot be read")
            }
            let bytes = [UInt8](data)
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
