package import ACME
package import DomainNames
internal import Glibc
package import SystemSupport

/// The folder `acme.folder`, with everything that ACME keeps (docs/spec/acme.md, section 3).
///
/// The process that writes accounts, state and certificates holds the lock; any process writes and reads requests.
package struct IssuanceFolder: Sendable {
    package let path: String

    static let folderMode: UInt32 = 0o700
    static let fileMode: UInt32 = 0o600
    static let smallFileLimit = 1 << 16

    package init(_ path: String) { self.path = path }

    private static let accountsName = "acme-account"
    private static let requestsName = "renew"

    private var accounts: String { Path.join(path, Self.accountsName) }
    private var lockPath: String { "\(accounts)/lock" }
    private var requests: String { "\(accounts)/\(Self.requestsName)" }

    /// The folder of the account with one CA.
    package func account(_ directory: SecureURL) -> AccountFolder {
        AccountFolder("\(accounts)/\(directory.folderName)", directory)
    }
}

// The lock.
extension IssuanceFolder {
    /// Takes the right to order; nil if another process has it. Folders that are missing are made.
    package func lock() throws(SystemError) -> FolderLock? {
        _ = try OpenFolder(making: accounts, mode: Self.folderMode)
        return try FolderLock.take(lockPath, mode: Self.fileMode)
    }

    /// Whether a process has the right to order. Nothing is made, and nobody is kept from taking it for longer than it
    /// takes to ask.
    package func isLocked() -> Bool { FolderLock.isTaken(lockPath) }
}

// Requests of `aasa certificates --renew`.
extension IssuanceFolder {
    package func renewalRequests() -> Set<Domain> {
        var domains: Set<Domain> = []
        try? Folder.forEachEntry(in: requests) { entry in
            let name = entry.name
            // Another spelling would never be removed.
            if let domain = try? Domain(folder: name) { domains.insert(domain) }
            return true
        }
        return domains
    }

    /// Makes the request. Also root may ask: the file belongs to the owner of the folder, who has to remove it.
    package func requestRenewal(of domain: Domain) throws(SystemError) {
        let base = try OpenFolder(making: path, mode: Self.folderMode)
        let accounts =
            try base.kind(of: Self.accountsName) == nil
            ? base.make(Self.accountsName, mode: Self.folderMode, sharesOwner: true) : OpenFolder(self.accounts)
        let requests =
            try accounts.kind(of: Self.requestsName) == nil
            ? accounts.make(Self.requestsName, mode: Self.folderMode, sharesOwner: true)
            : accounts.folder(Self.requestsName)
        guard try requests.kind(of: domain.folderName) == nil else { return }
        try requests.write([], to: domain.folderName, mode: Self.fileMode, sharesOwner: true)
    }

    package func isRenewalRequested(of domain: Domain) -> Bool { !Path.isMissing(request(of: domain)) }

    /// - Returns: Whether there is no request any more.
    @discardableResult
    package func endRenewalRequest(of domain: Domain) -> Bool {
        unlink(request(of: domain)) == 0 || errno == ENOENT
    }

    private func request(of domain: Domain) -> String { "\(requests)/\(domain.folderName)" }
}
