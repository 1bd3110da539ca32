import ArgumentParser
import Fuzzing

/// Makes numbered inputs for one of several targets, and checks what becomes of them.
protocol InputFuzzer: ~Copyable {
    associatedtype Target: ExpressibleByArgument, RawRepresentable<String>

    static var command: (name: String, abstract: String) { get }

    /// The target of an input where all have their turn.
    static func target(of number: Int) -> Target

    init(seed: UInt64) throws

    /// - Returns: the rule that was broken, if one was.
    mutating func check(_ target: Target, _ number: Int) throws -> String?

    /// The number of times that each answer came up.
    var outcomes: [String: Int] { get }

    /// The input of the latest check, where its number alone says little.
    var latest: [UInt8] { get }
}

extension InputFuzzer where Self: ~Copyable {
    var latest: [UInt8] { [] }
}

/// A subcommand that gives a fuzzer one input after the other.
struct InputCommand<Fuzzer: InputFuzzer & ~Copyable>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Fuzzer.command.name, abstract: Fuzzer.command.abstract,
            discussion: """
                Exits with 1 at the first input that is answered against the rules, or takes more than two seconds of CPU \
                time, or once more than 200 MiB of memory are used. A crash is a crash; '\(Fuzzer.command.name)-fuzz-latest' \
                then holds the options that repeat it.
                """)
    }

    @OptionGroup var inputs: InputOptions

    @Option(help: "Make all inputs for this target (default: each in turn).")
    var target: Fuzzer.Target?

    func run() throws {
        var fuzzer = try Fuzzer(seed: inputs.start.seed)
        func of(_ number: Int) -> Fuzzer.Target { target ?? Fuzzer.target(of: number) }
        try inputs.run(
            Fuzzer.command.name, target: { of($0).rawValue }, check: { try fuzzer.check(of($0), $0) },
            keep: { name in
                guard !fuzzer.latest.isEmpty else { return }
                let kept = try FuzzFile("\(name).new")
                kept.set(fuzzer.latest)
                kept.keep(as: name)
            })
        printOutcomes(fuzzer.outcomes)
    }
}

func printOutcomes(_ outcomes: [String: Int]) {
    print(outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
}

extension ACMEFuzzTarget: ExpressibleByArgument {}
extension ACMEFuzzer: InputFuzzer {
    static let command = (
        name: "acme", abstract: "Read mutated answers of a CA, and hold conversations with one that says anything."
    )
    static func target(of number: Int) -> ACMEFuzzTarget { .of(number) }
}

extension DoctorFuzzTarget: ExpressibleByArgument {}
extension DoctorFuzzer: InputFuzzer {
    static let command = (
        name: "doctor", abstract: "Judge domains with mutated answers, and report them in every format."
    )
    static func target(of number: Int) -> DoctorFuzzTarget { .of(number) }
}

extension LinkFuzzTarget: ExpressibleByArgument {}
extension LinkFuzzer: InputFuzzer {
    static let command = (
        name: "links",
        abstract: "Read mutated files of links, and insert captures of random requests into random targets."
    )
    static func target(of number: Int) -> LinkFuzzTarget { .of(number) }
}

extension ServerFuzzTarget: ExpressibleByArgument {}
extension ServerFuzzer: InputFuzzer {
    static let command = (name: "server", abstract: "Give the server's parsers, and TLS, mutated input.")
    static func target(of number: Int) -> ServerFuzzTarget { .of(number) }
}

extension SignatureFuzzTarget: ExpressibleByArgument {}
extension SignatureFuzzer: InputFuzzer {
    static let command = (
        name: "signatures",
        abstract: "Read mutated APKs, JARs and keystores for the certificates that they are signed with."
    )
    static func target(of number: Int) -> SignatureFuzzTarget { .of(number) }
}

extension StoreFuzzTarget: ExpressibleByArgument {}
extension StoreFuzzer: InputFuzzer {
    static let command = (name: "store", abstract: "Read mutated caches and key files of a store.")
    static func target(of number: Int) -> StoreFuzzTarget { .of(number) }
}

enum HTTP2FuzzTarget: String, ExpressibleByArgument { case frames }
extension HTTP2Fuzzer: InputFuzzer {
    static let command = (name: "http2", abstract: "Give HTTP/2 sessions mutated sequences of frames.")
    static func target(of number: Int) -> HTTP2FuzzTarget { .frames }
    mutating func check(_ target: HTTP2FuzzTarget, _ number: Int) -> String? { check(number) }
}

extension ImportFuzzTarget: ExpressibleByArgument {}
extension ImportFuzzer: InputFuzzer {
    static let command = (name: "import", abstract: "Import mutated exports of short links, and ask mutated answers.")
    static func target(of number: Int) -> ImportFuzzTarget { .of(number) }
}
