internal import ACME
internal import Diagnostics
internal import HTTPClient
internal import OpenSSL

/// What the question to one address has shown. All that the other side has written in it is escaped.
enum AddressFinding: Equatable, Sendable {
    /// The server that asks is the one that has answered.
    case right
    /// Somebody else has answered, with this: what comes after `answers`.
    case wrong(String)
    /// The question was sent on to this URL, which CAs follow and a pre-flight does not.
    case redirected(String)
    /// Nothing is proved: there is no answer, for this reason. The way from here may be another one than the CA's.
    case unknown(String)

    private static let instead = "instead of this server's challenge"
    /// Of a name or a body, in bytes.
    private static let excerpt = 80
}

// http-01
extension AddressFinding {
    init(_ result: Result<Response, Failure>, keyAuthorization: String) {
        switch result {
        case .success(let response):
            if let finding = Self.finding(response.head) {
                self = finding
                return
            }
            // As CAs do (RFC 8555, section 8.3).
            let isRight =
                !response.isTruncated && Self.withoutTrailingSpace(response.body).elementsEqual(keyAuthorization.utf8)
            self = isRight ? .right : .wrong(Self.shown(response.body))
        case .failure(let failure):
            if let head = failure.head, let finding = Self.finding(head) {
                self = finding
            } else {
                self.init(failure)
            }
        }
    }

    /// What the status says; nil for 200, whose body counts.
    private static func finding(_ head: ResponseHead) -> AddressFinding? {
        if head.status == 200 { return nil }
        if [301, 302, 303, 307, 308].contains(head.status), let location = head["Location"] {
            return .redirected("'\(AuthorityText.shown(bytes: location))'")
        }
        return .wrong("with status \(head.status) \(instead)")
    }

    private static func shown(_ body: [UInt8]) -> String {
        let text = withoutTrailingSpace(body)
        return text.isEmpty
            ? "with an empty body \(instead)"
            : "with the text '\(AuthorityText.shown(bytes: text, limit: excerpt))' \(instead)"
    }

    private static func withoutTrailingSpace(_ body: [UInt8]) -> ArraySlice<UInt8> {
        let end = body.lastIndex { $0 != 0x20 && !(0x09...0x0D ~= $0) }
        return body[..<(end.map { $0 + 1 } ?? 0)]
    }
}

// tls-alpn-01
extension AddressFinding {
    /// - Parameters:
    ///   - selected: the application protocol.
    ///   - isAnswer: whether a leaf is the one of the challenge.
    init(
        _ result: Result<Chain, Failure>, selected: String?, in context: LibraryContext,
        isAnswer: (X509Certificate) -> Bool
    ) {
        switch result {
        case .success(let chain):
            guard let leaf = Self.leaf(chain, context) else {
                self = .wrong("with a certificate that cannot be read")
                return
            }
            if !isAnswer(leaf) {
                self = .wrong("with \(Self.shown(leaf)) \(Self.instead)")
            } else if selected != ChallengeCertificate.applicationProtocol {
                self = .wrong("without choosing the protocol '\(ChallengeCertificate.applicationProtocol)'")
            } else {
                self = .right
            }
        case .failure(let failure): self.init(failure)
        }
    }

    private static func leaf(_ chain: Chain, _ context: LibraryContext) -> X509Certificate? {
        guard let der = try? PEMText.certificates(chain.certificates).first else { return nil }
        return try? X509Certificate(der: der[...], in: context)
    }

    private static func shown(_ leaf: X509Certificate) -> String {
        if ChallengeCertificate.answersSomeChallenge(leaf) { return "the challenge of another server" }
        let names = leaf.shownNames
        guard let first = names.first else { return "a certificate without names" }
        let others = names.count > 1 ? " and \(counted(names.count - 1, "other name"))" : ""
        return "a certificate for '\(AuthorityText.shown(first, limit: 253))'\(others)"
    }
}

extension AddressFinding {
    /// What a failure proves: something if it is an answer of the other side.
    private init(_ failure: Failure) {
        switch failure.reason {
        case .tls(.alert(let number)): self = .wrong("with the \(Failure.TLSError.alert(number)) \(Self.instead)")
        case .tls(.notTLS): self = .wrong("without TLS")
        case .tls(.versionNotOffered): self = .wrong("with a version of TLS before 1.2")
        case .tls(.other): self = .wrong("with a TLS handshake that cannot be completed")
        case .notHTTP, .malformedHeader: self = .wrong("with something that is not HTTP")
        case .tooMuchReceived: self = .wrong("with too many bytes around the answer")
        case .headerTooLarge: self = .wrong("with a header that is too large")
        case .undecodableBody: self = .wrong("with a body that cannot be decoded")
        case .incompleteBody: self = .wrong("with a body that ends too early")
        default: self = .unknown(failure.description)
        }
    }
}
