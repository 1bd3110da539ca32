internal import SiteStore

extension StorePublishing {
    /// The most files of one statement, and about the most bytes.
    package static let batch = (files: 1_000, bytes: 16 << 20)

    /// The result for a number of files that were published together.
    package struct Batch: Sendable {
        /// Those that are new or differ, by their index.
        package let published: [Int]
        /// The generation of the store that has them.
        package let generation: Int64
    }

    /// Publishes many files in one transaction, each part of them in one statement and one generation; equal ones are
    /// skipped, so that what was broken off is simply repeated.
    ///
    /// - Parameter isDryRun: whether only what would be published is found out.
    package static func publish(
        _ publications: [StorePublication], isDryRun: Bool = false, over connection: inout StoreConnection
    ) throws(StoreError) -> Batch {
        try connection.transaction(.writing) { (connection: inout StoreConnection) throws(StoreError) -> Batch in
            try StoreSchema.checkWritable(&connection)
            var generation = try isDryRun ? 0 : lock(&connection)
            let changed = try differing(publications, &connection)
            guard !isDryRun else { return Batch(published: changed, generation: generation) }
            for part in parts(changed.map { publications[$0] }) {
                generation = try insert(part, &connection) ?? generation
            }
            return Batch(published: changed, generation: generation)
        }
    }

    /// The indexes of the files whose current version has other bytes.
    private static func differing(
        _ publications: [StorePublication], _ connection: inout StoreConnection
    ) throws(StoreError) -> [Int] {
        let rows = try connection.query(
            """
            SELECT given.number FROM unnest($1::text[], $2::text[], $3::bytea[])
                WITH ORDINALITY AS given (domain, name, sha256, number)
            LEFT JOIN aasa.current AS held ON held.domain = given.domain AND held.name = given.name
            WHERE held.sha256 IS DISTINCT FROM given.sha256 ORDER BY given.number
            """,
            [
                .textArray(publications.map(\.key.domain)), .textArray(publications.map(\.key.name)),
                .bytesArray(publications.map(\.digest?.bytes)),
            ])
        return try rows.map { (row) throws(StoreError) in Int(try row.integer(0)) - 1 }
    }

    private static func parts(_ publications: [StorePublication]) -> [ArraySlice<StorePublication>] {
        var parts: [ArraySlice<StorePublication>] = []
        var start = 0
        var bytes = 0
        for (index, publication) in publications.enumerated() {
            let size = publication.bytes?.count ?? 0
            if index > start, index - start == batch.files || bytes + size > batch.bytes {
                parts.append(publications[start..<index])
                (start, bytes) = (index, 0)
            }
            bytes += size
        }
        if start < publications.count { parts.append(publications[start...]) }
        return parts
    }

    private static func insert(
        _ part: ArraySlice<StorePublication>, _ connection: inout StoreConnection
    ) throws(StoreError) -> Int64? {
        let contents = Dictionary(part.compactMap { file in file.digest.map { ($0, file.bytes) } }) { first, _ in first
        }
        if !contents.isEmpty {
            _ = try connection.query(
                """
                INSERT INTO aasa.content (sha256, bytes)
                SELECT sha256(given.bytes), given.bytes FROM unnest($1::bytea[]) AS given (bytes)
                ON CONFLICT (sha256) DO NOTHING
                """,
                [.bytesArray(Array(contents.values))])
        }
        let rows = try connection.query(
            """
            WITH written AS (
                INSERT INTO aasa.versions (domain, name, sha256, message, lint, findings)
                SELECT domain, name, sha256, message, lint, findings::jsonb
                FROM unnest($1::text[], $2::text[], $3::bytea[], $4::text[], $5::text[], $6::text[])
                    WITH ORDINALITY AS given (domain, name, sha256, message, lint, findings, number)
                ORDER BY number RETURNING generation
            ) SELECT max(generation) FROM written
            """,
            [
                .textArray(part.map(\.key.domain)), .textArray(part.map(\.key.name)),
                .bytesArray(part.map(\.digest?.bytes)), .textArray(part.map(\.message)), .textArray(part.map(\.lint)),
                .textArray(part.map(\.findings?.json)),
            ])
        return try rows.first?.optionalInteger(0)
    }
}
