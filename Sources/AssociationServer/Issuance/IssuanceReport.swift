/// How it is with the certificates that are got by themselves: what is shown in `/sites`, `/metrics` and `/readyz`
/// (acme.md, sections 8 and 9).
package struct IssuanceReport: Equatable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        case excluded, covered
        /// Queued, limited, or another process does it.
        case waiting
        case ordering, valid, renewing
        /// The next attempt has its time.
        case backoff
        /// There will be none until somebody changes something.
        case blocked
    }

    /// Why an attempt has failed.
    package struct Failure: Equatable, Sendable {
        /// Seconds since 1970.
        package let at: Int64
        /// `unauthorized`, `dns`, `acme-wildcard`: one of a fixed list.
        package let type: String
        /// In one line, and safe to be shown.
        package let message: String

        package init(at: Int64, type: String, message: String) {
            self.at = at
            self.type = type
            self.message = message
        }
    }

    /// Of one site; all times are seconds since 1970.
    package struct Domain: Equatable, Sendable {
        package var state: State
        /// The URL of the CA.
        package var directory: String
        /// Whether a valid certificate is presented for it, whoever made it.
        package var hasCertificate: Bool
        package var nextRenewal: Int64?
        /// Only while an attempt is pending after a failure.
        package var nextAttempt: Int64?
        package var lastAttempt: Int64?
        package var failures: Int
        package var lastError: Failure?

        package init(
            _ state: State, directory: String, hasCertificate: Bool, nextRenewal: Int64? = nil,
            nextAttempt: Int64? = nil,
            lastAttempt: Int64? = nil, failures: Int = 0, lastError: Failure? = nil
        ) {
            self.state = state
            self.directory = directory
            self.hasCertificate = hasCertificate
            self.nextRenewal = nextRenewal
            self.nextAttempt = nextAttempt
            self.lastAttempt = lastAttempt
            self.failures = failures
            self.lastError = lastError
        }
    }

    /// How orders have ended since the start.
    package struct Orders: Equatable, Sendable {
        package var issued: UInt64 = 0
        package var renewed: UInt64 = 0
        package var failed: UInt64 = 0

        package init() {}
    }

    /// By domain: `example.com`, or `*.example.com` for a wildcard.
    package var domains: [String: Domain]
    package var orders = Orders()
    /// How often there was an error of each type since the start, those that have not happened yet included.
    package var errors: [String: UInt64] = [:]
    /// Whether this process orders, and no other that has the same folder.
    package var isHolder: Bool

    package init(domains: [String: Domain] = [:], isHolder: Bool = false) {
        self.domains = domains
        self.isHolder = isHolder
    }

    /// For how many domains there should be a certificate, and for how many there is.
    package var coverage: (valid: Int, all: Int) {
        let wanted = domains.values.filter { $0.state != .excluded }
        return (wanted.count(where: \.hasCertificate), wanted.count)
    }
}
