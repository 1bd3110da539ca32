/// A PKCS #12 file (RFC 7292) of any structure, sane or hostile.
public struct SamplePKCS12: Sendable {
    /// One `ContentInfo` of the authenticated safe.
    public enum Part: Sendable {
        case plain([SampleBag])
        case encrypted([SampleBag], SampleEncryption)
        /// SafeContents that somebody has spoilt: what stands in the octet string.
        case plainBytes([UInt8])
        /// The same, before it is encrypted.
        case encryptedBytes([UInt8], SampleEncryption)
        /// The whole `ContentInfo`.
        case raw([UInt8])

        /// `ContentInfo` with a type only.
        public static func empty(_ oid: String) -> Self { .raw(DER.sequence(DER.oid(oid))) }
    }

    public var parts: [Part]
    public var mac: SampleMAC?
    public var version = 3
    /// Stands in for the authenticated safe, inside the octet string that the MAC is about.
    public var authenticatedSafe: [UInt8]?
    /// Stands in for the `ContentInfo` around the authenticated safe.
    public var contentInfo: [UInt8]?
    /// Whether lengths are indefinite, and octet strings in pieces.
    public var isIndefinite = false

    public init(_ parts: [Part], mac: SampleMAC? = nil) {
        self.parts = parts
        self.mac = mac
    }

    /// A copy in which something was changed.
    public func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }

    public func der() throws -> [UInt8] {
        let safe = try authenticatedSafe ?? DER.sequence(of: parts.map(Self.contentInfo))
        let outer =
            contentInfo ?? DER.sequence(DER.oid("1.2.840.113549.1.7.1"), DER.tagged(0, DER.octets(safe)))
        let file = DER.sequence(DER.integer(version), outer, try mac?.der(of: safe) ?? [])
        return isIndefinite ? DER.indefinite(file) : file
    }

    /// SafeContents, in DER.
    public static func safeContents(_ bags: [SampleBag]) throws -> [UInt8] {
        DER.sequence(of: try bags.map { try $0.der() })
    }

    private static func contentInfo(_ part: Part) throws -> [UInt8] {
        switch part {
        case .plain(let bags): return try contentInfo(.plainBytes(safeContents(bags)))
        case .encrypted(let bags, let encryption):
            return try contentInfo(.encryptedBytes(safeContents(bags), encryption))
        case .plainBytes(let bytes):
            return DER.sequence(DER.oid("1.2.840.113549.1.7.1"), DER.tagged(0, DER.octets(bytes)))
        case .encryptedBytes(let bytes, let encryption):
            let (algorithm, text) = try encryption.encrypt(bytes)
            let content = DER.sequence(DER.oid("1.2.840.113549.1.7.1"), algorithm, DER.element(0x80, text))
            return DER.sequence(
                DER.oid("1.2.840.113549.1.7.6"), DER.tagged(0, DER.sequence(DER.integer(0), content)))
        case .raw(let bytes): return bytes
        }
    }
}
