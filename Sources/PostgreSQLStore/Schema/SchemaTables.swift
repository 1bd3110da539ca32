/// The tables of schema version 1 (store.md, section 3).
enum SchemaTables {
    static let sql = #"""
        CREATE TABLE aasa.meta (
            only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
            schema_version integer NOT NULL,
            readable_from integer NOT NULL,
            store_id uuid NOT NULL DEFAULT pg_catalog.gen_random_uuid(),
            generation bigint NOT NULL DEFAULT 0,
            token uuid NOT NULL DEFAULT pg_catalog.gen_random_uuid(),
            changed_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp()
        );

        CREATE TABLE aasa.content (
            sha256 bytea PRIMARY KEY,
            bytes bytea NOT NULL,
            CONSTRAINT content_sha256_check CHECK (sha256 = pg_catalog.sha256(bytes)),
            CONSTRAINT content_bytes_check CHECK (pg_catalog.octet_length(bytes) <= 1048576)
        );

        CREATE TABLE aasa.versions (
            domain text COLLATE "C" NOT NULL,
            name text COLLATE "C" NOT NULL,
            version bigint NOT NULL,
            sha256 bytea REFERENCES aasa.content (sha256),
            message text,
            lint text,
            published_at timestamptz NOT NULL,
            published_by name NOT NULL,
            findings jsonb,
            generation bigint NOT NULL,
            PRIMARY KEY (domain, name, version),
            CONSTRAINT versions_domain_check CHECK (
                pg_catalog.octet_length(domain) <= 253
                AND domain ~ '^(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$'
            ),
            CONSTRAINT versions_name_check CHECK (
                name ~ '^[A-Za-z0-9_~!$&''()*+,;=:@-][A-Za-z0-9._~!$&''()*+,;=:@-]{0,254}$'
                AND name !~ '(~|\.swp)$'
            ),
            CONSTRAINT versions_message_check CHECK (pg_catalog.char_length(message) <= 1000),
            CONSTRAINT versions_lint_check CHECK (pg_catalog.octet_length(lint) <= 1048576),
            CONSTRAINT versions_findings_check CHECK (pg_catalog.jsonb_typeof(findings) = 'object')
        );
        CREATE INDEX versions_generation ON aasa.versions (generation);

        CREATE TABLE aasa.current (
            domain text COLLATE "C" NOT NULL,
            name text COLLATE "C" NOT NULL,
            version bigint NOT NULL,
            sha256 bytea,
            generation bigint NOT NULL,
            PRIMARY KEY (domain, name)
        );
        CREATE INDEX current_generation ON aasa.current (generation);

        CREATE TABLE aasa.certificates (
            name text COLLATE "C" PRIMARY KEY,
            names text[] NOT NULL DEFAULT '{}',
            chain text NOT NULL,
            key_id text NOT NULL,
            key_sealed bytea NOT NULL,
            not_after timestamptz,
            source text NOT NULL DEFAULT 'import',
            authority text,
            generation bigint NOT NULL,
            removed boolean NOT NULL DEFAULT false,
            CONSTRAINT certificates_name_check CHECK (
                pg_catalog.octet_length(name) BETWEEN 1 AND 255 AND name !~ '[[:cntrl:]/]' AND name !~ '^\.'
            ),
            CONSTRAINT certificates_source_check CHECK (source IN ('import', 'acme')),
            CONSTRAINT certificates_size_check CHECK (
                pg_catalog.octet_length(chain) <= 1048576 AND pg_catalog.octet_length(key_sealed) <= 1048576
            )
        );
        CREATE INDEX certificates_generation ON aasa.certificates (generation);

        CREATE TABLE aasa.ticket_keys (
            name bytea PRIMARY KEY,
            key_id text NOT NULL,
            key_sealed bytea NOT NULL,
            use_from timestamptz NOT NULL,
            made_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp()
        );

        CREATE TABLE aasa.acme_accounts (
            directory text PRIMARY KEY,
            account_url text,
            account text,
            key_id text NOT NULL,
            key_sealed bytea NOT NULL
        );

        -- The keys of orders in progress, so that another node can continue them.
        CREATE TABLE aasa.acme_orders (
            domain text COLLATE "C" PRIMARY KEY,
            directory text NOT NULL,
            key_id text NOT NULL,
            key_sealed bytea NOT NULL
        );

        -- What is remembered of orders: attempts, failures, URLs, times of renewals. There is nothing secret in it.
        CREATE TABLE aasa.acme_states (
            directory text PRIMARY KEY,
            state text NOT NULL,
            revision bigint NOT NULL DEFAULT 1
        );

        -- Renewals that somebody has asked for.
        CREATE TABLE aasa.acme_requests (
            domain text COLLATE "C" PRIMARY KEY,
            requested_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp()
        );

        CREATE TABLE aasa.acme_challenges (
            domain text COLLATE "C" NOT NULL,
            kind text NOT NULL,
            token text NOT NULL,
            key_authorization text NOT NULL,
            expires_at timestamptz NOT NULL,
            generation bigint NOT NULL,
            PRIMARY KEY (domain, kind, token),
            CONSTRAINT acme_challenges_kind_check CHECK (kind IN ('http-01', 'tls-alpn-01')),
            CONSTRAINT acme_challenges_size_check CHECK (
                pg_catalog.octet_length(domain) <= 253 AND pg_catalog.octet_length(token) <= 512
                AND pg_catalog.octet_length(key_authorization) <= 1024
            )
        );
        CREATE INDEX acme_challenges_generation ON aasa.acme_challenges (generation);

        -- Updated every few seconds: with free room in its pages an update does not touch the index.
        CREATE TABLE aasa.nodes (
            node text COLLATE "C" PRIMARY KEY,
            generation bigint NOT NULL DEFAULT 0,
            seen_at timestamptz NOT NULL,
            started_at timestamptz,
            program_version text,
            schema_version integer,
            listening boolean NOT NULL DEFAULT false,
            sites integer NOT NULL DEFAULT 0,
            stale integer NOT NULL DEFAULT 0,
            refused integer NOT NULL DEFAULT 0,
            orders boolean NOT NULL DEFAULT false,
            instance text,
            CONSTRAINT nodes_node_check CHECK (node ~ '^[A-Za-z0-9._-]{1,64}$')
        ) WITH (fillfactor = 50);

        CREATE TABLE aasa.changes (
            generation bigint PRIMARY KEY,
            token uuid NOT NULL,
            at timestamptz NOT NULL,
            by name NOT NULL,
            action text NOT NULL,
            domain text COLLATE "C",
            name text COLLATE "C",
            detail jsonb
        );
        """#
}
