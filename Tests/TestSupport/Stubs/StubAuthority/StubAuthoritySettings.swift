internal import Glibc

extension StubAuthority {
    /// The behavior of the authority; all of it can be changed while it runs.
    package struct Settings: Sendable {
        // Clients.
        /// The beginning that `User-Agent` must have.
        package var userAgent = "aasa/"
        /// The number of good nonces among 100 that are rejected, spread evenly.
        package var rejectedNonces = 0
        /// Keys of external accounts by their names; an account needs one of them if there are any.
        package var externalAccounts: [String: [UInt8]] = [:]

        // The directory.
        package var termsOfService: String? = "https://ca.example.net/terms"
        package var caaIdentities = ["ca.example.net"]
        package var hasRenewalInfo = true

        // Validation.
        /// The types that are offered, in this order; of them, a wildcard gets those with DNS.
        package var challenges = ["http-01", "tls-alpn-01"]
        /// Where servers are validated; nil refuses.
        package var httpPort: Int?
        package var tlsPort: Int?
        /// Decides in place of a connection to a server; a problem is why it is not valid.
        package var validator: (@Sendable (Attempt) -> Problem?)?
        /// The address of the servers that are validated.
        package var address = "127.0.0.1"
        /// Whether a new order finds the valid authorization of an earlier one.
        package var reusesAuthorizations = false
        /// The records of the name server: texts by name, without a full stop at its end.
        package var records: [String: [String]] = [:]

        // Certificates.
        /// Whether an order is `processing` before it is valid.
        package var processesOrders = true
        /// Seconds.
        package var lifetime: Int64 = 90 * 86_400
        /// Seconds that are added to the clock.
        package var notBeforeOffset: Int64 = 0
        /// Seconds since 1970.
        package var clock: @Sendable () -> Int64 = { Int64(Glibc.time(nil)) }
        /// By how much the field `Date` differs from the clock, in seconds.
        package var dateOffset: Int64 = 0

        // Renewal information.
        /// From two thirds of the lifetime on, for a tenth of it, if nil. In seconds since 1970.
        package var renewalWindow: (@Sendable (Certificate) -> (start: Int64, end: Int64))?
        package var explanationURL: String?
        /// Seconds or a date.
        package var renewalRetryAfter: String? = "21600"

        package init(_ change: (inout Settings) -> Void = { _ in }) { change(&self) }
    }

    /// A validation that has to be decided.
    package struct Attempt: Sendable {
        package let type: String
        /// The domain, with `*.` for a wildcard.
        package let domain: String
        package let token: String
        package let keyAuthorization: String
        package let account: String
    }
}
