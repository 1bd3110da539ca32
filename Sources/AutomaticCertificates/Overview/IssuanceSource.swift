package import ACME
package import AssociationServer
package import DomainNames
internal import SystemSupport

/// The state of a server's orders beside its certificates: in `acme.folder`, or in a store.
package struct IssuanceRecords: Sendable {
    /// Whether a process has the right to order.
    package var isLocked = false
    package var state = IssuanceState()
    /// Why the state of earlier runs cannot be read.
    package var problem: IssuanceError?
    /// The domains whose renewal was requested.
    package var requests: Set<Domain> = []

    package init() {}

    /// Reads the folder of a server.
    package init(folder input: IssuanceInput) {
        guard let directory = IssuanceSettings(input)?.authority.directory else { return }
        let folder = IssuanceFolder(input.folder)
        isLocked = folder.isLocked()
        requests = folder.renewalRequests()
        do throws(IssuanceError) {
            state = try folder.account(directory).readState()
        } catch {
            problem = error
        }
    }
}

/// The certificates and orders of a server seen from outside, whether it runs or not: in folders, or in a store.
package protocol IssuanceSource: Sendable {
    /// Where accounts and certificates are kept, as messages name it: a path in quotation marks, or the store.
    var place: String { get }

    /// Reads everything.
    ///
    /// - Parameters:
    ///   - requested: a domain whose renewal is asked for.
    ///   - now: seconds since 1970.
    func overview(requesting requested: Domain?, now: Int64) throws(ServerError) -> IssuanceOverview
    /// Whether a process has the right to order.
    func isLocked() throws(ServerError) -> Bool
    func isRenewalRequested(of domain: Domain) throws(ServerError) -> Bool
    /// Asks for a renewal.
    func requestRenewal(of domain: Domain) throws(IssuanceError)
    /// The account with a CA; nil if there is none yet.
    func account(_ directory: SecureURL) throws(IssuanceError) -> ACMEAccount?
    /// The memory of the orders from a CA; nil if it cannot be read.
    func state(_ directory: SecureURL) -> IssuanceState?
}

/// The certificates and orders of a server in its folders.
package struct FolderIssuanceSource: IssuanceSource {
    private let configuration: ServerConfiguration
    private let folder: IssuanceFolder

    package init(_ configuration: ServerConfiguration) {
        self.configuration = configuration
        folder = IssuanceFolder(configuration.acmeFolder)
    }

    package var place: String { "'\(folder.path)'" }

    package func overview(requesting requested: Domain?, now: Int64) throws(ServerError) -> IssuanceOverview {
        try IssuanceOverview(configuration, requesting: requested, now: now)
    }

    package func isLocked() -> Bool { folder.isLocked() }
    package func isRenewalRequested(of domain: Domain) -> Bool { folder.isRenewalRequested(of: domain) }

    package func requestRenewal(of domain: Domain) throws(IssuanceError) {
        do throws(SystemError) {
            try folder.requestRenewal(of: domain)
        } catch {
            throw IssuanceError(
                .storage, "the request cannot be written to '\(folder.path)/acme-account/renew': \(error.reason)")
        }
    }

    package func account(_ directory: SecureURL) throws(IssuanceError) -> ACMEAccount? {
        try folder.account(directory).readAccount()
    }

    package func state(_ directory: SecureURL) -> IssuanceState? { try? folder.account(directory).readState() }
}
