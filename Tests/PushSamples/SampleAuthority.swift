/// A certification authority of our own, with names like Apple's.
public struct SampleAuthority: Sendable {
    public let name: SampleName
    public let key: SampleKey
    private let issuers: [SampleAuthority]
    private let notBefore: Int64
    private let notAfter: Int64

    /// - Parameters:
    ///   - issuer: Nil for a root.
    ///   - notBefore: Seconds since 1970.
    ///   - notAfter: Seconds since 1970.
    public init(
        name: SampleName, key: SampleKey, issuer: SampleAuthority? = nil, notBefore: Int64 = SampleTime.days(-3_000),
        notAfter: Int64 = SampleTime.days(3_000)
    ) {
        self.name = name
        self.key = key
        issuers = issuer.map { [$0] } ?? []
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    public var certificate: SampleCertificate {
        SampleCertificate(
            subject: name, issuer: issuers.first, notBefore: notBefore, notAfter: notAfter,
            extensions: [
                .basicConstraints(isCA: true), .authorityUsage, .subjectKeyIdentifier, .authorityKeyIdentifier,
            ] + (issuers.isEmpty ? [] : [.apple("6.2.1")]),
            key: key
        ).with { $0.serial = [0x01, UInt8(truncatingIfNeeded: key.number)] }
    }

    public static let root = SampleAuthority(
        name: [
            .country("US"), .organization("FAKE Apple Inc."), .organizationalUnit("Apple Certification Authority"),
            .commonName("Apple Root CA"),
        ], key: .p256(100))

    /// Has the genuine one's names but for the organization, and has expired like it. Its key is RSA, for MD5 and the like.
    public static let g1 = intermediate(
        "Apple Worldwide Developer Relations", key: .rsa(2_048, 101), notBefore: -3_650, notAfter: -300)
    public static let g3 = intermediate("G3", key: .p256(103), notBefore: -1_800, notAfter: 1_200)
    public static let g4 = intermediate("G4", key: .p256(104), notBefore: -1_000, notAfter: 1_500)

    /// - Parameters:
    ///   - unit: What tells them apart, like `G4`.
    ///   - notBefore: Days from `SampleTime.now`.
    ///   - notAfter: Days from `SampleTime.now`.
    public static func intermediate(
        _ unit: String, key: SampleKey, notBefore: Int64 = -1_000, notAfter: Int64 = 1_500
    ) -> SampleAuthority {
        SampleAuthority(
            name: [
                .country("US"), .organization("FAKE Apple Inc."), .organizationalUnit(unit),
                .commonName("Apple Worldwide Developer Relations Certification Authority"),
            ], key: key, issuer: .root, notBefore: SampleTime.days(notBefore), notAfter: SampleTime.days(notAfter))
    }
}
