import Foundation
import TestSupport
import Testing

/// The script that makes certificates for `make serve`.
@Suite("certs/make-dev-certs", .waiting)
struct DevelopmentCertificatesTests {
    @Test("keeps what is good, and its certificate is trusted by its authority")
    func devCertificates() throws {
        let folder = try TemporaryFolder()
        let script = Repository.url("certs/make-dev-certs").path
        let first = try Shell.run([script, folder.path])
        #expect(first.status == 0)
        #expect(first.errors.contains("made a certificate for localhost"))
        let leaf = folder.url.appendingPathComponent("localhost/fullchain.pem")
        let bytes = try Data(contentsOf: leaf)
        #expect(try Shell.run([script, folder.path]).errors.isEmpty)
        #expect(try Data(contentsOf: leaf) == bytes)
        let check = try Shell.run(["openssl", "verify", "-CAfile", "\(folder.path)/dev-ca.pem", leaf.path])
        #expect(check.status == 0)
        for key in ["dev-ca-key.pem", "localhost/privkey.pem"] {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(key)")[.posixPermissions]
            #expect(mode as? Int == 0o600)
        }
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("localhost/privkey.pem"))
        #expect(try Shell.run([script, folder.path]).status == 0)
        #expect(FileManager.default.fileExists(atPath: "\(folder.path)/localhost/privkey.pem"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3)
    }
}
