import ArgumentParser
import FoundationEssentials
import Fuzzing
import FuzzingSupport
import Glibc

struct CertificatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificates",
        abstract: "Read and judge mutated certificate files.",
        discussion: """
            Exits with 1 at the first file whose reports contradict each other or the file, or that takes more than ten seconds \
            of CPU time. Some files ask for as many key derivations as they may: one in a thousand, or --derivations of them. Keeps \
            the file in the current folder. A crash is a crash; the file is then 'certificate-fuzz-latest'.
            """
    )

    @OptionGroup var inputs: InputOptions

    @Argument(help: "More files to start from; they are checked first, as they are.", completion: .file())
    var files: [String] = []

    @Flag(help: "Check files of ten megabytes that are made to take long first, and print the time of each.")
    var large = false

    @Option(help: "Check this many files with key derivations at their limits (default: one for each thousand files).")
    var derivations: Int?

    func run() throws {
        let (count, from, seed) = (inputs.count, inputs.from, inputs.start.seed)
        let contents = try files.map { path in
            guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
                throw ValidationError("'\(path)' cannot be read")
            }
            return [UInt8](bytes)
        }
        let latest = try FuzzFile("certificate-fuzz-latest")
        var fuzzer = try CertificateFuzzer(seed: seed, files: contents)
        var slowest = (time: 0, name: "none")
        let begin = ProcessTime.nanoseconds

        func check(_ bytes: [UInt8], _ name: String, isOnlyRead: Bool = false) throws {
            latest.set(bytes)
            let start = ProcessTime.nanoseconds
            var violation = isOnlyRead ? fuzzer.checkReading(bytes) : fuzzer.check(bytes)
            let time = ProcessTime.nanoseconds - start
            if time > slowest.time { slowest = (time, name) }
            if violation == nil, time > 10_000_000_000 { violation = "took \(time / 1_000_000) ms" }
            guard let violation else { return }
            let copy = "certificate-fuzz-\(seed)-\(name)"
            latest.keep(as: copy)
            print("seed \(seed), file \(name): \(violation); see '\(copy)'")
            throw ExitCode(1)
        }

        for (name, bytes) in large ? try LargeFiles.all() : [] {
            let start = ProcessTime.nanoseconds
            try check(bytes, name)
            print("\(name): \((ProcessTime.nanoseconds - start) / 1_000_000) ms")
        }
        for (path, bytes) in zip(files, contents) {
            try check(bytes, String(path.split(separator: "/").last ?? "given"))
        }
        for number in from..<from + count {
            try check(fuzzer.make(number), "\(number)")
        }
        for number in 0..<(derivations ?? count / 1_000) {
            try check(fuzzer.makeDerivations(from + number), "derivations-\(from + number)", isOnlyRead: true)
        }
        let time = max(1, ProcessTime.nanoseconds - begin)
        let outcomes = fuzzer.outcomes.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }
        print("seed \(seed): \(count) files, no violation")
        print("\(count * 1_000_000_000 / time) files a second; file \(slowest.name) took \(slowest.time / 1_000) µs")
        print(outcomes.joined(separator: ", "))
    }
}

/// A file that always holds what is being checked, so that it is there after a crash.
struct FuzzFile: ~Copyable {
    private let path: String
    private let descriptor: Int32

    init(_ path: String) throws {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
        guard descriptor >= 0 else { throw ValidationError("'\(path)' cannot be written") }
    }

    func set(_ bytes: [UInt8]) {
        ftruncate(descriptor, 0)
        pwrite(descriptor, bytes, bytes.count, 0)
    }

    /// Keeps it under a name that lasts.
    func keep(as name: String) { rename(path, name) }

    deinit {
        close(descriptor)
        unlink(path)
    }
}
