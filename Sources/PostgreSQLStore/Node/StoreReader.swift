internal import Diagnostics
internal import SiteStore

/// The reads of a node that follows a store, each in one transaction, so that it is consistent in itself (store.md,
/// section 7).
struct StoreReader {
    /// A read with its rows.
    struct Reading {
        let read: FollowerRead
        let changes: StoreChanges
        /// All challenges, with the milliseconds for which they are good.
        let challenges: [(challenge: StoredChallenge, milliseconds: Int64)]
        /// About rows with values that nothing can be done with.
        let findings: [LocatedDiagnostic]
    }

    /// The challenges that a node answers at once; orders are limited to fewer.
    private static let mostChallenges: Int64 = 1_000
    /// The rows that are asked for at once.
    private static let page = 5_000
    /// The contents that are asked for at once.
    private static let batch = 500
    /// The versions that may stand in for a bad one.
    private static let mostOlder: Int64 = 10
    /// The bad files whose older versions are in memory at once: each of those may have 1 MiB.
    static let mostBadFiles = 32

    /// Reads the position, and the token of the held generation.
    static func position(
        after held: StorePosition?, over connection: StoreConnection
    ) throws(StoreError) -> FollowerRead {
        try connection.transaction(.reading) { () throws(StoreError) -> FollowerRead in
            let (position, token) = try position(held, connection)
            return FollowerRead(position: position, tokenAtHeld: token)
        }
    }

    /// Reads what is newer than the held generation; everything if nothing is held.
    ///
    /// - Parameters:
    ///   - image: what is in memory, of which no bytes are read again.
    ///   - limits: what is kept; rows beyond them are counted as they come.
    static func changes(
        after held: StorePosition?, image: StoreImage?, _ limits: StoreLimits, over connection: StoreConnection
    ) throws(StoreError) -> Reading {
        try connection.transaction(.reading) { () throws(StoreError) -> Reading in
            let (position, token) = try position(held, connection)
            var intake = StoreIntake(limits, image)
            let rows = try files(after: held?.generation, image, &intake, connection)
            let contents = try contents(of: rows.new, image: image, connection)
            let files = rows.new.map { $0.file(contents) } + rows.earlier
            let certificates = try certificates(after: held?.generation, connection)
            var changes = StoreChanges(
                position: position, isComplete: held == nil, files: files, certificates: certificates)
            changes.omitted = intake.omitted
            let (removal, confirmed) = try removal(by: changes, of: image, connection)
            let (challenges, findings) = try challenges(connection)
            return Reading(
                read: FollowerRead(
                    position: position, tokenAtHeld: token, files: files.count { $0.contents != nil },
                    rows: files.count + certificates.count, removal: removal, confirmed: confirmed),
                changes: changes, challenges: challenges, findings: findings)
        }
    }

    /// The removal of many sites, or of all certificates, that these changes would be, and how far removals are confirmed.
    private static func removal(
        by changes: StoreChanges, of image: StoreImage?, _ connection: StoreConnection
    ) throws(StoreError) -> (MassRemoval?, confirmed: Int64?) {
        guard let image else { return (nil, nil) }
        let ended = image.domainsEnded(by: changes)
        let hasNoCertificates = changes.isComplete && changes.certificates.isEmpty && !image.certificates.isEmpty
        let total = image.fileCounts.count
        let isMass = MassRemoval.isMass(ended.count, of: total)
        guard isMass || hasNoCertificates else { return (nil, nil) }
        let rows = try connection.query(
            """
            SELECT confirmed, greatest((SELECT max(generation) FROM aasa.current),
                (SELECT max(generation) FROM aasa.certificates), 0), EXISTS (SELECT FROM aasa.certificates) FROM aasa.meta
            """)
        guard let row = rows.first else { return (nil, nil) }
        let (confirmed, last) = (try row.optionalInteger(0), try row.integer(1))
        var removal: MassRemoval?
        if isMass {
            var generations: [Int64?] = []
            try connection.forEachRow(
                "SELECT max(generation) FROM aasa.current WHERE domain = ANY ($1) GROUP BY domain",
                [.textArray(Array(ended))]
            ) { (row: StoreRow) throws(StoreError) in generations.append(try row.integer(0)) }
            generations += Array(repeating: nil, count: max(0, ended.count - generations.count))
            removal = MassRemoval.first(of: generations, total: total, confirmed: confirmed, last: last)
        }
        // One that was removed has its row.
        if hasNoCertificates, !(try row.boolean(2)), removal?.isDated != true {
            removal = MassRemoval(
                sites: removal?.sites ?? 0, of: total, certificates: image.certificates.count, generation: last,
                isDated: false)
        }
        return (removal, confirmed)
    }

