package import ACME
package import DomainNames
internal import SystemSupport

/// The state of the certificates that the server gets by itself: what is shown in `/sites`, `/metrics` and `/readyz`
/// (acme.md, sections 8 and 9).
package struct IssuanceReport: Equatable, Sendable {
    /// The URL of the CA.
    package var directory: String
    /// The statuses by domain: `example.com`, or `*.example.com` for a wildcard.
    package var domains: [String: DomainStatus]
    package var orders = OrderCounts()
    /// The number of errors of each type since the start.
    package var errors: [String: UInt64] = [:]
    /// Whether this process orders, and no other that has the same folder.
    package var ownsLock: Bool

    package init(directory: String = "", domains: [String: DomainStatus] = [:], ownsLock: Bool = false) {
        self.directory = directory
        self.domains = domains
        self.ownsLock = ownsLock
    }

    package init(directory: String, _ statuses: [Domain: DomainStatus], ownsLock: Bool) {
        self.init(directory: directory, ownsLock: ownsLock)
        domains.reserveCapacity(statuses.count)
        for (domain, status) in statuses { domains[domain.identifier] = status }
    }

    /// The number of domains that have a certificate, and of those that should.
    package var coverage: (valid: Int, all: Int) {
        let wanted = domains.values.filter { $0.state != .excluded }
        return (wanted.count(where: \.hasCertificate), wanted.count)
    }
}

/// A report that is made once, when it is first asked for.
final class ShownIssuanceReport: Sendable {
    private let make: @Sendable () -> IssuanceReport
    private let made = Locked<IssuanceReport?>(nil)

    init(_ make: @escaping @Sendable () -> IssuanceReport) { self.make = make }

    var report: IssuanceReport {
        made.withLock { made in
            let report = made ?? make()
            made = report
            return report
        }
    }
}
