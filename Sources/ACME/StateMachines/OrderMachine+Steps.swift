internal import Diagnostics
internal import DomainNames
internal import OpenSSL

// What the answers of the CA lead to.

extension OrderMachine {
    private static let validationLimit: Duration = .seconds(600)
    private static let issuanceLimit: Duration = .seconds(1_800)
    private static let finalizationLimit = 3
    /// More alternate chains than this are not looked at.
    private static let alternateLimit = 5

    mutating func makeOrder(_ transition: inout Transition) throws(IssuanceError) {
        phase = .ordering
        var payload: [String: JSONOutput] = [
            "identifiers": .array([
                .object(["type": .string("dns"), "value": .string(task.domain.identifier)])
            ])
        ]
        if let profile = task.configuration.profile { payload["profile"] = .string(profile) }
        if let replaces { payload["replaces"] = .string(replaces.description) }
        try ask(directory.newOrder, as: .newOrder, payload: JSONOutput.object(payload).text, &transition)
    }

    mutating func received(_ response: ACMEResponse, _ transition: inout Transition) throws(IssuanceError) {
        switch phase {
        case .ordering:
            let order = try Order(response.body, for: task.domain)
            guard let url = response.locationURL else {
                throw IssuanceError(.protocol, "the answer to 'newOrder' has no 'Location' with an https:// URL")
            }
            orderURL = url
            transition.actions.append(.storeOrder(url))
            try proceed(with: order, response, &transition)
        case .resuming:
            let order = try Order(response.body, for: task.domain)
            guard order.status != .invalid else { return end(.restart, &transition) }
            try proceed(with: order, response, &transition)
        case .finalizing, .issuing:
            try proceed(with: try Order(response.body, for: task.domain), response, &transition)
        case .authorizing: try authorized(Authorization(response.body, for: task.domain), &transition)
        case .answering(let challenge): try awaitValidation(by: challenge.type, response, &transition)
        case .validating(let type):
            try validated(Authorization(response.body, for: task.domain), by: type, response, &transition)
        case .downloading: try downloaded(response, &transition)
        case .choosing(let chain, let alternates): try choose(chain, alternates, response, &transition)
        case .idle, .preparingKey, .publishing, .ended: return
        }
    }

    /// A request has failed for good.
    mutating func failed(_ error: IssuanceError, _ transition: inout Transition) throws(IssuanceError) {
        guard case .choosing(let chain, let alternates) = phase else { throw error }
        try tryNext(chain, alternates, &transition)
    }

    mutating func refused(_ refusal: Refusal, wasRepeated: Bool, _ transition: inout Transition) throws(IssuanceError) {
        let type = refusal.problem?.type
        switch phase {
        case .ordering where replaces != nil && Self.mayConcernReplacement(refusal):
            replaces = nil
            try makeOrder(&transition)
        case .resuming where [403, 404, 410].contains(refusal.status) || type == .accountDoesNotExist:
            end(.restart, &transition)
        case .answering(let challenge) where wasRepeated && refusal.status < 500:
            // The first one has arrived after all.
            try awaitValidation(by: challenge.type, nil, &transition)
        case .finalizing where type == .orderNotReady:
            guard let orderURL else { throw refusal.error }
            phase = .issuing
            try wait(toAsk: orderURL, after: nil, within: Self.issuanceLimit, &transition)
        case .choosing: try failed(refusal.error, &transition)
        default: throw type?.concernsAccount ?? false ? refusal.accountError : refusal.error
        }
    }

    /// Whether the order may be accepted if it does not say which certificate it replaces: that one was replaced already,
    /// or the CA does not know it, or it is that of another account.
    private static func mayConcernReplacement(_ refusal: Refusal) -> Bool {
        switch refusal.problem?.type {
        case .alreadyReplaced, .malformed, .unauthorized: true
        default: refusal.status == 409
        }
    }

    // MARK: The order

