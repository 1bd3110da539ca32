package import ACME
internal import Diagnostics
package import DomainNames
internal import Glibc
package import OpenSSL
package import SystemSupport

/// The folder of the account with one CA: its key, the CA's answer about it, the state of orders, and the
/// keys of those in progress.
package struct AccountFolder: Sendable {
    package let path: String
    /// The URL of the CA's directory.
    private let directory: SecureURL

    private static let keyName = "account.key"
    private static let accountName = "account.json"
    private static let stateName = "state.json"
    private static let keyExtension = ".key"

    init(_ path: String, _ directory: SecureURL) { (self.path, self.directory) = (path, directory) }

    private var orders: String { "\(path)/orders" }

    // MARK: The account

    /// - Returns: nil if there is no such file.
    /// - Throws: `acme-account` if it cannot be read, or is damaged: it must never be replaced.
    package func readKey(in context: LibraryContext) throws(IssuanceError) -> AccountKey? {
        guard var pem = try read(Self.keyName, .acmeAccount, .authority) else { return nil }
        defer { SecretBytes.wipe(&pem) }
        do throws(IssuanceError) {
            return try AccountKey(pem: pem, in: context)
        } catch {
            throw located(error, Self.keyName)
        }
    }

    /// Stores the key of a new account; a file that is there is an error.
    package func store(_ key: AccountKey) throws(SystemError) {
        let folder = try OpenFolder(making: path, mode: IssuanceFolder.folderMode)
        try pem(of: key.key).withBytes { bytes throws(SystemError) in
            try folder.add(Self.keyName, with: bytes, mode: IssuanceFolder.fileMode)
        }
    }

    /// - Returns: nil if there is no such file.
    /// - Throws: `acme-account` if it cannot be read, is damaged, or is of another CA.
    package func readAccount() throws(IssuanceError) -> ACMEAccount? {
        guard let bytes = try read(Self.accountName, .acmeAccount, .authority) else { return nil }
        do throws(IssuanceError) {
            return try ACMEAccount(json: bytes, directory: directory)
        } catch {
            throw located(error, Self.accountName)
        }
    }

    package func store(_ account: ACMEAccount) throws(SystemError) {
        try replace(Self.accountName, Array(account.json.utf8))
    }

    // MARK: What is remembered

    /// - Returns: an empty one if there is no such file.
    /// - Throws: `storage` if it cannot be read, or is damaged.
    package func readState() throws(IssuanceError) -> IssuanceState {
        guard let bytes = try read(Self.stateName, .storage, .domain, limit: IssuanceState.maximumBytes) else {
            return IssuanceState()
        }
        do throws(IssuanceError) {
            return try IssuanceState(json: bytes)
        } catch {
            throw located(error, Self.stateName)
        }
    }

    /// Keeps a `state.json` that cannot be read, under another name, out of the way of the next one.
    package func setStateAside() { rename("\(path)/\(Self.stateName)", "\(path)/\(Self.stateName).damaged") }

    /// - Parameter json: as ``IssuanceState/json``.
    package func storeState(_ json: [UInt8]) throws(SystemError) { try replace(Self.stateName, json) }

    // MARK: Orders in progress

    /// - Returns: nil if there is no such file.
    /// - Throws: `storage` if it cannot be read, or is damaged.
    package func readOrderKey(of domain: Domain, in context: LibraryContext) throws(IssuanceError) -> PrivateKey? {
        let name = "orders/\(domain.folderName)\(Self.keyExtension)"
        guard var pem = try read(name, .storage, .domain) else { return nil }
        defer { SecretBytes.wipe(&pem) }
        do throws(OpenSSLError) {
            return try PrivateKey(pem: pem, in: context)
        } catch {
            throw IssuanceError(.storage, "\(shown(name)): \(error)")
        }
    }

    package func storeOrderKey(_ key: PrivateKey, of domain: Domain) throws(SystemError) {
        _ = try OpenFolder(making: path, mode: IssuanceFolder.folderMode)
        let folder = try OpenFolder(making: orders, mode: IssuanceFolder.folderMode)
        try pem(of: key).withBytes { bytes throws(SystemError) in
            try folder.replace(
                "\(domain.folderName)\(Self.keyExtension)", with: bytes, mode: IssuanceFolder.fileMode)
        }
    }

    package func removeOrderKey(of domain: Domain) { unlink(orderKeyPath(of: domain)) }

    package func orderKeyPath(of domain: Domain) -> String { "\(orders)/\(domain.folderName)\(Self.keyExtension)" }

    /// The domains of all keys.
    package func orderKeys() -> Set<Domain> {
        var domains: Set<Domain> = []
        try? Folder.forEachEntry(in: orders) { entry in
            let name = entry.name
            guard name.hasSuffix(Self.keyExtension) else { return true }
            let stem = String(name.dropLast(Self.keyExtension.count))
            if let domain = try? Domain(folder: stem) { domains.insert(domain) }
            return true
        }
        return domains
    }

    // MARK: Files

    /// - Returns: nil if there is no such file.
    private func read(
        _ name: String, _ type: IssuanceErrorType, _ scope: IssuanceError.Scope,
        limit: Int = IssuanceFolder.smallFileLimit
    ) throws(IssuanceError) -> [UInt8]? {
        let path = "\(path)/\(name)"
        do throws(SystemError) {
            let contents = try FileReader.readSettled(path, limit: limit)
            guard contents.bytes.count <= limit else {
                throw SystemError(call: "read", number: EFBIG, reason: "it is larger than \(grouped(limit)) bytes")
            }
            return contents.bytes
        } catch {
            if error.number == ENOENT, Path.isMissing(path) { return nil }
            throw IssuanceError(type, "\(shown(name)) cannot be read: \(error.reason)", scope: scope)
        }
    }

    private func replace(_ name: String, _ bytes: [UInt8]) throws(SystemError) {
        let folder = try OpenFolder(making: path, mode: IssuanceFolder.folderMode)
        try folder.replace(name, with: bytes, mode: IssuanceFolder.fileMode)
    }

    private func pem(of key: PrivateKey) throws(SystemError) -> SecretBytes {
        guard let pem = key.pem else {
            throw SystemError(call: "write", number: ENOMEM, reason: "the private key cannot be encoded")
        }
        return pem
    }

    private func located(_ error: IssuanceError, _ name: String) -> IssuanceError {
        IssuanceError(error.type, "\(shown(name)): \(error.message)", scope: error.scope)
    }

    private func shown(_ name: String) -> String { quoted("\(path)/\(name)", limit: 4_096) }
}
