package import ACME
package import DomainNames
package import OpenSSL

/// Where the account with one CA, the state of its orders, their keys and the certificates are kept: a folder, or a store
/// of many machines.
///
/// It is used on the queue of the driver only, which may wait for it; no loop does.
package protocol IssuanceStorage: AnyObject {
    typealias LockAttempt = IssuanceCoordinator.LockAttempt

    /// Looks for requests of renewals, and whether this process has the right to order.
    ///
    /// - Parameter takesLock: whether to try to get it.
    /// - Returns: the attempt; nil if it was not tried, and this process has not lost it.
    func observe(takesLock: Bool) -> (lock: LockAttempt?, requests: Set<Domain>)
    /// The state of earlier runs as known before the right to order is there.
    func readState() -> StoredState
    /// - Parameter json: as ``IssuanceState/json``.
    func save(state json: [UInt8]) throws(IssuanceError)
    /// - Returns: whether there is no request any more.
    func endRenewalRequest(of domain: Domain) -> Bool

    /// - Returns: nil if there is none.
    /// - Throws: `acme-account` if it cannot be read: it must never be replaced.
    func readAccountKey(in context: LibraryContext) throws(IssuanceError) -> AccountKey?
    /// Stores the key of a new account; one that is there is an error.
    func add(_ key: AccountKey) throws(IssuanceError)
    /// - Returns: nil if there is none.
    func readAccount() throws(IssuanceError) -> ACMEAccount?
    func store(_ account: ACMEAccount) throws(IssuanceError)

    /// - Returns: nil if there is none.
    func readOrderKey(of domain: Domain, in context: LibraryContext) throws(IssuanceError) -> PrivateKey?
    func storeOrderKey(_ key: PrivateKey, of domain: Domain) throws(IssuanceError)
    func removeOrderKey(of domain: Domain)

    /// Writes a certificate and its key.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: the name of its folder.
    func install(_ certificate: OrderedCertificate, now: Int64) throws(IssuanceError) -> String
}

/// The other nodes with which a server shares its certificates, as the driver sees them.
///
/// A server without a cluster has the files of its own machine only.
package protocol IssuanceCluster: AnyObject, Sendable {
    func storage(_ id: AuthorityID) -> any IssuanceStorage

    /// Has all nodes answer a challenge.
    ///
    /// - Parameter whenServed: is called once, on any thread, when they do, or it is no use to wait longer.
    func publish(_ challenge: SharedChallenge, whenServed: @escaping @Sendable () -> Void)
    /// Has no node answer it any more.
    func withdraw(_ challenge: SharedChallenge)

    /// Waits until this server presents what was installed last.
    ///
    /// - Parameter whenPresented: is called once, on any thread, when it does, or it is no use to wait longer.
    func whenInstalledCertificatesArePresented(_ whenPresented: @escaping @Sendable () -> Void)

    /// Has the handler called when this process may have got or lost the right to order, or a renewal was requested;
    /// on any thread. It must not wait.
    func whenRightMayHaveChanged(_ handler: (@Sendable () -> Void)?)

    /// Leaves the orders to other nodes: nothing is ordered here any more.
    func resign()
}

/// A challenge that any node may be asked for.
package struct SharedChallenge: Equatable, Sendable {
    /// The host that the CA asks.
    package let name: String
    /// `tls-alpn-01` or `http-01`.
    package let type: ChallengeType
    package let token: String
    package let keyAuthorization: String
}
