import PostgreSQLStore
import SiteStore
import TestSupport
import Testing

@Suite("Publishing to a store", .waiting, .needs(.postgres))
struct StorePublishingTests {
    private let key = StoreFileKey(domain: "example.com", name: "apple-app-site-association")

    private func publication(_ text: String?, message: String? = nil) -> StorePublication {
        StorePublication(
            key, bytes: text.map { Array($0.utf8) }, message: message, lint: text.map { _ in "{}" },
            findings: StoreFindings(errors: 0, warnings: 2))
    }

    /// The result, in words.
    private func publish(
        _ text: String?, _ condition: StorePublishing.Condition = .any, message: String? = nil,
        over connection: StoreConnection
    ) throws -> String {
        switch try StorePublishing.publish(publication(text, message: message), ifMatch: condition, over: connection) {
        case .published(let version, let generation, let previous):
            "published \(version) \(generation) after \(previous?.version ?? 0)"
        case .unchanged(let version): "unchanged \(version.version)"
        case .conflict(let version): "conflict with \(version?.version ?? 0) by \(version?.publishedBy ?? "nobody")"
        case .missing: "missing"
        }
    }

    private func digest(_ text: String) -> StorePublishing.Condition { .digest(ContentDigest(of: Array(text.utf8))) }

    @Test("versions are published, removed, and published again")
    func versions() throws {
        let store = try StoreFixture()
        let connection = try store.connect()
        #expect(try publish(nil, over: connection) == "missing")
        #expect(try publish("{}", message: "first", over: connection) == "published 1 1 after 0")
        #expect(try publish("{}", over: connection) == "unchanged 1")
        #expect(try publish("{} ", over: connection) == "published 2 2 after 1")
        #expect(try publish(nil, over: connection) == "published 3 3 after 2")
        #expect(try publish(nil, over: connection) == "unchanged 3")
        #expect(try publish("{}", over: connection) == "published 4 4 after 3")
        let versions = try StoreVersions.versions(of: key, limit: nil, over: connection)
        #expect(versions.map(\.version) == [4, 3, 2, 1])
        #expect(versions.map(\.isCurrent) == [true, false, false, false])
        #expect(versions.map(\.size) == [2, nil, 3, 2])
        #expect(versions.map(\.generation) == [4, 3, 2, 1])
        let first = versions[3]
        #expect(first.message == "first" && first.lint == "{}" && first.publishedBy == store.publisher)
        #expect(first.findings == StoreFindings(errors: 0, warnings: 2))
        #expect(first.digest == ContentDigest(of: Array("{}".utf8)))
        #expect(try StoreVersions.versions(of: key, limit: 2, over: connection).map(\.version) == [4, 3])
        #expect(try StoreVersions.current(key, over: connection) == versions[0])
        #expect(try StoreVersions.file(key, version: 2, over: connection)?.contents?.bytes == Array("{} ".utf8))
        let removal = try StoreVersions.file(key, version: 3, over: connection)
        #expect(removal?.version == 3 && removal?.contents == nil)
        let current = try StoreVersions.file(key, version: nil, over: connection)
        #expect(current?.version == 4 && current?.contents?.isIntact == true)
        #expect(try StoreVersions.file(key, version: 9, over: connection) == nil)
        let other = StoreFileKey(domain: "other.example", name: key.name)
        #expect(try StoreVersions.current(other, over: connection) == nil)
        #expect(try StoreVersions.versions(of: other, limit: nil, over: connection).isEmpty)
    }

    @Test("a publication is made only if the expected version is current, and equal bytes are no conflict")
    func conditions() throws {
        let store = try StoreFixture()
        let connection = try store.connect()
        #expect(try publish("a", digest("x"), over: connection) == "conflict with 0 by nobody")
        #expect(try publish("a", .absent, over: connection) == "published 1 1 after 0")
        #expect(try publish("b", .absent, over: connection) == "conflict with 1 by \(store.publisher)")
        #expect(try publish("a", digest("x"), over: connection) == "unchanged 1")
        #expect(try publish("b", digest("a"), over: connection) == "published 2 2 after 1")
        #expect(try publish(nil, digest("a"), over: connection) == "conflict with 2 by \(store.publisher)")
        #expect(try publish(nil, digest("b"), over: connection) == "published 3 3 after 2")
        #expect(try publish("a", .absent, over: connection) == "published 4 4 after 3")
        #expect(try store.database.sql("SELECT count(*) FROM aasa.content") == "2")
    }

