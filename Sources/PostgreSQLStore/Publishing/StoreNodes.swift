package import SiteStore

/// The nodes that follow a store, as they have reported themselves.
package enum StoreNodes {
    /// Whether a row is that of a node whose generation is one of this store's history, as SQL. A number is not enough: a store
    /// that was made anew, or an older dump of it, counts up to the same ones.
    static let isOfHistory = """
        (nodes.token IS NULL OR EXISTS (SELECT FROM aasa.changes
            WHERE changes.generation = nodes.generation AND changes.token = nodes.token))
        """

    /// Reads all nodes, by their names.
    ///
    /// - Parameter generation: what a node must have to be current; nil for the generation of the store.
    package static func all(
        at generation: Int64? = nil, over connection: StoreConnection
    ) throws(StoreError) -> [StoredNode] {
        try connection.transaction(.reading) { () throws(StoreError) -> [StoredNode] in
            try StoreSchema.checkReadable(connection)
            let rows = try connection.query(
                """
                SELECT node, generation,
                    CASE WHEN seen_at < clock_timestamp() - interval '30 seconds' THEN 'silent'
                        WHEN generation >= coalesce($1, (SELECT generation FROM aasa.meta)) AND \(isOfHistory)
                            THEN 'current'
                        ELSE 'behind' END,
                    seen_at, started_at, program_version, listening, sites, stale, refused,
                    (schema_version >= 3) IS TRUE, names, store_certificates IS TRUE, unserved
                FROM aasa.nodes ORDER BY node
                """,
                [.integer(generation)])
            return try rows.map { (row) throws(StoreError) in
                // An older program that has taken the name over leaves what a newer one has said.
                let serving = NodeServing(
                    names: try row.textArray(11), needsStoreCertificates: try row.boolean(12),
                    unserved: try row.textArray(13))
                return StoredNode(
                    name: try row.text(0), generation: try row.integer(1),
                    state: StoredNode.State(rawValue: try row.text(2)) ?? .behind, seenAt: try row.time(3),
                    startedAt: try row.optionalTime(4), programVersion: try row.optionalText(5),
                    isListening: try row.boolean(6), sites: Int(try row.integer(7)), stale: Int(try row.integer(8)),
                    refused: Int(try row.integer(9)),
                    serving: try row.boolean(10) ? serving : NodeServing())
            }
        }
    }

    /// Deletes the row of a node that is gone for good; one that still runs writes it again.
    ///
    /// - Returns: whether there was one.
    package static func forget(_ name: String, over connection: StoreConnection) throws(StoreError) -> Bool {
        try connection.transaction(.writing) { () throws(StoreError) -> Bool in
            try StoreSchema.checkReadable(connection)
            return try !connection.query("DELETE FROM aasa.nodes WHERE node = $1 RETURNING node", [.text(name)]).isEmpty
        }
    }
}
