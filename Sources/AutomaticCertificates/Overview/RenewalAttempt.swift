package import ACME
package import AssociationServer
package import DomainNames

/// A renewal that was requested, seen from outside of the process that orders.
package struct RenewalAttempt: Sendable {
    package enum Result: Sendable {
        case issued(IssuanceOverview.Certificate)
        /// Nil if no reason is recorded.
        case failed(RecordedError?)
    }

    package enum Progress: Sendable {
        /// The request is still there.
        case pending
        /// The same, and no process has the right to order.
        case abandoned
        /// The request is gone, and what has come of it does not show yet.
        case ending
        case ended(Result)
    }

    private let source: any IssuanceSource
    private let domain: Domain
    /// The certificates that were there before, by their fingerprints.
    private let known: Set<String>
    /// Seconds since 1970.
    private let start: Int64

    /// - Parameter overview: the certificates before the request.
    package init(
        _ source: any IssuanceSource, of domain: Domain, since start: Int64, _ overview: IssuanceOverview
    ) {
        self.source = source
        self.domain = domain
        self.start = start
        known = Set(overview.ordered(for: domain).map(\.sha256))
    }

    /// Reads the progress.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - isLast: whether a request that is gone without a trace has failed.
    package func progress(now: Int64, isLast: Bool) throws(ServerError) -> Progress {
        if try source.isRenewalRequested(of: domain) { return try source.isLocked() ? .pending : .abandoned }
        let overview = try source.overview(requesting: nil, now: now)
        let new = overview.ordered(for: domain).filter { !known.contains($0.sha256) }
        if let certificate = new.max(by: { $0.notBefore < $1.notBefore }) { return .ended(.issued(certificate)) }
        let error = overview.statuses.byDomain[domain]?.lastError
        // What has failed for all domains is not noted for one that has a certificate.
        for case let error? in [error, overview.statuses.authorityError] where error.at >= start {
            return .ended(.failed(error))
        }
        return isLast ? .ended(.failed(error)) : .ending
    }
}