    @Test("of twenty publishers with the same expectation exactly one wins")
    func race() throws {
        let store = try StoreFixture()
        let connection = try store.connect()
        _ = try publish("before", over: connection)
        let results = try AtOnce.run(20) { index in
            let connection = try store.connect()
            return try publish("after \(index)", digest("before"), over: connection)
        }
        #expect(results.count { $0 == "published 2 2 after 1" } == 1)
        #expect(results.count { $0 == "conflict with 2 by \(store.publisher)" } == 19)
    }

    @Test("all files of a domain are removed in one generation")
    func removal() throws {
        let store = try StoreFixture()
        let connection = try store.connect()
        for (domain, name) in [("a", "x"), ("a", "y"), ("b", "x"), ("*.a", "x")] {
            try store.database.sql(StoreFixture.publication(domain, "[]", name: name), user: store.publisher)
        }
        let removed = try StorePublishing.remove(domains: ["a", "c"], message: "over", over: connection)
        #expect(removed.files == [StoreFileKey(domain: "a", name: "x"), StoreFileKey(domain: "a", name: "y")])
        #expect(removed.generation == 5)
        let again = try StorePublishing.remove(domains: ["a"], message: nil, over: connection)
        #expect(again.files.isEmpty && again.generation == 5)
        #expect(try StoreListing.domains(over: connection) == ["*.a", "b"])
    }

    /// Publishes many files as `aasa store import` does.
    private func publish(
        many files: [StorePublication], over connection: StoreConnection
    ) throws -> StorePublishing.Batch {
        try StorePublishing.addContents(files.compactMap(\.bytes), over: connection)
        return try StorePublishing.publish(files.map(\.withoutBytes), over: connection)
    }

    @Test("many files are published in one generation, and equal ones skipped")
    func batches() throws {
        let store = try StoreFixture()
        let connection = try store.connect()
        var files = (0..<2_500).map { number in
            StorePublication(
                StoreFileKey(domain: "d\(number).example", name: "assetlinks.json"),
                bytes: Array("[\(number % 7)]".utf8),
                message: number == 3 ? "third" : nil, lint: number == 4 ? "{}" : nil,
                findings: StoreFindings(errors: 0, warnings: number % 2))
        }
        #expect(try StorePublishing.changed(files, over: connection).count == 2_500)
        var batch = try publish(many: files, over: connection)
        #expect(batch.published == Array(0..<2_500) && batch.generation == 1)
        batch = try publish(many: files, over: connection)
        #expect(batch.published.isEmpty && batch.generation == 1)
        files[1_200] = StorePublication(files[1_200].key, bytes: nil)
        files[7] = StorePublication(files[7].key, bytes: Array("[]".utf8))
        #expect(try StorePublishing.changed(files, over: connection) == [7, 1_200])
        batch = try publish(many: files, over: connection)
        #expect(batch.published == [7, 1_200] && batch.generation == 2)
        #expect(try store.database.sql("SELECT count(*) FROM aasa.content") == "8")
        #expect(
            try store.database.sql(
                """
                SELECT domain, version, message, lint, findings FROM aasa.versions
                WHERE domain IN ('d3.example', 'd4.example') ORDER BY domain
                """) == #"d3.example|1|third||{"errors": 0, "warnings": 1}"# + "\n"
                + #"d4.example|1||{}|{"errors": 0, "warnings": 0}"#)
    }

    @Test("a value that the store refuses leaves nothing of what came with it")
    func refused() throws {
        let store = try StoreFixture()
        let connection = try store.connect()
        let files = ["good.example", "Bad.example"].map {
            StorePublication(StoreFileKey(domain: $0, name: "a"), bytes: [1])
        }
        try StorePublishing.addContents([[1]], over: connection)
        let error = try storeError {
            _ = try StorePublishing.publish(files.map(\.withoutBytes), over: connection)
        }
        #expect(error.message == "the store does not accept a value: it violates the check 'versions_domain_check'")
        #expect(
            try store.database.sql("SELECT generation, (SELECT count(*) FROM aasa.versions) FROM aasa.meta") == "0|0")
    }

    @Test("a store with a newer schema is not published to")
    func newer() throws {
        let store = try StoreFixture()
        try store.database.sql("UPDATE aasa.meta SET schema_version = 9")
        let connection = try store.connect()
        let error = try storeError { _ = try StorePublishing.publish(publication("a"), over: connection) }
        #expect(error.kind == .schemaNewer)
    }
}
