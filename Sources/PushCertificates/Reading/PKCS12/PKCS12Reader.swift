internal import Diagnostics
internal import OpenSSL

/// Reads a PKCS #12 (RFC 7292) that a password protects (push-certificates.md, section 5).
///
/// Every structure is walked here, and the library only computes: it takes some files apart in ways of its own, and drops
/// all keys but one.
struct PKCS12Reader {
    private let decryption: PasswordDecryption
    /// The form of the password with which the MAC verifies; nil if there is no MAC.
    private var verified: PasswordCandidate?
    private var file = ParsedFile(container: .pkcs12)
    private var skipped = SkippedBags()

    init(decryption: PasswordDecryption) {
        self.decryption = decryption
    }

    /// - Throws: `CertificateFileError.Code.notACertificate` if there is no certificate in it.
    mutating func read(_ bytes: ArraySlice<UInt8>) throws(CertificateFileError) -> ParsedFile {
        let pfx: PFX
        do throws(ReadingError) {
            pfx = try PFX(bytes)
        } catch {
            throw PKCS12Failure.damaged(error)
        }
        guard let content = pfx.content else { throw PKCS12Failure.notByPassword(pfx.contentType) }
        if pfx.trailingBytes > 0 { file.notes.append(.trailingBytes(pfx.trailingBytes)) }
        if pfx.mac == nil { file.notes.append(.noMAC) }
        let context = decryption.context
        let mac = pfx.mac.map { mac in Result { () throws(ReadingError) in try mac.scheme(in: context) } }
        try content.withBytes { content throws(CertificateFileError) in
            let safe = try AuthenticatedSafe(content, mac: mac, decryption: decryption)
            if let mac { try verify(mac, content) }
            for part in safe.parts { try open(part) }
        }
        guard !file.certificates.isEmpty else {
            throw PKCS12Failure.withoutCertificate(hasKey: !file.keys.isEmpty, skipped: skipped.notes)
        }
        file.notes += skipped.notes
        file.wantsPassword = !decryption.candidates.isGiven && file.keys.contains { $0.isLocked }
        return file
    }

    /// Finds the form of the password that the file was made with.
    private mutating func verify(
        _ mac: Result<MACScheme, ReadingError>, _ content: ArraySlice<UInt8>
    ) throws(CertificateFileError) {
        do throws(ReadingError) {
            verified = try mac.get().verify(content, with: decryption)
        } catch {
            throw error.fileError(in: "the MAC")
        }
        guard let verified else { throw PKCS12Failure.notOpened(isGiven: decryption.candidates.isGiven) }
        file.isUnprotected = verified.isOpen
    }

    private mutating func open(_ part: AuthenticatedSafe.Part) throws(CertificateFileError) {
        switch part {
        case .plain(let bags):
            for bag in bags { try add(bag, isProtected: false) }
        case .encrypted(let scheme, let text):
            let (plain, candidate) = try decrypt(text, scheme)
            if candidate.isOpen { file.isUnprotected = true }
            for bag in plain.withBytes({ SafeBag.all(in: $0[...]) }) { try add(bag, isProtected: !candidate.isOpen) }
        // OpenSSL passes over such parts too.
        case .unknown(let type): skipped.add(.part(type))
        case .damaged(let error): throw error
        }
    }

    /// A part that does not open is not left out: the certificate may be in it.
    private func decrypt(
        _ text: OctetString, _ scheme: Result<EncryptionScheme, ReadingError>
    ) throws(CertificateFileError) -> (plain: SecretBytes, candidate: PasswordCandidate) {
        let opened: (plain: SecretBytes, candidate: PasswordCandidate)?
        do throws(ReadingError) {
            let scheme = try scheme.get()
            opened = try text.withBytes { text throws(ReadingError) in
                try decryption.open(text, scheme, first: verified, isRight: Self.areBags)
            }
        } catch {
            throw error.fileError(in: "the encryption of its certificates")
        }
        guard let opened else {
            guard verified == nil else { throw PKCS12Failure.damaged("its encrypted content cannot be decrypted") }
            throw PKCS12Failure.notOpened(isGiven: decryption.candidates.isGiven)
        }
        return opened
    }

    /// Whether bytes look like bags, which they do not after decryption with a wrong key.
    private static func areBags(_ bytes: ArraySlice<UInt8>) -> Bool {
        do throws(ReadingError) {
            var bags = try BERReader(onlySequenceIn: bytes)
            while let bag = try bags.next() {
                guard bag.isUniversal(.sequence) else { return false }
                var inside = try BERReader(inside: bag)
                _ = try inside.next(.objectIdentifier)
            }
            return true
        } catch {
            return false
        }
    }

