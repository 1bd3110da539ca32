public import Foundation

/// Certificates made at run time by the `openssl` command: nothing with an expiry date is stored.
public enum TestCertificate {
    public enum Key: Sendable {
        case ecdsa
        case rsa(bits: Int)

        fileprivate var arguments: [String] {
            switch self {
            case .ecdsa: ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
            case .rsa(let bits): ["-newkey", "rsa:\(bits)"]
            }
        }
    }

    /// Makes a self-signed certificate as `FOLDER/fullchain.pem` and `privkey.pem`.
    ///
    /// - Parameters:
    ///   - names: as in a subject alternative name, `DNS:example.com`; none makes a certificate without that extension.
    ///   - days: −1 for one that has expired. The default is far enough from the end that nobody says so.
    public static func make(_ names: [String], in folder: URL, key: Key = .ecdsa, days: Int = 90) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var arguments = ["openssl", "req", "-x509"] + key.arguments
        arguments += ["-nodes", "-days", "\(max(1, days))", "-subj", "/CN=test"]
        if !names.isEmpty { arguments += ["-addext", "subjectAltName=\(names.joined(separator: ","))"] }
        arguments += ["-keyout", folder.appendingPathComponent("privkey.pem").path]
        arguments += ["-out", folder.appendingPathComponent("fullchain.pem").path]
        let outcome = try Shell.run(arguments)
        guard outcome.status == 0 else { throw TestFailure(outcome.errors) }
        if days < 0 {
            let paths = ["fullchain.pem", "privkey.pem"].map { folder.appendingPathComponent($0).path }
            try Shell.run([
                "openssl", "x509", "-in", paths[0], "-signkey", paths[1], "-days", "\(days)", "-out", paths[0],
            ])
        }
        try hideKey(in: folder)
    }

    /// Writes a certificate for `localhost` that is made once: most servers need nothing else.
    static func writeForLocalhost(in folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, contents) in try localhost.get() {
            try contents.write(to: folder.appendingPathComponent(name))
        }
        try hideKey(in: folder)
    }

    private static let localhost = Result {
        let folder = try TemporaryFolder()
        try make(["DNS:localhost"], in: folder.url)
        return try ["privkey.pem", "fullchain.pem"].map {
            ($0, try Data(contentsOf: folder.url.appendingPathComponent($0)))
        }
    }

    /// A key that others can read is warned about.
    private static func hideKey(in folder: URL) throws {
        let key = folder.appendingPathComponent("privkey.pem").path
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    }
}

public struct TestFailure: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
