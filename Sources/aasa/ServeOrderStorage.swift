import ACME
import AutomaticCertificates
import BoundedText
import Diagnostics
import DomainNames
import OpenSSL
import PostgreSQLStore
import SiteStore
import SystemSupport

/// The storage of one CA's orders in a store: the account, the state of orders and their keys, encrypted as far as they are
/// secret, and the certificates (store.md, section 7).
final class StoreStorage: IssuanceStorage {
    private let directory: String
    private let url: SecureURL
    private let cluster: StoreCluster
    /// The term in which this node orders, as the driver knows it; nil while it does not.
    private var term: Int?
    /// The revision of what the node that orders remembers, as it was read last.
    private var revision: Int64?
    /// The contents that were read since then.
    private let other = OtherState()

    /// The memory of the node that orders, as it was read last, until it is shown.
    private final class OtherState: Sendable {
        let read = Locked<(state: StoreOrders.State, keys: [String])?>(nil)
    }

    private static let accounts = "acme_accounts"
    private static let orders = "acme_orders"
    private static let certificates = "certificates"

    init(_ id: AuthorityID, _ cluster: StoreCluster) {
        (url, directory, self.cluster) = (id.directory, id.directory.description, cluster)
    }

    // MARK: The right to order

    func observe(takesLock: Bool) -> (lock: LockAttempt?, requests: Set<Domain>) {
        guard let orderer = cluster.orderer() else { return (.undecided, []) }
        let (right, current) = orderer.rightAndTerm
        if right == .owned, term == current { return (nil, requests()) }
        if term != nil {
            (term, revision) = (nil, nil)
            // It was lost and taken again: somebody else may have had it in between.
            if right == .owned { cluster.noteChange() }
            return right == .owned ? (.undecided, []) : (attempt(right), [])
        }
        guard right == .owned else { return (attempt(right), []) }
        do throws(IssuanceError) {
            let state = try readStored()
            term = current
            return (.taken(state), requests())
        } catch {
            return (.failed(error.message), [])
        }
    }

    /// The state of the right to order, in terms of orders.
    private func attempt(_ right: OrdererState.Right) -> LockAttempt {
        switch right {
        case .owned, .sought: .undecided
        case .ownedByOther(let name): .ownedByOther(name: name, state: readOther())
        case .unavailable(let reason): .failed("the store cannot be used for orders: \(reason)")
        }
    }

    private func requests() -> Set<Domain> {
        let found = try? run { (connection) throws(StoreError) in try StoreOrders.requests(over: connection) }
        return Set((found ?? []).compactMap { Domain($0) })
    }

    /// The state before the right to order is there: nothing is known.
    func readState() -> StoredState { .read(IssuanceState(), keys: []) }

    private func readStored() throws(IssuanceError) -> StoredState {
        let (state, keys) = try run { [directory] (connection) throws(StoreError) in
            (
                try StoreOrders.state(directory, over: connection),
                try StoreOrders.orderKeys(directory, over: connection)
            )
        }
        return stored(state, keys)
    }

    private func stored(_ state: StoreOrders.State?, _ keys: [String]) -> StoredState {
        guard let state else { return .read(IssuanceState(), keys: Set(keys.compactMap { Domain($0) })) }
        revision = state.revision
        do throws(IssuanceError) {
            return .read(
                try IssuanceState(json: Array(state.json.utf8)), keys: Set(keys.compactMap { Domain($0) }))
        } catch {
            return .damaged("'aasa.acme_states': \(error.message)")
        }
    }

    /// The memory of the node that orders, if it has changed: this one shows it.
    private func readOther() -> StoredState? {
        let (directory, revision, other, cluster) = (directory, revision, other, cluster)
        cluster.orderer()?.start(needsRight: false) { (connection) throws(StoreError) in
            guard let state = try StoreOrders.state(directory, besides: revision, over: connection) else {
                return nil as (state: StoreOrders.State, keys: [String])?
            }
            return (state, try StoreOrders.orderKeys(directory, over: connection))
        } completion: { result in
            guard case .success(let read?) = result else { return }
            other.read.withLock { $0 = read }
            cluster.noteChange()
        }
        let read = other.read.withLock { read in
            defer { read = nil }
            return read
        }
        return read.map { stored($0.state, $0.keys) }
    }

    // MARK: The state

    func save(state json: [UInt8]) throws(IssuanceError) {
        let text = String(text: json)
        try run { [directory] (connection) throws(StoreError) in
            try StoreOrders.setState(text, of: directory, over: connection)
        }
    }

    func endRenewalRequest(of domain: Domain) -> Bool {
        let name = domain.identifier
        do {
            try run { (connection) throws(StoreError) in try StoreOrders.endRequest(name, over: connection) }
            return true
        } catch {
            return false
        }
    }

    // MARK: The account

    func readAccountKey(in context: LibraryContext) throws(IssuanceError) -> AccountKey? {
        guard let account = try account() else { return nil }
        var pem = try open(account.key, Self.accounts, directory, .acmeAccount, .authority)
        defer { SecretBytes.wipe(&pem) }
        return try AccountKey(pem: pem, in: context)
    }

    private func account() throws(IssuanceError) -> StoreOrders.Account? {
        do throws(IssuanceError) {
            return try run { [directory] (connection) throws(StoreError) in
                try StoreOrders.account(directory, over: connection)
            }
        } catch {
            throw error.concerning(.authority)
        }
    }

