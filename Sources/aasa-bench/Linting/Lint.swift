import ArgumentParser
import AssociationLint
import Glibc

struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures what checking a file takes: microseconds of CPU time, the median of some rounds.")

    @Argument(help: "The files.")
    var files: [String]

    @Option(help: "How often each is checked.")
    var rounds = 21

    func run() throws {
        for path in files {
            guard let bytes = Self.read(path) else { throw ValidationError("cannot read '\(path)'") }
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

    private static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }
}
