package import SiteStore

/// Reading the versions of files (store.md, section 5).
package enum StoreVersions {
    private static let columns = """
        v.version, v.sha256, octet_length(c.bytes), v.message, v.lint, v.published_at, v.published_by,
        CASE WHEN v.findings ->> 'errors' ~ '^[0-9]{1,9}$' THEN (v.findings ->> 'errors')::bigint END,
        CASE WHEN v.findings ->> 'warnings' ~ '^[0-9]{1,9}$' THEN (v.findings ->> 'warnings')::bigint END, v.generation,
        v.version = (SELECT version FROM aasa.current WHERE domain = v.domain AND name = v.name)
        """
    private static let source = "aasa.versions AS v LEFT JOIN aasa.content AS c ON c.sha256 = v.sha256"

    /// The current version of a file, also if that is its removal; nil if it was never there.
    package static func current(
        _ key: StoreFileKey, over connection: StoreConnection
    ) throws(StoreError) -> StoredVersion? {
        try connection.transaction(.reading) { () throws(StoreError) -> StoredVersion? in
            try StoreSchema.checkReadable(connection)
            return try currentVersion(of: key, connection)
        }
    }

    /// The current version in a transaction that is under way.
    static func currentVersion(
        of key: StoreFileKey, _ connection: StoreConnection
    ) throws(StoreError) -> StoredVersion? {
        let rows = try connection.query(
            """
            SELECT \(columns) FROM \(source) JOIN aasa.current AS held USING (domain, name, version)
            WHERE v.domain = $1 AND v.name = $2
            """,
            [.text(key.domain), .text(key.name)])
        return try rows.first.map { (row) throws(StoreError) in try StoredVersion(row) }
    }

    /// The number of different contents that a file has had whose SHA-256 begins with these digits.
    ///
    /// - Parameter digits: hexadecimal, in lowercase.
    package static func contents(
        of key: StoreFileKey, startingWith digits: String, over connection: StoreConnection
    ) throws(StoreError) -> Int {
        try connection.transaction(.reading) { () throws(StoreError) -> Int in
            try StoreSchema.checkReadable(connection)
            let rows = try connection.query(
                """
                SELECT count(DISTINCT sha256) FROM aasa.versions
                WHERE domain = $1 AND name = $2 AND starts_with(encode(sha256, 'hex'), $3)
                """,
                [.text(key.domain), .text(key.name), .text(digits)])
            return try rows.first.map { (row) throws(StoreError) in Int(try row.integer(0)) } ?? 0
        }
    }

    /// The versions of a file, the newest first; none if it was never there.
    ///
    /// - Parameter limit: how many at most; nil for all.
    package static func versions(
        of key: StoreFileKey, limit: Int?, over connection: StoreConnection
    ) throws(StoreError) -> [StoredVersion] {
        try connection.transaction(.reading) { () throws(StoreError) -> [StoredVersion] in
            try StoreSchema.checkReadable(connection)
            let rows = try connection.query(
                """
                SELECT \(columns) FROM \(source) WHERE v.domain = $1 AND v.name = $2 ORDER BY v.version DESC LIMIT $3
                """,
                [.text(key.domain), .text(key.name), .integer(limit.map { Int64($0) })])
            return try rows.map { (row) throws(StoreError) in try StoredVersion(row) }
        }
    }

    /// A version of a file with its bytes; nil if it does not exist.
    ///
    /// - Parameter version: nil for the current one.
    package static func file(
        _ key: StoreFileKey, version: Int64?, over connection: StoreConnection
    ) throws(StoreError) -> StoredFile? {
        try connection.transaction(.reading) { () throws(StoreError) -> StoredFile? in
            try StoreSchema.checkReadable(connection)
            let rows = try connection.query(
                """
                SELECT \(StoredFile.columns) FROM \(source)
                WHERE v.domain = $1 AND v.name = $2 AND v.version = coalesce(
                    $3, (SELECT version FROM aasa.current WHERE domain = $1 AND name = $2))
                """,
                [.text(key.domain), .text(key.name), .integer(version)])
            return try rows.first.map { (row) throws(StoreError) in try StoredFile(key, row) }
        }
    }
}

extension StoredFile {
    /// The columns of a file with its bytes, where `v` is `aasa.versions` and `c` is `aasa.content`.
    static let columns = "v.version, v.sha256, c.bytes, v.lint, v.published_at, v.generation"

    /// - Parameter row: `columns`, and others after them.
    init(_ key: StoreFileKey, _ row: StoreRow) throws(StoreError) {
        var contents: StoredContents?
        if let digest = try row.optionalDigest(1) { contents = StoredContents(digest: digest, bytes: try row.bytes(2)) }
        self.init(
            key: key, version: try row.integer(0), contents: contents, lint: try row.optionalText(3),
            publishedAt: try row.time(4), generation: try row.integer(5))
    }
}

/// A version of a file as history shows it: a row of `aasa.versions` without its bytes.
package struct StoredVersion: Equatable, Sendable {
    /// 1, 2, … for each file.
    package let version: Int64
    /// Nil if this version removed the file.
    package let digest: ContentDigest?
    /// The number of bytes; nil if this version removed the file.
    package let size: Int?
    package let message: String?
    package let lint: String?
    /// Microseconds since 1970, by the clock of the database.
    package let publishedAt: Int64
    /// The role that has published it.
    package let publishedBy: String
    package let findings: StoreFindings?
    package let generation: Int64
    package let isCurrent: Bool

    /// - Parameter row: the columns of `StoreVersions`.
    fileprivate init(_ row: StoreRow) throws(StoreError) {
        version = try row.integer(0)
        digest = try row.optionalDigest(1)
        size = try row.optionalInteger(2).map { Int($0) }
        message = try row.optionalText(3)
        lint = try row.optionalText(4)
        publishedAt = try row.time(5)
        publishedBy = try row.text(6)
        let (errors, warnings) = (try row.optionalInteger(7), try row.optionalInteger(8))
        findings =
            errors == nil && warnings == nil
            ? nil : StoreFindings(errors: Int(clamping: errors ?? 0), warnings: Int(clamping: warnings ?? 0))
        generation = try row.integer(9)
        isCurrent = try row.boolean(10)
    }
}

extension StoreRow {
    /// A SHA-256 in a `bytea`; nil for NULL.
    func optionalDigest(_ column: Int) throws(StoreError) -> ContentDigest? {
        guard let bytes = try optionalBytes(column) else { return nil }
        guard let digest = ContentDigest(bytes) else {
            throw StoreError(.damaged, "the store has a SHA-256 of \(bytes.count) bytes")
        }
        return digest
    }
}
