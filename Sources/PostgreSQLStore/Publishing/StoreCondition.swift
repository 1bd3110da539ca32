package import SiteStore

/// The condition of a store, and of the role that asks, for `aasa store status`.
package struct StoreCondition: Sendable {
    package let versions: StoreSchema.Versions
    package let position: StorePosition
    /// Domains that have files.
    package let sites: Int
    /// Files that are not removed.
    package let files: Int
    /// Versions of files, also old ones.
    package let fileVersions: Int
    /// Contents that are stored, and their bytes.
    package let contents: Int
    package let contentBytes: Int64
    /// Certificates that are not removed, and the keys that rows are encrypted with; nil if the role may not see them.
    package let certificates: Int?
    package let keyIDs: [String]?
    /// Whether the role has all rights of a node, of a publisher, and of the owner.
    package let isNode: Bool
    package let isPublisher: Bool
    package let isOwner: Bool
    /// Whether the session is with the server itself, and not with a pooler that lends sessions out.
    package let isDirect: Bool
    /// Whether the server is a replica, which takes no changes.
    package let isReplica: Bool
    /// Rows with values that nothing can be done with, as findings name them; the first ones.
    package let oddRows: [String]
    /// Such as 150018 for 15.18.
    package let serverVersion: Int

    package init(over connection: StoreConnection) throws(StoreError) {
        self = try connection.transaction(.reading) { () throws(StoreError) in try StoreCondition(reading: connection) }
    }

    private init(reading connection: StoreConnection) throws(StoreError) {
        versions = try StoreSchema.versions(connection)
        let rights = try connection.query(
            """
            SELECT has_column_privilege('aasa.certificates', 'key_sealed', 'SELECT')
                    AND has_table_privilege('aasa.nodes', 'INSERT'),
                has_column_privilege('aasa.versions', 'domain', 'INSERT')
                    AND has_column_privilege('aasa.content', 'bytes', 'INSERT'),
                (SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = 'aasa'),
                pg_backend_pid(), pg_is_in_recovery()
            """)
        guard let row = rights.first else { throw StoreError(.damaged, "the database does not know its rights") }
        isNode = try row.boolean(0)
        isPublisher = try row.boolean(1)
        isOwner = try row.boolean(2)
        isDirect = try row.integer(3) == connection.processID
        isReplica = try row.boolean(4)
        serverVersion = connection.serverVersion
        let counts = try connection.query(
            """
            SELECT store_id, generation, token,
                (SELECT count(DISTINCT domain) FROM aasa.current WHERE sha256 IS NOT NULL),
                (SELECT count(*) FROM aasa.current WHERE sha256 IS NOT NULL),
                (SELECT count(*) FROM aasa.versions), (SELECT count(*) FROM aasa.content),
                (SELECT coalesce(sum(octet_length(bytes)), 0)::bigint FROM aasa.content)
            FROM aasa.meta
            """)
        guard let count = counts.first else { throw StoreError(.damaged, "the store has no row in 'aasa.meta'") }
        position = StorePosition(
            storeID: try count.text(0), generation: try count.integer(1), token: try count.text(2))
        sites = Int(try count.integer(3))
        files = Int(try count.integer(4))
        fileVersions = Int(try count.integer(5))
        contents = Int(try count.integer(6))
        contentBytes = try count.integer(7)
        let odd = try connection.query(
            """
            SELECT 'store:versions/' || domain || '/' || name || '@' || version FROM aasa.versions
            WHERE NOT coalesce(findings ->> 'errors' ~ '^[0-9]{1,9}$' AND findings ->> 'warnings' ~ '^[0-9]{1,9}$', true)
            UNION ALL SELECT 'store:current/' || domain || '/' || name FROM aasa.current WHERE octet_length(sha256) <> 32
            LIMIT 10
            """)
        oddRows = try odd.map { (row) throws(StoreError) in try row.text(0) }
        guard isNode else {
            (certificates, keyIDs) = (nil, nil)
            return
        }
        let secrets = try connection.query(
            """
            SELECT (SELECT count(*) FROM aasa.certificates WHERE NOT removed), ARRAY(
                SELECT key_id FROM aasa.certificates UNION SELECT key_id FROM aasa.ticket_keys
                UNION SELECT key_id FROM aasa.acme_accounts UNION SELECT key_id FROM aasa.acme_orders ORDER BY key_id)
            """)
        certificates = try secrets.first.map { (row) throws(StoreError) in Int(try row.integer(0)) }
        keyIDs = try secrets.first.map { (row) throws(StoreError) in try row.textArray(1) }
    }
}
