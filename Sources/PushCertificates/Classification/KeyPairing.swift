internal import Diagnostics
internal import OpenSSL

/// Which private key of a file belongs to which certificate (push-certificates.md, section 3).
///
/// Only equal public keys prove it: neither the order nor a `localKeyID` does. Those only decide what is reported about a key
/// that fits nothing.
struct KeyPairing {
    /// The answer to whether a file has the key of a certificate.
    struct Verdict {
        var presence = KeyPresence.none
        /// The place of the key that fits, or of the one that may fit and cannot be read.
        var key: Int?
    }

    /// One for each certificate, in the same order.
    private(set) var verdicts: [Verdict]
    /// Whether there are keys that belong to no certificate.
    private(set) var hasOtherKeys = false

    /// Keys of the same numbers are compared one by one up to here; no genuine file has any.
    private static let maximumCandidates = 8

    init(_ file: ParsedFile) {
        verdicts = Array(repeating: Verdict(), count: file.certificates.count)
        guard !file.keys.isEmpty else { return }
        let used = pair(file)
        let left = file.keys.indices.filter { !used.contains($0) }
        hasOtherKeys = !left.isEmpty
        guard hasOtherKeys else { return }
        var byLocalID: [[UInt8]: [Int]] = [:]
        for key in left {
            if let id = file.keys[key].localKeyID { byLocalID[id, default: []].append(key) }
        }
        let lonely = verdicts.indices.filter { verdicts[$0].presence == .none && !file.certificates[$0].isCA }
        for index in verdicts.indices where verdicts[index].presence == .none {
            let sameID = file.certificates[index].localKeyID.flatMap { byLocalID[$0] }
            // Senders take the first of several in PEM.
            let mayBeMeant = file.container == .pem ? lonely.first == index : lonely == [index]
            let candidates = sameID ?? (mayBeMeant ? left : [])
            guard !candidates.isEmpty else { continue }
            // One that cannot be read may be the right one.
            let unreadable = candidates.first { file.keys[$0].key == nil }
            verdicts[index] = Verdict(presence: unreadable == nil ? .mismatched : .unreadable, key: unreadable)
        }
    }

    /// - Returns: The keys that belong to a certificate.
    private mutating func pair(_ file: ParsedFile) -> Set<Int> {
        var byIdentity: [[UInt8]: [Int]] = [:]
        for (index, key) in file.keys.enumerated() {
            guard let identity = key.key?.publicKeyIdentity else { continue }
            byIdentity[identity, default: []].append(index)
        }
        var used: Set<Int> = []
        for (index, certificate) in file.certificates.enumerated() {
            guard let identity = certificate.x509.publicKeyIdentity else { continue }
            let candidates = byIdentity[identity]?.prefix(Self.maximumCandidates) ?? []
            let fitting = candidates.filter { file.keys[$0].key?.belongs(to: certificate.x509) ?? false }
            guard let key = fitting.first else { continue }
            verdicts[index] = Verdict(presence: .matching, key: key)
            used.formUnion(fitting)
        }
        return used
    }
}

/// The findings about the private keys of a file (push-certificates.md, sections 3 and 8).
struct KeyFindings {
    let file: ParsedFile
    let certificates: [PushCertificate]
    let pairing: KeyPairing

    func findings() -> [Diagnostic] {
        pairing.verdicts.enumerated().compactMap { index, verdict in
            presence(of: verdict, certificates[index])?.about(certificates[index], index)
        } + otherKeys() + unprotected()
    }

    /// Some senders refuse a PKCS #12 file with two keys, and some take the first, whatever the certificate is.
    private func otherKeys() -> [Diagnostic] {
        let own = certificates.indices.filter { certificates[$0].kind != .ca }
        guard file.container == .pkcs12, pairing.hasOtherKeys, own.count == 1, let index = own.first,
            certificates[index].kind.isForPush, pairing.verdicts[index].presence == .matching
        else { return [] }
        let finding = RuleDescription.severalIdentities.finding(
            "the file has \(counted(file.keys.count, "private key")) for one certificate: some senders take the first, or refuse "
                + "the file", .warning,
            advice: "make a file with the certificate and its key alone: 'certcheck combine' takes them out of this one"
        )
        return [finding.about(certificates[index], index)]
    }

    private func presence(of verdict: KeyPairing.Verdict, _ certificate: PushCertificate) -> Diagnostic? {
        // What a server is given to send with, and cannot send with.
        let severity: Severity = certificate.kind.isForPush ? .critical : .warning
        switch verdict.presence {
        case .matching, .alone: return nil
        case .none:
            // The key of an authority is not expected.
            guard file.container == .pkcs12, certificate.kind != .ca else { return nil }
            return RuleDescription.noPrivateKey.finding(
                "\(certificate.title) has no private key in this file\(Self.consequence(certificate))", severity,
                advice: "export the certificate together with its key: in Keychain Access, expand the certificate and "
                    + "select both")
        case .mismatched:
            return Self.mismatch(certificate, "this file")
        case .unreadable:
            let known = verdict.key.flatMap { file.keys[$0].obstacle }
            let guess = file.wantsPassword ? "no password was given" : "it is damaged, or its type is unknown"
            return RuleDescription.keyUnreadable.finding(
                "\(certificate.title): the private key in this file cannot be read: \(known ?? guess)",
                advice:
                    "give its password, or export the file again; until then it is unknown whether it matches the certificate"
            )
        }
    }

    /// The finding about a certificate whose private key is not the one in a file.
    static func mismatch(_ certificate: PushCertificate, _ file: String) -> Diagnostic {
        RuleDescription.keyMismatch.finding(
            "\(certificate.title) does not match the private key in \(file)\(consequence(certificate))",
            certificate.kind.isForPush ? .critical : .warning,
            advice: "find the key with which its signing request was made, and combine the two with 'certcheck combine'"
        )
    }

    private static func consequence(_ certificate: PushCertificate) -> String {
        certificate.kind.isForPush ? " and cannot be used to send" : ""
    }

    private func unprotected() -> [Diagnostic] {
        guard file.container == .pkcs12 else { return [] }
        if file.keys.isEmpty, file.isUnprotected {
            return [
                RuleDescription.unprotectedKey.finding(
                    "the file opens with an empty password or without one, which would not protect a private key; it contains "
                        + "none now")
            ]
        }
        let owners = pairing.verdicts.enumerated().compactMap { index, verdict in verdict.key.map { ($0, index) } }
        let ownerOf = Dictionary(owners) { first, _ in first }
        // One finding for a certificate, and one for all keys that belong to none.
        let indices = file.keys.indices.filter { file.keys[$0].isUnprotected }.map { ownerOf[$0] }
        return Set(indices).map { index in
            let finding = RuleDescription.unprotectedKey.finding(
                "anybody who has the file can use its private key: it is not encrypted, or the password is empty",
                advice: "protect the file itself, or export it again with a password")
            return index.map { finding.about(certificates[$0], $0) } ?? finding
        }
    }
}
