package import SiteStore

/// Reading who has changed what (store.md, section 3). Challenges of CAs are left out: nobody publishes them.
package enum StoreAudit {
    /// A file as a change has left it, and as it was before.
    package struct File: Sendable {
        package let key: StoreFileKey
        package let version: Int64
        package let message: String?
        /// Nil if it was not there, as the next one.
        package let old: Content?
        package let new: Content?
    }

    /// The content of a file, as far as a comparison needs it.
    package struct Content: Sendable {
        package let digest: ContentDigest
        package let size: Int
        /// Nil if there are more than were asked for.
        package let bytes: [UInt8]?
    }

    private static let columns = """
        generation, at, by, action, domain, name,
        CASE WHEN coalesce(detail ->> 'files', detail ->> 'certificates') ~ '^[0-9]{1,9}$'
            THEN coalesce(detail ->> 'files', detail ->> 'certificates')::bigint END, left(detail ->> 'message', 1000)
        """

    /// The changes before a generation, the newest first; nil for the newest ones.
    package static func list(
        before generation: Int64?, limit: Int, over connection: StoreConnection
    ) throws(StoreError) -> [StoredChange] {
        try connection.transaction(.reading) { () throws(StoreError) -> [StoredChange] in
            try StoreSchema.checkReadable(connection)
            let rows = try connection.query(
                """
                SELECT \(columns) FROM aasa.changes
                WHERE ($1::bigint IS NULL OR generation < $1) AND action <> 'challenge'
                ORDER BY generation DESC LIMIT $2
                """,
                [.integer(generation), .integer(Int64(limit))])
            return try rows.map { (row) throws(StoreError) in try StoredChange(row) }
        }
    }

    /// A change with the first of its files, by domain and name; nil if there is none.
    ///
    /// - Parameter size: larger contents are not read.
    package static func change(
        _ generation: Int64, files: Int, ofAtMost size: Int, over connection: StoreConnection
    ) throws(StoreError) -> (change: StoredChange, files: [File])? {
        try connection.transaction(.reading) { () throws(StoreError) -> (change: StoredChange, files: [File])? in
            try StoreSchema.checkReadable(connection)
            let changes = try connection.query(
                "SELECT \(columns) FROM aasa.changes WHERE generation = $1 AND action <> 'challenge'",
                [.integer(generation)])
            guard let change = try changes.first.map({ (row) throws(StoreError) in try StoredChange(row) }) else {
                return nil
            }
            let rows = try connection.query(
                """
                SELECT v.domain, v.name, v.version, v.message,
                    c.sha256, octet_length(c.bytes), CASE WHEN octet_length(c.bytes) <= $3 THEN c.bytes END,
                    o.sha256, octet_length(o.bytes), CASE WHEN octet_length(o.bytes) <= $3 THEN o.bytes END
                FROM aasa.versions AS v LEFT JOIN aasa.content AS c ON c.sha256 = v.sha256
                LEFT JOIN aasa.versions AS before
                    ON before.domain = v.domain AND before.name = v.name AND before.version = v.version - 1
                LEFT JOIN aasa.content AS o ON o.sha256 = before.sha256
                WHERE v.generation = $1 ORDER BY v.domain, v.name LIMIT $2
                """,
                [.integer(generation), .integer(Int64(files)), .integer(Int64(size))])
            return (
                change,
                try rows.map { (row) throws(StoreError) in
                    File(
                        key: StoreFileKey(domain: try row.text(0), name: try row.text(1)), version: try row.integer(2),
                        message: try row.optionalText(3), old: try Content(row, 7), new: try Content(row, 4))
                }
            )
        }
    }
}

extension StoreAudit.Content {
    /// - Parameter column: the first of its three.
    fileprivate init?(_ row: StoreRow, _ column: Int) throws(StoreError) {
        guard let digest = try row.optionalDigest(column) else { return nil }
        self.init(
            digest: digest, size: Int(try row.integer(column + 1)), bytes: try row.optionalBytes(column + 2))
    }
}

extension StoredChange {
    fileprivate init(_ row: StoreRow) throws(StoreError) {
        self.init(
            generation: try row.integer(0), at: try row.time(1), by: try row.text(2), action: try row.text(3),
            domain: try row.optionalText(4), name: try row.optionalText(5), count: try row.optionalInteger(6),
            message: try row.optionalText(7))
    }
}
