import ACME
import AssociationServer
import AutomaticCertificates
import DomainNames
import PostgreSQLStore
import SiteStore

/// The certificates and orders of the nodes of a store, as `aasa certificates` and `aasa serve --check` read them.
struct StoreIssuanceSource: IssuanceSource {
    private let configuration: ServerConfiguration
    private let address: StoreAddress
    private let keys: StoreKeyRing?

    /// - Throws: `configuration` for an address or a key file that cannot be used.
    init(_ configuration: ServerConfiguration) throws(ServerError) {
        guard let address = try Serve.storeAddress(configuration, nil) else {
            throw ServerError(.configuration, "there is no store")
        }
        (self.configuration, self.address) = (configuration, address)
        keys = try Serve.storeKeys(configuration)
    }

    var place: String { "the store" }

    func overview(requesting requested: Domain?, now: Int64) throws(ServerError) -> IssuanceOverview {
        let (domains, certificates) = try read { (connection) throws(StoreError) in
            (
                try StoreListing.domains(over: connection), try StoreCertificates.all(over: connection)
            )
        }
        let inventory = try ServerInventory(
            configuration, domains: domains.filter { Domain(row: $0) != nil }, certificates: certificates, keys: keys,
            now: now)
        return IssuanceOverview(inventory, try records(), requesting: requested, now: now)
    }

    /// The orders as the store has them.
    func records() throws(ServerError) -> IssuanceRecords {
        var records = IssuanceRecords()
        guard configuration.acme.isOn else { return records }
        let directory = configuration.acme.directory.url
        let (isLocked, requests, state) = try read { (connection) throws(StoreError) in
            (
                try StoreOrders.holder(over: connection).isHeld, try StoreOrders.requests(over: connection),
                try StoreOrders.state(directory, over: connection)
            )
        }
        records.isLocked = isLocked
        records.requests = Set(requests.compactMap { Domain($0) })
        if let state {
            do throws(IssuanceError) {
                records.state = try IssuanceState(json: Array(state.json.utf8))
            } catch {
                records.problem = IssuanceError(error.type, "'aasa.acme_states': \(error.message)")
            }
        }
        return records
    }

    func isLocked() throws(ServerError) -> Bool {
        try read { (connection) throws(StoreError) in try StoreOrders.holder(over: connection).isHeld }
    }

    func isRenewalRequested(of domain: Domain) throws(ServerError) -> Bool {
        let requests = try read { (connection) throws(StoreError) in try StoreOrders.requests(over: connection) }
        return requests.contains(domain.identifier)
    }

    func requestRenewal(of domain: Domain) throws(IssuanceError) {
        do throws(StoreError) {
            let connection = try StoreConnection(address, .command)
            try StoreOrders.request(domain.identifier, over: connection)
        } catch {
            throw IssuanceError(.storage, "the request cannot be written to the store: \(error.message)")
        }
    }

    func account(_ directory: SecureURL) throws(IssuanceError) -> ACMEAccount? {
        let json: String?
        do throws(ServerError) {
            json = try read { (connection) throws(StoreError) in
                try StoreOrders.account(directory.description, over: connection)?.account
            }
        } catch {
            throw IssuanceError(
                .storage, error.logLines.first ?? "the store cannot be read", scope: .authority)
        }
        return try json.map { (json) throws(IssuanceError) in
            try ACMEAccount(json: Array(json.utf8), directory: directory)
        }
    }

    func state(_ directory: SecureURL) -> IssuanceState? { (try? records())?.state }

    private func read<Result>(_ body: (StoreConnection) throws(StoreError) -> Result) throws(ServerError) -> Result {
        do throws(StoreError) {
            let connection = try StoreConnection(address, .command)
            return try body(connection)
        } catch {
            throw ServerError(error, .addressUnavailable)
        }
    }
}
