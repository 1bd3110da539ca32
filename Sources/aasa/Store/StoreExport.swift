import ArgumentParser
import CommandLineSupport
import Diagnostics
import DomainNames
import Glibc
import OpenSSL
import PostgreSQLStore
import SiteStore
import SystemSupport

struct StoreExport: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the current files of a store into a folder, as 'aasa serve --sites' reads it.",
        discussion: manual.discussion(
            """
            The files are written byte for byte, with the time of their publication. SITES must be missing or empty. \
            Certificates and private keys are written only with --certs, and only with the key file.
            """)
    )

    static let manual = CommandManual.ofStore(
        examples: [
            .init("aasa store export backup/sites", "write all files"),
            .init(
                "aasa store export backup/sites --certs backup/certs --store-key-file store.key",
                "with certificates and their private keys"),
        ],
        exits: [
            .init(.done, "if everything was written"),
            .init(.failed, "if the folder is not empty, or something was left, because it cannot be written as it is"),
            .init(.outputFailed, "if a file cannot be written"),
        ],
        seeAlso: ["aasa-store-import(1)"])

    @Argument(help: ArgumentHelp("The folder for the sites.", valueName: "sites"), completion: .directory)
    var sites: String

    @Option(
        help: ArgumentHelp("Write the certificates and their keys into FOLDER, too.", valueName: "folder"),
        completion: .directory)
    var certs: String?

    @OptionGroup var keys: StoreKeyOptions
    @OptionGroup var options: StoreSelection

    func run() throws { try options.reporting("aasa store export", export) }

    private func export() throws {
        let ring = try certs.map { _ in try keys.requiredKeys(options) }
        for folder in [sites, certs].compactMap({ $0 }) { try Self.checkEmpty(folder) }
        let connection = try options.connect()
        let run = SiteExport()
        try run.writeSites(to: sites, over: connection)
        if let certs, let ring { try run.writeCertificates(to: certs, ring, over: connection) }
        for failure in run.failures { StandardError.write("error: \(failure)") }
        let certificates = certs.map { _ in ", \(counted(run.certificates, "certificate"))" } ?? ""
        options.write(
            ["\(counted(run.files, "file")) of \(counted(run.sites, "site"))\(certificates) written"],
            json: [
                "sites": .number(run.sites), "files": .number(run.files),
                "certificates": certs.map { _ in .number(run.certificates) } ?? .null,
                "failures": .array(run.failures.map(JSONOutput.string)),
            ])
        if !run.failures.isEmpty { throw ExitStatus.failed.code }
    }

    private static func checkEmpty(_ folder: String) throws(CommandFailure) {
        guard !Path.isMissing(folder) else { return }
        var isEmpty = true
        do throws(SystemError) {
            try Folder.forEachEntry(in: folder) { _ in
                isEmpty = false
                return false
            }
        } catch {
            throw CommandFailure(
                status: .missingFile, code: .unreadableFile,
                message: "cannot read the folder '\(folder)': \(error.reason)", path: folder)
        }
        guard isEmpty else {
            throw CommandFailure(
                status: .failed, code: .unwritableFile, message: "the folder '\(folder)' is not empty",
                help: "name a folder that does not exist", path: folder)
        }
    }
}

/// The export of a store into folders.
private final class SiteExport {
    private(set) var files = 0
    private(set) var sites = 0
    private(set) var certificates = 0
    /// A line for each row that cannot be written as it is.
    private(set) var failures: [String] = []
    private var site: (domain: String, folder: OpenFolder, path: String, lint: String?)?

