package import SiteStore

/// Reading and writing certificates, whose keys are encrypted before they come here (store.md, section 4).
package enum StoreCertificates {
    /// A certificate to be written.
    package struct Row: Sendable {
        package let name: String
        /// The names that it is for.
        package let names: [String]
        /// The certificate and its chain in PEM.
        package let chain: String
        /// The name of the key that its private key is encrypted with.
        package let keyID: String
        package let sealedKey: [UInt8]
        /// When it expires, in seconds since 1970; nil if that is not known.
        package let notAfter: Int64?
        package let source: StoredCertificate.Source
        /// The URL of the directory of the CA that it was ordered from; nil for one that was imported.
        package let authority: String?

        package init(
            name: String, names: [String], chain: String, keyID: String, sealedKey: [UInt8], notAfter: Int64?,
            source: StoredCertificate.Source, authority: String? = nil
        ) {
            self.name = name
            self.names = names
            self.chain = chain
            self.keyID = keyID
            self.sealedKey = sealedKey
            self.notAfter = notAfter
            self.source = source
            self.authority = authority
        }
    }

    static let columns = "name, chain, key_id, key_sealed, source, generation, removed, authority"

    /// Reads all certificates, by their names.
    package static func all(
        includesRemoved: Bool = false, over connection: StoreConnection
    ) throws(StoreError) -> [StoredCertificate] {
        try connection.transaction(.reading) { () throws(StoreError) -> [StoredCertificate] in
            try StoreSchema.checkReadable(connection)
            let rows = try connection.query(
                "SELECT \(columns) FROM aasa.certificates WHERE $1 OR NOT removed ORDER BY name",
                [.boolean(includesRemoved)])
            return try rows.map { (row) throws(StoreError) in try StoredCertificate(row) }
        }
    }

    /// Writes certificates in one transaction, over those with the same names.
    ///
    /// - Returns: the generation of the store that has them.
    package static func write(_ certificates: [Row], over connection: StoreConnection) throws(StoreError) -> Int64 {
        try connection.transaction(.writing) { () throws(StoreError) -> Int64 in
            try StoreSchema.checkWritable(connection)
            var generation = try StorePublishing.lock(connection)
            for certificate in certificates { generation = try write(certificate, connection) ?? generation }
            return generation
        }
    }

    /// Writes a certificate over one with the same name, in a transaction that has the lock of the generation.
    static func write(_ certificate: Row, _ connection: StoreConnection) throws(StoreError) -> Int64? {
        let rows = try connection.query(
            """
            INSERT INTO aasa.certificates (name, names, chain, key_id, key_sealed, not_after, source, authority)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (name) DO UPDATE SET names = excluded.names, chain = excluded.chain,
                key_id = excluded.key_id, key_sealed = excluded.key_sealed, not_after = excluded.not_after,
                source = excluded.source, authority = excluded.authority, removed = false
            RETURNING generation
            """,
            [
                .text(certificate.name), .textArray(certificate.names), .text(certificate.chain),
                .text(certificate.keyID), .bytes(certificate.sealedKey),
                .time(certificate.notAfter.map { $0 * 1_000_000 }), .text(certificate.source.rawValue),
                .text(certificate.authority),
            ])
        return try rows.first?.integer(0)
    }

    /// Whether any certificate of the store is for a domain; one that does not say which names it is for may be.
    package static func cover(_ domain: String, over connection: StoreConnection) throws(StoreError) -> Bool {
        let wildcard = domain.firstIndex(of: ".").map { "*\(domain[$0...])" }
        return try connection.transaction(.reading) { () throws(StoreError) -> Bool in
            let rows = try connection.query(
                "SELECT EXISTS (SELECT FROM aasa.certificates WHERE NOT removed AND (names = '{}' OR names && $1))",
                [.textArray([domain, wildcard])])
            return try rows.first?.boolean(0) ?? false
        }
    }

    /// Marks certificates as removed.
    ///
    /// - Returns: the generation of the store without them.
    package static func remove(_ names: [String], over connection: StoreConnection) throws(StoreError) -> Int64 {
        try connection.transaction(.writing) { () throws(StoreError) -> Int64 in
            try StoreSchema.checkWritable(connection)
            let generation = try StorePublishing.lock(connection)
            let held = try connection.query(
                "SELECT name FROM aasa.certificates WHERE name = ANY ($1) AND NOT removed", [.textArray(names)])
            // A statement takes a generation also where it changes nothing.
            guard !held.isEmpty else { return generation }
            let rows = try connection.query(
                """
                UPDATE aasa.certificates SET removed = true WHERE name = ANY ($1) AND NOT removed RETURNING generation
                """,
                [.textArray(names)])
            return try rows.first?.integer(0) ?? generation
        }
    }
}

extension StoredCertificate {
    /// - Parameter row: `StoreCertificates.columns`.
    init(_ row: StoreRow) throws(StoreError) {
        self.init(
            name: try row.text(0), chain: try row.text(1), keyID: try row.text(2), sealedKey: try row.bytes(3),
            source: Source(rawValue: try row.text(4)) ?? .import, authority: try row.optionalText(7),
            generation: try row.integer(5), isRemoved: try row.boolean(6))
    }
}
