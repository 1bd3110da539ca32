import Foundation
import TestSupport
import Testing

/// Rows of a real database that no publisher writes, and databases that are replaced (store.md, sections 7 and 8).
@Suite("Nodes and hostile rows", .waiting, .needs(.postgres))
struct NodeRowsTests {
    /// Statements that write past the checks of the schema, as somebody with all rights may.
    private static let statements = #"""
        ALTER TABLE aasa.versions DROP CONSTRAINT versions_domain_check, DROP CONSTRAINT versions_name_check,
            DROP CONSTRAINT versions_message_check;
        ALTER TABLE aasa.content DROP CONSTRAINT content_sha256_check;
        INSERT INTO aasa.content (sha256, bytes) SELECT sha256(given), given FROM unnest(ARRAY[
            convert_to(repeat('[', 1048576), 'UTF8'), '\xfffe00c328'::bytea, convert_to(E'\x1b[2J\x07{', 'UTF8'),
            '{}'::bytea]) AS given;
        INSERT INTO aasa.content (sha256, bytes) VALUES (sha256('other'), '{"webcredentials":{"apps":[]}}');
        INSERT INTO aasa.versions (domain, name, sha256, message, lint) VALUES
            ('brackets.example', 'apple-app-site-association', sha256(convert_to(repeat('[', 1048576), 'UTF8')), null,
                repeat('[', 1000000)),
            ('bytes.example', 'apple-app-site-association', sha256('\xfffe00c328'::bytea), E'\x1b]0;title\x07', null),
            ('control.example', 'apple-app-site-association', sha256(convert_to(E'\x1b[2J\x07{', 'UTF8')), null,
                E'\x1b[31m'),
            (E'a\x1b[2J.example', 'apple-app-site-association', sha256('{}'), null, null),
            ('../../etc', '../passwd', sha256('{}'), null, null), ('', '', sha256('{}'), null, null),
            ('Upper.example', 'apple-app-site-association', sha256('{}'), null, null),
            (repeat('long.', 4000), repeat('n', 5000), sha256('{}'), null, null),
            ('other.example', 'apple-app-site-association', sha256('other'), null, null);
        """#

    @Test("a hostile row is a finding, escaped, and others are served")
    func hostile() throws {
        let rig = try StoreRig()
        try rig.publish("example.com", "a")
        let old = try rig.node("old")
        #expect(try old.waits(for: "a", of: "example.com"))
        try rig.database.sql(Self.statements)
        try rig.publish("example.com", "b")
        #expect(try old.waits(for: "b", of: "example.com"))
        let fresh = try rig.node("fresh")
        for (name, node) in [("old", old), ("fresh", fresh)] {
            #expect(try node.fetch("example.com") == (200, StoreRig.document("b")))
            for domain in ["brackets", "bytes", "control", "other"] {
                #expect(try node.fetch("\(domain).example").status == 503, "\(domain)")
            }
            for text in ["is not a domain in lowercase and Punycode", "are not those that its SHA-256 stands for"] {
                #expect(node.waitForLog(text))
            }
            #expect(!node.logText.utf8.contains { $0 < 0x20 && $0 != 0x0A })
            let sites = try rig.admin(name, "/sites")
            #expect(!sites.utf8.contains { $0 < 0x20 && $0 != 0x0A })
            #expect((try? JSONSerialization.jsonObject(with: Data(sites.utf8))) != nil)
            #expect(node.isRunning)
        }
        // Commands show them as well.
        for command in ["sites", "sites --all --format json", "history bytes.example", "store status"] {
            let outcome = try rig.tool.shell("$tool \(command) --store '\(rig.url)'")
            #expect(outcome.status <= 1, "\(outcome.errors)")
            #expect(!outcome.text.utf8.contains { $0 < 0x20 && $0 != 0x0A }, "\(command)")
        }
        let export = try rig.run("store", "export", "out")
        #expect(export.status == 1 && export.errors.contains("cannot be a file in a folder"))
        #expect(try rig.tool.text("out/example.com/\(StoreRig.name)") == StoreRig.document("b"))
        #expect(try rig.tool.shell("find . -name passwd").text.isEmpty)
        // Each ends with a version that removes it.
        try rig.database.sql(
            """
            INSERT INTO aasa.versions (domain, name)
            SELECT domain, name FROM aasa.current WHERE domain <> 'example.com'
            """)
        #expect(try Waiting.until { try old.fetch("brackets.example").status == 404 })
    }

    @Test("a backup that is restored is read anew, and what was published since its time is gone")
    func restored() throws {
        let rig = try StoreRig()
        try rig.publish("example.com", "a")
        let node = try rig.node("one", poll: "1")
        let folder = rig.database.cluster.socketFolder
        let dump = try Shell.run(["pg_dump", "-h", folder, "-U", "postgres", "-n", "aasa", rig.database.name]).text
        try rig.publish("example.com", "b")
        try rig.publish("late.example", "b")
        #expect(try node.waits(for: "b", of: "late.example"))
        // In one transaction: in between the store would be no store.
        let restore = dump.split(separator: "\n", omittingEmptySubsequences: false).filter {
            !$0.hasPrefix("\\restrict") && !$0.hasPrefix("\\unrestrict")
        }
        try rig.database.sql("BEGIN; DROP SCHEMA aasa CASCADE;\n\(restore.joined(separator: "\n"))\nCOMMIT;")
        #expect(node.waitForLog("[store-history-rewritten]"))
        #expect(try node.waits(for: "a", of: "example.com"))
        #expect(try Waiting.until { try node.fetch("late.example").status == 404 })
        // Up to the same generation with other files.
        for path in ["c", "d"] { try rig.publish("example.com", path) }
        #expect(try node.waits(for: "d", of: "example.com"))
        #expect(try rig.succeed("store", "init").text.contains("already initialised"))
    }
}
