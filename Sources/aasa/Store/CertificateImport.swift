import AssociationServer
import BoundedText
import CommandLineSupport
import Diagnostics
import OpenSSL
import PostgreSQLStore
import SiteStore
import SystemSupport

/// The import of a folder of certificates, whose keys are encrypted before they leave the machine.
struct CertificateImport {
    static let chainName = "fullchain.pem"
    static let keyName = "privkey.pem"
    /// More than this neither file has, in bytes.
    private static let limit = 1 << 20

    private let keys: StoreKeyRing
    private let isDryRun: Bool
    /// The certificates that are new or differ.
    private(set) var written = 0
    /// A line for each certificate that was left.
    private(set) var failures: [String] = []

    init(_ keys: StoreKeyRing, isDryRun: Bool) {
        self.keys = keys
        self.isDryRun = isDryRun
    }

    mutating func run(_ folder: String, over connection: StoreConnection) throws {
        let reader = try ServerCertificateReader()
        let held = Dictionary(
            try StoreCertificates.all(over: connection).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var rows: [StoreCertificates.Row] = []
        for name in try StoreImportCommand.folders(folder) {
            let path = Path.join(folder, name)
            if Path.isMissing("\(path)/\(Self.chainName)") {
                if let found = ForeignPair.advice(ForeignPair.all(in: path), in: path) {
                    failures.append("\(path): error: there is no '\(Self.chainName)'; \(found.clause); \(found.help)")
                }
                continue
            }
            do throws(Problem) {
                if let row = try row(name, path, held[name], reader) { rows.append(row) }
            } catch {
                failures.append("\(error.path): error: \(error.message)")
            }
        }
        written = rows.count
        guard !isDryRun, !rows.isEmpty else { return }
        _ = try StoreCertificates.write(rows, over: connection)
    }

    private struct Problem: Error {
        let path: String
        let message: String
    }

    /// The row of a certificate; nil if the store has the same.
    private func row(
        _ name: String, _ path: String, _ held: StoredCertificate?, _ reader: ServerCertificateReader
    ) throws(Problem) -> StoreCertificates.Row? {
        let chain = try Self.read("\(path)/\(Self.chainName)")
        var keyBytes = try Self.read("\(path)/\(Self.keyName)")
        defer { SecretBytes.wipe(&keyBytes) }
        let certificate: ServerCertificate
        do throws(OpenSSLError) {
            certificate = try ServerCertificate(chain: chain, key: keyBytes, reader: reader)
        } catch {
            throw Problem(path: path, message: error.description)
        }
        guard let text = String(validText: chain) else {
            throw Problem(path: "\(path)/\(Self.chainName)", message: "the certificate chain is not text")
        }
        if let held, held.chain == text, isSame(keyBytes, held) { return nil }
        do throws(StoreKeyError) {
            let sealed = try keys.seal(SecretBytes(keyBytes), table: "certificates", primaryKey: name)
            return StoreCertificates.Row(
                name: name, names: certificate.names, chain: text, keyID: sealed.keyID, sealedKey: sealed.bytes,
                notAfter: certificate.notAfter, source: .import)
        } catch {
            throw Problem(path: "\(path)/\(Self.keyName)", message: "the private key cannot be encrypted")
        }
    }

    private func isSame(_ key: [UInt8], _ held: StoredCertificate) -> Bool {
        guard
            let plain = try? keys.open(
                held.sealedKey, keyID: held.keyID, table: "certificates", primaryKey: held.name)
        else { return false }
        return plain.withBytes { $0.elementsEqual(key) }
    }

    private static func read(_ path: String) throws(Problem) -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileReader.readSettled(path, limit: limit).bytes
        } catch {
            throw Problem(path: path, message: "the file cannot be read: \(error.reason)")
        }
        guard bytes.count <= limit else {
            throw Problem(path: path, message: "the file has more than \(grouped(limit)) bytes")
        }
        return bytes
    }
}
