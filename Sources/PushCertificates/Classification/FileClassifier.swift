internal import OpenSSL

/// Says what the certificates of a file are, and whose keys lie beside them.
struct FileClassifier {
    let context: LibraryContext
    let budget: WorkBudget

    func classify(_ contents: FileContents) -> CertificateFile {
        let notes = FileNotes.findings(contents.notes)
        guard !contents.isTokenKey else { return tokenKey(notes, contents) }
        let details = contents.certificates.map { CertificateDetails($0.certificate) }
        let kinds = details.map { KindClassifier.classify(KindEvidence($0)) }
        let issuers = IssuerSearch.verdicts(on: details, budget: budget, in: context)
        let pairing = KeyPairing(contents, isCA: details.map(\.isCA))

        let issuerFindings = IssuerFindings(certificates: details, kinds: kinds.map(\.kind), verdicts: issuers)
        let hasOnlyAuthorities = kinds.allSatisfy { $0.kind == .ca }
        var findings = notes
        if !hasOnlyAuthorities { findings += issuerFindings.wrongIntermediates() }
        var certificates: [PushCertificate] = []
        for (index, details) in details.enumerated() {
            let topics = CertificateTopics(details, kind: kinds[index].kind)
            certificates.append(
                certificate(details, kinds[index], topics.topics, pairing.verdicts[index].presence, issuers[index]))
            // An authority beside other certificates harms nobody.
            guard kinds[index].kind != .ca || hasOnlyAuthorities else { continue }
            let own =
                [kinds[index].finding].compactMap { $0 } + topics.findings + issuerFindings.findings(on: index)
                + CertificateFindings.findings(details)
            findings += own.map { $0.on(index) }
        }
        findings += KeyFindings(
            contents: contents, kinds: kinds.map(\.kind), names: certificates.map(\.title), pairing: pairing
        ).findings()
        return CertificateFile(
            certificates: certificates, findings: Finding.ordered(findings), wantsPassword: contents.wantsPassword)
    }

    private func certificate(
        _ details: CertificateDetails, _ kind: KindVerdict, _ topics: [Topic], _ key: KeyPresence,
        _ issuer: IssuerVerdict
    ) -> PushCertificate {
        PushCertificate(
            kind: kind.kind, topics: topics, environments: kind.environments, subjectCommonName: details.commonName,
            userID: details.userID, team: details.team, serial: details.certificate.serialNumber,
            sha256: hexadecimal(SHA256Digest.hash(details.certificate.der)), notBefore: details.certificate.notBefore,
            notAfter: details.certificate.notAfter, key: key,
            issuer: CertificateIssuer(
                commonName: details.issuerCommonName, generation: issuer.authority?.generation,
                chainsToApple: issuer.chainsToApple, notAfter: issuer.issuerNotAfter))
    }

    private func tokenKey(_ notes: [Finding], _ contents: FileContents) -> CertificateFile {
        let finding = Finding(
            .tokenKey, .note,
            "this is a signing key for tokens (.p8), no certificate; it does not expire, and which of Apple's services it is for "
                + "cannot be told from it: the key ID, which the name of the file usually has in it, tells in Apple's developer "
                + "portal", certificate: 0)
        return CertificateFile(
            certificates: [PushCertificate(kind: .tokenKey, key: .alone)], findings: Finding.ordered(notes + [finding]),
            wantsPassword: contents.wantsPassword)
    }
}
