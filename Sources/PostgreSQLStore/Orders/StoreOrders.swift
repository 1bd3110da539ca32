package import SiteStore

/// The data that a node which orders certificates keeps in the store (store.md, section 7): the account, what is remembered of
/// orders, their keys, and what was issued.
package enum StoreOrders {
    /// The advisory lock of the node that orders.
    static let lock: Int64 = 0x6161_7364
    /// The channel on which renewals are asked for.
    static let channel = "aasa_orders"

    /// A row of `aasa.acme_accounts`.
    package struct Account: Sendable {
        /// The CA's answer about the account, as `account.json` has it; nil before there is one.
        package let account: String?
        package let key: StoreKeyRing.Sealed
    }

    /// The memory of orders.
    package struct State: Sendable {
        /// As `state.json` has it.
        package let json: String
        /// New with each change.
        package let revision: Int64
    }

    // MARK: The lock

    /// Takes the right to order, if no other session has it.
    ///
    /// - Returns: whether it was taken; if not, the name of the node that has it.
    static func tryLock(
        _ node: String, over connection: StoreConnection
    ) throws(StoreError) -> (isTaken: Bool, owner: String?) {
        let rows = try connection.query("SELECT pg_try_advisory_lock($1)", [.integer(lock)])
        guard try rows.first?.boolean(0) ?? false else { return (false, try owner(besides: node, connection)) }
        try connection.transaction(.writing) { () throws(StoreError) in
            try StoreSchema.checkWritable(connection)
            _ = try connection.query(
                "UPDATE aasa.nodes SET orders = false WHERE orders AND node <> $1", [.text(node)])
            _ = try connection.query(
                """
                INSERT INTO aasa.nodes (node, orders) VALUES ($1, true)
                ON CONFLICT (node) DO UPDATE SET orders = true
                """, [.text(node)])
        }
        return (true, nil)
    }

    /// - Parameter other: a node that does not order, whatever it has said before; nil for none.
    private static func owner(
        besides other: String? = nil, _ connection: StoreConnection
    ) throws(StoreError) -> String? {
        try connection.query(
            "SELECT node FROM aasa.nodes WHERE orders AND node IS DISTINCT FROM $1 ORDER BY seen_at DESC LIMIT 1",
            [.text(other)]
        ).first?.text(0)
    }

    /// Whether a node has the right to order, and its name if it has said so.
    package static func holder(over connection: StoreConnection) throws(StoreError) -> (isHeld: Bool, node: String?) {
        let rows = try connection.query(
            """
            SELECT EXISTS (SELECT FROM pg_catalog.pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
                AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
                AND classid = 0 AND objid::bigint = $1)
            """, [.integer(lock)])
        let isHeld = try rows.first?.boolean(0) ?? false
        return (isHeld, isHeld ? try owner(connection) : nil)
    }

    // MARK: The account

    package static func account(_ directory: String, over connection: StoreConnection) throws(StoreError) -> Account? {
        let rows = try connection.query(
            "SELECT account, key_id, key_sealed FROM aasa.acme_accounts WHERE directory = $1", [.text(directory)])
        guard let row = rows.first else { return nil }
        return Account(
            account: try row.optionalText(0),
            key: StoreKeyRing.Sealed(keyID: try row.text(1), bytes: try row.bytes(2)))
    }

    /// Adds the key of a new account; one that is there is never replaced.
    ///
    /// - Returns: whether there was none.
    package static func add(
        _ key: StoreKeyRing.Sealed, of directory: String, over connection: StoreConnection
    ) throws(StoreError) -> Bool {
        try connection.query(
            """
            INSERT INTO aasa.acme_accounts (directory, key_id, key_sealed) VALUES ($1, $2, $3)
            ON CONFLICT (directory) DO NOTHING
            """, [.text(directory), .text(key.keyID), .bytes(key.bytes)]
        ).changed > 0
    }

    /// - Parameter account: as `account.json` has it.
    package static func setAccount(
        _ account: String, url: String, of directory: String, over connection: StoreConnection
    ) throws(StoreError) {
        _ = try connection.query(
            "UPDATE aasa.acme_accounts SET account = $1, account_url = $2 WHERE directory = $3",
            [.text(account), .text(url), .text(directory)])
    }

    // MARK: What is remembered

    /// - Parameter revision: what is known; only another one is read.
    package static func state(
        _ directory: String, besides revision: Int64? = nil, over connection: StoreConnection
    ) throws(StoreError) -> State? {
        let rows = try connection.query(
            "SELECT state, revision FROM aasa.acme_states WHERE directory = $1 AND revision IS DISTINCT FROM $2",
            [.text(directory), .integer(revision)])
        return try rows.first.map { (row) throws(StoreError) in
            State(json: try row.text(0), revision: try row.integer(1))
        }
    }

    package static func setState(
        _ json: String, of directory: String, over connection: StoreConnection
    ) throws(StoreError) {
        _ = try connection.query(
            """
            INSERT INTO aasa.acme_states AS held (directory, state) VALUES ($1, $2)
            ON CONFLICT (directory) DO UPDATE SET state = excluded.state, revision = held.revision + 1
            """, [.text(directory), .text(json)])
    }

    // MARK: Keys of orders in progress

    package static func orderKey(
        of domain: String, over connection: StoreConnection
    ) throws(StoreError) -> StoreKeyRing.Sealed? {
        let rows = try connection.query(
            "SELECT key_id, key_sealed FROM aasa.acme_orders WHERE domain = $1", [.text(domain)])
        return try rows.first.map { (row) throws(StoreError) in
            StoreKeyRing.Sealed(keyID: try row.text(0), bytes: try row.bytes(1))
        }
    }

    package static func setOrderKey(
        _ key: StoreKeyRing.Sealed, of domain: String, _ directory: String, over connection: StoreConnection
    ) throws(StoreError) {
        _ = try connection.query(
            """
            INSERT INTO aasa.acme_orders (domain, directory, key_id, key_sealed) VALUES ($1, $2, $3, $4)
            ON CONFLICT (domain) DO UPDATE SET directory = excluded.directory, key_id = excluded.key_id,
                key_sealed = excluded.key_sealed
            """, [.text(domain), .text(directory), .text(key.keyID), .bytes(key.bytes)])
    }

    package static func removeOrderKey(of domain: String, over connection: StoreConnection) throws(StoreError) {
        _ = try connection.query("DELETE FROM aasa.acme_orders WHERE domain = $1", [.text(domain)])
    }

    /// The domains of all keys of orders from a CA.
    package static func orderKeys(
        _ directory: String, over connection: StoreConnection
    ) throws(StoreError) -> [String] {
        let rows = try connection.query(
            "SELECT domain FROM aasa.acme_orders WHERE directory = $1", [.text(directory)])
        return try rows.map { (row) throws(StoreError) in try row.text(0) }
    }

    // MARK: Requests

    /// The domains whose renewal somebody has asked for.
    package static func requests(over connection: StoreConnection) throws(StoreError) -> [String] {
        let rows = try connection.query("SELECT domain FROM aasa.acme_requests ORDER BY domain")
        return try rows.map { (row) throws(StoreError) in try row.text(0) }
    }

    /// Asks for a renewal, and has the node that orders look for it.
    package static func request(_ domain: String, over connection: StoreConnection) throws(StoreError) {
        try connection.transaction(.writing) { () throws(StoreError) in
            try StoreSchema.checkWritable(connection)
            _ = try connection.query(
                "INSERT INTO aasa.acme_requests (domain) VALUES ($1) ON CONFLICT (domain) DO NOTHING", [.text(domain)])
            _ = try connection.query("SELECT pg_notify($1, '')", [.text(channel)])
        }
    }

    package static func endRequest(_ domain: String, over connection: StoreConnection) throws(StoreError) {
        _ = try connection.query("DELETE FROM aasa.acme_requests WHERE domain = $1", [.text(domain)])
    }
}
