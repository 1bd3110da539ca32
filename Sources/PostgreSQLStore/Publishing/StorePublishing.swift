package import SiteStore

/// Publishing and removing files, each in one transaction (store.md, section 5).
package enum StorePublishing {
    /// The version that must be current for a publication to be made.
    package enum Condition: Equatable, Sendable {
        case any
        /// The file is not there, or removed.
        case absent
        case digest(ContentDigest)
        /// The first digits of one, in lowercase.
        case prefix(String)

        package func isMet(by current: StoredVersion?) -> Bool {
            switch self {
            case .any: true
            case .absent: current?.digest == nil
            case .digest(let digest): current?.digest == digest
            case .prefix(let digits): current?.digest?.hex.hasPrefix(digits) ?? false
            }
        }
    }

    /// The result of a publication.
    package enum Result: Sendable {
        /// A new version, the generation of the store that has it, and the version before.
        case published(version: Int64, generation: Int64, previous: StoredVersion?)
        /// The current version has the same bytes already, or is removed already.
        case unchanged(StoredVersion)
        /// Another version than the expected one is current; nil for a file that was never there.
        case conflict(StoredVersion?)
        /// There is nothing to remove.
        case missing
    }

    /// Publishes a file, unless it is the same already, or another version is current than was expected.
    ///
    /// Both are decided under the lock of the store's generation, so that of several publishers with the same expectation
    /// exactly one wins.
    package static func publish(
        _ publication: StorePublication, ifMatch condition: Condition = .any, over connection: StoreConnection
    ) throws(StoreError) -> Result {
        try connection.transaction(.writing) { () throws(StoreError) -> Result in
            try StoreSchema.checkWritable(connection)
            try lock(connection)
            let current = try StoreVersions.currentVersion(of: publication.key, connection)
            if let current, current.digest == publication.digest { return .unchanged(current) }
            if current == nil, publication.bytes == nil { return .missing }
            guard condition.isMet(by: current) else { return .conflict(current) }
            if let bytes = publication.bytes {
                _ = try connection.query(
                    """
                    INSERT INTO aasa.content (sha256, bytes) VALUES (sha256($1), $1)
                    ON CONFLICT (sha256) DO NOTHING
                    """,
                    [.bytes(bytes)])
            }
            let rows = try connection.query(
                """
                INSERT INTO aasa.versions (domain, name, sha256, message, lint, findings)
                VALUES ($1, $2, $3, $4, $5, $6::jsonb) RETURNING version, generation
                """,
                [
                    .text(publication.key.domain), .text(publication.key.name), .bytes(publication.digest?.bytes),
                    .text(publication.message), .text(publication.lint), .text(publication.findings?.json),
                ])
            guard let row = rows.first else { throw StoreError(.damaged, "the store has not kept the new version") }
            return .published(version: try row.integer(0), generation: try row.integer(1), previous: current)
        }
    }

    /// Removes all files of domains in one generation.
    ///
    /// - Returns: the files that were removed, and the generation; none, and the present one, if there was nothing.
    package static func remove(
        domains: [String], message: String?, over connection: StoreConnection
    ) throws(StoreError) -> (files: [StoreFileKey], generation: Int64) {
        try connection.transaction(.writing) { () throws(StoreError) -> ([StoreFileKey], Int64) in
            try StoreSchema.checkWritable(connection)
            var generation = try lock(connection)
            let held = try connection.query(
                """
                SELECT count(*) FROM aasa.current WHERE domain = ANY ($1) AND sha256 IS NOT NULL
                """,
                [.textArray(domains)])
            guard let first = held.first, try first.integer(0) > 0 else { return ([], generation) }
            let rows = try connection.query(
                """
                INSERT INTO aasa.versions (domain, name, message)
                SELECT domain, name, $2 FROM aasa.current
                WHERE domain = ANY ($1) AND sha256 IS NOT NULL ORDER BY domain, name
                RETURNING domain, name, generation
                """,
                [.textArray(domains), .text(message)])
            var files: [StoreFileKey] = []
            for row in rows {
                files.append(StoreFileKey(domain: try row.text(0), name: try row.text(1)))
                generation = try row.integer(2)
            }
            return (files, generation)
        }
    }

    /// Locks the generation of the store until the transaction ends: nobody else changes anything meanwhile.
    @discardableResult
    static func lock(_ connection: StoreConnection) throws(StoreError) -> Int64 {
        let rows = try connection.query("SELECT aasa.lock_generation()")
        guard let row = rows.first else { throw StoreError(.damaged, "the store has no generation") }
        return try row.integer(0)
    }
}

/// A file to be published.
package struct StorePublication: Sendable {
    package let key: StoreFileKey
    /// Nil for a removal, and where the store has them already.
    package let bytes: [UInt8]?
    /// Nil for a removal.
    package let digest: ContentDigest?
    /// At most 1,000 characters.
    package let message: String?
    /// The text of the `.aasa.json` that it was checked with.
    package let lint: String?
    package let findings: StoreFindings?

    package init(
        _ key: StoreFileKey, bytes: [UInt8]?, message: String? = nil, lint: String? = nil,
        findings: StoreFindings? = nil
    ) {
        self.init(key, bytes, bytes.map { ContentDigest(of: $0) }, message, lint, findings)
    }

    /// The same without its bytes, which the store has already.
    package var withoutBytes: StorePublication { StorePublication(key, nil, digest, message, lint, findings) }

    private init(
        _ key: StoreFileKey, _ bytes: [UInt8]?, _ digest: ContentDigest?, _ message: String?, _ lint: String?,
        _ findings: StoreFindings?
    ) {
        self.key = key
        self.bytes = bytes
        self.digest = digest
        self.message = message
        self.lint = lint
        self.findings = findings
    }
}

/// The numbers of findings that a version had when it was published.
package struct StoreFindings: Equatable, Sendable {
    package let errors: Int
    package let warnings: Int

    package init(errors: Int, warnings: Int) {
        self.errors = errors
        self.warnings = warnings
    }

    var json: String { "{\"errors\":\(errors),\"warnings\":\(warnings)}" }
}
