internal import ACME
internal import AssociationServer
internal import HTTPClient
internal import OpenSSL
internal import SystemSupport

/// One CA and the folder of our account with it. On the queue of the driver only.
final class Authority: @unchecked Sendable {
    enum Session {
        case none
        case preparing(AccountMachine)
        case ready(Directory, Account, since: Duration)
    }

    let directory: SecureURL
    let folder: IssuanceFolder
    let accountFolder: AccountFolder
    var configuration: ACMEConfiguration
    /// Nil as long as another process orders.
    private(set) var lock: FolderLock?
    /// When to try again to get the lock.
    private(set) var nextLock: Duration?
    /// Why there is none, if the reason is not another process.
    private(set) var lockProblem: SystemError?
    var state = IssuanceState()
    private var writer = IssuanceStateWriter()
    /// What `state.json` holds.
    private var written: [UInt8] = []
    var session = Session.none
    /// Counts the sessions that were begun: an answer for an earlier one means nothing.
    var sessionNumber = 0
    var nonces = NoncePool()
    /// Of the chains that it has sent.
    let issuers = KnownIssuers()
    var key: AccountKey?
    /// Whether the CA has said that it does not know the account.
    var hasLostAccount = false
    /// Orders that wait for the account to be found or made once more.
    var waiting: [RunningOrder] = []
    /// Orders that go on when what is known was stored.
    var held: [RunningOrder] = []
    var isStoringSoon = false
    var isStoringNow = false
    /// Domains whose orders, with their keys, an earlier run or another process has left.
    private var leftOrders: Set<Domain> = []
    /// Why it could not be stored the last time.
    var storageProblem: String?
    /// The last one of which there is a line in the log.
    var loggedSetback: Setback?
    var clockCheck = ClockCheck()
    private var client: AuthorityClient?
    /// Of the client.
    private(set) var transport: (any HTTPTransport)?

    init(_ configuration: ACMEConfiguration, directory: SecureURL, folder: IssuanceFolder, lock: FolderLock? = nil) {
        (self.configuration, self.directory, self.folder, self.lock) = (configuration, directory, folder, lock)
        accountFolder = folder.account(directory)
    }

    var isHolder: Bool { lock != nil }

    var account: Account? { if case .ready(_, let account, _) = session { account } else { nil } }

    var readyDirectory: Directory? { if case .ready(let directory, _, _) = session { directory } else { nil } }

    /// Tries to become the process that orders, if it is time to.
    ///
    /// - Returns: whether it has become it now.
    func takeLock(_ now: Duration, pause: Duration) -> Bool {
        guard lock == nil, nextLock.map({ $0 <= now }) ?? true else { return false }
        nextLock = now + pause
        do throws(SystemError) {
            lock = try folder.lock()
            lockProblem = nil
        } catch {
            lockProblem = error
        }
        guard lock != nil else { return false }
        nextLock = nil
        return true
    }

    /// Gives the folder up.
    func release() { lock = nil }

    /// After a change of the settings, whatever it was.
    func use(_ configuration: ACMEConfiguration) {
        if configuration.roots != self.configuration.roots { client = nil }
        self.configuration = configuration
        session = .none
        sessionNumber += 1
    }

    /// What the CA is asked with.
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

    var accountSettings: AccountMachine.Settings {
        AccountMachine.Settings(
            directory: directory, contact: configuration.contact,
            externalAccount: configuration.externalAccount.flatMap { account in
                account.hmacKey.map { ExternalAccountBinding(keyIdentifier: account.keyIdentifier, hmacKey: $0.bytes) }
            }, profile: configuration.profile)
    }

    /// Reads what earlier runs, or another process, have left. Orders whose key is lost are forgotten.
    func readState() throws(IssuanceError) {
        state = try accountFolder.readState()
        written = []
        let keys = accountFolder.orderKeys()
        for (domain, record) in state.domains where record.order != nil && !keys.contains(domain) {
            state.orderForgotten(domain)
        }
        guard isHolder else { return }
        for domain in keys where state.domains[domain]?.order == nil { accountFolder.removeOrderKey(of: domain) }
        leftOrders = keys.filter { state.domains[$0]?.order != nil }
    }

    /// Removes the keys of orders that were left and that a plan has found no use for: the process ended after their
    /// certificates were installed, and before it could store that.
    func removePointlessKeys() {
        for domain in leftOrders where state.domains[domain]?.order == nil { accountFolder.removeOrderKey(of: domain) }
        leftOrders = []
    }

    /// Writes what is known, if it has changed since.
    func storeState() throws(SystemError) {
        guard isHolder else { return }
        let bytes = writer.bytes(state)
        guard bytes != written else { return }
        try accountFolder.storeState(bytes)
        written = bytes
    }
}
