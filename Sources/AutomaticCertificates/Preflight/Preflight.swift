package import ACME
package import AssociationServer
internal import Glibc
package import HTTPClient
package import OpenSSL

/// Asks the addresses of a name, as the CA would, whether they lead here (acme.md, section 4).
///
/// A CA counts failed validations, and bars who has too many of them; a question of our own costs nothing.
package struct Preflight: Sendable {
    /// How long is waited.
    package struct Limits: Sendable {
        /// For the addresses of one family.
        package var lookup: Duration
        /// For one address, from connecting to its answer.
        package var answer: Duration

        package init(lookup: Duration = .seconds(10), answer: Duration = .seconds(3)) {
            (self.lookup, self.answer) = (lookup, answer)
        }
    }

    package enum Outcome: Equatable, Sendable {
        /// Nothing speaks against the order.
        ///
        /// - Parameter remark: what could not be found out, in a clause that can be shown as it is; to be mentioned if the
        ///   order fails.
        case passed(remark: String?)
        /// The CA would not find this server: `dns` or `preflight`, and of this domain only.
        case failed(IssuanceError)
    }

    let host: any IssuanceHost
    let context: LibraryContext
    let transport: any HTTPTransport
    let resolver: any NameResolver
    let limits: Limits
    let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - host: answers the question, if it gets there.
    ///   - transport: verifies no certificate of these handshakes, whatever it trusts.
    ///   - now: seconds since 1970.
    package init(
        host: any IssuanceHost, context: LibraryContext, transport: any HTTPTransport, resolver: any NameResolver,
        limits: Limits = Limits(), now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }
    ) {
        (self.host, self.context, self.transport, self.resolver) = (host, context, transport, resolver)
        (self.limits, self.now) = (limits, now)
    }

    /// Looks the name up, and asks all its addresses at the same time.
    ///
    /// - Parameters:
    ///   - domain: not a wildcard, which no address can prove.
    ///   - type: of the order; there is nothing to ask about `dns-persist-01`.
    ///   - port: at which the CA connects.
    ///   - isForPublicNamesOnly: whether the CA connects to public addresses only.
    ///   - completion: is called once, on any thread, and when the question is not answered any more; after a
    ///     cancellation with `passed`, which then means nothing.
    package func start(
        _ domain: Domain, by type: ChallengeType, port: Int, isForPublicNamesOnly: Bool,
        completion: @escaping @Sendable (Outcome) -> Void
    ) -> Cancellation {
        let target = PreflightTarget(
            domain: domain, type: type, port: port, isForPublicNamesOnly: isForPublicNamesOnly)
        let run = PreflightRun(self, target, completion)
        run.begin()
        return Cancellation { run.end(.passed(remark: nil)) }
    }
}