    private static func position(
        _ held: StorePosition?, _ connection: StoreConnection
    ) throws(StoreError) -> (StorePosition, token: String?) {
        try StoreSchema.checkReadable(connection)
        let rows = try connection.query(
            """
            SELECT store_id, generation, token, (SELECT token FROM aasa.changes WHERE changes.generation = $1)
            FROM aasa.meta
            """,
            [.integer(held?.generation)])
        guard let row = rows.first else {
            throw StoreError(
                .damaged, "the store has no row in 'aasa.meta'", help: "restore the database from a backup")
        }
        let position = StorePosition(
            storeID: try row.text(0), generation: try row.integer(1), token: try row.text(2))
        return (position, try row.optionalText(3))
    }

    /// A row of the current files, without its bytes.
    private struct FileRow {
        let key: StoreFileKey
        let version: Int64
        let digest: ContentDigest?
        let lint: String?
        let publishedAt: Int64
        let generation: Int64

        /// - Parameter contents: those that could be read. A row without its bytes gets some that do not fit, so that it is
        ///   refused like other damaged ones.
        func file(_ contents: [ContentDigest: StoredContents]) -> StoredFile {
            StoredFile(
                key: key, version: version,
                contents: digest.map { contents[$0] ?? StoredContents(digest: $0, bytes: []) }, lint: lint,
                publishedAt: publishedAt, generation: generation)
        }
    }

    /// Reads the rows that are admitted, the oldest first, so that what one statement adds beyond the limits takes nothing
    /// away from what was there before. Each page is a statement: none has to end in the time that all rows take.
    ///
    /// - Returns: the rows, and what the image has in place of those that a complete read passes over.
    private static func files(
        after generation: Int64?, _ image: StoreImage?, _ intake: inout StoreIntake,
        _ connection: StoreConnection
    ) throws(StoreError) -> (new: [FileRow], earlier: [StoredFile]) {
        var files: [FileRow] = []
        var earlier: [StoredFile] = []
        // Most files have the same name, which is kept once.
        var lastName = ""
        let after = generation.map { String($0) }
        try connection.run(
            """
            DECLARE files NO SCROLL CURSOR FOR
            SELECT held.domain, held.name, held.version, held.sha256, v.lint, v.published_at, held.generation,
                coalesce(octet_length(c.bytes), 0), coalesce(octet_length(v.lint), 0)
            FROM aasa.current AS held JOIN aasa.versions AS v USING (domain, name, version)
                LEFT JOIN aasa.content AS c ON c.sha256 = held.sha256
            WHERE \(after.map { "held.generation > \($0)" } ?? "held.sha256 IS NOT NULL") ORDER BY held.generation
            """)
        var count = page
        while count == page {
            count = 0
            try connection.forEachRow("FETCH \(page) FROM files") { (row: StoreRow) throws(StoreError) in
                count += 1
                let name = try row.text(1)
                if name != lastName { lastName = name }
                let key = StoreFileKey(domain: try row.text(0), name: lastName)
                let digest = try row.optionalBytes(3).map(digest)
                let (size, lint) = (Int(clamping: try row.integer(7)), Int(clamping: try row.integer(8)))
                guard intake.admits(key, digest: digest, size: size, lint: lint) else {
                    if generation == nil, let file = image?.files[key] { earlier.append(file) }
                    return
                }
                files.append(
                    FileRow(
                        key: key, version: try row.integer(2), digest: digest, lint: try row.optionalText(4),
                        publishedAt: try row.time(5), generation: try row.integer(6)))
            }
        }
        return (files, earlier)
    }

    /// The digest of a row. What is none becomes one that no bytes fit, so that the row is refused, and no other.
    private static func digest(_ bytes: [UInt8]) -> ContentDigest {
        ContentDigest(bytes) ?? ContentDigest(of: Array("not a SHA-256: ".utf8) + bytes)
    }