    /// - Parameter isProtected: Whether the bag was encrypted together with others, with a password that is not empty.
    private mutating func add(_ bag: SafeBag, isProtected: Bool) throws(CertificateFileError) {
        switch bag.content {
        case .certificate(let der):
            do throws(ReadingError) {
                try decryption.budget.addCertificate()
            } catch {
                throw error.fileError(in: "")
            }
            guard let certificate = try? X509Certificate(der: der[...], in: decryption.context) else {
                throw PKCS12Failure.damaged("a certificate in it cannot be read")
            }
            file.certificates.append(ParsedCertificate(x509: certificate, localKeyID: bag.localKeyID))
        case .key(let encoded):
            let key = try encoded.withBytes { encoded throws(CertificateFileError) in
                let info: PrivateKeyInfo
                do throws(ReadingError) {
                    info = try PrivateKeyInfo(encoded[...])
                } catch {
                    throw PKCS12Failure.damaged(error)
                }
                return try readKey { keys throws(ReadingError) in try keys.read(info) }
            }
            add(key, bag.localKeyID, isProtected: isProtected)
        case .encryptedKey(let info):
            let key = try readKey { keys throws(ReadingError) in try keys.read(info, first: verified) }
            add(key, bag.localKeyID, isProtected: isProtected)
        case .skipped(let kind): skipped.add(kind)
        case .damaged(let error): throw error
        }
    }

    private mutating func add(_ key: ParsedKey, _ localKeyID: [UInt8]?, isProtected: Bool) {
        var key = key
        key.localKeyID = localKeyID
        if isProtected { key.isUnprotected = false }
        file.keys.append(key)
    }

    private func readKey(
        _ read: (PrivateKeyReader) throws(ReadingError) -> ParsedKey
    ) throws(CertificateFileError) -> ParsedKey {
        do throws(ReadingError) {
            return try read(PrivateKeyReader(decryption: decryption))
        } catch .tooMuchWork(let work) {
            return .unreadable(ReadingError.tooMuchWork(work).clause(in: "it"))
        } catch {
            throw error.fileError(in: "the encryption of a private key")
        }
    }
}

/// Counts what a PKCS #12 holds besides X.509 certificates and keys.
struct SkippedBags {
    enum Kind: Hashable {
        case revocationList
        case secret
        /// One that is not X.509.
        case otherCertificate
        /// One that is not known, by its object identifier.
        case unknown(String)
        /// A whole part that no password opens, by the object identifier of its type.
        case part(String)

        func text(_ count: Int) -> String {
            let names: (one: String, several: String) =
                switch self {
                case .revocationList: ("a revocation list", "revocation lists")
                case .secret: ("a secret", "secrets")
                case .otherCertificate: ("a certificate that is not X.509", "certificates that are not X.509")
                case .part(ContentInfo.envelopedData):
                    ("a part for somebody's private key", "parts for somebody's private key")
                case .part(let oid):
                    ("a part of the unknown type \(quoted(oid))", "parts of the unknown type \(quoted(oid))")
                case .unknown(let oid):
                    ("a bag of the unknown type \(quoted(oid))", "bags of the unknown type \(quoted(oid))")
                }
            return count == 1 ? names.one : "\(count) \(names.several)"
        }
    }

    /// More different kinds are summed up.
    private static let maximumKinds = 8

    private var order: [Kind] = []
    private var counts: [Kind: Int] = [:]
    private var others = 0

    mutating func add(_ kind: Kind) {
        if counts[kind] == nil {
            guard order.count < Self.maximumKinds else {
                others += 1
                return
            }
            order.append(kind)
        }
        counts[kind, default: 0] += 1
    }

    var notes: [ParsedFile.Note] {
        order.map { .bagSkipped($0.text(counts[$0] ?? 0)) }
            + (others == 0 ? [] : [.bagSkipped(others == 1 ? "another bag" : "\(others) other bags")])
    }
}

/// Why a PKCS #12 cannot be read.
enum PKCS12Failure {
    static func damaged(_ error: ReadingError) -> CertificateFileError {
        damaged(error == .truncated ? "it is truncated" : "its structure is broken")
    }

    /// - Parameter reason: A clause.
    static func damaged(_ reason: String) -> CertificateFileError {
        CertificateFileError(
            .corrupt, "damaged PKCS #12 file: \(reason)", advice: "download or export it again")
    }

    /// Nothing that was tried opens it.
    static func notOpened(isGiven: Bool) -> CertificateFileError {
        isGiven
            ? CertificateFileError(
                .wrongPassword,
                "wrong password",
                advice: "check the password; if it is right, the file is damaged: export it again")
            : CertificateFileError(
                .passwordRequired,
                "password required", advice: "give it with --password-env, --password-file or --password-fd")
    }

    /// - Parameter type: Of the content, where one for passwords has to be.
    static func notByPassword(_ type: String) -> CertificateFileError {
        guard [ContentInfo.signedData, ContentInfo.envelopedData].contains(type) else {
            return damaged("it has content of the unexpected type \(quoted(type))")
        }
        let name = LibraryContext.name(of: type) ?? type
        return CertificateFileError(
            .unsupportedAlgorithm,
            "the file is protected with a public key, not with a password (\(name), \(type)), which no version of "
                + "OpenSSL supports",
            advice: "export it again with a password")
    }

    /// - Parameter skipped: What else was there.
    static func withoutCertificate(hasKey: Bool, skipped: [ParsedFile.Note]) -> CertificateFileError {
        let names = skipped.compactMap { if case .bagSkipped(let name) = $0 { name } else { nil } }
        let others = names.isEmpty ? "" : ", but with \(names.joined(separator: ", "))"
        return CertificateFileError(
            .notACertificate,
            hasKey
                ? "this is a PKCS #12 file with a private key but without a certificate\(others)"
                : "this is a PKCS #12 file without a certificate\(others)",
            advice: hasKey ? "export the certificate together with its key" : "export the certificate again")
    }
}
