internal import Diagnostics
internal import OpenSSL

/// Classifies the certificates of a file, and says whose keys are in it.
struct FileClassifier {
    let context: LibraryContext
    let budget: WorkBudget

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
        if !hasOnlyAuthorities { findings += issuerFindings.wrongIntermediates() }
        var certificates: [PushCertificate] = []
        for (index, parsed) in file.certificates.enumerated() {
            let topics = CertificateTopics(parsed, kind: kinds[index].kind)
            certificates.append(
                certificate(parsed, kinds[index], topics.topics, pairing.verdicts[index].presence, issuers[index]))
            // An authority beside other certificates harms nobody.
            guard kinds[index].kind != .ca || hasOnlyAuthorities else { continue }
            let own =
                [kinds[index].finding].compactMap { $0 } + topics.findings + issuerFindings.findings(on: index)
                + CertificateFindings.findings(parsed)
            findings += own.map { $0.on(index) }
        }
        findings += KeyFindings(
            file: file, kinds: kinds.map(\.kind), names: certificates.map(\.title), pairing: pairing
        ).findings()
        return CertificateFile(
            certificates: certificates, findings: Finding.ordered(findings), wantsPassword: file.wantsPassword)
    }

    private func certificate(
        _ parsed: ParsedCertificate, _ kind: KindVerdict, _ topics: [Topic], _ key: KeyPresence,
        _ issuer: IssuerVerdict
    ) -> PushCertificate {
        PushCertificate(
            kind: kind.kind, topics: topics, environments: kind.environments, subjectCommonName: parsed.commonName,
            userID: parsed.userID, team: parsed.team, serial: parsed.x509.serialNumber,
            sha256: hexadecimal(SHA256Digest.hash(parsed.x509.der)), notBefore: parsed.x509.notBefore,
            notAfter: parsed.x509.notAfter, key: key,
            issuer: CertificateIssuer(
                commonName: parsed.issuerCommonName, generation: issuer.authority?.generation,
                chainsToApple: issuer.chainsToApple, notAfter: issuer.issuerNotAfter))
    }

    private func tokenKey(_ file: ParsedFile, _ notes: [Finding]) -> CertificateFile {
        let finding = Finding(
            .tokenKey, .note,
            "this is a signing key for tokens (.p8), no certificate; it does not expire, and which of Apple's services it is for "
                + "cannot be told from it: the key ID, which the name of the file usually has in it, tells in Apple's developer "
                + "portal", certificate: 0)
        return CertificateFile(
            certificates: [PushCertificate(kind: .tokenKey, key: .alone)], findings: Finding.ordered(notes + [finding]),
            wantsPassword: file.wantsPassword)
    }
}

/// What is to be said about a file as a whole, from how it was read (push-certificates.md, sections 1 and 5).
enum FileNotes {
    static func findings(_ notes: [ParsedFile.Note]) -> [Finding] { notes.map(finding) }

    private static func finding(_ note: ParsedFile.Note) -> Finding {
        switch note {
        case .base64Text:
            Finding(
                .base64Text, .note,
                "the file is base64 text, which is decoded here; other programs want it decoded before: 'base64 -d'")
        case .trailingBytes(let count):
            Finding(
                .trailingBytes, .note,
                "\(count == 1 ? "1 byte follows" : "\(count) bytes follow") the end of the content and "
                    + "\(count == 1 ? "is" : "are") ignored; an editor may have added a line break")
        case .noMAC:
            Finding(
                .noMAC, .note,
                "the file has no checksum (MAC), so nobody can tell whether it was changed; export it again if it did not come "
                    + "straight from you")
        case .bagSkipped(let what):
            Finding(.bagSkipped, .note, "the file also has \(what) in it, which is not looked at")
        }
    }
}

/// What is to be said about a certificate's own key and signature (push-certificates.md, section 8).
enum CertificateFindings {
    static func findings(_ parsed: ParsedCertificate) -> [Finding] {
        [weakKey(parsed.x509), weakSignature(parsed)].compactMap { $0 }
    }

    private static func weakKey(_ certificate: X509Certificate) -> Finding? {
        guard let (algorithm, bits) = certificate.publicKey, algorithm.utf8.starts(with: "RSA".utf8), bits < 2_048
        else {
            return nil
        }
        return Finding(
            .weakKey, .warning,
            "its RSA key has only \(bits) bits, which is too few today; make the next one with 2048 bits, as 'certcheck csr' "
                + "does")
    }

    private static func weakSignature(_ parsed: ParsedCertificate) -> Finding? {
        // What signs itself is trusted for other reasons than its signature.
        guard let digest = parsed.x509.signatureDigest, let name = weak[digest], !parsed.isSelfIssued else {
            return nil
        }
        return Finding(
            .weakSignature, .note,
            "it is signed with \(name), which is no longer considered safe; certificates of today are signed with SHA-256"
        )
    }

    /// By the names that OpenSSL gives them.
    private static let weak = ["SHA1": "SHA-1", "MD5": "MD5", "MD4": "MD4", "MD2": "MD2", "MD5-SHA1": "MD5"]
}
