import FuzzingSupport
import SiteStore

/// Images and changes for tests.
enum SampleStore {
    static let storeID = "0b9c3b5e-6b0e-4d57-9d0a-5d7c8b1f2a10"

    static func position(_ generation: Int64, store: String = storeID) -> StorePosition {
        StorePosition(storeID: store, generation: generation, token: "token-\(generation)")
    }

    static func contents(_ text: String) -> StoredContents {
        StoredContents(digest: ContentDigest(of: Array(text.utf8)), bytes: Array(text.utf8))
    }

    /// - Parameter text: nil for a version that removes the file.
    static func file(
        _ domain: String, _ text: String?, name: String = "assetlinks.json", version: Int64 = 1, lint: String? = nil
    ) -> StoredFile {
        StoredFile(
            key: StoreFileKey(domain: domain, name: name), version: version, contents: text.map(contents), lint: lint,
            publishedAt: 1_767_225_600_000_000 + version, generation: version)
    }

    static func certificate(_ name: String, key: String = "k1", isRemoved: Bool = false) -> StoredCertificate {
        StoredCertificate(
            name: name, chain: "-----BEGIN CERTIFICATE-----\n\(name)\n", keyID: key, sealedKey: [1, 2, 3],
            source: .acme, authority: "https://ca.example.net/dir", generation: 1, isRemoved: isRemoved)
    }

    /// An image with files that share contents, an older version that is served, one that is refused, and a certificate.
    static func image() -> StoreImage {
        var image = StoreImage(position(0))
        image.apply(
            StoreChanges(
                position: position(3), isComplete: true,
                files: [
                    file("a.example", "[]"), file("b.example", "[]"),
                    file("b.example", "{}", name: "apple-app-site-association", version: 3, lint: #"{"ignore":[]}"#),
                    file("*.c.example", "bad", version: 2), file("d.example", "worse"),
                ], certificates: [certificate("a.example"), certificate("c.example", key: "missing")]))
        image.keepServed(
            [file("*.c.example", "good")], refused: [file("d.example", nil).key],
            certificates: [certificate("c.example")])
        return image
    }

    /// Changes that follow the image, one after the other.
    static let changes = [
        StoreChanges(position: position(4), isComplete: false, files: [file("a.example", "[1]", version: 2)]),
        StoreChanges(
            position: position(6), isComplete: false,
            files: [file("b.example", nil, version: 2), file("e.example", "[]")],
            certificates: [certificate("b.example"), certificate("a.example", isRemoved: true)]),
        StoreChanges(position: position(7), isComplete: false),
        StoreChanges(position: position(8), isComplete: false, files: [file("e.example", "bad", version: 2)]),
    ]

    /// The result of a change on a server.
    static func settle(_ image: inout StoreImage, after changes: StoreChanges) {
        image.apply(changes)
        if changes.position.generation == 6 {
            image.keepServed([], certificates: [certificate("b.example", key: "older")])
        }
        if changes.position.generation == 8 { image.keepServed([file("e.example", "[]")]) }
    }

    /// All that an image has, in an order.
    static func lines(_ image: StoreImage) -> [String] {
        func line(_ file: StoredFile) -> String {
            "\(file.path) \(file.contents?.bytes ?? []) \(file.lint ?? "none") \(file.publishedAt) \(file.generation)"
        }
        return ["\(image.position)"] + image.files.values.map { "current \(line($0))" }.sorted()
            + image.served.values.map { "served \(line($0))" }.sorted() + image.refused.sorted().map { "refused \($0)" }
            + image.certificates.values.map { "current \($0)" }.sorted()
            + image.servedCertificates.values.map { "served \($0)" }.sorted()
    }
}
