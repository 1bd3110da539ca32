package import DomainNames
package import OpenSSL

// Everything that goes in and comes out.
extension IssuanceCoordinator {
    /// The sites that need certificates, the certificates that there are, and the settings.
    package struct Input: Sendable {
        /// Nil while nothing is ordered.
        package var settings: IssuanceSettings?
        /// Whether the settings are others than those of the last input.
        package var hasNewSettings: Bool
        /// The stored state of the CA of the settings; nil if the coordinator was given it before.
        package var stored: StoredState?
        package var sites: [Domain]
        package var certificates: CertificateIndex

        package init(
            _ settings: IssuanceSettings?, hasNewSettings: Bool, stored: StoredState? = nil, sites: [Domain],
            certificates: CertificateIndex
        ) {
            (self.settings, self.hasNewSettings, self.stored) = (settings, hasNewSettings, stored)
            (self.sites, self.certificates) = (sites, certificates)
        }
    }

    /// The result of trying to become the process that orders.
    package enum LockAttempt: Sendable {
        case taken(StoredState)
        /// Another process, or another node of a store, orders; this process does not, also if it did before.
        ///
        /// - Parameters:
        ///   - name: of the node, if it has said so.
        ///   - state: what it remembers, if that has changed.
        case ownedByOther(name: String? = nil, state: StoredState? = nil)
        /// It is not known yet who orders; this process does not.
        case undecided
        /// The folder cannot be written, or the store not be used, with a clause that says why.
        case failed(String)
    }

    /// Who has sent a request to a CA.
    package enum Requester: Hashable, Sendable {
        /// - Parameter session: the number of the session.
        case account(AuthorityID, session: Int)
        case order(OrderID)
        case renewalInfo(Domain)
    }

    package typealias Answer = Result<ACMEResponse, TransportFailure>

    package enum Event: Sendable {
        case inputChanged(Input)
        /// ``deadline`` may have come.
        case timerFired
        /// The right to order may have been taken or lost, or a renewal was requested.
        case rightMayHaveChanged
        /// - Parameters:
        ///   - lock: nil if it was not tried, and not lost.
        ///   - requests: the domains whose renewal was requested.
        case observed(lock: LockAttempt?, requests: Set<Domain>)
        /// - Parameter problem: a clause that says why it was not.
        case saved(AuthorityID, number: Int, problem: String?)
        case accountOpened(AuthorityID, AccountKey, ACMEAccount?)
        case accountNotOpened(AuthorityID, IssuanceError)
        case answered(Answer, to: Int, Requester)
        /// The name may lead here; with a clause about what could not be found out.
        case preflightPassed(OrderID, remark: String?)
        case preflightFailed(OrderID, IssuanceError)
        case keyPrepared(OrderID, PrivateKey)
        /// A new key could not be stored, with a clause that says why.
        case keyNotStored(OrderID, String)
        /// The key of an order that was to be continued is not there, or damaged.
        case keyLost(OrderID, isDamaged: Bool)
        case challengePublished(OrderID)
        /// This server cannot answer the challenge.
        case challengeNotPublished(OrderID, ChallengeType)
        /// The certificate was written into a folder with this name.
        case installed(OrderID, folder: String)
        /// The certificate could not be written, with a clause that says why.
        case notInstalled(OrderID, String)
        /// The server has read the certificates of these orders, and this is what there is now.
        case activated([OrderID], Input)
        /// The request of a renewal could not be removed.
        case renewalRequestKept(AuthorityID, Domain)
        case stopped
    }

    package enum Action: Sendable {
        /// Look at the folder, and try to get the lock before; then ``Event/observed(lock:requests:)``.
        case observe(AuthorityID?, takesLock: Bool)
        /// Write `state.json`; then ``Event/saved(_:number:problem:)``.
        case save(AuthorityID, [UInt8], number: Int)
        case removeOrderKey(AuthorityID, Domain)
        /// Remove the request; ``Event/renewalRequestKept(_:_:)`` if that fails.
        case removeRenewalRequest(AuthorityID, Domain)
        /// Read the account's files, or make its key if there is none; then ``Event/accountOpened(_:_:_:)``.
        ///
        /// - Parameters:
        ///   - key: the one that is known.
        ///   - readsAccount: whether `account.json` counts.
        case openAccount(AuthorityID, key: AccountKey?, readsAccount: Bool)
        case storeAccount(AuthorityID, ACMEAccount)
        /// Send a request to the CA; then ``Event/answered(_:to:_:)``.
        case send(ACMERequest, Requester, AuthorityID)
        /// Ask the addresses of the name; then ``Event/preflightPassed(_:remark:)``.
        case preflight(OrderID, AuthorityID, ChallengeType)
        /// Make and store the key of an order, or read that of an order that is continued; then
        /// ``Event/keyPrepared(_:_:)``.
        case prepareKey(OrderID, AuthorityID, OrderTask)
        /// Answer a challenge; then ``Event/challengePublished(_:)``.
        case publish(OrderID, ChallengeAnswer)
        /// Withdraw the challenge that was published, if any.
        case withdraw(OrderID)
        /// Write a certificate; then ``Event/installed(_:folder:)``.
        case install(OrderID, AuthorityID, OrderedCertificate)
        /// Have the server read what was installed; then ``Event/activated(_:_:)``.
        case activate([Activation])
        /// Cancel what is under way for an order, which has ended.
        case close(OrderID)
        /// Give up what belongs to a CA that is not used any more.
        case release(AuthorityID)
        case show(Overview)
        case log(StatusLine)
    }

    /// A certificate that was installed and that the server has not read.
    package struct Activation: Sendable {
        package let order: OrderID
        package let folder: String
        package let certificate: X509Certificate
    }

    /// The state of all domains, as it is shown.
    package struct Overview: Sendable {
        package let directory: SecureURL
        package let ownsLock: Bool
        package let statuses: [Domain: DomainStatus]
        package let counts: OrderCounts
        package let errors: [IssuanceErrorType: UInt64]
    }
}
