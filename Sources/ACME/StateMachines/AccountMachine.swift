internal import Diagnostics

/// The state machine before any order: fetches the directory, finds or makes the account, and keeps its
/// contact up to date.
///
/// A pure state machine: it is given what has happened, and returns what to do.
package struct AccountMachine: Sendable {
    package enum Event: Sendable {
        case start
        case response(ACMEResponse, to: Int)
        case transportFailure(TransportFailure, of: Int)
        /// A time that was waited for may have come.
        case time
    }

    package enum Action: Sendable {
        case send(ACMERequest)
        /// Wait until a time of the clock that never goes back.
        case wait(until: Duration)
        /// Orders can be made; the account is to be stored if it is not the one that was given.
        case ready(Directory, ACMEAccount)
        case fail(IssuanceError)
    }

    private enum Phase {
        case idle, directory
        case registration(Directory)
        /// The account is known, its contact is to be changed.
        case update(Directory, SecureURL)
        case ended
    }

    private let settings: IssuanceSettings
    private let key: AccountKey
    private let stored: ACMEAccount?
    /// The directory, if it is known already.
    private let knownDirectory: Directory?
    private var phase = Phase.idle
    private var exchange: Exchange?
    private var nextID = 0
    private var hasRegistered = false

    /// - Parameters:
    ///   - stored: nil without `account.json`, or after the CA has said that the account does not exist.
    ///   - directory: an earlier answer, so that it need not be fetched again.
    package init(settings: IssuanceSettings, key: AccountKey, stored: ACMEAccount?, directory: Directory? = nil) {
        self.settings = settings
        self.key = key
        self.stored = stored
        knownDirectory = directory
    }

    package var hasEnded: Bool { if case .ended = phase { true } else { false } }

    /// - Returns: What to do; events that mean nothing at the moment have no consequences.
    package mutating func handle(_ event: Event, at now: Moment, nonces: inout NoncePool) -> [Action] {
        do throws(IssuanceError) {
            switch (event, phase) {
            case (_, .ended): return []
            case (.start, .idle):
                if let knownDirectory { return try choose(knownDirectory, &nonces) }
                phase = .directory
                return try begin(.init(kind: .directory, url: settings.authority.directory), &nonces)
            case (.start, _): return []
            case (.response(let response, let id), _):
                return try advance(exchange?.receive(response, to: id, at: now, &nonces), &nonces)
            case (.transportFailure(let failure, let id), _):
                return try advance(exchange?.receive(failure, of: id, at: now), &nonces)
            case (.time, _): return try advance(exchange?.timerFired(at: now, &nonces), &nonces)
            }
        } catch {
            phase = .ended
            exchange = nil
            return [.fail(error.concerning(.authority))]
        }
    }

    private mutating func begin(
        _ request: Exchange.Request, account: SecureURL? = nil, newNonce: SecureURL? = nil, _ nonces: inout NoncePool
    ) throws(IssuanceError) -> [Action] {
        let identity = newNonce.map { Exchange.Identity(key: key, newNonce: $0, account: account) }
        var exchange = Exchange(request, by: identity, firstID: nextID)
        let step = exchange.start(&nonces)
        self.exchange = exchange
        return try advance(step, &nonces)
    }

    private mutating func advance(_ step: Exchange.Step?, _ nonces: inout NoncePool) throws(IssuanceError) -> [Action] {
        nextID = exchange?.lastID ?? nextID
        switch step {
        case nil: return []
        case .send(let request): return [.send(request)]
        case .wait(let end): return [.wait(until: end)]
        case .failure(let error): throw error
        case .refusal(let refusal): return try refused(refusal, &nonces)
        case .answer(let response): return try answered(response, &nonces)
        }
    }

    private mutating func answered(
        _ response: ACMEResponse, _ nonces: inout NoncePool
    ) throws(IssuanceError) -> [Action] {
        switch phase {
        case .directory: return try choose(Directory(response.body), &nonces)
        case .registration(let directory):
            let account = try ReceivedAccount(response.body)
            try check(account.status)
            guard let url = response.locationURL else {
                throw IssuanceError(.protocol, "the answer to 'newAccount' has no 'Location' with an https:// URL")
            }
            // An account that was there already has the contact of old; not all CAs say which.
            let isCurrent = response.status == 201 || Set(account.contact ?? []) == Set(contact)
            return isCurrent ? finish(directory, url) : try update(directory, url, &nonces)
        case .update(let directory, let url):
            try check(ReceivedAccount(response.body).status)
            return finish(directory, url)
        case .idle, .ended: return []
        }
    }

    private func check(_ status: ReceivedAccount.Status) throws(IssuanceError) {
        guard status == .valid else {
            throw IssuanceError(
                .acmeAccount, "the account is \(status.rawValue); delete its folder to register a new one")
        }
    }

    /// Continues once the directory is known: with the stored account, if there is one and its contact has not changed.
    private mutating func choose(
        _ directory: Directory, _ nonces: inout NoncePool
    ) throws(IssuanceError) -> [Action] {
        try directory.check(profile: settings.configuration.profile)
        guard let stored else { return try register(directory, &nonces) }
        return Set(stored.contact) == Set(plainContact)
            ? finish(directory, stored.url) : try update(directory, stored.url, &nonces)
    }

    private mutating func register(
        _ directory: Directory, _ nonces: inout NoncePool
    ) throws(IssuanceError) -> [Action] {
        var payload: [String: JSONOutput] = ["termsOfServiceAgreed": .boolean(true)]
        if !contact.isEmpty { payload["contact"] = .array(contact.map(JSONOutput.string)) }
        if let externalAccount = settings.configuration.externalAccount {
            guard let binding = externalAccount.binding(of: key, newAccount: directory.newAccount) else {
                throw IssuanceError(.acmeAccount, "the external account binding cannot be signed")
            }
            payload["externalAccountBinding"] = binding
        } else if directory.requiresExternalAccount {
            throw IssuanceError(
                .acmeAccount, "the CA only accepts its own customers; set 'acme.eab' to the key that it gave you")
        }
        hasRegistered = true
        phase = .registration(directory)
        return try begin(
            .init(kind: .newAccount, url: directory.newAccount, payload: JSONOutput.object(payload).text),
            newNonce: directory.newNonce, &nonces)
    }

    private mutating func update(
        _ directory: Directory, _ url: SecureURL, _ nonces: inout NoncePool
    ) throws(IssuanceError) -> [Action] {
        phase = .update(directory, url)
        let payload = JSONOutput.object(["contact": .array(contact.map(JSONOutput.string))]).text
        return try begin(
            .init(kind: .account, url: url, payload: payload), account: url, newNonce: directory.newNonce, &nonces)
    }

    private mutating func refused(
        _ refusal: Refusal, _ nonces: inout NoncePool
    ) throws(IssuanceError) -> [Action] {
        switch (phase, refusal.problem?.type) {
        case (.update(let directory, _), .accountDoesNotExist) where !hasRegistered:
            return try register(directory, &nonces)
        case (.directory, _): throw refusal.error
        case (_, .unauthorized), (_, .accountDoesNotExist): throw refusal.accountError
        case (_, let type): throw type?.concernsAccount ?? false ? refusal.accountError : refusal.error
        }
    }

    private mutating func finish(_ directory: Directory, _ url: SecureURL) -> [Action] {
        phase = .ended
        exchange = nil
        let account = ACMEAccount(
            directory: settings.authority.directory, url: url, contact: plainContact,
            termsOfService: directory.termsOfService ?? stored?.termsOfService,
            caaIdentities: directory.caaIdentities.map { AuthorityText.shown($0) })
        return [.ready(directory, account)]
    }

    private static let scheme = "mailto:"

    private var contact: [String] {
        settings.configuration.contact.map { $0.hasPrefix(Self.scheme) ? $0 : Self.scheme + $0 }
    }

    private var plainContact: [String] {
        settings.configuration.contact.map { $0.hasPrefix(Self.scheme) ? String($0.dropFirst(Self.scheme.count)) : $0 }
    }
}
