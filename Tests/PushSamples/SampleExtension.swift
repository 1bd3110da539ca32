/// An extension of a certificate.
public struct SampleExtension: Sendable {
    enum Content: Sendable {
        case bytes([UInt8])
        case ownKeyIdentifier
        case issuersKeyIdentifier
    }

    public let oid: String
    public var isCritical: Bool
    let content: Content

    /// - Parameters:
    ///   - oid: In dots.
    ///   - value: What is inside the octet string, usually DER.
    public init(_ oid: String, _ value: [UInt8], isCritical: Bool = false) {
        self.init(oid, content: .bytes(value), isCritical: isCritical)
    }

    private init(_ oid: String, content: Content, isCritical: Bool = false) {
        self.oid = oid
        self.isCritical = isCritical
        self.content = content
    }

    public static func basicConstraints(isCA: Bool, isCritical: Bool = true) -> Self {
        SampleExtension("2.5.29.19", isCA ? DER.sequence(DER.boolean(true)) : DER.sequence(), isCritical: isCritical)
    }

    /// That of the certificate's own key.
    public static let subjectKeyIdentifier = SampleExtension("2.5.29.14", content: .ownKeyIdentifier)
    /// That of the issuer's key.
    public static let authorityKeyIdentifier = SampleExtension("2.5.29.35", content: .issuersKeyIdentifier)
    /// One made up.
    public static func authorityKeyIdentifier(_ identifier: [UInt8]) -> Self {
        SampleExtension("2.5.29.35", DER.sequence(DER.element(0x80, identifier)))
    }

    public static let digitalSignature = SampleExtension("2.5.29.15", DER.bits([0x80], unused: 7), isCritical: true)
    /// To sign certificates and CRLs.
    public static let authorityUsage = SampleExtension("2.5.29.15", DER.bits([0x06], unused: 1), isCritical: true)

    public static func extendedKeyUsage(_ oids: String..., isCritical: Bool = false) -> Self {
        SampleExtension("2.5.29.37", DER.sequence(of: oids.map(DER.oid)), isCritical: isCritical)
    }
    public static let clientAuthentication = extendedKeyUsage("1.3.6.1.5.5.7.3.2")

    /// One of Apple's.
    ///
    /// - Parameters:
    ///   - arc: What follows 1.2.840.113635.100, as `6.3.2`.
    ///   - value: In DER.
    public static func apple(_ arc: String, _ value: [UInt8] = DER.null, isCritical: Bool = false) -> Self {
        SampleExtension("1.2.840.113635.100.\(arc)", value, isCritical: isCritical)
    }

    /// 6.3.1
    public static let sandbox = apple("6.3.1")
    /// 6.3.2
    public static let production = apple("6.3.2")

    /// 6.3.6: flat, a topic and its purposes in turns.
    public static func topics(_ topics: [(name: String, purposes: [String])], arc: String = "6.3.6") -> Self {
        apple(
            arc,
            DER.sequence(
                of: topics.flatMap { [DER.utf8($0.name), DER.sequence(of: $0.purposes.map(DER.utf8))] }))
    }

    /// The topics of an app as certificates of today have them.
    public static func topics(of bundleID: String, app purpose: String = "topic") -> Self {
        topics([
            (bundleID, [purpose]), (bundleID + ".voip", ["voip"]), (bundleID + ".complication", ["complication"]),
        ])
    }
}
