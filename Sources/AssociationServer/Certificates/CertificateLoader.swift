internal import EventLoops
internal import OpenSSL

/// Reads the folder of certificates (server.md, section 1): one pair of certbot's files a folder.
struct CertificateLoader {
    static let chainName = "fullchain.pem"
    static let keyName = "privkey.pem"
    private static let limit = 1_048_576

    private struct Problem: Error {
        let path: String
        let message: String
    }

    private let folder: String
    /// In seconds since 1970.
    private let now: Int64
    /// The pairs in use now, by their folders.
    private let previous: [String: LoadedPair]

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - previous: the pairs in use now.
    init(_ folder: String, now: Int64, previous: [LoadedPair] = []) {
        self.folder = folder
        self.now = now
        self.previous = Dictionary(previous.map { ($0.path, $0) }) { first, _ in first }
    }

    /// - Throws: `ServerError.Code.unreadable` if the folder itself cannot be read; what is wrong with one pair is a
    ///   finding.
    func load() throws(ServerError) -> (pairs: [LoadedPair], findings: [Finding]) {
        let names: [String]
        do throws(SystemError) {
            names = try FileAccess.folders(in: folder)
        } catch {
            let help = "expected a folder with '<any name>/\(Self.chainName)' and '<any name>/\(Self.keyName)' in it"
            throw ServerError(.unreadable, "cannot read the certificates folder '\(folder)': \(error.reason); \(help)")
        }
        var pairs: [LoadedPair] = []
        var findings: [Finding] = []
        for name in names {
            let path = Path.join(folder, name)
            do throws(Problem) {
                let (pair, keyMode) = try pair(path)
                pairs.append(pair)
                findings += warnings(pair, keyMode: keyMode)
            } catch {
                guard let previous = previous[path] else {
                    findings.append(.error(error.path, error.message))
                    continue
                }
                findings.append(.error(error.path, "\(error.message); the pair that was read before stays in use"))
                pairs.append(previous.kept)
                findings += warnings(previous, keyMode: 0)
            }
        }
        return (pairs, findings)
    }

    private func pair(_ folder: String) throws(Problem) -> (LoadedPair, keyMode: UInt32) {
        let chainPath = "\(folder)/\(Self.chainName)"
        let keyPath = "\(folder)/\(Self.keyName)"
        let chain = try Self.contents(chainPath, what: "the certificate chain")
        let key = try Self.contents(keyPath, what: "the private key")
        let digest = SHA256Digest.hash(chain.bytes) + SHA256Digest.hash(key.bytes)
        if let same = previous[folder], same.digest == digest {
            return (LoadedPair(path: folder, certificate: same.certificate, digest: digest), key.mode)
        }
        let certificate: ServerCertificate
        do throws(OpenSSLError) {
            certificate = try ServerCertificate(chain: chain.bytes, key: key.bytes)
        } catch {
            let isOfKey = [.noKey, .encryptedKey, .keyMismatch].contains(error.code)
            throw Problem(path: isOfKey ? keyPath : chainPath, message: error.description)
        }
        try Self.check(certificate, chainPath)
        return (LoadedPair(path: folder, certificate: certificate, digest: digest), key.mode)
    }

    private static func check(_ certificate: ServerCertificate, _ chainPath: String) throws(Problem) {
        do throws(OpenSSLError) {
            try TLSContext.check(certificate)
        } catch {
            let isOfLeaf = error.reasons.contains("ee key too small")
            let help =
                isOfLeaf
                ? "its \(certificate.keyType.rawValue) key has \(certificate.keyBits) bits, expected RSA from 2048"
                : "an issuer's key or a signature in the chain is too weak"
            throw Problem(path: chainPath, message: "\(error); \(help)")
        }
        guard !certificate.names.isEmpty else {
            throw Problem(path: chainPath, message: "the certificate names no host in its subject alternative name")
        }
    }

    private static func contents(_ path: String, what: String) throws(Problem) -> FileAccess.Contents {
        let contents: FileAccess.Contents
        do throws(SystemError) {
            contents = try FileAccess.read(path, limit: limit)
        } catch {
            throw Problem(path: path, message: "\(what) cannot be read: \(error.reason)")
        }
        guard contents.bytes.count <= limit else {
            throw Problem(path: path, message: "\(what) is larger than \(limit) bytes")
        }
        return contents
    }

    private func warnings(_ pair: LoadedPair, keyMode: UInt32) -> [Finding] {
        var findings: [Finding] = []
        let chainPath = "\(pair.path)/\(Self.chainName)"
        if pair.certificate.notAfter <= now {
            findings.append(.warning(chainPath, "the certificate has expired; clients will refuse it"))
        } else if pair.certificate.notBefore > now {
            findings.append(.warning(chainPath, "the certificate is not valid yet; clients will refuse it"))
        }
        if keyMode & 0o004 != 0 {
            let file = "\(pair.path)/\(Self.keyName)"
            findings.append(
                .warning(file, "everybody on this machine can read the private key; run 'chmod o-r \(file)'"))
        }
        return findings
    }
}
