package import DomainNames

/// The plan: the status of each domain, the orders that begin now, and the time of the next plan.
///
/// A pure function of what there is: made again whenever something has happened, or ``nextChange`` has come.
package struct IssuancePlan: Sendable {
    /// The situation that a plan is made for.
    package struct Situation: Sendable {
        package var sites: [Domain] = []
        package var certificates: [InstalledCertificate] = []
        /// The index of these certificates; nil if the plan has to make it.
        package var index: CertificateIndex?
        /// Domains whose orders have begun and have not ended.
        package var ongoing: Set<Domain> = []
        /// The number of ongoing orders that the CA has nothing to do with any more: their certificates are installed.
        package var finished = 0
        /// The number of ongoing orders that are not made yet, and will count for the limit.
        package var unrecordedOrders = 0
        /// Domains whose renewal was requested.
        package var requested: Set<Domain> = []
        /// Domains whose certificates the CA is being asked about.
        package var asking: Set<Domain> = []
        /// Whether this process is the one that orders.
        package var ownsLock = true
        /// Whether the CA can be asked when to renew.
        package var offersRenewalInfo = false
        /// Seconds since 1970.
        package var now: Int64

        package init(now: Int64) { self.now = now }
    }

    /// A certificate that the CA is to be asked about.
    package struct Question: Equatable, Sendable {
        package let domain: Domain
        package let fingerprint: String
        package let certificate: CertificateID
        /// The time, in seconds since 1970, after which a window of the CA has to begin.
        package let earliestWindow: Int64

        package init(domain: Domain, fingerprint: String, certificate: CertificateID, earliestWindow: Int64) {
            (self.domain, self.fingerprint) = (domain, fingerprint)
            (self.certificate, self.earliestWindow) = (certificate, earliestWindow)
        }
    }

    package internal(set) var statuses: [Domain: DomainStatus] = [:]
    /// To begin now, in this order.
    package internal(set) var orders: [OrderTask] = []
    package internal(set) var questions: [Question] = []
    /// The time at which something changes by itself, in seconds since 1970; nil if nothing does.
    package internal(set) var nextChange: Int64?

    /// - Parameter state: is brought up to date, and is to be stored if it has changed.
    package init(
        _ settings: IssuanceSettings, _ situation: Situation, state: inout IssuanceState,
        random: inout some RandomNumberGenerator
    ) {
        var planner = Planner(settings: settings, situation: situation, state: state)
        // The planner's copy is the only one, which can be changed in place.
        state = IssuanceState()
        planner.plan(random: &random)
        self = planner.plan
        state = planner.state
    }

    init() {}
}
