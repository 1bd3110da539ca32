package import SiteStore

// Challenges and certificates, which reach all nodes.
extension StoreOrders {
    /// Has all nodes answer a challenge; it expires half an hour later, by the clock of the database.
    ///
    /// Others of the same name and kind end: an order has one at a time, and what is left of a node that was killed would
    /// be answered in its place.
    /// - Returns: the generation of the store that has it.
    package static func publish(
        _ challenge: StoredChallenge, over connection: StoreConnection
    ) throws(StoreError) -> Int64 {
        try connection.transaction(.writing) { () throws(StoreError) -> Int64 in
            try StoreSchema.checkWritable(connection)
            let held = try StorePublishing.lock(connection)
            _ = try connection.query(
                """
                DELETE FROM aasa.acme_challenges
                WHERE (domain = $1 AND kind = $2) OR expires_at < clock_timestamp()
                """, [.text(challenge.domain), .text(challenge.kind.rawValue)])
            let rows = try connection.query(
                """
                INSERT INTO aasa.acme_challenges (domain, kind, token, key_authorization, expires_at)
                VALUES ($1, $2, $3, $4, clock_timestamp() + interval '30 minutes') RETURNING generation
                """,
                [
                    .text(challenge.domain), .text(challenge.kind.rawValue), .text(challenge.token),
                    .text(challenge.keyAuthorization),
                ])
            return try rows.first?.integer(0) ?? held
        }
    }

    /// Removes a challenge. Nodes forget it with the next change, or when it expires.
    package static func withdraw(_ challenge: StoredChallenge, over connection: StoreConnection) throws(StoreError) {
        _ = try connection.query(
            "DELETE FROM aasa.acme_challenges WHERE domain = $1 AND kind = $2 AND token = $3",
            [.text(challenge.domain), .text(challenge.kind.rawValue), .text(challenge.token)])
    }

    /// The lowest generation of the nodes that are not silent, -1 if one follows another history; nil if there is none.
    package static func lowestGeneration(over connection: StoreConnection) throws(StoreError) -> Int64? {
        let rows = try connection.query(
            """
            SELECT min(CASE WHEN \(StoreNodes.isOfHistory) THEN generation ELSE -1 END) FROM aasa.nodes
            WHERE seen_at > clock_timestamp() - interval '30 seconds'
            """)
        return try rows.first?.optionalInteger(0)
    }

    /// Why a certificate cannot be written.
    package enum InstallationError: Error, Sendable {
        case store(StoreError)
        case key(StoreKeyError)
        /// There are certificates of others under all names that it may have.
        case taken([String])
    }

    /// Writes a certificate that was ordered over the one that was ordered before.
    ///
    /// - Parameters:
    ///   - names: the names that its row may have: the first one that nobody else has.
    ///   - row: makes the row under a name, with the key encrypted for it.
    /// - Returns: its name, and the generation of the store that has it.
    package static func install(
        names: [String], _ row: (String) throws(StoreKeyError) -> StoreCertificates.Row,
        over connection: StoreConnection
    ) throws(InstallationError) -> (name: String, generation: Int64) {
        var failure: InstallationError?
        do throws(StoreError) {
            return try connection.transaction(.writing) { () throws(StoreError) -> (name: String, generation: Int64) in
                try StoreSchema.checkWritable(connection)
                let held = try StorePublishing.lock(connection)
                let others = try connection.query(
                    "SELECT name FROM aasa.certificates WHERE name = ANY ($1) AND source <> 'acme' AND NOT removed",
                    [.textArray(names)]
                ).map { (row) throws(StoreError) in try row.text(0) }
                guard let name = names.first(where: { !others.contains($0) }) else {
                    failure = .taken(names)
                    throw StoreError(.conflict, "the names of the certificate are taken")
                }
                let made: StoreCertificates.Row
                do throws(StoreKeyError) {
                    made = try row(name)
                } catch {
                    failure = .key(error)
                    throw StoreError(.other, "the private key cannot be encrypted")
                }
                return (name, try StoreCertificates.write(made, connection) ?? held)
            }
        } catch {
            throw failure ?? .store(error)
        }
    }
}
