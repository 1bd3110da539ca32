/// Schema version 2 (store.md, section 3): the token of each node's generation, confirmed generations, and checks of values
/// that nothing can be done with.
///
/// The checks are not applied to the rows that are there, so that a store with an odd one can be migrated.
enum SchemaSecond {
    static let sql = #"""

        -- A generation of another history may have the same number.
        ALTER TABLE aasa.nodes ADD COLUMN token uuid;

        -- An older program writes no token: one that a newer program has left is not that of its generation.
        CREATE OR REPLACE FUNCTION aasa.fill_node() RETURNS trigger
            LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            NEW.seen_at := clock_timestamp();
            IF TG_OP = 'UPDATE' AND NEW.generation <> OLD.generation AND NEW.token = OLD.token THEN
                NEW.token := NULL;
            END IF;
            RETURN NEW;
        END $$;

        -- The generation up to which removals are meant, however many they are.
        ALTER TABLE aasa.meta ADD COLUMN confirmed bigint;

        CREATE FUNCTION aasa.confirm_generation(wanted bigint) RETURNS bigint
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            held bigint := aasa.lock_generation();
        BEGIN
            IF wanted IS NULL OR wanted < 0 OR wanted > held THEN
                RAISE EXCEPTION 'the store is at generation %, and cannot confirm %', held, wanted
                    USING ERRCODE = 'invalid_parameter_value';
            END IF;
            UPDATE aasa.meta SET generation = held + 1, token = gen_random_uuid(),
                changed_at = greatest(clock_timestamp(), changed_at),
                confirmed = greatest(meta.confirmed, wanted);
            PERFORM aasa.end_generation('confirm', NULL, NULL, jsonb_build_object('generation', wanted));
            RETURN held + 1;
        END $$;

        -- What is made anew by itself is deleted; other odd rows stay, and are findings of nodes.
        DELETE FROM aasa.ticket_keys
            WHERE NOT (pg_catalog.isfinite(made_at) AND pg_catalog.isfinite(use_from)
                AND made_at < '2300-01-01 00:00:00+00' AND use_from < '2300-01-01 00:00:00+00');
        DELETE FROM aasa.acme_challenges
            WHERE NOT (pg_catalog.isfinite(expires_at) AND expires_at < '2300-01-01 00:00:00+00');
        ALTER TABLE aasa.ticket_keys ADD CONSTRAINT ticket_keys_times_check CHECK (
            pg_catalog.isfinite(made_at) AND pg_catalog.isfinite(use_from)
            AND made_at < '2300-01-01 00:00:00+00' AND use_from < '2300-01-01 00:00:00+00'
        ) NOT VALID;
        ALTER TABLE aasa.acme_challenges ADD CONSTRAINT acme_challenges_expires_at_check CHECK (
            pg_catalog.isfinite(expires_at) AND expires_at < '2300-01-01 00:00:00+00'
        ) NOT VALID;
        ALTER TABLE aasa.current ADD CONSTRAINT current_sha256_check CHECK (
            pg_catalog.octet_length(sha256) = 32
        ) NOT VALID;
        ALTER TABLE aasa.versions ADD CONSTRAINT versions_counts_check CHECK (
            (findings ->> 'errors') ~ '^[0-9]{1,9}$' AND (findings ->> 'warnings') ~ '^[0-9]{1,9}$'
        ) NOT VALID;

        """#
}
