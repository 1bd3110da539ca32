internal import ACME
package import OpenSSL

/// A challenge that a CA may ask for now, and its answer (acme.md, section 4).
package struct PendingChallenge: Equatable, Sendable {
    package enum Answer: Equatable, Sendable {
        /// Presented in a handshake for `acme-tls/1` (RFC 8737); of this challenge only.
        case tlsALPN01(ServerCertificate)
        /// Served below `/.well-known/acme-challenge/` (RFC 8555, section 8.3).
        case http01(token: String, keyAuthorization: String)

        package static func == (left: Answer, right: Answer) -> Bool {
            switch (left, right) {
            case (.tlsALPN01(let left), .tlsALPN01(let right)): left === right
            case (.http01(let token, let answer), .http01(let otherToken, let otherAnswer)):
                token == otherToken && answer == otherAnswer
            default: false
            }
        }
    }

    /// The most bytes of a token; tokens have 22 and more characters, key authorizations 44 more.
    package static let longestToken = 512
    static let longestAnswer = 1_024

    /// The name in lowercase.
    package let name: String
    package let answer: Answer

    /// - Parameter name: the host that the CA asks.
    /// - Returns: `nil` for what cannot be the name of a host, and for a token or a key authorization that breaks the rules:
    ///   both come from a CA.
    package init?(name: String, _ answer: Answer) {
        let name = name.lowercased()
        guard !name.isEmpty, name.utf8.count <= HostKey.longest, name.utf8.first != UInt8(ascii: "."),
            name.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "*") })
        else { return nil }
        if case .http01(let token, let keyAuthorization) = answer {
            guard !token.isEmpty, token.utf8.count <= Self.longestToken, Base64URL.isSpelledInAlphabet(token),
                !keyAuthorization.isEmpty, keyAuthorization.utf8.count <= Self.longestAnswer,
                keyAuthorization.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { return nil }
        }
        self.name = name
        self.answer = answer
    }

    /// The key of a challenge; of two with the same key only one can be answered.
    struct Key: Hashable {
        let name: String
        /// `nil` for a challenge in a handshake.
        let token: String?
    }

    var key: Key {
        switch answer {
        case .tlsALPN01: Key(name: name, token: nil)
        case .http01(let token, _): Key(name: name, token: token)
        }
    }
}