    func writeSites(to path: String, over connection: StoreConnection) throws {
        let root = try Self.make(path)
        var failure: CommandFailure?
        try StoreListing.forEachContent(over: connection) { (file) throws(StoreError) in
            guard failure == nil else { return }
            do throws(CommandFailure) { try self.write(file, in: root, path) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private func write(_ file: StoredFile, in root: OpenFolder, _ path: String) throws(CommandFailure) {
        guard let domain = Domain(row: file.key.domain), StoreNames.isFileName(file.key.name) else {
            failures.append("\(file.path): it cannot be a file in a folder, and is left")
            return
        }
        guard let contents = file.contents, contents.isIntact else {
            failures.append("\(file.path): its bytes are not those of its SHA-256, and it is left")
            return
        }
        let folderPath = Path.join(path, domain.folderName)
        do throws(SystemError) {
            let folder: OpenFolder
            if let site, site.domain == file.key.domain {
                folder = site.folder
                if let lint = file.lint, lint != site.lint { try keep(lint, of: file, in: site) }
            } else {
                folder = try root.make(domain.folderName, mode: 0o755)
                let new = (file.key.domain, folder, folderPath, String?.none)
                site = new
                sites += 1
                if let lint = file.lint { try keep(lint, of: file, in: new) }
            }
            try folder.write(contents.bytes, to: file.key.name, mode: 0o644)
            try Self.date("\(folderPath)/\(file.key.name)", file.publishedAt)
            files += 1
        } catch {
            throw Self.unwritable("\(folderPath)/\(file.key.name)", error)
        }
    }

    /// Writes the configuration of the validator, of which a folder can have only one.
    private func keep(
        _ lint: String, of file: StoredFile, in site: (domain: String, folder: OpenFolder, path: String, lint: String?)
    ) throws(SystemError) {
        guard site.lint == nil else {
            failures.append("\(file.path): its .aasa.json differs from that of another file of the site, and is left")
            return
        }
        try site.folder.write(Array(lint.utf8), to: ".aasa.json", mode: 0o644)
        self.site?.lint = lint
    }

    func writeCertificates(to path: String, _ keys: StoreKeyRing, over connection: StoreConnection) throws {
        let root = try Self.make(path)
        for certificate in try StoreCertificates.all(over: connection) {
            let isName =
                !certificate.name.contains("/") && !certificate.name.hasPrefix(".") && !certificate.name.isEmpty
            guard isName else {
                failures.append("\(certificate.path): it cannot be a folder, and is left")
                continue
            }
            let key: SecretBytes
            do throws(StoreKeyError) {
                key = try keys.open(
                    certificate.sealedKey, keyID: certificate.keyID, table: "certificates",
                    primaryKey: certificate.name)
            } catch .missing(let id) {
                failures.append("\(certificate.path): the key file has no key \(quoted(id)) [store-key-missing]")
                continue
            } catch {
                failures.append("\(certificate.path): wrong key, or the data were changed [store-key-wrong]")
                continue
            }
            do throws(SystemError) {
                let folder = try root.make(certificate.name, mode: 0o755)
                try folder.write(Array(certificate.chain.utf8), to: CertificateImport.chainName, mode: 0o644)
                var bytes = key.withBytes { Array($0) }
                defer { SecretBytes.wipe(&bytes) }
                try folder.write(bytes, to: CertificateImport.keyName, mode: 0o600)
                certificates += 1
            } catch {
                throw Self.unwritable(Path.join(path, certificate.name), error)
            }
        }
    }

    private static func make(_ path: String) throws(CommandFailure) -> OpenFolder {
        do throws(SystemError) {
            return try OpenFolder(making: path, mode: 0o755)
        } catch {
            throw unwritable(path, error)
        }
    }

    private static func unwritable(_ path: String, _ error: SystemError) -> CommandFailure {
        CommandFailure(
            status: .outputFailed, code: .unwritableFile, message: "cannot write '\(path)': \(error.reason)",
            help: "what is there is not complete: remove it, and run the command again", path: path)
    }

    /// Sets the modification time.
    ///
    /// - Parameter microseconds: since 1970.
    private static func date(_ path: String, _ microseconds: Int64) throws(SystemError) {
        let time = timespec(
            tv_sec: Int(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1_000)
        guard utimensat(AT_FDCWD, path, [time, time], 0) == 0 else { throw SystemError(call: "utimensat") }
    }
}
