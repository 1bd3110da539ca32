import ArgumentParser

/// What `server-fuzz` gives its inputs to.
enum ServerFuzzTarget: String, CaseIterable, ExpressibleByArgument {
    /// The parser of request heads, against a slow one.
    case request
    /// The states of a connection over its life.
    case connection
    /// The reader of server.json.
    case configuration
    /// TLS: handshakes and records of mutated clients.
    case tls

    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// The target of an input where all have their turn: in a hundred, so many that each has about as much time.
    static func of(_ number: Int) -> ServerFuzzTarget {
        switch number % 100 {
        case 0..<85: .request
        case 85..<93: .connection
        case 93..<98: .configuration
        default: .tls
        }
    }
}
