package import ACME
package import AssociationServer
package import DomainNames

/// The statuses of a server's domains by what is stored alone: whether it runs or not, and without writing anything.
package struct DomainStatuses: Sendable {
    /// Empty without ACME.
    package let byDomain: [Domain: DomainStatus]
    /// The certificates as the plan sees them.
    package let installed: [InstalledCertificate]
    /// The times of renewals by the certificates' fingerprints; only of those in use for which that was decided.
    package let renewals: [String: Int64]
    /// Whether a process has the right to order.
    package let isLocked: Bool
    /// Why the state of earlier runs cannot be read.
    package let problem: IssuanceError?
    /// The last failure of the CA for all domains, if it has not answered since.
    package let authorityError: RecordedError?
    private let directory: String

    /// - Parameters:
    ///   - records: what is stored; nil for what is in the folder of the input.
    ///   - requested: a domain whose renewal is asked for, besides those for which there are requests already.
    ///   - now: seconds since 1970.
    package init(
        _ input: IssuanceInput, _ records: IssuanceRecords? = nil, requesting requested: Domain? = nil, now: Int64
    ) {
        var inventory = CertificateInventory()
        let installed = inventory.certificates(input)
        self.installed = installed
        guard let settings = IssuanceSettings(input) else {
            (byDomain, renewals, isLocked, problem, authorityError, directory) = ([:], [:], false, nil, nil, "")
            return
        }
        directory = settings.authority.directory.description
        let records = records ?? IssuanceRecords(folder: input)
        (isLocked, problem) = (records.isLocked, records.problem)
        let stored = records.state
        var state = stored
        authorityError = stored.authority?.error
        var situation = IssuancePlan.Situation(now: now)
        situation.sites = input.domains.compactMap { Domain($0) }
        situation.certificates = installed
        situation.ownsLock = false
        situation.requested = records.requests
        if let requested { situation.requested.insert(requested) }
        if isLocked {
            situation.ongoing = Set(
                stored.domains.filter { $0.value.state == .ordering || $0.value.state == .renewing }.keys)
        }
        var random = FixedNumbers()
        let plan = IssuancePlan(settings, situation, state: &state, random: &random)
        var statuses = plan.statuses
        var renewals: [String: Int64] = [:]
        for (domain, status) in statuses {
            statuses[domain]?.isUnattended = !isLocked
            guard let fingerprint = state.domains[domain]?.renewal?.fingerprint, let time = status.nextRenewal else {
                continue
            }
            // A time that was drawn here is not that of the server.
            if stored.domains[domain]?.renewal?.fingerprint == fingerprint || time <= now {
                renewals[fingerprint] = time
            } else {
                statuses[domain]?.nextRenewal = nil
            }
        }
        byDomain = statuses
        self.renewals = renewals
    }

    /// The statuses as a server would show them.
    package var report: IssuanceReport { IssuanceReport(directory: directory, byDomain, ownsLock: false) }
}

/// A generator of the same numbers each time: nothing is decided by them.
private struct FixedNumbers: RandomNumberGenerator {
    private var state: UInt64 = 0

    mutating func next() -> UInt64 {
        // An odd number near the golden ratio of 2^64 goes through all values.
        state &+= 0x9E37_79B9_7F4A_7C15
        return state
    }
}