    func add(_ key: AccountKey) throws(IssuanceError) {
        let sealed = try seal(key.key, Self.accounts, directory)
        let isNew = try run { [directory] (connection) throws(StoreError) in
            try StoreOrders.add(sealed, of: directory, over: connection)
        }
        guard isNew else { throw IssuanceError(.storage, "the store has a key of an account already") }
    }

    func readAccount() throws(IssuanceError) -> ACMEAccount? {
        guard let json = try account()?.account else { return nil }
        return try ACMEAccount(json: Array(json.utf8), directory: url)
    }

    func store(_ account: ACMEAccount) throws(IssuanceError) {
        let (directory, json, accountURL) = (directory, account.json, account.url.description)
        try run { (connection) throws(StoreError) in
            try StoreOrders.setAccount(json, url: accountURL, of: directory, over: connection)
        }
    }

    // MARK: Orders in progress

    func readOrderKey(of domain: Domain, in context: LibraryContext) throws(IssuanceError) -> PrivateKey? {
        let name = domain.identifier
        let sealed = try run { (connection) throws(StoreError) in
            try StoreOrders.orderKey(of: name, over: connection)
        }
        guard let sealed else { return nil }
        var pem = try open(sealed, Self.orders, name, .storage, .domain)
        defer { SecretBytes.wipe(&pem) }
        do throws(OpenSSLError) {
            return try PrivateKey(pem: pem, in: context)
        } catch {
            throw IssuanceError(.storage, "the key of the order for '\(name)' in the store: \(error)")
        }
    }

    func storeOrderKey(_ key: PrivateKey, of domain: Domain) throws(IssuanceError) {
        let (name, directory) = (domain.identifier, directory)
        let sealed = try seal(key, Self.orders, name)
        try run { (connection) throws(StoreError) in
            try StoreOrders.setOrderKey(sealed, of: name, directory, over: connection)
        }
    }

    func removeOrderKey(of domain: Domain) {
        let name = domain.identifier
        try? run { (connection) throws(StoreError) in try StoreOrders.removeOrderKey(of: name, over: connection) }
    }

    // MARK: Certificates

    func install(_ certificate: OrderedCertificate, now: Int64) throws(IssuanceError) -> String {
        guard let ring = cluster.node.ring, let key = certificate.key.pem else { throw Self.cannotSeal }
        let (domain, directory) = (certificate.domain, directory)
        let chain = String(text: certificate.chain.pem)
        let notAfter = certificate.chain.leaf.notAfter
        let own = domain.folderName
        let outcome = try run { (connection) throws(StoreError) in
            do throws(StoreOrders.InstallationError) {
                return Result<(name: String, generation: Int64), StoreOrders.InstallationError>.success(
                    try StoreOrders.install(
                        names: [own, "\(own)-acme"],
                        { (name) throws(StoreKeyError) in
                            let sealed = try ring.seal(key, table: Self.certificates, primaryKey: name)
                            return StoreCertificates.Row(
                                name: name, names: [domain.identifier], chain: chain, keyID: sealed.keyID,
                                sealedKey: sealed.bytes, notAfter: notAfter, source: .acme, authority: directory)
                        }, over: connection))
            } catch {
                if case .store(let error) = error { throw error }
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let installed):
            cluster.noteInstalled(installed.generation)
            return installed.name
        case .failure(.taken(let names)):
            let list = names.map { "'\($0)'" }.joined(separator: " and ")
            throw IssuanceError(
                .storage, "the certificate is issued, but the store has imported certificates with the names \(list)")
        case .failure: throw Self.cannotSeal
        }
    }

    // MARK: Secrets

    private static let cannotSeal = IssuanceError(.storage, "the private key cannot be encrypted with 'storeKeyFile'")

    private func seal(
        _ key: PrivateKey, _ table: String, _ primaryKey: String
    ) throws(IssuanceError) -> StoreKeyRing.Sealed {
        guard let ring = cluster.node.ring, let pem = key.pem else { throw Self.cannotSeal }
        do throws(StoreKeyError) {
            return try ring.seal(pem, table: table, primaryKey: primaryKey)
        } catch {
            throw Self.cannotSeal
        }
    }

    /// - Returns: the key in PEM, which the caller wipes.
    private func open(
        _ sealed: StoreKeyRing.Sealed, _ table: String, _ primaryKey: String, _ type: IssuanceErrorType,
        _ scope: IssuanceError.Scope
    ) throws(IssuanceError) -> [UInt8] {
        let place = "the key in 'aasa.\(table)' for '\(primaryKey)'"
        guard let ring = cluster.node.ring else {
            throw IssuanceError(type, "\(place) is encrypted, and there is no 'storeKeyFile'", scope: scope)
        }
        do throws(StoreKeyError) {
            return try ring.open(sealed.bytes, keyID: sealed.keyID, table: table, primaryKey: primaryKey).withBytes {
                Array($0)
            }
        } catch .missing(let id) {
            throw IssuanceError(
                type, "\(place) is encrypted with key \(quoted(id)), which 'storeKeyFile' does not have", scope: scope)
        } catch {
            throw IssuanceError(
                type, "\(place) does not open: wrong key, or the data were changed", scope: scope)
        }
    }

    private func run<Result: Sendable>(
        _ body: @escaping @Sendable (StoreConnection) throws(StoreError) -> Result
    ) throws(IssuanceError) -> Result {
        guard let orderer = cluster.orderer() else {
            throw IssuanceError(.storage, "there is no connection for orders")
        }
        do throws(StoreError) {
            return try orderer.run(body)
        } catch {
            throw IssuanceError(.storage, "the store cannot be used: \(error.message)")
        }
    }
}
