internal import Diagnostics
internal import OpenSSL

/// The findings about the issuers of a file's certificates (push-certificates.md, section 8).
struct IssuerFindings {
    let certificates: [ParsedCertificate]
    let kinds: [CertificateKind]
    let verdicts: [IssuerVerdict]

    /// About one that matters: no authority beside other certificates.
    func findings(on index: Int) -> [Diagnostic] {
        [notAppleIssued(index), outlivesIssuer(index)].compactMap { $0 }
    }

    private func notAppleIssued(_ index: Int) -> Diagnostic? {
        guard !verdicts[index].chainsToApple else { return nil }
        let kind = kinds[index]
        let (statement, mayBeApples) = statement(index)
        let advice: String? =
            switch kind {
            case .notPush: nil
            case .ca: mayBeApples ? nil : "do not use it: Apple's servers accept no push certificate that it issued"
            default:
                mayBeApples
                    ? "if Apple's servers reject it, download it again from developer.apple.com"
                    : "download it again from developer.apple.com, unless it is for a test server: Apple's servers reject it"
            }
        return RuleDescription.notAppleIssued.finding(statement, kind == .notPush ? .note : .warning, advice: advice)
    }

    private func statement(_ index: Int) -> (text: String, mayBeApples: Bool) {
        let parsed = certificates[index]
        let name = parsed.issuerCommonName.map { quotedIdentifier($0) }
        if let pretended = verdicts[index].pretended {
            let authority = pretended.generation.map { "Apple's authority \($0)" } ?? "Apple's root"
            let known = name.map { " (\($0))" } ?? ""
            return (
                "the certificate claims to be from \(authority)\(known), but is not signed by Apple: it is damaged or forged",
                false
            )
        }
        if parsed.isSelfIssued, kinds[index] != .ca {
            return ("the certificate is self-signed\(name.map { " by \($0)" } ?? ""), not issued by Apple", false)
        }
        let issuer = name.map { "the issuer \($0)" } ?? "the issuer, which has no common name,"
        guard isNamedLikeApples(parsed) else {
            return ("\(issuer) is not one of Apple's certificate authorities", false)
        }
        return (
            "\(issuer) has a name like Apple's, but is not one of the built-in authorities: it is forged, or newer than "
                + "this version", true
        )
    }

    private func isNamedLikeApples(_ parsed: ParsedCertificate) -> Bool {
        [parsed.issuerCommonName, parsed.issuer(ObjectIdentifier.organization)].contains { name in
            name.map { Array($0.utf8).firstRange(of: Array("Apple".utf8)) != nil } ?? false
        }
    }

    private func outlivesIssuer(_ index: Int) -> Diagnostic? {
        let notAfter = certificates[index].x509.notAfter
        guard let end = verdicts[index].issuerNotAfter, notAfter > end else { return nil }
        let name = certificates[index].issuerCommonName.map { " \(quotedIdentifier($0))" } ?? ""
        return RuleDescription.outlivesIssuer.finding(
            "the certificate is valid until \(Timestamp(seconds: notAfter).minute), but its issuer\(name) only until "
                + "\(Timestamp(seconds: end).minute)", advice: "renew it before then; it may be rejected afterwards")
    }

    /// The intermediates beside other certificates that have issued none of the file, with the finding about each.
    func wrongIntermediates() -> [(index: Int, finding: Diagnostic)] {
        let parents = Set(verdicts.compactMap(\.parent))
        let identities = Set(parents.map(identity))
        let generation = zip(kinds, verdicts).lazy.compactMap { $0 == .ca ? nil : $1.authority?.generation }.first
        return certificates.indices.filter { index in
            kinds[index] == .ca && !certificates[index].isSelfIssued && !parents.contains(index)
                // The same authority may be there twice, as one that was issued anew.
                && !identities.contains(identity(of: index))
        }.map { index in
            let instead = generation.map { ": Apple's \($0)" } ?? ""
            let finding = RuleDescription.wrongIntermediate.finding(
                "this intermediate certificate did not issue any other certificate in the file",
                advice:
                    "leave it out: Apple's servers need none, and a server that wants one needs the issuer of the push "
                    + "certificate\(instead)")
            return (index, finding)
        }
    }

    private func identity(of index: Int) -> [UInt8] {
        let certificate = certificates[index].x509
        return certificate.subjectName + (certificate.publicKeyIdentity ?? [])
    }
}
