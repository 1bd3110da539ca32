/// Makes the inputs of all targets, and checks what becomes of them.
struct ServerFuzzer {
    private let seed: UInt64
    private var requests = RequestFuzzer()
    private var connections = ConnectionFuzzer()
    private var configurations = ConfigurationFuzzer()
    private let tls: TLSFuzzer

    init(seed: UInt64) throws {
        self.seed = seed
        tls = try TLSFuzzer()
    }

    /// Checks an input, which depends on nothing but its number and the seed; says what is impossible about the answer.
    mutating func check(_ target: ServerFuzzTarget, _ number: Int) throws -> String? {
        var random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0xD129_0B26_8DEB_2B35)
        switch target {
        case .request:
            let (input, complaint) = requests.check(&random)
            return complaint.map { "\($0)\n\(String(decoding: input, as: UTF8.self).debugDescription)\n\(input)" }
        case .connection:
            let (story, complaint) = connections.check(&random)
            return complaint.map { "\($0)\n\(story)" }
        case .configuration:
            let (input, complaint) = configurations.check(&random)
            return complaint.map { "\($0)\n\(String(decoding: input, as: UTF8.self))" }
        case .tls: return try tls.check(&random)
        }
    }

    /// How often each answer came up.
    func outcomes(of target: ServerFuzzTarget) -> [String: Int] {
        switch target {
        case .request: requests.outcomes
        case .connection: connections.outcomes
        case .configuration: configurations.outcomes
        case .tls: tls.outcomes
        }
    }
}