    /// Takes the next step of the order; steps that are done already are left out.
    private mutating func proceed(
        with order: Order, _ response: ACMEResponse, _ transition: inout Transition
    ) throws(IssuanceError) {
        self.order = order
        switch order.status {
        case .pending where finalizations > 0: try poll(response, &transition)
        case .pending:
            phase = .authorizing
            try ask(order.authorization, &transition)
        case .ready: try finalize(order, &transition)
        case .processing:
            recordIssuance(&transition)
            try poll(response, &transition)
        case .valid:
            recordIssuance(&transition)
            guard let certificate = order.certificate else { throw order.error }
            stopPolling()
            phase = .downloading(certificate)
            try ask(certificate, as: .chain, &transition)
        case .invalid: throw order.error
        }
    }

    private mutating func poll(_ response: ACMEResponse, _ transition: inout Transition) throws(IssuanceError) {
        phase = .issuing
        guard let orderURL else { return }
        try wait(toAsk: orderURL, after: response, within: Self.issuanceLimit, &transition)
    }

    private mutating func finalize(_ order: Order, _ transition: inout Transition) throws(IssuanceError) {
        withdraw(&transition)
        guard let key else { return }
        finalizations += 1
        guard finalizations <= Self.finalizationLimit else {
            throw IssuanceError(.protocol, "the order is still 'ready' after it was finalized")
        }
        let request: [UInt8]
        do throws(OpenSSLError) {
            request = try CertificateRequest.make(dnsName: task.domain.identifier, key: key)
        } catch {
            throw IssuanceError(.badCSR, "the certificate request cannot be created: \(error)")
        }
        phase = .finalizing
        recordIssuance(&transition)
        let payload = JSONOutput.object(["csr": .string(Base64URL.text(request))]).text
        try ask(order.finalize, payload: payload, &transition)
    }

    // MARK: The name

    private mutating func authorized(
        _ authorization: Authorization, _ transition: inout Transition
    ) throws(IssuanceError) {
        switch authorization.status {
        case .valid: return try finishValidation(&transition)
        case .pending: break
        case .invalid, .deactivated, .expired, .revoked: throw authorization.error(for: task.domain)
        }
        let challenge = try choose(from: authorization)
        usedChallenge = challenge.type
        phase = .publishing(challenge)
        guard let token = challenge.token, challenge.type != .dnsPersist01 else {
            try note(challenge, &transition)
            return try answer(challenge, &transition)
        }
        let answer = ChallengeAnswer(
            domain: task.domain, type: challenge.type, token: token,
            keyAuthorization: KeyAuthorization(token: token, key: accountKey))
        published = answer
        transition.actions.append(.publish(answer))
    }

    private func choose(from authorization: Authorization) throws(IssuanceError) -> Challenge {
        for type in task.challenges {
            let offered = authorization.challenges.first {
                $0.type == type && $0.isAnswerable && $0.status != .invalid
            }
            if let offered { return offered }
        }
        // All of them have failed, whatever the CA makes of that.
        guard !authorization.challenges.contains(where: { task.challenges.contains($0.type) && $0.isAnswerable }) else {
            throw authorization.error(for: task.domain)
        }
        let offered = authorization.offered.isEmpty ? "none" : authorization.offered.joined(separator: ", ")
        if task.domain.isWildcard {
            throw IssuanceError(
                .acmeWildcard,
                "the CA offers \(offered) for '\(task.domain)', and the server answers only dns-persist-01 as it was "
                    + "before draft 02; get this certificate by dns-01 with another client, and put it into the "
                    + "'certs' folder")
        }
        let usable = task.challenges.map(\.rawValue).joined(separator: ", ")
        throw IssuanceError(
            .acmeChallenges, "the CA offers \(offered) for '\(task.domain)', but only \(usable) can be answered here")
    }

    private func note(_ challenge: Challenge, _ transition: inout Transition) throws(IssuanceError) {
        guard let issuer = challenge.issuerDomainNames.first else {
            throw IssuanceError(.protocol, "the dns-persist-01 challenge has no 'issuer-domain-names'")
        }
        let record = PersistentRecord(
            domain: task.domain, issuer: issuer, account: challenge.accountURI ?? account.url)
        guard let record else {
            throw IssuanceError(
                .protocol, "'\(AuthorityText.shown(issuer, limit: 60))' cannot be the issuer of a TXT record")
        }
        transition.actions.append(.noteRecord(record))
    }

