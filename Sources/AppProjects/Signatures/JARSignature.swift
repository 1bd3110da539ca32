internal import OpenSSL

/// The signature of a JAR, which is the scheme v1 of an APK: `META-INF/NAME.SF` says what is signed, and
/// `META-INF/NAME.RSA`, `.DSA` or `.EC` is the signature, a PKCS #7.
struct JARSignature {
    private let archive: ZipArchive
    private let files: [ArchiveNames.JARSignatureFile]

    /// The largest signature that is inflated, in bytes.
    static let maximumSignature = 1 << 20

    init(_ archive: ZipArchive, _ names: ArchiveNames) {
        self.archive = archive
        // A signature of nothing is none.
        let signed = Set(names.signatureFiles.filter(\.isManifest).map(\.name))
        files = names.signatureFiles.filter { !$0.isManifest && signed.contains($0.name) }
    }

    /// The certificates of the signers; nil if there is no signature.
    func signers() throws(SignatureError) -> SchemeSigners? {
        guard !files.isEmpty else { return nil }
        var certificates: [[UInt8]] = []
        for file in files {
            // Counted before anything is inflated.
            guard certificates.count + 1 <= SchemeSigners.maximumSigners else { throw SchemeSigners.tooMany(.v1) }
            let content = try SignatureError.readingArchive { () throws(ZipError) in
                try archive.read(file.index, limit: Self.maximumSignature)
            }
            certificates += try Self.certificates(content)
            guard certificates.count <= SchemeSigners.maximumSigners else { throw SchemeSigners.tooMany(.v1) }
        }
        return SchemeSigners(certificates: certificates, lineage: [])
    }

    private static func certificates(_ signature: [UInt8]) throws(SignatureError) -> [[UInt8]] {
        let found: [[UInt8]?]
        do throws(OpenSSLError) {
            found = try SignedData.signerCertificates(signature, limit: SchemeSigners.maximumSigners + 1)
        } catch {
            throw damaged("its PKCS #7 cannot be read")
        }
        guard !found.isEmpty else { throw damaged("it has no signer") }
        let certificates = found.compactMap { $0 }
        guard certificates.count == found.count else { throw damaged("it does not have the certificate of its signer") }
        return certificates
    }

    private static func damaged(_ reason: String) -> SignatureError {
        SignatureError(.corrupt, "the v1 signature is damaged: \(reason)", help: SignatureError.again)
    }
}
