package import SiteStore

/// The schema `aasa` in a database: its SQL, its setup, and its migrations (store.md, section 3).
package enum StoreSchema {
    /// The version that this program writes to.
    package static let version = migrations.last?.version ?? 0

    /// All versions in their order.
    package static let migrations = [
        StoreMigration(version: 1, readableFrom: 1, sql: SchemaTables.sql + SchemaTriggers.sql),
        StoreMigration(version: 2, readableFrom: 1, sql: SchemaSecond.sql),
        StoreMigration(version: 3, readableFrom: 1, sql: SchemaThird.sql),
    ]

    /// The SQL that sets up an empty database, for `psql`.
    package static let sql = """
        BEGIN;
        \(lock);
        \(SchemaRoles.creation)
        DO $$ BEGIN
            IF pg_catalog.to_regnamespace('aasa') IS NULL THEN
                CREATE SCHEMA aasa;
            END IF;
        END $$;

        \(migrations.map { $0.sql + $0.end }.joined(separator: "\n"))
        \(SchemaRoles.grants)COMMIT;

        """

    /// One transaction at a time may change the schema; the number stands for the word `aasa`.
    private static let lock = "SELECT pg_catalog.pg_advisory_xact_lock(\(0x6161_7361))"

    /// The result of `aasa store init`.
    package enum Setup: Equatable, Sendable {
        case created(version: Int)
        /// The store was there before, with this version; its rights were granted again.
        case existing(version: Int)
    }

    /// The versions that a store says of itself.
    package struct Versions: Equatable, Sendable {
        package let schema: Int
        /// The oldest version of a program's schema that may still read.
        package let readableFrom: Int

        package init(schema: Int, readableFrom: Int) {
            self.schema = schema
            self.readableFrom = readableFrom
        }
    }

    /// Sets up the schema, its roles and their rights; what is there already stays.
    ///
    /// - Throws: `StoreError` of the kind `permissionDenied` with the statements that an administrator has to run.
    package static func initialise(_ connection: StoreConnection) throws(StoreError) -> Setup {
        try connection.transaction(.migrating) { () throws(StoreError) -> Setup in
            _ = try connection.query(lock)
            let state = try SetupState(connection)
            if state.isInitialised {
                let versions = try versions(connection)
                // Others than the owner cannot grant anything.
                if state.ownsSchema { try connection.run(SchemaRoles.creation + SchemaRoles.grants) }
                return .existing(version: versions.schema)
            }
            if let error = state.missingRights(connection.address) { throw error }
            try connection.run(SchemaRoles.creation + (state.hasSchema ? "" : "CREATE SCHEMA aasa;"))
            for migration in migrations { try connection.run(migration.sql + migration.end) }
            try connection.run(SchemaRoles.grants)
            return .created(version: version)
        }
    }

    /// Applies the migrations that a store lacks, each in a transaction of its own.
    ///
    /// - Parameter migrations: those of this program, but for tests.
    /// - Returns: the versions that were applied; none if nothing was missing.
    package static func migrate(
        _ connection: StoreConnection, _ migrations: [StoreMigration] = Self.migrations
    ) throws(StoreError) -> [Int] {
        var applied: [Int] = []
        for migration in migrations {
            let isApplied = try connection.transaction(.migrating) { () throws(StoreError) -> Bool in
                _ = try connection.query(lock)
                let held = try versions(connection)
                let newest = migrations.last?.version ?? 0
                guard held.schema <= newest else { throw newer(held, than: newest) }
                guard held.schema < migration.version else { return false }
                try checkOwner(connection)
                try connection.run(migration.sql + migration.end + SchemaRoles.grants)
                return true
            }
            if isApplied { applied.append(migration.version) }
        }
        return applied
    }

    /// Whether the role may change the schema.
    ///
    /// - Throws: `StoreError` of the kind `permissionDenied`, which names the owner.
    private static func checkOwner(_ connection: StoreConnection) throws(StoreError) {
        let rows = try connection.query(
            """
            SELECT pg_has_role(nspowner, 'USAGE'), pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'aasa'
            """)
        guard let row = rows.first, !(try row.boolean(0)) else { return }
        let owner = try row.text(1)
        throw StoreError(
            .permissionDenied, "user '\(connection.address.user)' may not migrate the store, which '\(owner)' owns",
            help: "run 'aasa store migrate' as '\(owner)'")
    }

    /// Reads the versions of the store.
    ///
    /// - Throws: `StoreError` of the kind `notInitialised`, among others.
    package static func versions(_ connection: StoreConnection) throws(StoreError) -> Versions {
        let rows = try connection.query("SELECT schema_version, readable_from FROM aasa.meta")
        guard let row = rows.first else {
            throw StoreError(
                .damaged, "the store has no row in 'aasa.meta'", help: "restore the database from a backup")
        }
        return Versions(schema: Int(try row.integer(0)), readableFrom: Int(try row.integer(1)))
    }

    /// Whether this program may write to the store.
    ///
    /// - Throws: `StoreError` of the kinds `schemaNewer`, `schemaOlder` and `notInitialised`.
    package static func checkWritable(_ connection: StoreConnection) throws(StoreError) {
        let held = try versions(connection)
        guard held.schema <= version else { throw newer(held, than: version) }
        try checkAge(held)
    }

    /// Whether this program may read the store, which may be of a newer version.
    ///
    /// - Throws: `StoreError` of the kinds `schemaNewer`, `schemaOlder` and `notInitialised`.
    package static func checkReadable(_ connection: StoreConnection) throws(StoreError) {
        let held = try versions(connection)
        guard held.readableFrom <= version else { throw newer(held, than: version) }
        try checkAge(held)
    }

    private static func checkAge(_ held: Versions) throws(StoreError) {
        guard held.schema < version else { return }
        throw StoreError(
            .schemaOlder, "the store has schema \(held.schema); this program needs schema \(version)",
            help: "run 'aasa store migrate' with a role that owns the schema")
    }

    private static func newer(_ held: Versions, than version: Int) -> StoreError {
        StoreError(
            .schemaNewer,
            "the store has schema \(held.schema), readable from schema \(held.readableFrom) on; this program knows "
                + "schema \(version)",
            help: "upgrade aasa on this machine")
    }
}

