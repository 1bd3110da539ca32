internal import ACME
internal import AssociationServer
internal import HTTPClient
internal import OpenSSL
internal import ProxySupport

/// A challenge as only this server can answer it, with a token that was drawn for it.
struct PreflightQuestion: Sendable {
    /// Of a body, in bytes: more than an answer has, and enough to show what another server says.
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
            // As long as with the thumbprint of a key, which nobody has here.
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

    /// - Parameter completion: is called once.
    func ask(
        _ address: IPAddress, through transport: any HTTPTransport, timeLimit: Duration,
        completion: @escaping @Sendable (AddressFinding) -> Void
    ) -> Cancellation {
        if target.type == .tlsALPN01 { return shakeHands(address, transport, timeLimit, completion) }
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

    private func shakeHands(
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
