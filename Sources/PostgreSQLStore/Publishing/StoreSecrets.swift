package import SiteStore

/// Encrypting what is secret in a store with another key (store.md, section 4).
package enum StoreSecrets {
    /// A row that could not be decrypted, and stays as it was.
    package struct Failure: Equatable, Sendable {
        /// Such as `store:certificates/example.com`.
        package let path: String
        package let error: StoreKeyError

        package init(path: String, error: StoreKeyError) {
            self.path = path
            self.error = error
        }
    }

    /// The result.
    package struct Rekeying: Equatable, Sendable {
        /// The number of rows that are under the first key now, and were not before.
        package fileprivate(set) var rows = 0
        package fileprivate(set) var failures: [Failure] = []
    }

    /// The tables with secrets, and their primary keys as text.
    private static let tables = [
        (table: "certificates", key: "name"), (table: "ticket_keys", key: "encode(name, 'hex')"),
        (table: "acme_accounts", key: "directory"),
    ]

    /// The most rows of one transaction.
    private static let batch = 100

    /// Encrypts everything that is under other keys with the first of these, in transactions of a hundred rows: what was
    /// broken off is simply repeated.
    package static func rekey(
        with keys: StoreKeyRing, over connection: inout StoreConnection
    ) throws(StoreError) -> Rekeying {
        var result = Rekeying()
        guard let first = keys.keys.first else { return result }
        for (table, key) in tables {
            var last: String? = ""
            while let start = last {
                last = try connection.transaction(.writing) {
                    (connection: inout StoreConnection) throws(StoreError) -> String? in
                    try StoreSchema.checkWritable(&connection)
                    try StorePublishing.lock(&connection)
                    let rows = try connection.query(
                        """
                        SELECT \(key), key_id, key_sealed FROM aasa.\(table)
                        WHERE key_id <> $1 AND \(key) COLLATE "C" > $2 ORDER BY \(key) COLLATE "C" LIMIT $3 FOR UPDATE
                        """,
                        [.text(first.id), .text(start), .integer(Int64(batch))])
                    try rekey(rows, of: table, key, keys, &connection, &result)
                    return rows.count < batch ? nil : try rows.last?.text(0)
                }
            }
        }
        return result
    }

    private static func rekey(
        _ rows: StoreRows, of table: String, _ key: String, _ keys: StoreKeyRing, _ connection: inout StoreConnection,
        _ result: inout Rekeying
    ) throws(StoreError) {
        var names: [String] = []
        var secrets: [StoreKeyRing.Sealed] = []
        for row in rows {
            let (name, keyID, sealed) = (try row.text(0), try row.text(1), try row.bytes(2))
            do throws(StoreKeyError) {
                let plain = try keys.open(sealed, keyID: keyID, table: table, primaryKey: name)
                secrets.append(try keys.seal(plain, table: table, primaryKey: name))
                names.append(name)
            } catch {
                result.failures.append(Failure(path: "store:\(table)/\(name)", error: error))
            }
        }
        guard !names.isEmpty else { return }
        let rows = try connection.query(
            """
            UPDATE aasa.\(table) SET key_id = given.key_id, key_sealed = given.sealed
            FROM unnest($1::text[], $2::text[], $3::bytea[]) AS given (name, key_id, sealed)
            WHERE \(key.replacing("name", with: "\(table).name")) = given.name
            """,
            [.textArray(names), .textArray(secrets.map(\.keyID)), .bytesArray(secrets.map(\.bytes))])
        result.rows += rows.changed
    }
}
