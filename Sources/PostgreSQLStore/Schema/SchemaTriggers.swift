/// The functions and triggers of schema version 1, which keep the store consistent whoever writes to it (store.md, section
/// 3).
///
/// The functions run with the rights of the owner, since publishers cannot write what they fill in, and trust nothing that
/// a session may set: the generation is read from the row of `aasa.meta` each time.
enum SchemaTriggers {
    static let sql = generations + publishing + certificates + nodes

    private static let generations = #"""

        CREATE FUNCTION aasa.refuse_change() RETURNS trigger
            LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            RAISE EXCEPTION '%.% is append-only', TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
        END $$;
        CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON aasa.content
            FOR EACH STATEMENT EXECUTE FUNCTION aasa.refuse_change();
        CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON aasa.versions
            FOR EACH STATEMENT EXECUTE FUNCTION aasa.refuse_change();
        CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON aasa.changes
            FOR EACH STATEMENT EXECUTE FUNCTION aasa.refuse_change();

        -- The lock of the row is held until the transaction ends, so that generations become visible in their order.
        CREATE FUNCTION aasa.lock_generation() RETURNS bigint
            LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
            SELECT generation FROM aasa.meta FOR UPDATE
        $$;

        -- A statement that inserts and updates comes here twice. The generation that it has taken the first time is the one
        -- that is not among the changes yet.
        CREATE FUNCTION aasa.begin_generation() RETURNS trigger
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            held bigint := aasa.lock_generation();
        BEGIN
            IF EXISTS (SELECT FROM aasa.changes WHERE changes.generation = held) THEN
                UPDATE aasa.meta SET generation = held + 1, token = gen_random_uuid(),
                    changed_at = greatest(clock_timestamp(), changed_at);
            END IF;
            RETURN NULL;
        END $$;

        CREATE FUNCTION aasa.end_generation(action text, domain text, name text, detail jsonb) RETURNS void
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            held aasa.meta;
        BEGIN
            SELECT * INTO held FROM aasa.meta;
            INSERT INTO aasa.changes (generation, token, at, by, action, domain, name, detail)
                VALUES (held.generation, held.token, held.changed_at, session_user, $1, $2, $3, $4)
                ON CONFLICT (generation) DO NOTHING;
            PERFORM pg_notify('aasa_generation', held.generation::text);
        END $$;

        CREATE FUNCTION aasa.fill_generation() RETURNS trigger
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            SELECT meta.generation INTO NEW.generation FROM aasa.meta;
            RETURN NEW;
        END $$;

        """#

    private static let publishing = #"""

        CREATE FUNCTION aasa.fill_version() RETURNS trigger
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            SELECT meta.generation, meta.changed_at, session_user
                INTO NEW.generation, NEW.published_at, NEW.published_by FROM aasa.meta;
            INSERT INTO aasa.current AS held (domain, name, version, sha256, generation)
                VALUES (NEW.domain, NEW.name, 1, NEW.sha256, NEW.generation)
                ON CONFLICT (domain, name) DO UPDATE SET version = held.version + 1, sha256 = excluded.sha256,
                    generation = excluded.generation
                RETURNING held.version INTO NEW.version;
            RETURN NEW;
        END $$;

        CREATE FUNCTION aasa.end_publication() RETURNS trigger
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            files bigint;
            contents bigint;
            first_domain text;
            last_domain text;
            details jsonb;
            file_name text;
        BEGIN
            SELECT count(*), count(sha256), min(domain), max(domain) INTO files, contents, first_domain, last_domain
                FROM published;
            SELECT jsonb_agg(jsonb_build_object('domain', shown.domain, 'name', shown.name, 'version', shown.version,
                    'sha256', encode(shown.sha256, 'hex'), 'message', shown.message)), min(shown.name)
                INTO details, file_name FROM (SELECT * FROM published ORDER BY domain, name LIMIT 10) AS shown;
            IF files = 1 THEN
                details := details -> 0;
            ELSE
                details := jsonb_build_object('files', files, 'first', details);
                file_name := NULL;
            END IF;
            PERFORM aasa.end_generation(CASE WHEN contents = 0 AND files > 0 THEN 'remove' ELSE 'publish' END,
                CASE WHEN first_domain = last_domain THEN first_domain END, file_name, details);
            RETURN NULL;
        END $$;

