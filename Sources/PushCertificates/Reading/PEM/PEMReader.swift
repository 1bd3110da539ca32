internal import OpenSSL

/// Reads PEM: certificates and private keys, in any order.
struct PEMReader {
    let decryption: PasswordDecryption

    private var keys: PrivateKeyReader { PrivateKeyReader(decryption: decryption) }

    func read(_ text: ArraySlice<UInt8>) throws(CertificateFileError) -> FileContents {
        var contents = FileContents(container: .pem)
        var keyBlocks: [PEMBlock] = []
        var otherLabels: [String] = []
        var trailingBytes = 0
        var blocks = PEMBlocks(text)
        while let block = try blocks.next() {
            if block.isCertificate {
                let (certificate, rest) = try certificate(block)
                contents.certificates.append(FileContents.Certificate(certificate: certificate))
                // Trust settings stand behind a trusted one.
                if block.label != "TRUSTED CERTIFICATE" { trailingBytes += rest }
            } else if block.isPrivateKey {
                guard keyBlocks.count < FileLimits.keys else { throw SchemeError.tooManyKeys.fileError(in: "") }
                keyBlocks.append(block)
            } else if otherLabels.count < FileLimits.keys {
                otherLabels.append(block.label)
            }
        }
        guard !contents.certificates.isEmpty else {
            guard let token = try tokenKey(keyBlocks) else {
                throw ForeignContent.error(labels: keyBlocks.map(\.label) + otherLabels)
            }
            return token
        }
        if trailingBytes > 0 { contents.notes.append(.trailingBytes(trailingBytes)) }
        var hasLockedKey = false
        for block in keyBlocks {
            let found = try key(block)
            contents.keys.append(found.key)
            hasLockedKey = hasLockedKey || found.isLocked
        }
        contents.wantsPassword = hasLockedKey && !decryption.candidates.isGiven
        return contents
    }

    /// - Returns: A certificate, and how many bytes stand behind it.
    private func certificate(_ block: PEMBlock) throws(CertificateFileError) -> (X509Certificate, Int) {
        do throws(SchemeError) {
            try decryption.budget.addCertificate()
        } catch {
            throw error.fileError(in: "")
        }
        return try decoded(block).withBytes { bytes throws(CertificateFileError) in
            guard let certificate = try? X509Certificate(der: bytes[...], in: decryption.context) else {
                throw Self.damaged(block, "no certificate")
            }
            return (certificate, bytes.count - certificate.der.count)
        }
    }

    /// The key of a `.p8` file, if that is what it is: one key that is not encrypted, on the curve P-256.
    private func tokenKey(_ blocks: [PEMBlock]) throws(CertificateFileError) -> FileContents? {
        guard blocks.count == 1, let block = blocks.first, block.label == "PRIVATE KEY", !block.isEncrypted else {
            return nil
        }
        let found = try key(block)
        if found.key.obstacle == PrivateKeyReader.damaged { throw Self.damaged(block, "no private key") }
        guard found.key.key?.isP256 == true else { return nil }
        return FileContents(container: .pem, keys: [found.key], isTokenKey: true)
    }

    private func key(_ block: PEMBlock) throws(CertificateFileError) -> ReadKey {
        let bytes = try decoded(block)
        do throws(SchemeError) {
            return try bytes.withBytes { bytes throws(SchemeError) in
                try PEMKeyReader(block: block, keys: keys).read(bytes[...])
            }
        } catch .tooMuchWork(let work) {
            return .unreadable(SchemeError.tooMuchWork(work).clause(in: "it"))
        } catch {
            throw error.fileError(in: "the encryption of the private key in line \(block.line)")
        }
    }

    private func decoded(_ block: PEMBlock) throws(CertificateFileError) -> SecretBytes {
        guard let bytes = block.decoded() else { throw Self.damaged(block, "no whole base64 text") }
        return bytes
    }

    private static func damaged(_ block: PEMBlock, _ lack: String) -> CertificateFileError {
        CertificateFileError(
            .corrupt,
            "it is a damaged PEM file: there is \(lack) in the block of line \(block.line); download or export it again"
        )
    }
}
