internal import ACME
internal import DomainNames
internal import OpenSSL
internal import SystemSupport

/// The storage of one CA's orders in `acme.folder`.
final class FolderStorage: IssuanceStorage {
    private let folder: IssuanceFolder
    private let account: AccountFolder
    private let directory: SecureURL
    /// Nil as long as another process orders.
    private(set) var lock: FolderLock?

    /// - Parameter lock: the lock of the folder, if this process has it already.
    init(_ id: AuthorityID, lock: FolderLock?) {
        directory = id.directory
        folder = IssuanceFolder(id.folder)
        account = folder.account(id.directory)
        self.lock = lock
    }

    func observe(takesLock: Bool) -> (lock: LockAttempt?, requests: Set<Domain>) {
        var attempt: LockAttempt?
        if takesLock {
            do throws(SystemError) {
                lock = try folder.lock()
                attempt = lock == nil ? .ownedByOther() : .taken(readState())
            } catch {
                attempt = .failed("'\(folder.path)' cannot be written: \(error.reason)")
            }
        }
        return (attempt, folder.renewalRequests())
    }

    func readState() -> StoredState {
        do throws(IssuanceError) {
            return .read(try account.readState(), keys: account.orderKeys())
        } catch {
            account.setStateAside()
            return .damaged(error.message)
        }
    }

    func save(state json: [UInt8]) throws(IssuanceError) {
        try write { () throws(SystemError) in try account.storeState(json) }
    }

    func endRenewalRequest(of domain: Domain) -> Bool { folder.endRenewalRequest(of: domain) }

    func readAccountKey(in context: LibraryContext) throws(IssuanceError) -> AccountKey? {
        try account.readKey(in: context)
    }

    func add(_ key: AccountKey) throws(IssuanceError) {
        try write { () throws(SystemError) in try account.store(key) }
    }

    func readAccount() throws(IssuanceError) -> ACMEAccount? { try account.readAccount() }

    func store(_ received: ACMEAccount) throws(IssuanceError) {
        try write { () throws(SystemError) in try account.store(received) }
    }

    func readOrderKey(of domain: Domain, in context: LibraryContext) throws(IssuanceError) -> PrivateKey? {
        try account.readOrderKey(of: domain, in: context)
    }

    func storeOrderKey(_ key: PrivateKey, of domain: Domain) throws(IssuanceError) {
        do throws(SystemError) {
            try account.storeOrderKey(key, of: domain)
        } catch {
            throw IssuanceError(
                .storage, "the key of the order cannot be stored in '\(account.path)': \(error.reason)")
        }
    }

    func removeOrderKey(of domain: Domain) { account.removeOrderKey(of: domain) }

    func install(_ certificate: OrderedCertificate, now: Int64) throws(IssuanceError) -> String {
        do throws(SystemError) {
            return Path.name(of: try folder.install(certificate, directory: directory, now: now))
        } catch {
            throw IssuanceError(
                .storage, "the certificate is issued but cannot be written to '\(folder.path)': \(error.reason)")
        }
    }

    private func write(_ body: () throws(SystemError) -> Void) throws(IssuanceError) {
        do throws(SystemError) {
            try body()
        } catch {
            throw IssuanceError(.storage, "'\(account.path)' cannot be written: \(error.reason)")
        }
    }
}
