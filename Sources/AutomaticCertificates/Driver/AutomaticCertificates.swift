package import AssociationServer
internal import Dispatch
package import Logging
internal import SystemSupport

/// Gets and renews the certificates of a server by ACME, for as long as it runs (acme.md).
///
/// All of it happens on one queue of its own. It never waits for the loops of the server, and they never for it.
package final class AutomaticCertificates: Sendable {
    private let queue = DispatchQueue(label: "aasa.certificates", qos: .utility)
    private let host: any IssuanceHost
    private let driver: IssuanceDriver

    package init(_ host: any IssuanceHost, logger: Logger, environment: IssuanceEnvironment) {
        self.host = host
        driver = IssuanceDriver(host, queue: queue, logger: logger, environment: environment)
    }

    /// Begins, and from now on looks again after each reload. Without `acme` in the configuration nothing happens until
    /// a reload brings it.
    ///
    /// - Parameter isNeeded: whether the configuration has it now.
    package func start(isNeeded: Bool) {
        host.whenIssuanceInputChanges { [queue, driver] in queue.async { driver.inputChanged() } }
        if isNeeded { queue.async { [driver] in driver.inputChanged() } }
    }

    /// Ends it soon: what is under way is given up, and goes on after the next start. What is known is stored.
    package func stop() {
        host.whenIssuanceInputChanges(nil)
        queue.async { [driver] in driver.stop() }
    }

    /// Returns when nothing is written any more, after ``stop()``.
    package func waitUntilStopped() { queue.sync {} }
}
