package import DomainNames

/// A CA and the folder in which our account with it and its certificates are kept.
package struct AuthorityID: Hashable, Sendable {
    /// The URL of the CA's directory.
    package let directory: SecureURL
    /// The path of the folder.
    package let folder: String

    package init(directory: SecureURL, folder: String) { (self.directory, self.folder) = (directory, folder) }
}

/// The remains of earlier runs, or of another process, in the folder of an account.
package enum StoredState: Sendable {
    /// - Parameter keys: the domains for which the key of an order is stored.
    case read(IssuanceState, keys: Set<Domain>)
    /// `state.json` could not be read and was set aside, with a clause that says so.
    case damaged(String)
}

/// One CA in the coordinator: the account, the remembered state and how much of it is saved.
struct CertificateAuthority: Sendable {
    /// The readiness for orders from the CA.
    enum Session: Sendable {
        case closed
        /// The account's files are being read.
        ///
        /// - Parameter directory: that of the session before, if it is still good.
        case opening(Directory?)
        /// The directory is fetched, and the account found or made.
        case preparing(AccountMachine, wake: Duration?)
        case ready(Directory, ACMEAccount, since: Duration)
    }

    /// The right to order in the folder, which one process has.
    enum Lock: Sendable {
        case owned
        /// - Parameter retry: when to try again; nil is at once.
        case missing(retry: Duration?, Obstacle)
    }

    /// Why this process does not have the right to order.
    enum Obstacle: Sendable {
        /// It is not known yet whether it can be had.
        case undecided
        /// - Parameter name: of the node that orders, if it is one of a store and has said so.
        case otherOwner(name: String?)
        /// The clause says what is wrong.
        case problem(String)
    }

    let id: AuthorityID
    var settings: IssuanceSettings
    var lock: Lock
    var session = Session.closed
    /// Counts the sessions that were begun: an answer for an earlier one means nothing.
    private(set) var sessionNumber = 0
    /// The account's key, once it was read or made.
    var key: AccountKey?
    /// Whether the CA has said that it does not know the stored account.
    var isAccountLost = false
    var nonces = NoncePool()
    /// The issuers in the chains that it has sent.
    let issuers = KnownIssuers()
    var clockCheck = ClockCheck()
    var state = IssuanceState()
    /// The time at which the state is to be saved.
    var saveDeadline: Duration?
    /// The number of the last save that was begun.
    private(set) var saveNumber = 0
    /// Why the last save has failed.
    private(set) var saveProblem: String?
    private var writer = IssuanceStateWriter()
    /// The content of `state.json`.
    private var saved: [UInt8] = []
    /// Domains whose orders, with their keys, an earlier run or another process has left.
    private var leftOrders: Set<Domain> = []
    /// The last failure that was logged.
    var loggedFailure: AuthorityFailure?

    init(settings: IssuanceSettings, ownsLock: Bool) {
        (id, self.settings) = (settings.authority, settings)
        lock = ownsLock ? .owned : .missing(retry: nil, .undecided)
    }

    var ownsLock: Bool { if case .owned = lock { true } else { false } }

    var directory: Directory? { if case .ready(let directory, _, _) = session { directory } else { nil } }

    var account: ACMEAccount? { if case .ready(_, let account, _) = session { account } else { nil } }

    /// Makes the machine of an order; nil before the session is ready.
    func makeMachine(_ task: OrderTask) -> OrderMachine? {
        guard case .ready(let directory, let account, _) = session, let key else { return nil }
        return OrderMachine(task: task, directory: directory, account: account, key: key, issuers: issuers)
    }

    mutating func beginSession(_ machine: AccountMachine) {
        sessionNumber += 1
        session = .preparing(machine, wake: nil)
    }

    /// Ends the session, whatever it was: the settings have changed.
    mutating func endSession() {
        sessionNumber += 1
        session = .closed
    }

    mutating func handle(_ event: OrderMachine.Event, _ machine: inout OrderMachine, at now: Moment)
        -> [OrderMachine.Action]
    {
        machine.handle(event, at: now, nonces: &nonces)
    }

    mutating func handle(_ event: AccountMachine.Event, _ machine: inout AccountMachine, at now: Moment)
        -> [AccountMachine.Action]
    {
        machine.handle(event, at: now, nonces: &nonces)
    }

    mutating func plan(
        _ settings: IssuanceSettings, _ situation: IssuancePlan.Situation,
        random: inout some RandomNumberGenerator
    ) -> IssuancePlan {
        IssuancePlan(settings, situation, state: &state, random: &random)
    }

    /// The right to order is gone: what is known may be out of date from now on.
    mutating func loseRight() {
        endSession()
        (key, isAccountLost, saved, leftOrders) = (nil, false, [], [])
    }

    /// Takes over what was left; orders whose key is lost are forgotten.
    ///
    /// - Returns: the domains whose order keys are of no use.
    mutating func restore(_ stored: IssuanceState, keys: Set<Domain>) -> [Domain] {
        state = stored
        saved = []
        for (domain, record) in stored.domains where record.order != nil && !keys.contains(domain) {
            state.orderForgotten(domain)
        }
        guard ownsLock else { return [] }
        leftOrders = keys.filter { state.domains[$0]?.order != nil }
        return keys.subtracting(leftOrders).sorted()
    }

    /// The domains of left orders that a plan has found no use for: the process ended after their certificates were
    /// installed, and before it could save that.
    mutating func takeObsoleteOrders() -> [Domain] {
        defer { leftOrders = [] }
        return leftOrders.filter { state.domains[$0]?.order == nil }.sorted()
    }

    /// Begins to save.
    ///
    /// - Returns: the new content of `state.json`; nil if it has not changed, or another process writes it.
    mutating func beginSave() -> [UInt8]? {
        saveNumber += 1
        guard ownsLock else { return nil }
        let bytes = writer.bytes(state)
        guard bytes != saved else { return nil }
        saved = bytes
        return bytes
    }

    /// - Parameter problem: why the content may be another one.
    mutating func endSave(_ problem: String?) {
        saveProblem = problem
        if problem != nil { saved = [] }
    }

    /// The next moment at which something is due.
    var deadline: Duration? {
        var wake: Duration?
        if case .preparing(_, let end) = session { wake = end }
        return [saveDeadline, wake].compactMap { $0 }.min()
    }
}
