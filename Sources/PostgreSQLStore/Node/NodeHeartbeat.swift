internal import SiteStore

/// The row of a node in `aasa.nodes`, by which publishers see how far it is.
struct NodeHeartbeat {
    let node: String
    /// Random, new with each start: two nodes with one name overwrite each other's.
    let instance: String
    let programVersion: String
    var generation: Int64
    /// That of the generation; nil before anything was read.
    var token: String?
    var isListening = false
    var sites = 0
    var stale = 0
    var refused = 0
    var serving = NodeServing()
    /// Seconds since the start.
    var age: Int64 = 0

    /// The advisory lock of the node that deletes the rows of others that were silent for 7 days.
    private static let cleanUpLock: Int64 = 0x6161_7362

    /// Writes the row.
    ///
    /// - Parameter hasWritten: whether this process has written it before.
    /// - Returns: whether another process writes it as well.
    func write(hasWritten: Bool, over connection: StoreConnection) throws(StoreError) -> Bool {
        try connection.transaction(.writing) { () throws(StoreError) -> Bool in
            let before = try connection.query("SELECT instance FROM aasa.nodes WHERE node = $1", [.text(node)])
            let other = try before.first?.optionalText(0)
            _ = try connection.query(
                """
                INSERT INTO aasa.nodes AS held (node, generation, seen_at, started_at, program_version, schema_version,
                    listening, sites, stale, refused, instance, token, names, store_certificates, unserved)
                VALUES ($1, $2, clock_timestamp(),
                    clock_timestamp() - make_interval(secs => $3::double precision), $4, $5::bigint::integer,
                    $6, $7::bigint::integer, $8::bigint::integer, $9::bigint::integer, $10, $11::text::uuid,
                    $12, $13, $14)
                ON CONFLICT (node) DO UPDATE SET generation = excluded.generation, token = excluded.token,
                    started_at = excluded.started_at,
                    program_version = excluded.program_version, schema_version = excluded.schema_version,
                    listening = excluded.listening, sites = excluded.sites, stale = excluded.stale,
                    refused = excluded.refused, instance = excluded.instance, names = excluded.names,
                    store_certificates = excluded.store_certificates, unserved = excluded.unserved
                """,
                [
                    .text(node), .integer(generation), .integer(age), .text(programVersion),
                    .integer(Int64(StoreSchema.version)), .boolean(isListening), .integer(Int64(sites)),
                    .integer(Int64(stale)), .integer(Int64(refused)), .text(instance), .text(token),
                    .textArray(serving.names), .boolean(serving.needsStoreCertificates), .textArray(serving.unserved),
                ])
            return hasWritten && other != nil && other != instance
        }
    }

    /// Deletes the row of a node that stops, unless another process with its name has taken it over.
    static func signOff(_ node: String, _ instance: String, over connection: StoreConnection) throws(StoreError) {
        try connection.transaction(.writing) { () throws(StoreError) in
            _ = try connection.query(
                "DELETE FROM aasa.nodes WHERE node = $1 AND instance = $2", [.text(node), .text(instance)])
        }
    }

    /// Deletes the rows of nodes that have been silent for 7 days, unless another node is about to.
    static func cleanUp(over connection: StoreConnection) throws(StoreError) {
        try connection.transaction(.writing) { () throws(StoreError) in
            let lock = try connection.query("SELECT pg_try_advisory_xact_lock($1)", [.integer(cleanUpLock)])
            guard let row = lock.first, try row.boolean(0) else { return }
            _ = try connection.query("DELETE FROM aasa.nodes WHERE seen_at < clock_timestamp() - interval '7 days'")
        }
    }
}
