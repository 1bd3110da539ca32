internal import ACME
internal import Diagnostics
internal import OpenSSL
internal import SystemSupport

// The files that `acme` names: what is in them is a part of the configuration, so that a reload notices another content.
extension ServerConfiguration {
    private static let largestRootsFile = 1_048_576
    private static let largestKeyFile = 65_536

    /// - Throws: `ServerError`: `unreadable` for a file that is missing or cannot be read, or else `configuration` for one
    ///   that holds something else.
    mutating func readACMEFiles() throws(ServerError) {
        guard acme.isOn else { return }
        var code = ServerError.Code.configuration
        var findings: [LocatedDiagnostic] = []
        func read(_ path: String, _ key: String, limit: Int) -> [UInt8]? {
            do throws(SystemError) {
                let contents = try FileReader.readSettled(path, limit: limit)
                if contents.bytes.count <= limit { return contents.bytes }
                findings.append(.error(path, "the file of '\(key)' is larger than \(grouped(limit)) bytes"))
            } catch {
                code = .unreadable
                findings.append(.error(path, "the file of '\(key)' cannot be read: \(error.reason)"))
            }
            return nil
        }
        if let path = acme.rootsFile, let bytes = read(path, "acme.caFile", limit: Self.largestRootsFile) {
            do throws(OpenSSLError) {
                _ = try TrustStore(includesSystem: false, additional: bytes)
                acme.roots = bytes
            } catch {
                findings.append(
                    .error(
                        path, "the file of 'acme.caFile' cannot be used: \(error.description)",
                        help: "put the CA's root certificates into it, as PEM"))
            }
        }
        if let path = acme.externalAccount?.hmacKeyFile,
            let bytes = read(path, "acme.eab.hmacKeyFile", limit: Self.largestKeyFile)
        {
            if let key = Base64URL.decoded(bytes) {
                acme.externalAccount?.hmacKey = key
            } else {
                findings.append(
                    .error(
                        path, "the file of 'acme.eab.hmacKeyFile' does not contain a key in base64url",
                        help: "copy the HMAC key from the CA into it: letters, digits, '-' and '_'"))
            }
        }
        guard findings.isEmpty else { throw ServerError(code, findings: findings, usableConfiguration: self) }
    }
}
