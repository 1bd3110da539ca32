internal import PushSamples
internal import TLSSamples

extension StubAuthority {
    /// A certificate that was issued.
    package struct Certificate: Sendable {
        package let domain: String
        /// The URL of the account.
        package let account: String
        /// The certificate that the order has named as its predecessor.
        package let replaces: String?
        /// As in the questions about its renewal (RFC 9773, section 4.1).
        package let identifier: String
        /// The content bytes of the integer.
        package let serial: [UInt8]
        /// Seconds since 1970.
        package let notBefore: Int64
        package let notAfter: Int64
        /// The leaf in DER.
        package let der: [UInt8]
        let publicKeyInfo: [UInt8]
    }

    /// The faults that a chain can have.
    package enum ChainFault: CaseIterable, Sendable {
        /// The leaf is for another key.
        case wrongKey
        /// The leaf is for another name.
        case wrongName
        /// The leaf is for another name as well.
        case furtherName
        case expired
        /// Not before a day from now.
        case notYetValid
        /// The root comes before the intermediate certificate.
        case wrongOrder
        /// The intermediate certificate has the right name and another key.
        case otherIssuer
        /// An intermediate certificate follows a hundred times.
        case tooMany
        /// More than a megabyte of PEM.
        case tooLarge
        /// PEM in which there is no certificate.
        case damaged
        /// The leaf in DER.
        case binary
        case page
        case empty
    }
}

/// Signs certificates.
struct StubAuthorityIssuer: Sendable {
    let root: SampleAuthority
    private let intermediate: SampleAuthority
    /// The impostor with the intermediate's name.
    private let impostor: SampleAuthority
    private let wrongKey: SampleKey
    let number: Int

    /// - Parameter number: of the first of ten keys.
    init(number: Int) {
        self.number = number
        root = SampleSite.authority("Stub Root", key: .p256(number), issuer: nil)
        intermediate = SampleSite.authority("Stub Intermediate", key: .p256(number + 1), issuer: root)
        impostor = SampleSite.authority("Stub Intermediate", key: .p256(number + 2), issuer: root)
        wrongKey = .p256(number + 3)
    }

    /// - Parameters:
    ///   - names: nothing but the domain, but for a fault.
    ///   - replaces: and what else is only kept.
    func issue(
        _ domain: String, names: [String]? = nil, publicKeyInfo: [UInt8], serial: [UInt8], notBefore: Int64,
        lifetime: Int64, account: String = "", replaces: String? = nil
    ) throws -> StubAuthority.Certificate {
        let names = (names ?? [domain]).map { DER.element(0x82, Array($0.utf8)) }
        let parts = DER.elements(of: DER.content(of: publicKeyInfo) ?? [])
        let key = Array((parts.last.flatMap(DER.content) ?? []).dropFirst())
        // A common name has 64 characters at most.
        let subject: SampleName = domain.utf8.count <= 64 ? [.commonName(domain)] : []
        let certificate = SampleCertificate(
            subject: subject, issuer: intermediate, notBefore: notBefore, notAfter: notBefore + lifetime,
            extensions: [
                .digitalSignature, .extendedKeyUsage("1.3.6.1.5.5.7.3.1"), .basicConstraints(isCA: false),
                SampleExtension("2.5.29.14", DER.octets(Array(SampleVerifier.sha256(key).prefix(20)))),
                .authorityKeyIdentifier,
                SampleExtension("2.5.29.17", DER.sequence(of: names), isCritical: subject.attributes.isEmpty),
            ]
        ).with {
            $0.serial = serial
            $0.publicKeyInfo = publicKeyInfo
        }
        let identifier = [try intermediate.key.identifier(), serial].map(StubAuthorityBase64URL.text)
        return StubAuthority.Certificate(
            domain: domain, account: account, replaces: replaces,
            identifier: identifier.joined(separator: "."), serial: serial, notBefore: notBefore,
            notAfter: notBefore + lifetime, der: try certificate.der(), publicKeyInfo: publicKeyInfo)
    }

    func chain(of certificate: StubAuthority.Certificate) throws -> String {
        pem(certificate) + (try intermediate.certificate.pem())
    }

    func chain(of certificate: StubAuthority.Certificate, _ fault: StubAuthority.ChainFault) throws -> [UInt8] {
        let leaf = pem(certificate)
        let issuer = try intermediate.certificate.pem()
        let text =
            switch fault {
            case .wrongKey: try leafAgain(certificate, publicKeyInfo: wrongKey.publicKeyInfo()) + issuer
            case .wrongName: try leafAgain(certificate, names: ["other.example.org"]) + issuer
            case .furtherName: try leafAgain(certificate, names: [certificate.domain, "other.example.org"]) + issuer
            case .expired: try leafAgain(certificate, by: -2 * lifetime(of: certificate)) + issuer
            case .notYetValid: try leafAgain(certificate, by: 86_400) + issuer
            case .wrongOrder: try leaf + root.certificate.pem() + issuer
            case .otherIssuer: try leaf + impostor.certificate.pem()
            case .tooMany: leaf + String(repeating: issuer, count: 100)
            case .tooLarge: leaf + String(repeating: issuer, count: (1 << 20) / issuer.utf8.count + 1)
            case .damaged: SamplePEM.block("CERTIFICATE", Array(certificate.der.dropLast(40)))
            case .binary: ""
            case .page: "<!doctype html>\n<title>Sorry</title>\n<p>Try again later\n"
            case .empty: ""
            }
        return fault == .binary ? certificate.der : Array(text.utf8)
    }

    private func lifetime(of certificate: StubAuthority.Certificate) -> Int64 {
        certificate.notAfter - certificate.notBefore
    }

    private func leafAgain(
        _ certificate: StubAuthority.Certificate, names: [String]? = nil, publicKeyInfo: [UInt8]? = nil,
        by seconds: Int64 = 0
    ) throws -> String {
        pem(
            try issue(
                certificate.domain, names: names, publicKeyInfo: publicKeyInfo ?? certificate.publicKeyInfo,
                serial: certificate.serial, notBefore: certificate.notBefore + seconds,
                lifetime: lifetime(of: certificate)))
    }

    private func pem(_ certificate: StubAuthority.Certificate) -> String {
        SamplePEM.block("CERTIFICATE", certificate.der)
    }
}