    private static func contents(
        of files: [FileRow], image: StoreImage?, _ connection: StoreConnection
    ) throws(StoreError) -> [ContentDigest: StoredContents] {
        var contents: [ContentDigest: StoredContents] = [:]
        var missing: [[UInt8]] = []
        for digest in Set(files.compactMap(\.digest)) {
            if let known = image?.contents(digest) { contents[digest] = known } else { missing.append(digest.bytes) }
        }
        while !missing.isEmpty {
            let part = missing.suffix(batch)
            missing.removeLast(part.count)
            try connection.forEachRow(
                "SELECT sha256, bytes FROM aasa.content WHERE sha256 = ANY ($1)", [.bytesArray(Array(part))]
            ) { (row: StoreRow) throws(StoreError) in
                guard let digest = try row.optionalDigest(0) else { return }
                contents[digest] = StoredContents(digest: digest, bytes: try row.bytes(1))
            }
        }
        return contents
    }

    private static func certificates(
        after generation: Int64?, _ connection: StoreConnection
    ) throws(StoreError) -> [StoredCertificate] {
        var certificates: [StoredCertificate] = []
        try connection.forEachRow(
            """
            SELECT \(StoreCertificates.columns) FROM aasa.certificates
            WHERE generation > coalesce($1, -1) AND ($1::bigint IS NOT NULL OR NOT removed)
            """,
            [.integer(generation)]
        ) { (row: StoreRow) throws(StoreError) in certificates.append(try StoredCertificate(row)) }
        return certificates
    }

    /// Reads all challenges that are good, in the order in which they were written: there are few at any time.
    private static func challenges(
        _ connection: StoreConnection
    ) throws(StoreError) -> ([(challenge: StoredChallenge, milliseconds: Int64)], [LocatedDiagnostic]) {
        let rows = try connection.query(
            """
            SELECT domain, kind, token, key_authorization,
                floor(extract(epoch FROM
                    least(expires_at, clock_timestamp() + interval '1 hour') - clock_timestamp()) * 1000)::bigint,
                expires_at > clock_timestamp() + interval '1 day'
            FROM aasa.acme_challenges WHERE expires_at > clock_timestamp() ORDER BY generation LIMIT $1
            """,
            [.integer(mostChallenges)])
        var challenges: [(challenge: StoredChallenge, milliseconds: Int64)] = []
        var findings: [LocatedDiagnostic] = []
        for row in rows {
            guard let kind = StoredChallenge.Kind(rawValue: try row.text(1)) else { continue }
            let challenge = StoredChallenge(
                domain: try row.text(0), kind: kind, token: try row.text(2), keyAuthorization: try row.text(3))
            challenges.append((challenge, try row.integer(4)))
            if try row.boolean(5) {
                findings.append(
                    LocatedDiagnostic(
                        .storeRowInvalid, "store:acme_challenges/\(challenge.domain)",
                        "the challenge expires in more than a day; it is answered for an hour"))
            }
        }
        return (challenges, findings)
    }

    /// Reads the versions before those of the files, the newest first.
    ///
    /// - Parameters:
    ///   - files: at most `mostBadFiles`.
    ///   - size: of the largest file that can be served, in bytes: larger ones are not read.
    static func older(
        than files: [StoredFile], upTo size: Int, over connection: StoreConnection
    ) throws(StoreError) -> [StoreFileKey: [StoredFile]] {
        try connection.transaction(.reading) { () throws(StoreError) -> [StoreFileKey: [StoredFile]] in
            var older: [StoreFileKey: [StoredFile]] = [:]
            for file in files {
                let key = file.key
                let rows = try connection.query(
                    """
                    SELECT \(StoredFile.columns)
                    FROM (SELECT * FROM aasa.versions
                        WHERE domain = $1 AND name = $2 AND version < $3 AND sha256 IS NOT NULL
                        ORDER BY version DESC LIMIT $4) AS v JOIN aasa.content AS c ON c.sha256 = v.sha256
                    WHERE octet_length(c.bytes) <= $5 ORDER BY v.version DESC
                    """,
                    [
                        .text(key.domain), .text(key.name), .integer(file.version), .integer(mostOlder),
                        .integer(Int64(size)),
                    ])
                older[key] = try rows.map { (row) throws(StoreError) in try StoredFile(key, row) }
            }
            return older
        }
    }
}