/// One step of the schema.
package struct StoreMigration: Sendable {
    /// The version of the schema after it.
    package let version: Int
    /// The oldest version of a program's schema that may read afterwards.
    package let readableFrom: Int
    package let sql: String

    package init(version: Int, readableFrom: Int, sql: String) {
        self.version = version
        self.readableFrom = readableFrom
        self.sql = sql
    }

    /// The statement that records it in the store.
    var end: String {
        "UPDATE aasa.meta SET schema_version = \(version), readable_from = \(readableFrom);\n"
    }
}

/// The state that a role finds before a store is set up.
private struct SetupState {
    let hasSchema: Bool
    let isInitialised: Bool
    let ownsSchema: Bool
    private let mayCreateTables: Bool
    private let missingRoles: [String]
    private let mayCreateRoles: Bool

    init(_ connection: StoreConnection) throws(StoreError) {
        let rows = try connection.query(
            """
            SELECT s.nspname IS NOT NULL, to_regclass('aasa.meta') IS NOT NULL,
                coalesce(pg_has_role(s.nspowner, 'USAGE'), false),
                coalesce(has_schema_privilege(s.oid, 'CREATE'), has_database_privilege(current_database(), 'CREATE')),
                ARRAY(SELECT name FROM unnest(ARRAY['aasa_node', 'aasa_publisher']) AS name
                    WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)),
                (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user)
            FROM (VALUES (true)) AS one (row) LEFT JOIN pg_namespace AS s ON s.nspname = 'aasa'
            """)
        guard let row = rows.first else { throw StoreError(.damaged, "the database does not know its schemas") }
        hasSchema = try row.boolean(0)
        isInitialised = try row.boolean(1)
        ownsSchema = try row.boolean(2)
        mayCreateTables = try row.boolean(3)
        missingRoles = try row.textArray(4)
        mayCreateRoles = try row.boolean(5)
    }

    func missingRights(_ address: StoreAddress) -> StoreError? {
        var statements: [String] = []
        let user = StoreError.identifier(address.user)
        if !mayCreateRoles { statements += missingRoles.map { "CREATE ROLE \($0) NOLOGIN;" } }
        if !mayCreateTables {
            statements.append(
                hasSchema
                    ? "GRANT CREATE, USAGE ON SCHEMA aasa TO \(user);"
                    : "GRANT CREATE ON DATABASE \(StoreError.identifier(address.database)) TO \(user);")
        }
        guard !statements.isEmpty else { return nil }
        return StoreError(
            .permissionDenied, "user '\(address.user)' may not set up a store in database '\(address.database)'",
            help: "run as an administrator, then try again: \(statements.joined(separator: " "))")
    }
}
