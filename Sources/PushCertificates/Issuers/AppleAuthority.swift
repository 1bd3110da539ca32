internal import OpenSSL
internal import SystemSupport

/// The certification authorities of Apple whose certificates are built in (push-certificates.md, section 4).
package enum AppleAuthority: String, CaseIterable, Sendable {
    case g1, g2, g3, g4, g5, g6, g7, g8
    case root, rootG3

    /// The beginning of G4's validity, in seconds since 1970. A clock that shows less is wrong.
    package static let startOfG4: Int64 = 1_608_147_364

    /// Like `G4`; nil for a root.
    package var generation: String? {
        switch self {
        case .g1, .g2, .g3, .g4, .g5, .g6, .g7, .g8: rawValue.uppercased()
        case .root, .rootG3: nil
        }
    }

    /// Whether Apple may have issued it anew, with the same key and a later end.
    var mayHaveBeenReissued: Bool { self == .g7 || self == .g8 }

    /// Lower-case hexadecimal.
    package var subjectKeyIdentifier: String {
        switch self {
        case .g1: "88271709a9b618608becebbaf64759c55254a3b7"
        case .g2: "84b684cc3a866272165994e81aa3bd48df3adf0b"
        case .g3: "09fec01590f9af640a9212b92628630c97eca7b2"
        case .g4: "5bd9fa1de79a1a0ba399762250863e91c85b77a8"
        case .g5: "198b978d4a5b617857f4a55c35128a3908e3b075"
        case .g6: "3f2f942351d350c99a283dedb07ce5cfa5906299"
        case .g7: "5d42106c1bbbc752974e44bd1327b93a1277832b"
        case .g8: "b5bdbc80c40ce338a4f4b7ad23b3ef44ceb95a85"
        case .root: "2bd06947947609fef46b8d2e40a6f7474d7f085e"
        case .rootG3: "bbb0dea15833889aa48a99debebdebafdacb24ab"
        }
    }

    /// The common name and the organizational unit of its subject; the organization is `Apple Inc.`
    private var name: (commonName: String, unit: String) {
        let authority = "Apple Worldwide Developer Relations Certification Authority"
        return switch self {
        case .g1: (authority, "Apple Worldwide Developer Relations")
        case .g2: ("Apple Worldwide Developer Relations CA - G2", "Apple Certification Authority")
        case .g3, .g4, .g5, .g6, .g7, .g8: (authority, generation ?? "")
        case .root: ("Apple Root CA", "Apple Certification Authority")
        case .rootG3: ("Apple Root CA - G3", "Apple Certification Authority")
        }
    }

    /// Those that a certificate claims to be from: by the identifier of the issuer's key, then by the issuer's name.
    static func claimed(by parsed: ParsedCertificate) -> [AppleAuthority] {
        var claimed: [AppleAuthority] = []
        if let identifier = parsed.authorityKeyIdentifier.map({ Hexadecimal.text($0) }) {
            claimed = allCases.filter { $0.subjectKeyIdentifier == identifier }
        }
        let name = parsed.issuerCommonName
        let unit = parsed.issuer(ObjectIdentifier.organizationalUnit)
        guard parsed.issuer(ObjectIdentifier.organization) == "Apple Inc." else { return claimed }
        return claimed
            + allCases.filter { $0.name.commonName == name && $0.name.unit == unit && !claimed.contains($0) }
    }

    /// Its certificate; nil only if memory is lacking.
    func certificate(in context: LibraryContext) -> X509Certificate? {
        try? X509Certificate(der: der[...], in: context)
    }

    /// Its certificate in DER, as Apple publishes it at https://www.apple.com/certificateauthority/.
    package var der: [UInt8] {
        switch self {
        case .g1: PackageResources.AppleWWDRCAG1_cer
        case .g2: PackageResources.AppleWWDRCAG2_cer
        case .g3: PackageResources.AppleWWDRCAG3_cer
        case .g4: PackageResources.AppleWWDRCAG4_cer
        case .g5: PackageResources.AppleWWDRCAG5_cer
        case .g6: PackageResources.AppleWWDRCAG6_cer
        case .g7: PackageResources.AppleWWDRCAG7_cer
        case .g8: PackageResources.AppleWWDRCAG8_cer
        case .root: PackageResources.AppleIncRootCertificate_cer
        case .rootG3: PackageResources.AppleRootCA_G3_cer
        }
    }
}
