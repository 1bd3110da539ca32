internal import ACME
internal import AssociationServer
internal import DomainNames
internal import HTTPClient
internal import OpenSSL
internal import SystemSupport

/// The storage and the connections that belong to one CA. It is used on the queue of the driver only.
final class AuthorityResources {
    let id: AuthorityID
    let storage: any IssuanceStorage
    private(set) var configuration: ACMEConfiguration
    private var client: AuthorityClient?
    /// The transport of the client.
    private(set) var transport: (any HTTPTransport)?

    init(_ id: AuthorityID, _ configuration: ACMEConfiguration, _ storage: any IssuanceStorage) {
        (self.id, self.configuration, self.storage) = (id, configuration, storage)
    }

    /// The library context of all keys and certificates of orders.
    ///
    /// A thread that has drawn random numbers in a context looks for it once more when it ends, and those of queues end
    /// when they like: a context that goes with the last driver would be gone by then. This one never goes.
    static let context = Result { () throws(OpenSSLError) in try LibraryContext() }

    func use(_ configuration: ACMEConfiguration) {
        if configuration.roots != self.configuration.roots { client = nil }
        self.configuration = configuration
    }

    /// The client for the CA's HTTPS.
    ///
    /// - Throws: `unavailable` if this machine lacks what that takes.
    func client(_ environment: IssuanceEnvironment) throws(IssuanceError) -> AuthorityClient {
        if let client { return client }
        do {
            let roots = configuration.roots
            let trust = try TrustStore(includesSystem: roots == nil, additional: roots)
            let transport = try environment.makeTransport(trust)
            let client = AuthorityClient(
                transport: transport, resolver: environment.resolver,
                proxies: environment.proxies, userAgent: environment.userAgent, timeLimit: environment.requestLimit,
                uptime: environment.uptime)
            (self.client, self.transport) = (client, transport)
            return client
        } catch {
            throw IssuanceError(.unavailable, "the CA cannot be contacted: \(error)", scope: .authority)
        }
    }

    // MARK: The state

    /// - Returns: why it could not be saved.
    func save(_ state: [UInt8]) -> String? {
        problem { () throws(IssuanceError) in try storage.save(state: state) }
    }

    /// - Returns: why it could not be stored.
    func store(_ received: ACMEAccount) -> String? {
        problem { () throws(IssuanceError) in try storage.store(received) }
    }

    private func problem(_ write: () throws(IssuanceError) -> Void) -> String? {
        do throws(IssuanceError) {
            try write()
            return nil
        } catch {
            return error.message
        }
    }

    // MARK: Keys

    /// Reads the account's key and `account.json`; makes the key if there is none.
    func openAccount(_ known: AccountKey?, readsAccount: Bool) throws(IssuanceError) -> (AccountKey, ACMEAccount?) {
        let key = if let known { known } else { try readKey() }
        return (key, readsAccount ? try storage.readAccount() : nil)
    }

    private func readKey() throws(IssuanceError) -> AccountKey {
        let context: LibraryContext
        do throws(OpenSSLError) {
            context = try Self.context.get()
        } catch {
            throw IssuanceError(.acmeAccount, "the account's key cannot be used: \(error)", scope: .authority)
        }
        if let stored = try storage.readAccountKey(in: context) { return stored }
        let key = try AccountKey.make(in: context)
        do throws(IssuanceError) { try storage.add(key) } catch { throw error.concerning(.authority) }
        return key
    }

    /// Makes and stores the key of an order, or reads that of one that is continued.
    func prepareKey(_ id: OrderID, _ task: OrderTask) -> IssuanceCoordinator.Event {
        do {
            let context = try Self.context.get()
            if task.resumes != nil {
                // Without its key the order is of no use.
                let key = try storage.readOrderKey(of: task.domain, in: context)
                return key.map { .keyPrepared(id, $0) } ?? .keyLost(id, isDamaged: false)
            }
            let key =
                switch task.configuration.keyType {
                case .p256: try PrivateKey.makeP256(in: context)
                case .p384: try PrivateKey.makeP384(in: context)
                case .rsa2048: try PrivateKey.makeRSA(bits: 2_048, in: context)
                }
            try storage.storeOrderKey(key, of: task.domain)
            return .keyPrepared(id, key)
        } catch {
            if task.resumes != nil { return .keyLost(id, isDamaged: true) }
            let reason = (error as? IssuanceError)?.message
            return .keyNotStored(id, reason ?? "the key of the order cannot be made: \(error)")
        }
    }

    // MARK: Certificates

    func install(_ id: OrderID, _ certificate: OrderedCertificate, now: Int64) -> IssuanceCoordinator.Event {
        do throws(IssuanceError) {
            return .installed(id, folder: try storage.install(certificate, now: now))
        } catch {
            return .notInstalled(id, error.message)
        }
    }
}
