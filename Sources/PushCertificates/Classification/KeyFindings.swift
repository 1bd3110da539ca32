/// What is to be said about the private keys of a file (push-certificates.md, sections 3 and 8).
struct KeyFindings {
    let contents: FileContents
    let kinds: [CertificateKind]
    /// What each certificate is called.
    let names: [String]
    let pairing: KeyPairing

    func findings() -> [Finding] {
        var findings: [Finding] = []
        for (index, verdict) in pairing.verdicts.enumerated() {
            findings += [presence(of: verdict, index)].compactMap { $0 }
        }
        return findings + unprotected()
    }

    private func presence(of verdict: KeyPairing.Verdict, _ index: Int) -> Finding? {
        let isForPush = kinds[index] != .notPush && kinds[index] != .ca
        // What a server is given to send with, and cannot send with.
        let severity: Finding.Severity = isForPush && contents.container == .pkcs12 ? .critical : .warning
        switch verdict.presence {
        case .matching, .alone: return nil
        case .none:
            // Nobody expects the key of an authority.
            guard contents.container == .pkcs12, kinds[index] != .ca else { return nil }
            let consequence = isForPush ? " and cannot send notifications" : ""
            return Finding(
                .noPrivateKey, severity,
                "\(names[index]) has no private key in this file\(consequence); export the certificate together with its "
                    + "key: in Keychain Access, expand the certificate and select both", certificate: index)
        case .mismatched:
            let consequence = isForPush ? " and cannot send notifications" : ""
            return Finding(
                .keyMismatch, severity,
                "\(names[index]) is beside the private key of another certificate\(consequence); find the key that its "
                    + "signing request was made with, and join the two with 'certcheck combine'",
                certificate: index)
        case .unreadable: return unreadable(verdict, index)
        }
    }

    private func unreadable(_ verdict: KeyPairing.Verdict, _ index: Int) -> Finding {
        let known = verdict.key.flatMap { contents.keys[$0].obstacle }
        let guess = contents.wantsPassword ? "no password was given" : "it is damaged or of an unknown kind"
        return Finding(
            .keyUnreadable, .warning,
            "\(names[index]): the private key beside it cannot be read: \(known ?? guess); it is unknown whether the two "
                + "belong together",
            certificate: index)
    }

    private func unprotected() -> [Finding] {
        guard contents.container == .pkcs12 else { return [] }
        if contents.keys.isEmpty, contents.isUnprotected {
            return [
                Finding(
                    .unprotectedKey, .warning,
                    "the file opens with the empty password or without one, so it would protect no private key; there is none "
                        + "in it now")
            ]
        }
        let owners = pairing.verdicts.enumerated().compactMap { index, verdict in verdict.key.map { ($0, index) } }
        let ownerOf = Dictionary(owners) { first, _ in first }
        // One finding for a certificate, and one for all keys that belong to none.
        let places = contents.keys.indices.filter { contents.keys[$0].isUnprotected }.map { ownerOf[$0] }
        return Set(places).map { place in
            Finding(
                .unprotectedKey, .warning,
                "everybody who has the file can use the private key in it: it is not encrypted, or the password is empty; "
                    + "protect the file itself, or export it again with a password", certificate: place)
        }
    }
}