    mutating func answer(_ challenge: Challenge, _ transition: inout Transition) throws(IssuanceError) {
        // In an order of an earlier run the CA knows already that it can ask, and may do so again.
        guard challenge.status == .pending else { return try awaitValidation(by: challenge.type, nil, &transition) }
        phase = .answering(challenge)
        try ask(challenge.url, payload: "{}", &transition)
    }

    private mutating func awaitValidation(
        by type: ChallengeType, _ response: ACMEResponse?, _ transition: inout Transition
    ) throws(IssuanceError) {
        phase = .validating(type)
        guard let authorization = order?.authorization else { return }
        try wait(toAsk: authorization, after: response, within: Self.validationLimit, &transition)
    }

    private mutating func validated(
        _ authorization: Authorization, by type: ChallengeType, _ response: ACMEResponse, _ transition: inout Transition
    ) throws(IssuanceError) {
        switch authorization.status {
        case .valid: try finishValidation(&transition)
        case .pending: try awaitValidation(by: type, response, &transition)
        case .invalid, .deactivated, .expired, .revoked: throw authorization.error(for: task.domain)
        }
    }

    /// Finalizes at once: an order whose names are validated is ready, and one that is not says so.
    private mutating func finishValidation(_ transition: inout Transition) throws(IssuanceError) {
        stopPolling()
        withdraw(&transition)
        guard let order else { return }
        try finalize(order, &transition)
    }

    // MARK: The certificate

    private mutating func downloaded(_ response: ACMEResponse, _ transition: inout Transition) throws(IssuanceError) {
        guard let key else { return }
        let chain = try IssuedChain(pem: response.body, in: key.context, issuers: issuers)
        guard let preferred = task.configuration.preferredChain, !chain.isIssued(by: preferred) else {
            return try install(chain, transition.now, &transition)
        }
        let alternates = response.links(relation: "alternate").prefix(Self.alternateLimit)
        try tryNext(chain, alternates[...], &transition)
    }

    /// The next of the alternate chains; after the last one the default chain.
    private mutating func tryNext(
        _ chain: IssuedChain, _ alternates: ArraySlice<SecureURL>, _ transition: inout Transition
    ) throws(IssuanceError) {
        guard let next = alternates.first else { return try install(chain, transition.now, &transition) }
        phase = .choosing(chain, alternates: alternates.dropFirst())
        try ask(next, as: .chain, &transition)
    }

    private mutating func choose(
        _ chain: IssuedChain, _ alternates: ArraySlice<SecureURL>, _ response: ACMEResponse,
        _ transition: inout Transition
    ) throws(IssuanceError) {
        guard let key, let preferred = task.configuration.preferredChain,
            let alternate = alternate(response.body, key, transition.now, preferred)
        else { return try tryNext(chain, alternates, &transition) }
        try install(alternate, transition.now, &transition)
    }

    /// Nil for a chain that is not the preferred one, or that cannot be used: there is another one.
    private func alternate(
        _ body: [UInt8], _ key: PrivateKey, _ now: Moment, _ preferred: String
    ) -> IssuedChain? {
        do throws(IssuanceError) {
            let chain = try IssuedChain(pem: body, in: key.context)
            guard chain.isIssued(by: preferred) else { return nil }
            try chain.check(for: task.domain, key: key, now: now.wall)
            return chain
        } catch {
            return nil
        }
    }

    private mutating func install(_ chain: IssuedChain, _ now: Moment, _ transition: inout Transition)
        throws(IssuanceError)
    {
        guard let key else { return }
        try chain.check(for: task.domain, key: key, now: now.wall)
        end(.install(OrderedCertificate(domain: task.domain, chain: chain, key: key)), &transition)
    }
}
