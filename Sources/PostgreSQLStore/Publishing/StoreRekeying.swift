package import Diagnostics
package import SiteStore

/// Encrypting the secrets of a store with another key (store.md, section 4).
package enum StoreRekeying {
    /// A secret that stays as it is, because it cannot be decrypted.
    package struct Failure: Sendable {
        /// As findings name the row: `store:certificates/example.com`.
        package let path: String
        package let rule: RuleDescription
        package let message: String
    }

    package struct Outcome: Sendable {
        package var changed = 0
        package var failures: [Failure] = []
    }

    /// The rows of one transaction.
    private static let batch = 100

    /// A table with secrets, and its primary key as it is in their additional data.
    private struct Table {
        let name: String
        /// The SQL that gives the primary key as text.
        let key: String
    }

    private static let tables = [
        Table(name: "certificates", key: "name"), Table(name: "ticket_keys", key: "encode(name, 'hex')"),
        Table(name: "acme_accounts", key: "directory"), Table(name: "acme_orders", key: "domain"),
    ]

    /// Encrypts everything that has another key with the first one of a ring.
    ///
    /// A row that somebody changes meanwhile keeps what it was changed to.
    package static func run(_ keys: StoreKeyRing, over connection: StoreConnection) throws(StoreError) -> Outcome {
        var outcome = Outcome()
        guard let first = keys.keys.first else { return outcome }
        for table in tables {
            var last = ""
            while true {
                let rows = try next(table, after: last, besides: first.id, over: connection)
                guard let end = rows.last else { break }
                last = end.key
                var sealed: [(row: Row, sealed: StoreKeyRing.Sealed)] = []
                for row in rows {
                    do throws(StoreKeyError) {
                        let plain = try keys.open(row.sealed, keyID: row.keyID, table: table.name, primaryKey: row.key)
                        sealed.append((row, try keys.seal(plain, table: table.name, primaryKey: row.key)))
                    } catch {
                        outcome.failures.append(failure(error, "store:\(table.name)/\(row.key)"))
                    }
                }
                outcome.changed += try write(sealed, to: table, over: connection)
            }
        }
        return outcome
    }

    private struct Row {
        let key: String
        let keyID: String
        let sealed: [UInt8]
    }

    private static func next(
        _ table: Table, after last: String, besides keyID: String, over connection: StoreConnection
    ) throws(StoreError) -> [Row] {
        try connection.transaction(.reading) { () throws(StoreError) -> [Row] in
            try StoreSchema.checkWritable(connection)
            let rows = try connection.query(
                """
                SELECT \(table.key), key_id, key_sealed FROM aasa.\(table.name)
                WHERE key_id <> $1 AND \(table.key) COLLATE "C" > $2 ORDER BY \(table.key) COLLATE "C" LIMIT $3
                """,
                [.text(keyID), .text(last), .integer(Int64(batch))])
            return try rows.map { (row) throws(StoreError) in
                Row(key: try row.text(0), keyID: try row.text(1), sealed: try row.bytes(2))
            }
        }
    }

    private static func write(
        _ rows: [(row: Row, sealed: StoreKeyRing.Sealed)], to table: Table, over connection: StoreConnection
    ) throws(StoreError) -> Int {
        guard !rows.isEmpty else { return 0 }
        return try connection.transaction(.writing) { () throws(StoreError) -> Int in
            // The order of all changes: otherwise two could wait for each other.
            if table.name == "certificates" { try StorePublishing.lock(connection) }
            let result = try connection.query(
                """
                UPDATE aasa.\(table.name) AS held SET key_id = given.key_id, key_sealed = given.key_sealed
                FROM unnest($1::text[], $2::bytea[], $3::text[], $4::bytea[])
                    AS given (key, old, key_id, key_sealed)
                WHERE \(table.key.replacing("name", with: "held.name").replacing("directory", with: "held.directory").replacing("domain", with: "held.domain"))
                    = given.key AND held.key_sealed = given.old
                """,
                [
                    .textArray(rows.map(\.row.key)), .bytesArray(rows.map(\.row.sealed)),
                    .textArray(rows.map(\.sealed.keyID)), .bytesArray(rows.map(\.sealed.bytes)),
                ])
            return result.changed
        }
    }

    private static func failure(_ error: StoreKeyError, _ path: String) -> Failure {
        switch error {
        case .missing(let id):
            Failure(path: path, rule: .storeKeyMissing, message: "the key file has no key \(quoted(id))")
        case .wrong(let id):
            Failure(
                path: path, rule: .storeKeyWrong,
                message: "it does not open with key \(quoted(id)): wrong key, or the data were changed")
        case .cannotSeal: Failure(path: path, rule: .storeKeyWrong, message: "it cannot be encrypted again")
        }
    }
}

extension StoreSchema {
    /// The SQL, for `psql`, that brings a store from a version to that of this program; empty if nothing is missing.
    package static func script(after version: Int) -> String {
        migrations.filter { $0.version > version }.map { "BEGIN;\n\($0.sql)\($0.end)\(SchemaRoles.grants)COMMIT;\n" }
            .joined(separator: "\n")
    }
}
