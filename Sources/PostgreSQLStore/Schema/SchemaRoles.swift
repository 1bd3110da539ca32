/// The roles of a store and their rights (store.md, section 3). All of it can be run again at any time.
enum SchemaRoles {
    /// Needs the right to create roles only where they are missing; they belong to the whole cluster, so that two databases
    /// may be set up at once.
    static let creation = #"""
        DO $$
        DECLARE
            role_name text;
        BEGIN
            FOREACH role_name IN ARRAY ARRAY['aasa_node', 'aasa_publisher'] LOOP
                IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = role_name) THEN
                    BEGIN
                        EXECUTE pg_catalog.format('CREATE ROLE %I NOLOGIN', role_name);
                    EXCEPTION WHEN duplicate_object OR unique_violation THEN
                        NULL;
                    END;
                END IF;
            END LOOP;
        END $$;

        """#

    static let grants = #"""
        REVOKE ALL ON SCHEMA aasa FROM PUBLIC;
        REVOKE ALL ON ALL TABLES IN SCHEMA aasa FROM PUBLIC;
        REVOKE ALL ON ALL FUNCTIONS IN SCHEMA aasa FROM PUBLIC;
        GRANT USAGE ON SCHEMA aasa TO aasa_node, aasa_publisher;
        GRANT EXECUTE ON FUNCTION aasa.lock_generation() TO aasa_node, aasa_publisher;

        GRANT SELECT ON ALL TABLES IN SCHEMA aasa TO aasa_node;
        GRANT INSERT, UPDATE ON aasa.certificates TO aasa_node;
        GRANT INSERT, UPDATE, DELETE ON aasa.nodes, aasa.ticket_keys, aasa.acme_accounts, aasa.acme_challenges,
            aasa.acme_orders, aasa.acme_states, aasa.acme_requests TO aasa_node;

        GRANT SELECT ON aasa.meta, aasa.content, aasa.versions, aasa.current, aasa.nodes, aasa.changes
            TO aasa_publisher;
        -- Whether a site can be fetched at all; nothing of the keys.
        GRANT SELECT (names, removed) ON aasa.certificates TO aasa_publisher;
        GRANT INSERT (sha256, bytes) ON aasa.content TO aasa_publisher;
        GRANT INSERT (domain, name, sha256, message, lint, findings) ON aasa.versions TO aasa_publisher;
        -- 'aasa store init' grants rights in stores of version 1 as well.
        DO $$ BEGIN
            IF pg_catalog.to_regprocedure('aasa.confirm_generation(bigint)') IS NOT NULL THEN
                GRANT EXECUTE ON FUNCTION aasa.confirm_generation(bigint) TO aasa_publisher;
            END IF;
        END $$;

        """#
}
