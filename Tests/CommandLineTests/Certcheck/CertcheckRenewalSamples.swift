import Foundation
import PushSamples
import TestSupport
import Testing

extension SampleCertificate {
    /// Valid from yesterday for so many days; unlike `SampleTime` from now on, as `combine` looks at the clock.
    func valid(days: Int64 = 365) -> SampleCertificate {
        let now = Int64(Date().timeIntervalSince1970)
        return with {
            $0.notBefore = now - SampleTime.day
            $0.notAfter = now + days * SampleTime.day
        }
    }
}

extension BuiltTool {
    /// The certificate that Apple would make for a request.
    func issue(
        for request: String, _ sample: SampleCertificate = SampleProfile.universal.certificate()
    ) throws -> SampleCertificate {
        let publicKey = try Shell.run(["openssl", "req", "-in", request, "-noout", "-pubkey"], in: folder.url)
        let encoded = try Shell.run(["openssl", "pkey", "-pubin", "-outform", "DER"], input: publicKey.output)
        try #require(encoded.status == 0, "\(publicKey.errors)")
        return sample.valid().with { $0.publicKeyInfo = Array(encoded.output) }
    }

    /// The names of the files in the folder, but for the marker of a repository.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != ".git" }.sorted()
    }

    func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(
            atPath: folder.url.appendingPathComponent(name).path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    /// The output of `openssl` about a PKCS #12 file.
    func pkcs12(_ name: String, password: String, _ arguments: String...) throws -> Shell.Outcome {
        try Shell.run(
            ["openssl", "pkcs12", "-in", name, "-nodes", "-info", "-passin", "stdin"] + arguments,
            input: Data("\(password)\n".utf8), in: folder.url)
    }
}
