package import SiteStore

/// Listing what a store holds, row by row (store.md, section 5).
package enum StoreListing {
    /// A current file as lists show it.
    package struct Entry: Equatable, Sendable {
        package let key: StoreFileKey
        package let version: Int64
        /// Nil for a removed file.
        package let digest: ContentDigest?
        /// The number of bytes; nil for a removed file.
        package let size: Int?
        /// Microseconds since 1970, by the clock of the database.
        package let publishedAt: Int64
        package let publishedBy: String
    }

    /// Passes the current files on, by domain and name.
    ///
    /// - Parameters:
    ///   - pattern: a glob over domains, with `*` and `?`; nil for all.
    ///   - includesRemoved: whether removed files are among them.
    ///   - begin: gets the generation of the store that the files are of, before all of them.
    package static func forEachFile(
        matching pattern: String? = nil, includesRemoved: Bool = false, over connection: StoreConnection,
        begin: (Int64) throws(StoreError) -> Void = { _ in }, _ body: (Entry) throws(StoreError) -> Void
    ) throws(StoreError) {
        try connection.transaction(.reading) { () throws(StoreError) in
            try begin(try generation(connection))
            try connection.forEachRow(
                """
                SELECT held.domain, held.name, v.version, v.sha256, octet_length(c.bytes), v.published_at, v.published_by
                FROM aasa.current AS held JOIN aasa.versions AS v USING (domain, name, version)
                LEFT JOIN aasa.content AS c ON c.sha256 = v.sha256
                WHERE ($1::text IS NULL OR held.domain LIKE $1) AND ($2 OR v.sha256 IS NOT NULL)
                ORDER BY held.domain, held.name
                """,
                [.text(pattern.map(like)), .boolean(includesRemoved)]
            ) { (row: StoreRow) throws(StoreError) in
                try body(
                    Entry(
                        key: StoreFileKey(domain: try row.text(0), name: try row.text(1)), version: try row.integer(2),
                        digest: try row.optionalDigest(3), size: try row.optionalInteger(4).map { Int($0) },
                        publishedAt: try row.time(5), publishedBy: try row.text(6)))
            }
        }
    }

    /// Passes the current files on with their bytes, by domain and name; removed ones are left out.
    package static func forEachContent(
        over connection: StoreConnection, _ body: (StoredFile) throws(StoreError) -> Void
    ) throws(StoreError) {
        try connection.transaction(.reading) { () throws(StoreError) in
            _ = try generation(connection)
            try connection.forEachRow(
                """
                SELECT \(StoredFile.columns), held.domain, held.name
                FROM aasa.current AS held JOIN aasa.versions AS v USING (domain, name, version)
                JOIN aasa.content AS c ON c.sha256 = v.sha256 ORDER BY held.domain, held.name
                """
            ) { (row: StoreRow) throws(StoreError) in
                try body(StoredFile(StoreFileKey(domain: try row.text(6), name: try row.text(7)), row))
            }
        }
    }

    /// The domains that have files now, sorted by their bytes.
    package static func domains(over connection: StoreConnection) throws(StoreError) -> [String] {
        try connection.transaction(.reading) { () throws(StoreError) -> [String] in
            _ = try generation(connection)
            let rows = try connection.query(
                "SELECT DISTINCT domain FROM aasa.current WHERE sha256 IS NOT NULL ORDER BY domain")
            return try rows.map { (row) throws(StoreError) in try row.text(0) }
        }
    }

    private static func generation(_ connection: StoreConnection) throws(StoreError) -> Int64 {
        try StoreSchema.checkReadable(connection)
        guard let row = try connection.query("SELECT generation FROM aasa.meta").first else { return 0 }
        return try row.integer(0)
    }

    /// A glob as a pattern of SQL.
    static func like(_ glob: String) -> String {
        var pattern = ""
        for character in glob {
            switch character {
            case "*": pattern.append("%")
            case "?": pattern.append("_")
            case "%", "_", "\\": pattern += "\\\(character)"
            default: pattern.append(character)
            }
        }
        return pattern
    }
}
