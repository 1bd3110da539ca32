internal import Diagnostics
internal import OpenSSL
internal import SiteStore
internal import SystemSupport

/// The keys of session tickets that all nodes of a store share, so that a session of one resumes on another (store.md,
/// section 4).
struct SharedTicketKeys {
    /// The youngest first, as far as they can be decrypted.
    var keys: [SharedTicketKey] = []
    /// Whether the youngest was made within the last 2 hours.
    var isFresh = false
    var findings: [LocatedDiagnostic] = []
    /// About keys whose times cannot be, which are used for nothing.
    var oddRows: [LocatedDiagnostic] = []

    private static let nameCount = 16
    private static let secretCount = 64
    private static let lock: Int64 = 0x6161_7363
    private static let kept: Int64 = 3
    /// Whether the times of a row are some that this program may have written.
    private static let isPlausible = """
        (isfinite(made_at) AND isfinite(use_from) AND made_at < clock_timestamp() + interval '5 minutes'
            AND use_from < clock_timestamp() + interval '1 hour')
        """

    /// Makes a key if the youngest is an hour old, and reads all.
    ///
    /// - Parameter now: seconds of the server's monotonic clock.
    init(_ ring: StoreKeyRing, now: Int64, over connection: StoreConnection) throws(StoreError) {
        self = try connection.transaction(.writing) { () throws(StoreError) -> SharedTicketKeys in
            try StoreSchema.checkWritable(connection)
            try Self.makeIfDue(ring, connection)
            return try SharedTicketKeys(ring, now, connection)
        }
    }

    private init(_ ring: StoreKeyRing, _ now: Int64, _ connection: StoreConnection) throws(StoreError) {
        // By the clock of the database alone: those of nodes may differ by hours.
        let rows = try connection.query(
            """
            SELECT name, key_id, key_sealed, floor(extract(epoch FROM use_from - clock_timestamp()))::bigint,
                made_at > clock_timestamp() - interval '2 hours'
            FROM aasa.ticket_keys WHERE \(Self.isPlausible) ORDER BY made_at DESC, name LIMIT $1
            """,
            [.integer(Self.kept)])
        let odd = try connection.query(
            "SELECT encode(name, 'hex') FROM aasa.ticket_keys WHERE NOT \(Self.isPlausible) ORDER BY name LIMIT 10")
        oddRows = try odd.map { (row) throws(StoreError) in
            LocatedDiagnostic(
                .storeRowInvalid, "store:ticket_keys/\(try row.text(0))",
                "the ticket key is from the future; it is not used, and deleted when the next one is made")
        }
        for (index, row) in rows.enumerated() {
            let name = try row.bytes(0)
            let (id, sealed, offset) = (try row.text(1), try row.bytes(2), try row.integer(3))
            if index == 0 { isFresh = try row.boolean(4) }
            let path = "store:ticket_keys/\(Hexadecimal.text(name))"
            do throws(StoreKeyError) {
                let secret = try ring.open(
                    sealed, keyID: id, table: "ticket_keys", primaryKey: Hexadecimal.text(name))
                guard name.count == Self.nameCount, secret.count == Self.secretCount else { throw .wrong(keyID: id) }
                keys.append(SharedTicketKey(name: name, secret: secret, useFrom: now + offset))
            } catch .missing(let id) {
                findings.append(LocatedDiagnostic(.storeKeyMissing, path, "the key file has no key \(quoted(id))"))
            } catch {
                findings.append(
                    LocatedDiagnostic(.storeKeyWrong, path, "it does not open: wrong key, or the data were changed"))
            }
        }
        if keys.isEmpty { isFresh = false }
    }

    private static func makeIfDue(_ ring: StoreKeyRing, _ connection: StoreConnection) throws(StoreError) {
        let lock = try connection.query("SELECT pg_try_advisory_xact_lock($1)", [.integer(Self.lock)])
        guard let row = lock.first, try row.boolean(0) else { return }
        let ages = try connection.query(
            """
            SELECT count(*) = 0, coalesce(max(made_at) < clock_timestamp() - interval '1 hour', true)
            FROM aasa.ticket_keys WHERE \(isPlausible)
            """)
        guard let age = ages.first, try age.boolean(1) else { return }
        let isFirst = try age.boolean(0)
        guard let (name, sealed) = make(ring) else { return }
        _ = try connection.query(
            """
            INSERT INTO aasa.ticket_keys (name, key_id, key_sealed, use_from)
            VALUES ($1, $2, $3, clock_timestamp() + make_interval(secs => $4::double precision))
            """,
            // Every node knows a key before the first ticket uses it.
            [.bytes(name), .text(sealed.keyID), .bytes(sealed.bytes), .integer(isFirst ? 0 : 120)])
        _ = try connection.query(
            """
            DELETE FROM aasa.ticket_keys WHERE name NOT IN
                (SELECT name FROM aasa.ticket_keys WHERE \(isPlausible) ORDER BY made_at DESC, name LIMIT $1)
            """,
            [.integer(kept)])
    }

    /// A new key; nil if the system gives no randomness.
    private static func make(_ ring: StoreKeyRing) -> (name: [UInt8], sealed: StoreKeyRing.Sealed)? {
        guard let name = try? SecureRandom.bytes(nameCount), var secret = try? SecureRandom.bytes(secretCount) else {
            return nil
        }
        let bytes = SecretBytes(taking: &secret)
        guard let sealed = try? ring.seal(bytes, table: "ticket_keys", primaryKey: Hexadecimal.text(name)) else {
            return nil
        }
        return (name, sealed)
    }
}
