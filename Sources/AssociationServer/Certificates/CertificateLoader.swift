internal import EventLoops
internal import OpenSSL

/// Reads the folder of certificates (server.md, section 1): one pair of certbot's files a folder.
enum CertificateLoader {
    static let chainName = "fullchain.pem"
    static let keyName = "privkey.pem"
    private static let limit = 1_048_576

    struct Loaded {
        let path: String
        let certificate: ServerCertificate
    }

    private struct Problem: Error {
        let path: String
        let message: String
    }

    /// - Parameter now: seconds since 1970.
    /// - Throws: `ServerError.Code.unreadable` if the folder itself cannot be read; what is wrong with one pair is a
    ///   finding.
    static func load(_ folder: String, now: Int64) throws(ServerError) -> (pairs: [Loaded], findings: [Finding]) {
        let names: [String]
        do throws(SystemError) {
            names = try FileAccess.folders(in: folder)
        } catch {
            let help = "expected a folder with '<any name>/\(chainName)' and '<any name>/\(keyName)' in it"
            throw ServerError(.unreadable, "cannot read the certificates folder '\(folder)': \(error.reason); \(help)")
        }
        var pairs: [Loaded] = []
        var findings: [Finding] = []
        for name in names {
            let path = Path.join(folder, name)
            do throws(Problem) {
                let (certificate, keyMode) = try pair(path)
                findings += warnings(path, certificate, keyMode: keyMode, now: now)
                pairs.append(Loaded(path: path, certificate: certificate))
            } catch {
                findings.append(.error(error.path, error.message))
            }
        }
        return (pairs, findings)
    }

    private static func pair(_ folder: String) throws(Problem) -> (ServerCertificate, keyMode: UInt32) {
        let chainPath = "\(folder)/\(chainName)"
        let keyPath = "\(folder)/\(keyName)"
        let chain = try contents(chainPath, what: "the certificate chain")
        let key = try contents(keyPath, what: "the private key")
        let certificate: ServerCertificate
        do throws(OpenSSLError) {
            certificate = try ServerCertificate(chain: chain.bytes, key: key.bytes)
        } catch {
            let isOfKey = [.noKey, .encryptedKey, .keyMismatch].contains(error.code)
            throw Problem(path: isOfKey ? keyPath : chainPath, message: error.description)
        }
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
        return (certificate, key.mode)
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

    private static func warnings(
        _ path: String, _ certificate: ServerCertificate, keyMode: UInt32, now: Int64
    ) -> [Finding] {
        var findings: [Finding] = []
        let chainPath = "\(path)/\(chainName)"
        if certificate.notAfter <= now {
            findings.append(.warning(chainPath, "the certificate has expired; clients will refuse it"))
        } else if certificate.notBefore > now {
            findings.append(.warning(chainPath, "the certificate is not valid yet; clients will refuse it"))
        }
        if keyMode & 0o004 != 0 {
            let file = "\(path)/\(keyName)"
            findings.append(
                .warning(file, "everybody on this machine can read the private key; run 'chmod o-r \(file)'"))
        }
        return findings
    }
}
