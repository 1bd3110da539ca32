package import SiteStore

extension StorePublishing {
    /// The most files whose contents are written at once, and about the most bytes.
    package static let batch = (files: 1_000, bytes: 16 << 20)

    /// The result for a number of files that were published together.
    package struct Batch: Sendable {
        /// Those that were new, differed or were removed, by their index.
        package let published: [Int]
        /// The generation of the store that has them.
        package let generation: Int64
    }

    /// Writes contents, which take no generation: they are not visible before a version has them.
    package static func addContents(_ contents: [[UInt8]], over connection: StoreConnection) throws(StoreError) {
        guard !contents.isEmpty else { return }
        try connection.transaction(.writing) { () throws(StoreError) in
            try StoreSchema.checkWritable(connection)
            _ = try connection.query(
                """
                INSERT INTO aasa.content (sha256, bytes)
                SELECT sha256(given.bytes), given.bytes FROM unnest($1::bytea[]) AS given (bytes)
                ON CONFLICT (sha256) DO NOTHING
                """,
                [.bytesArray(contents)])
        }
    }

    /// The indexes of the files whose current version has other bytes, or, for a removal, bytes.
    package static func changed(
        _ publications: [StorePublication], over connection: StoreConnection
    ) throws(StoreError) -> [Int] {
        try connection.transaction(.reading) { () throws(StoreError) -> [Int] in
            try StoreSchema.checkWritable(connection)
            return try differing(publications, connection)
        }
    }

    /// Publishes and removes many files in one generation, so that nodes see either none or all of it; equal ones are
    /// skipped, so that what was broken off is simply repeated.
    ///
    /// - Parameters:
    ///   - publications: with contents that are in the store already.
    ///   - isConfirmed: whether removals are meant, however many they are.
    package static func publish(
        _ publications: [StorePublication], isConfirmed: Bool = false, over connection: StoreConnection
    ) throws(StoreError) -> Batch {
        try connection.transaction(.importing(files: publications.count)) { () throws(StoreError) -> Batch in
            try StoreSchema.checkWritable(connection)
            var generation = try lock(connection)
            let changed = try differing(publications, connection)
            guard !changed.isEmpty else { return Batch(published: [], generation: generation) }
            generation = try insert(changed.map { publications[$0] }, connection) ?? generation
            if isConfirmed { generation = try confirm(generation, connection) }
            return Batch(published: changed, generation: generation)
        }
    }

    /// Has nodes take over what changes up to a generation remove, however many sites that are.
    ///
    /// - Returns: the generation of the confirmation, and that of the store; the first is nil if the store has not come to
    ///   the one that is to be confirmed.
    package static func confirm(
        _ generation: Int64, over connection: StoreConnection
    ) throws(StoreError) -> (confirmation: Int64?, held: Int64) {
        try connection.transaction(.writing) { () throws(StoreError) -> (Int64?, Int64) in
            try StoreSchema.checkWritable(connection)
            let held = try lock(connection)
            guard generation <= held else { return (nil, held) }
            return (try confirm(generation, connection), held)
        }
    }

    private static func confirm(_ generation: Int64, _ connection: StoreConnection) throws(StoreError) -> Int64 {
        let rows = try connection.query("SELECT aasa.confirm_generation($1)", [.integer(generation)])
        guard let row = rows.first else { throw StoreError(.damaged, "the store has not kept the confirmation") }
        return try row.integer(0)
    }

    /// The indexes of the files whose current version has other bytes.
    private static func differing(
        _ publications: [StorePublication], _ connection: StoreConnection
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

    private static func insert(
        _ publications: [StorePublication], _ connection: StoreConnection
    ) throws(StoreError) -> Int64? {
        // Texts are the same for many files, and sent once.
        var texts: [String: Int] = [:]
        func number(_ text: String?) -> String? {
            guard let text else { return nil }
            let number = texts[text] ?? texts.count + 1
            texts[text] = number
            return String(number)
        }
        let messages = publications.map { number($0.message) }
        let lints = publications.map { number($0.lint) }
        let findings = publications.map { number($0.findings?.json) }
        let rows = try connection.query(
            """
            WITH texts AS (SELECT text, number FROM unnest($7::text[]) WITH ORDINALITY AS texts (text, number)),
            written AS (
                INSERT INTO aasa.versions (domain, name, sha256, message, lint, findings)
                SELECT domain, given.name, sha256, messages.text, lints.text, findings.text::jsonb
                FROM unnest($1::text[], $2::text[], $3::bytea[], $4::text[], $5::text[], $6::text[])
                    WITH ORDINALITY AS given (domain, name, sha256, message, lint, finding, number)
                LEFT JOIN texts AS messages ON messages.number = given.message::bigint
                LEFT JOIN texts AS lints ON lints.number = given.lint::bigint
                LEFT JOIN texts AS findings ON findings.number = given.finding::bigint
                ORDER BY given.number RETURNING generation
            ) SELECT max(generation) FROM written
            """,
            [
                .textArray(publications.map(\.key.domain)), .textArray(publications.map(\.key.name)),
                .bytesArray(publications.map(\.digest?.bytes)), .textArray(messages), .textArray(lints),
                .textArray(findings), .textArray(texts.sorted { $0.value < $1.value }.map(\.key)),
            ])
        return try rows.first?.optionalInteger(0)
    }
}
