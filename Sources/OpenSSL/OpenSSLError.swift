internal import COpenSSL

/// What OpenSSL could not do, with the reasons it gave.
package struct OpenSSLError: Error, Equatable, Sendable, CustomStringConvertible {
    package struct Code: Equatable, Sendable {
        private enum Kind: Equatable, Sendable {
            case noCertificate, noKey, encryptedKey, keyMismatch, chainOrder, rejected, setUp
        }

        private let kind: Kind

        /// The text holds no PEM certificate that can be read.
        package static let noCertificate = Code(kind: .noCertificate)
        /// The text holds no PEM private key that can be read.
        package static let noKey = Code(kind: .noKey)
        /// The private key is protected with a password.
        package static let encryptedKey = Code(kind: .encryptedKey)
        /// The private key belongs to another certificate.
        package static let keyMismatch = Code(kind: .keyMismatch)
        /// A certificate of the chain was not issued by the one that follows it.
        package static let chainOrder = Code(kind: .chainOrder)
        /// The security level in force does not allow this certificate or key.
        package static let rejected = Code(kind: .rejected)
        /// The library could not be set up.
        package static let setUp = Code(kind: .setUp)
    }

    package let code: Code
    /// One clause, lower case, without a full stop.
    package let message: String
    /// What stood in the library's error queue, oldest first, as far as it helps.
    package let reasons: [String]
    /// What was expected, or what to do.
    package internal(set) var help: String?

    /// Takes the thread's error queue, and empties it.
    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
        let drained = ErrorQueue.drain()
        // Here the message says all, and the reasons are those of attempts at other forms.
        reasons = [.encryptedKey, .noKey, .noCertificate].contains(code) ? [] : drained
    }

    package var description: String {
        let problem = reasons.isEmpty ? message : "\(message) (OpenSSL: \(reasons.joined(separator: ", ")))"
        return help.map { "\(problem); \($0)" } ?? problem
    }
}

/// The error queue that OpenSSL keeps for each thread.
enum ErrorQueue {
    /// Empties the queue. What is left in it would be taken for the failure of the next operation.
    @inline(__always)
    static func clear() {
        if ERR_peek_error() != 0 { ERR_clear_error() }
    }

    static func drain() -> [String] {
        var reasons: [String] = []
        while case let code = ERR_get_error(), code != 0 {
            if let text = ERR_reason_error_string(code) { reasons.append(String(cString: text)) }
        }
        return reasons
    }
}
