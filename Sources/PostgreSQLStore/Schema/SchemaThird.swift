/// Schema version 3 (store.md, section 3): what each node serves of the store, and which names the certificates are for.
///
/// Older programs leave the new columns as they are: what a row says holds only if its `schema_version` is at least 3.
enum SchemaThird {
    static let sql = #"""

        ALTER TABLE aasa.nodes ADD COLUMN names text[], ADD COLUMN store_certificates boolean,
            ADD COLUMN unserved text[];

        """#
}
