/// The name of a file in a store: the domain of its site and its own name.
package struct StoreFileKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// `example.com`, or `*.example.com` for a wildcard.
    package let domain: String
    /// Its name below `/.well-known/`, such as `apple-app-site-association`.
    package let name: String

    package init(domain: String, name: String) {
        self.domain = domain
        self.name = name
    }

    package static func < (left: StoreFileKey, right: StoreFileKey) -> Bool {
        (left.domain, left.name) < (right.domain, right.name)
    }

    package var description: String { "\(domain)/\(name)" }
}

/// The bytes of a file, which all files with equal bytes share.
package final class StoredContents: Sendable {
    /// The SHA-256 of the bytes.
    package let digest: ContentDigest
    package let bytes: [UInt8]
    /// Whether the bytes are those that the digest stands for.
    package let isIntact: Bool

    /// - Parameter digest: as the store has it; whether it is that of the bytes is checked before they are served.
    package init(digest: ContentDigest, bytes: [UInt8]) {
        self.digest = digest
        self.bytes = bytes
        isIntact = ContentDigest(of: bytes) == digest
    }
}

/// A version of a file: a row of `aasa.versions` with its bytes.
package struct StoredFile: Sendable {
    package let key: StoreFileKey
    /// 1, 2, … for each file.
    package let version: Int64
    /// Nil if this version removed the file.
    package let contents: StoredContents?
    /// The text of the `.aasa.json` that the file was checked with when it was published; nil without one.
    package let lint: String?
    /// Microseconds since 1970, by the clock of the database.
    package let publishedAt: Int64
    /// The generation of the store in which it was published.
    package let generation: Int64

    package init(
        key: StoreFileKey, version: Int64, contents: StoredContents?, lint: String?, publishedAt: Int64,
        generation: Int64
    ) {
        self.key = key
        self.version = version
        self.contents = contents
        self.lint = lint
        self.publishedAt = publishedAt
        self.generation = generation
    }

    /// The path of findings about it: `store:example.com/apple-app-site-association@3`.
    package var path: String { "store:\(key)@\(version)" }
}

/// A certificate in a store, its key encrypted: a row of `aasa.certificates`.
package struct StoredCertificate: Equatable, Sendable {
    /// The name of its folder.
    package let name: String
    /// The certificate and its chain in PEM.
    package let chain: String
    /// The name of the key that its private key is encrypted with.
    package let keyID: String
    /// The private key in PEM, as `StoreKeyRing` has encrypted it.
    package let sealedKey: [UInt8]
    package let source: Source
    /// The URL of the directory of the CA that a node has ordered it from; nil for one that was imported.
    package let authority: String?
    package let generation: Int64
    package let isRemoved: Bool

    /// The way in which a certificate has come into the store.
    package enum Source: String, Sendable {
        /// By `aasa store import`.
        case `import`
        /// Ordered by a node.
        case acme
    }

    package init(
        name: String, chain: String, keyID: String, sealedKey: [UInt8], source: Source, authority: String? = nil,
        generation: Int64, isRemoved: Bool
    ) {
        self.name = name
        self.chain = chain
        self.keyID = keyID
        self.sealedKey = sealedKey
        self.source = source
        self.authority = authority
        self.generation = generation
        self.isRemoved = isRemoved
    }

    /// The path of findings about it: `store:certificates/example.com`.
    package var path: String { "store:certificates/\(name)" }
}