        CREATE TRIGGER begin_generation BEFORE INSERT ON aasa.versions
            FOR EACH STATEMENT EXECUTE FUNCTION aasa.begin_generation();
        CREATE TRIGGER fill BEFORE INSERT ON aasa.versions
            FOR EACH ROW EXECUTE FUNCTION aasa.fill_version();
        CREATE TRIGGER end_generation AFTER INSERT ON aasa.versions REFERENCING NEW TABLE AS published
            FOR EACH STATEMENT EXECUTE FUNCTION aasa.end_publication();

        """#

    private static let certificates = #"""

        CREATE FUNCTION aasa.refuse_delete() RETURNS trigger
            LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            RAISE EXCEPTION 'rows of %.% are not deleted; set "removed", so that nodes see it',
                TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
        END $$;
        CREATE TRIGGER kept BEFORE DELETE OR TRUNCATE ON aasa.certificates
            FOR EACH STATEMENT EXECUTE FUNCTION aasa.refuse_delete();

        -- A statement that inserts some rows and updates others has all of them in its generation.
        CREATE FUNCTION aasa.end_certificates() RETURNS trigger
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            details jsonb;
        BEGIN
            SELECT jsonb_build_object('certificates', count(*),
                    'first', (array_agg(certificates.name ORDER BY certificates.name))[1:10])
                INTO details FROM aasa.certificates JOIN aasa.meta USING (generation);
            PERFORM aasa.end_generation('certificate', NULL, NULL, details);
            RETURN NULL;
        END $$;

        CREATE TRIGGER begin_generation BEFORE INSERT OR UPDATE ON aasa.certificates
            FOR EACH STATEMENT EXECUTE FUNCTION aasa.begin_generation();
        CREATE TRIGGER fill BEFORE INSERT OR UPDATE ON aasa.certificates
            FOR EACH ROW EXECUTE FUNCTION aasa.fill_generation();
        CREATE TRIGGER end_generation AFTER INSERT OR UPDATE ON aasa.certificates
            FOR EACH STATEMENT EXECUTE FUNCTION aasa.end_certificates();

        CREATE FUNCTION aasa.end_challenges() RETURNS trigger
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            challenged text;
        BEGIN
            SELECT min(acme_challenges.domain) INTO challenged FROM aasa.acme_challenges JOIN aasa.meta USING (generation);
            PERFORM aasa.end_generation('challenge', challenged, NULL, NULL);
            RETURN NULL;
        END $$;

        CREATE TRIGGER begin_generation BEFORE INSERT OR UPDATE ON aasa.acme_challenges
            FOR EACH STATEMENT EXECUTE FUNCTION aasa.begin_generation();
        CREATE TRIGGER fill BEFORE INSERT OR UPDATE ON aasa.acme_challenges
            FOR EACH ROW EXECUTE FUNCTION aasa.fill_generation();
        CREATE TRIGGER end_generation AFTER INSERT OR UPDATE ON aasa.acme_challenges
            FOR EACH STATEMENT EXECUTE FUNCTION aasa.end_challenges();

        """#

    private static let nodes = #"""

        -- Clocks of nodes may differ by hours.
        CREATE FUNCTION aasa.fill_node() RETURNS trigger
            LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            NEW.seen_at := clock_timestamp();
            RETURN NEW;
        END $$;
        -- A heartbeat sets the generation. Who orders is noted by another node as well.
        CREATE TRIGGER fill BEFORE INSERT OR UPDATE OF generation ON aasa.nodes
            FOR EACH ROW EXECUTE FUNCTION aasa.fill_node();

        INSERT INTO aasa.meta (schema_version, readable_from) VALUES (1, 1);
        SELECT aasa.end_generation('init', NULL, NULL, NULL);

        """#
}
