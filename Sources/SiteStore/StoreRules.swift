package import Diagnostics

/// The rules about a store, as `aasa serve` and the commands find them (store.md).
package enum StoreRules {
    package static let all: [RuleDescription] = [
        .storeUnreachable, .storeNotInitialised, .storeSchemaNewer, .storeSchemaOlder, .storePermissionDenied,
        .storePasswordInURL, .storeInsecureConnection, .storeListenBroken, .storeHistoryRewritten, .storeEmptied,
        .storeMassRemoval, .storeRowInvalid, .storeNodeShared, .storeKeyMissing, .storeKeyWrong, .storeCacheDamaged,
        .storeCacheUnwritable,
    ]
}

extension RuleDescription {
    private static func store(
        _ code: String, _ severity: Severity, _ summary: String, _ reason: String, bad: String, good: String,
        _ advice: String
    ) -> RuleDescription {
        RuleDescription(
            code, severity, subject: .store, summary: summary, reason: reason, basis: [.lint], bad: bad, good: good,
            advice: advice)
    }

    package static let storeUnreachable = store(
        "store-unreachable", .error, "the database of the store does not answer",
        """
        Nothing can be published, and nodes do not see changes. They go on serving what they have, and try again in \
        growing intervals of up to 15 seconds.
        """,
        bad: "connection to server at \"db.internal\", port 5432 failed: Connection refused",
        good: "connected to db.internal:5432, database 'links'",
        "Check that the database runs, and that its host and port can be reached from this machine.")
    package static let storeNotInitialised = store(
        "store-not-initialised", .error, "the database has no store",
        "The schema 'aasa' is missing: the database was never set up, or it is another one than was meant.",
        bad: "schema \"aasa\" does not exist", good: "schema 'aasa', version 1",
        "Run 'aasa store init', or correct the database in the URL of the store.")
    package static let storeSchemaNewer = store(
        "store-schema-newer", .error, "the store has a newer schema than this program knows",
        """
        A newer version of aasa has migrated the store. This one can no longer write to it; a node keeps what it serves, \
        and follows changes only as long as the new schema allows that.
        """,
        bad: "schema 3, readable by schema 2 and newer; this program knows schema 1", good: "schema 1",
        "Upgrade aasa on this machine.")
    package static let storeSchemaOlder = store(
        "store-schema-older", .error, "the store has an older schema than this program needs",
        "This version of aasa needs tables or columns that the store does not have yet.",
        bad: "schema 1; this program needs schema 2", good: "schema 2",
        "Run 'aasa store migrate' once, with a role that owns the schema; nodes never migrate by themselves.")
    package static let storePermissionDenied = store(
        "store-permission-denied", .error, "the role may not do this in the store",
        "The role of the connection lacks a right that nodes or publishers need.",
        bad: "permission denied for table versions", good: "GRANT aasa_publisher TO deploy;",
        "Grant 'aasa_node' to the roles of nodes and 'aasa_publisher' to those of publishers.")
    package static let storePasswordInURL = store(
        "store-password-in-url", .warning, "the URL of the store has a password in it",
        """
        Other users of the machine can see it in the list of processes, or whoever reads server.json. Passwords in files \
        are easier to protect and to change.
        """,
        bad: "postgresql://aasa:secret@db.internal/links", good: "postgresql://aasa@db.internal/links",
        "Put the password into ~/.pgpass or a file that PGPASSFILE names, readable by its user alone.")
    package static let storeInsecureConnection = store(
        "store-insecure-connection", .warning, "the identity of the database is not verified",
        """
        Without 'sslmode=verify-full' somebody on the way can pretend to be the database, read what is sent to it, and \
        publish files. The default of libpq, 'prefer', does not even require encryption.
        """,
        bad: "postgresql://aasa@db.internal/links",
        good: "postgresql://aasa@db.internal/links?sslmode=verify-full&sslrootcert=/etc/aasa/db-ca.pem",
        "Add 'sslmode=verify-full' to the URL, with 'sslrootcert' for a CA of your own.")
    package static let storeListenBroken = store(
        "store-listen-broken", .warning, "notifications of the store do not arrive",
        """
        A pooler in transaction mode is between this node and the database, and drops LISTEN. The node looks for changes \
        every 5 seconds instead of seeing them at once.
        """,
        bad: "postgresql://aasa@pgbouncer.internal:6432/links, with pool_mode = transaction",
        good: "postgresql://aasa@db.internal:5432/links",
        "Connect nodes to the database directly, or through a pooler in session mode.")
    package static let storeHistoryRewritten = store(
        "store-history-rewritten", .warning, "the store is not the one that was followed until now",
        """
        A backup was restored, or the URL leads to another database: the changes that this node has seen are not in its \
        history. Everything was read anew.
        """,
        bad: "generation 812 has another token than before", good: "generation 812 follows generation 811",
        "Nothing, if that was meant. Otherwise look at which database the URL leads to.")
    package static let storeEmptied = store(
        "store-emptied", .error, "the store has no files any more",
        """
        A database that was just created, or restored without its contents, must not take away the links of all apps: \
        this node goes on serving what it has.
        """,
        bad: "0 files, generation 1; serving 812 sites of the earlier store", good: "812 sites",
        """
        Publish the files again, with 'aasa store import', which makes one change of all of them. If the store is meant to be empty, restart \
        the node with an empty 'storeCache'.
        """)
    package static let storeMassRemoval = store(
        "store-mass-removal", .error, "a change of the store would end many sites, and is not confirmed",
        """
        One change would end more than 10 sites and more than a tenth of all, or a store that was made anew lacks them, or \
        has no certificate. That can be a mistake, so this node goes on serving what it has, and takes nothing over until \
        the change is confirmed or the sites are there again.
        """,
        bad: "generation 3 of the store would end 1,998 of 2,000 sites", good: "'aasa store confirm 3' was run",
        """
        If the sites are meant to end, run 'aasa store confirm GENERATION' with the generation of the message. Otherwise \
        publish them again, with 'aasa store import'.
        """)
    package static let storeRowInvalid = store(
        "store-row-invalid", .warning, "a row of the store has a value that nothing can be done with",
        """
        Only the owner of the store can write such a row, past the checks of the schema, or before there were any. It costs \
        what the message says, and nothing else.
        """,
        bad: "a challenge that expires at 'infinity'", good: "a challenge that expires in half an hour",
        "Correct or delete the row. In 'aasa.versions', which is append-only, publish the file again.")
    package static let storeNodeShared = store(
        "store-node-shared", .warning, "two nodes of a store have the same name",
        """
        They overwrite each other's row in 'aasa.nodes', so that 'aasa publish --wait' and 'aasa store status' see one of \
        them. What they serve is not affected.
        """,
        bad: "\"storeNode\": \"edge\" on two machines", good: "\"storeNode\": \"edge-1\" and \"edge-2\"",
        "Give each node its own 'storeNode', and its own 'storeCache'.")
    package static let storeKeyMissing = store(
        "store-key-missing", .error, "a private key in the store is encrypted with a key that is not here",
        """
        'storeKeyFile' of this machine has no key with the name that the row names, so the certificate cannot be used. \
        The last one that could be used stays.
        """,
        bad: "example.com: encrypted with key 'k20261101', and 'store.keys' has 'k20250301'",
        good: "k20261101 …\nk20250301 …",
        "Copy the line of that key from the key file of another node.")
    package static let storeKeyWrong = store(
        "store-key-wrong", .error, "a private key in the store cannot be decrypted",
        """
        The key file has a key of this name, but it is another one, or the encrypted data was changed or moved to another \
        row. The certificate cannot be used; the last one that could be used stays.
        """,
        bad: "example.com: wrong key, or the data was changed", good: "example.com: decrypted with key 'k20261101'",
        "Use the same key file on all machines; if it is the same, import the certificate again.")
    package static let storeCacheDamaged = store(
        "store-cache-damaged", .warning, "the cache of the store is damaged",
        """
        Nothing of a damaged cache is used: the node reads the whole store, and writes the cache anew. Damage is found by \
        SQLite, by a checksum of each row, and by the SHA-256 of each content.
        """,
        bad: "/var/lib/aasa/store/cache.db: the checksum of a row does not match",
        good: "/var/lib/aasa/store/cache.db: generation 812",
        "Nothing. If it happens again, check the disk.")
    package static let storeCacheUnwritable = store(
        "store-cache-unwritable", .error, "the cache of the store cannot be written",
        """
        Serving is not affected, but after a restart without the database this node would serve what the cache held \
        before.
        """,
        bad: "/var/lib/aasa/store: no space left on device", good: "/var/lib/aasa/store: generation 812",
        "Make room, or give the user of the server the right to write to 'storeCache'.")
}
