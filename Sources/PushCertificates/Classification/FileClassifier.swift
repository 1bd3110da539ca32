internal import Diagnostics
internal import OpenSSL
internal import SystemSupport

/// Classifies the certificates of a file, and says whose keys are in it.
struct FileClassifier {
    let context: LibraryContext
    let budget: ReadingBudget

    func classify(_ file: ParsedFile) -> CertificateFile {
        let notes = FileNotes.findings(file.notes)
        guard !file.isTokenKey else { return tokenKey(file, notes) }
        let kinds = file.certificates.map { KindClassifier.classify(KindEvidence($0)) }
        let issuers = IssuerSearch.verdicts(on: file.certificates, budget: budget, in: context)
        let pairing = KeyPairing(file)

        let issuerFindings = IssuerFindings(
            certificates: file.certificates, kinds: kinds.map(\.kind), verdicts: issuers)
        let hasOnlyAuthorities = kinds.allSatisfy { $0.kind == .ca }
        var findings = notes

        var certificates: [PushCertificate] = []
        for (index, parsed) in file.certificates.enumerated() {
            let topics = CertificateTopics(parsed, kind: kinds[index].kind)
            certificates.append(
                certificate(parsed, kinds[index], topics.topics, pairing.verdicts[index].presence, issuers[index]))
            // An authority beside other certificates does no harm.
            guard kinds[index].kind != .ca || hasOnlyAuthorities else { continue }
            let own =
                [kinds[index].finding].compactMap { $0 } + topics.findings + issuerFindings.findings(on: index)
                + CertificateFindings.findings(parsed)
            findings += own.map { $0.about(certificates[index], index) }
        }
        if !hasOnlyAuthorities {
            findings += issuerFindings.wrongIntermediates().map { $1.about(certificates[$0], $0) }
        }
        findings += KeyFindings(
            file: file, certificates: certificates, pairing: pairing
        ).findings()
        findings += authorityFirst(file, certificates)
        var content = CertificateFile(
            certificates: certificates, findings: Diagnostic.ordered(findings), wantsPassword: file.wantsPassword)
        content.isPKCS12 = file.container == .pkcs12
        return content
    }

    /// TLS libraries present the first certificate of a PEM file.
    private func authorityFirst(_ file: ParsedFile, _ certificates: [PushCertificate]) -> [Diagnostic] {
        guard file.container == .pem, certificates.first?.kind == .ca,
            let index = certificates.firstIndex(where: { $0.kind.isForPush })
        else { return [] }
        let finding = RuleDescription.authorityFirst.finding(
            "the certificate of a CA comes before \(certificates[index].title) in the file: senders take the first one",
            advice: "put the push certificate first, and CA certificates after it, as 'certcheck combine --pem' does")
        return [finding.about(certificates[index], index)]
    }

    private func certificate(
        _ parsed: ParsedCertificate, _ kind: KindVerdict, _ topics: [Topic], _ key: KeyPresence,
        _ issuer: IssuerVerdict
    ) -> PushCertificate {
        var certificate = PushCertificate(
            kind: kind.kind, topics: topics, environments: kind.environments, subjectCommonName: parsed.commonName,
            userID: parsed.userID, team: parsed.team, serial: parsed.x509.serialNumber,
            sha256: Hexadecimal.text(SHA256Digest.hash(parsed.x509.der)), notBefore: parsed.x509.notBefore,
            notAfter: parsed.x509.notAfter, key: key,
            issuer: CertificateIssuer(
                commonName: parsed.issuerCommonName, generation: issuer.authority?.generation,
                chainsToApple: issuer.chainsToApple, notAfter: issuer.issuerNotAfter))
        certificate.publicKeyIdentity = parsed.x509.publicKeyIdentity
        certificate.keyAlgorithm = parsed.x509.publicKey?.algorithm
        return certificate
    }

    private func tokenKey(_ file: ParsedFile, _ notes: [Diagnostic]) -> CertificateFile {
        var certificate = PushCertificate(kind: .tokenKey, key: .alone)
        certificate.publicKeyIdentity = file.keys.first?.key?.publicKeyIdentity
        let finding = RuleDescription.tokenKey.finding(
            "this is a private key, not a certificate: if it is a key from Apple's developer portal (.p8), it signs tokens and "
                + "does not expire",
            advice:
                "look up its key ID, usually part of the file name, in the portal; if it is the key of a certificate, "
                + "check that certificate's file")
        return CertificateFile(
            certificates: [certificate], findings: Diagnostic.ordered(notes + [finding.about(certificate, 0)]),
            wantsPassword: file.wantsPassword)
    }
}

/// The findings about a file as a whole, from how it was read (push-certificates.md, sections 1 and 5).
enum FileNotes {
    static func findings(_ notes: [ParsedFile.Note]) -> [Diagnostic] { notes.map(finding) }

    private static func finding(_ note: ParsedFile.Note) -> Diagnostic {
        switch note {
        case .base64Text:
            RuleDescription.base64Text.finding(
                "the file is base64 text, which is decoded here",
                advice: "decode it with 'base64 -d' for other programs")
        case .trailingBytes(let count):
            RuleDescription.trailingBytes.finding(
                "\(counted(count, "byte follows", "bytes follow")) the end of the content and "
                    + "\(count == 1 ? "is" : "are") ignored: an editor may have added a line break")
        case .noMAC:
            RuleDescription.noMAC.finding(
                "the file has no checksum (MAC), so changes to it cannot be detected",
                advice: "export it again if it does not come directly from you")
        case .bagSkipped(let what):
            RuleDescription.bagSkipped.finding("the file also contains \(what), which certcheck ignores")
        }
    }
}

/// The findings about a certificate's own key and signature (push-certificates.md, section 8).
enum CertificateFindings {
    static func findings(_ parsed: ParsedCertificate) -> [Diagnostic] {
        [weakKey(parsed.x509), weakSignature(parsed)].compactMap { $0 }
    }

    private static func weakKey(_ certificate: X509Certificate) -> Diagnostic? {
        guard let (algorithm, bits) = certificate.publicKey, algorithm.utf8.starts(with: "RSA".utf8), bits < 2_048
        else {
            return nil
        }
        return RuleDescription.weakKey.finding(
            "the RSA key has only \(bits) bits, which is too few today",
            advice: "create the next one with 2048 bits, as 'certcheck csr' does")
    }

    private static func weakSignature(_ parsed: ParsedCertificate) -> Diagnostic? {
        // What signs itself is trusted for other reasons than its signature.
        guard let digest = parsed.x509.signatureDigest, let name = weak[digest], !parsed.isSelfIssued else {
            return nil
        }
        return RuleDescription.weakSignature.finding(
            "the certificate is signed with \(name), which is no longer considered safe",
            advice: "renew it in time; new certificates are signed with SHA-256")
    }

    /// The weak digests by the names that OpenSSL gives them.
    private static let weak = ["SHA1": "SHA-1", "MD5": "MD5", "MD4": "MD4", "MD2": "MD2", "MD5-SHA1": "MD5"]
}
