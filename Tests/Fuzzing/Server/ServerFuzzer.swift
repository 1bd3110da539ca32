import FuzzingSupport

/// Makes the inputs of all targets, and checks what becomes of them.
package struct ServerFuzzer {
    private let seed: UInt64
    private var requests = RequestFuzzer()
    private var connections = ConnectionFuzzer()
    private var headers = ProxyHeaderFuzzer()
    private var forwarded = ForwardedFuzzer()
    private var configurations = ConfigurationFuzzer()
    private let tls: TLSFuzzer

    package init(seed: UInt64) throws {
        self.seed = seed
        tls = try TLSFuzzer()
    }

    /// Checks an input, which depends on nothing but its number and the seed; returns what is wrong with the answer.
    package mutating func check(_ target: ServerFuzzTarget, _ number: Int) throws -> String? {
        var random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0xD129_0B26_8DEB_2B35)
        switch target {
        case .request:
            let (input, violation) = requests.check(&random)
            return violation.map { "\($0)\n\(String(decoding: input, as: UTF8.self).debugDescription)\n\(input)" }
        case .connection:
            let (story, violation) = connections.check(&random)
            return violation.map { "\($0)\n\(story)" }
        case .proxy:
            let (input, violation) = headers.check(&random)
            return violation.map { "\($0)\n\(input)" }
        case .forwarded:
            let (input, violation) = forwarded.check(&random)
            return violation.map { "\($0)\n\(input.debugDescription)" }
        case .configuration:
            let (input, violation) = configurations.check(&random)
            return violation.map { "\($0)\n\(String(decoding: input, as: UTF8.self))" }
        case .tls: return try tls.check(&random)
        }
    }

    /// The number of times that each answer came up.
    package var outcomes: [String: Int] {
        let all: [(ServerFuzzTarget, [String: Int])] = [
            (.request, requests.outcomes), (.connection, connections.outcomes), (.proxy, headers.outcomes),
            (.forwarded, forwarded.outcomes), (.configuration, configurations.outcomes), (.tls, tls.outcomes),
        ]
        return all.reduce(into: [:]) { counts, target in
            for (name, count) in target.1 { counts["\(target.0.rawValue) \(name)"] = count }
        }
    }
}

/// The reader that gets the inputs.
package enum ServerFuzzTarget: String, CaseIterable, Sendable {
    /// The parser of request heads, against a slow one.
    case request
    /// The states of a connection over its life.
    case connection
    /// The PROXY header, whole and in pieces, against a slow reader.
    case proxy
    /// Forwarded fields in heads of requests, against slow readers.
    case forwarded
    /// The reader of server.json.
    case configuration
    /// TLS: handshakes and records of mutated clients.
    case tls

    /// The target of an input where all have their turn: in a hundred, so many that each has about as much time.
    package static func of(_ number: Int) -> ServerFuzzTarget {
        switch number % 100 {
        case 0..<77: .request
        case 77..<81: .proxy
        case 81..<85: .forwarded
        case 85..<93: .connection
        case 93..<98: .configuration
        default: .tls
        }
    }
}
