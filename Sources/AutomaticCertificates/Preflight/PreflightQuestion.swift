internal import ACME
internal import AssociationServer
internal import Diagnostics
internal import DomainNames
internal import HTTPClient
internal import OpenSSL

/// A challenge as only this server can answer it, with a token that was drawn for it.
struct PreflightQuestion: Sendable {
    /// The most bytes of a body: more than an answer has, and enough to show what another server says.
    private static let bodyLimit = 4_096

    let challenge: PendingChallenge
    private let target: PreflightTarget
    private let token: String
    private let keyAuthorization: String
    private let context: LibraryContext

    /// Nil if there is no such challenge for the name, or the library lacks something.
    ///
    /// - Parameter now: seconds since 1970.
    init?(_ target: PreflightTarget, in context: LibraryContext, at now: Int64) {
        let name = target.domain.identifier
        do throws(OpenSSLError) {
            token = Base64URL.text(try SecureRandom.bytes(32))
            // As long as with the thumbprint of a key, which does not exist here.
            keyAuthorization = "\(token).\(Base64URL.text(try SecureRandom.bytes(32)))"
            let answer: PendingChallenge.Answer
            switch target.type {
            case .tlsALPN01:
                answer = .tlsALPN01(
                    try ChallengeCertificate.make(name: name, keyAuthorization: keyAuthorization, at: now, in: context))
            case .http01: answer = .http01(token: token, keyAuthorization: keyAuthorization)
            case .dnsPersist01: return nil
            }
            guard let challenge = PendingChallenge(name: name, answer) else { return nil }
            self.challenge = challenge
        } catch {
            return nil
        }
        (self.target, self.context) = (target, context)
    }

    /// The same challenge for all nodes.
    var shared: SharedChallenge {
        SharedChallenge(
            name: target.domain.identifier, type: target.type, token: token, keyAuthorization: keyAuthorization)
    }

    /// - Parameter completion: is called once.
    func ask(
        _ address: IPAddress, through transport: any HTTPTransport, timeLimit: Duration,
        completion: @escaping @Sendable (AddressFinding) -> Void
    ) -> Cancellation {
        if target.type == .tlsALPN01 { return startHandshake(address, transport, timeLimit, completion) }
        do throws(RequestURL.Problem) {
            let request = try request(address, timeLimit)
            return transport.start(request) { [keyAuthorization] result in
                completion(AddressFinding(result, keyAuthorization: keyAuthorization))
            }
        } catch {
            completion(.unknown("no URL can have this name"))
            return Cancellation {}
        }
    }

    private func startHandshake(
        _ address: IPAddress, _ transport: any HTTPTransport, _ timeLimit: Duration,
        _ completion: @escaping @Sendable (AddressFinding) -> Void
    ) -> Cancellation {
        let negotiation = ProtocolNegotiation(offering: [ChallengeCertificate.applicationProtocol])
        let probe = ChainProbe(
            host: target.domain.identifier, port: target.port, address: address, timeLimit: timeLimit
        ) { negotiation.install(inTLSContext: $0) }
        return transport.start(probe) { [target, keyAuthorization, context] result in
            completion(
                AddressFinding(
                    result, selected: negotiation.selectedProtocol, in: context,
                    isAnswer: {
                        ChallengeCertificate.isAnswer(
                            $0, name: target.domain.identifier, keyAuthorization: keyAuthorization)
                    }))
        }
    }

    private func request(_ address: IPAddress, _ timeLimit: Duration) throws(RequestURL.Problem) -> Request {
        let url = try RequestURL(
            scheme: .http, host: target.domain.identifier, port: target.port,
            target: "/.well-known/acme-challenge/\(token)")
        return Request(
            url, route: .direct(address), fields: Request.plainFields(userAgent: "aasa-preflight"),
            limits: Request.Limits(body: Self.bodyLimit, otherBody: Self.bodyLimit), timeLimit: timeLimit)
    }
}

/// The result of the question to one address. All that the other side has written in it is escaped.
enum AddressFinding: Equatable, Sendable {
    /// The server that asks is the one that has answered.
    case right
    /// Another server has answered, with this: the text after `answers`.
    case wrong(String)
    /// The question was sent on to this URL, which CAs follow and a pre-flight does not.
    case redirected(String)
    /// Nothing is proved: there is no answer, for this reason. The way from here may be another one than the CA's.
    case unknown(String)

    private static let instead = "instead of this server's challenge"
    /// The most bytes of a name or a body that are shown.
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

    /// The finding by the status alone; nil for 200, whose body counts.
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
    /// The finding by a failure, which proves something if it is an answer of the other side.
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
