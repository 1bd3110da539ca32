package import ACME
internal import DomainNames
internal import Glibc
internal import OpenSSL
package import SystemSupport

// How certificates are installed. The files of a certificate are links through the link `..data` into the folder of a
// generation, so that one rename changes all of them.

extension IssuanceFolder {
    private static let chainName = "fullchain.pem"
    private static let keyName = "privkey.pem"
    private static let metadataName = "acme.json"
    private static let currentName = "..data"
    /// The name of a folder until it has a certificate: without one it would look like a folder of another program.
    private static let newFolderName = ".acme-new"

    /// Installs key and chain together. The previous generation is kept, older ones are removed.
    ///
    /// - Parameters:
    ///   - directory: the URL of the CA's directory.
    ///   - now: seconds since 1970.
    /// - Returns: the path of the folder: that of the domain, or `<domain>-acme` if what is there is not of ACME.
    package func install(
        _ certificate: OrderedCertificate, directory: SecureURL, now: Int64
    ) throws(SystemError) -> String {
        let base = try OpenFolder(making: path, mode: Self.folderMode)
        let (name, isNew) = try folderName(of: certificate.domain, in: base)
        let metadata = CertificateMetadata(directory: directory.description, domain: certificate.domain, issuedAt: now)
        let keyFile = account(directory).orderKeyPath(of: certificate.domain)
        base.remove(Self.newFolderName)
        try FileWriter.withoutInterruption { () throws(SystemError) in
            if isNew {
                do throws(SystemError) {
                    let folder = try base.make(Self.newFolderName, mode: Self.folderMode)
                    try install(certificate, metadata, keyFile, in: folder, now)
                    try base.rename(Self.newFolderName, to: name)
                } catch {
                    base.remove(Self.newFolderName)
                    throw error
                }
                try base.sync()
            } else {
                try install(certificate, metadata, keyFile, in: base.folder(name), now)
            }
        }
        return Path.join(path, name)
    }

    /// Reads the `acme.json` of a folder; nil if it is missing or damaged.
    ///
    /// - Parameter certificateFolder: its path.
    package static func metadata(of certificateFolder: String) -> CertificateMetadata? {
        guard
            let contents = try? FileReader.read("\(certificateFolder)/\(metadataName)", limit: smallFileLimit)
        else { return nil }
        return CertificateMetadata(json: contents.bytes)
    }

    /// The folder for the certificates of a domain, and whether there is none yet.
    private func folderName(of domain: Domain, in base: OpenFolder) throws(SystemError) -> (name: String, isNew: Bool) {
        let own = domain.folderName
        for name in [own, "\(own)-acme"] {
            switch try base.kind(of: name) {
            case nil: return (name, true)
            case .folder:
                // One of another domain is a copy, or that of a domain that happens to be called so.
                let folder = try base.folder(name)
                guard try folder.kind(of: Self.metadataName) != nil else { continue }
                let metadata = (try? folder.read(Self.metadataName, limit: Self.smallFileLimit)).flatMap(
                    CertificateMetadata.init)
                if metadata == nil || metadata?.domain == domain { return (name, false) }
            default: continue
            }
        }
        throw SystemError(
            call: "mkdir", number: EEXIST,
            reason: "'\(own)' and '\(own)-acme' exist, but this server did not create them")
    }

    /// - Parameter keyFile: where the key may have been stored before.
    private func install(
        _ certificate: OrderedCertificate, _ metadata: CertificateMetadata, _ keyFile: String, in folder: OpenFolder,
        _ now: Int64
    ) throws(SystemError) {
        guard let key = certificate.key.pem else {
            throw SystemError(call: "write", number: ENOMEM, reason: "the private key cannot be encoded")
        }
        let previous = folder.target(ofLink: Self.currentName)
        let generation = try newGeneration(in: folder, now)
        do throws(SystemError) {
            let files = try folder.make(generation, mode: Self.folderMode)
            try files.write(certificate.chain.pem, to: Self.chainName, mode: Self.fileMode)
            try key.withBytes { bytes throws(SystemError) in
                // On disk already: one file less to be made, and to be removed.
                if files.addName(Self.keyName, of: keyFile, holding: bytes, mode: Self.fileMode) { return }
                try files.write(bytes, to: Self.keyName, mode: Self.fileMode)
            }
            try files.write(Array(metadata.json.utf8), to: Self.metadataName, mode: Self.fileMode)
            try files.sync()
            if previous == nil, try folder.kind(of: Self.currentName) == nil {
                try folder.addLink(Self.currentName, to: generation)
            } else {
                try folder.link(Self.currentName, to: generation)
            }
        } catch {
            folder.remove(generation)
            throw error
        }
        for name in [Self.chainName, Self.keyName, Self.metadataName] {
            let target = "\(Self.currentName)/\(name)"
            if try folder.kind(of: name) == nil {
                try folder.addLink(name, to: target)
            } else if folder.target(ofLink: name) != target {
                try folder.link(name, to: target)
            }
        }
        try folder.sync()
        for name in (try? folder.names()) ?? [] where Self.isLeftover(name) && name != generation && name != previous {
            folder.remove(name)
        }
    }

    /// Older generations, those that were never finished, and names of files that were not.
    private static func isLeftover(_ name: String) -> Bool {
        if name == currentName { return false }
        return name.hasPrefix("..")
            || [chainName, keyName, metadataName].contains { name == ".\($0).new" }
    }

    /// `..` and the time, and a number if there is one of that name.
    private func newGeneration(in folder: OpenFolder, _ now: Int64) throws(SystemError) -> String {
        let time = String(InternetDate.string(now).filter { $0 != "-" && $0 != ":" })
        var name = "..\(time)"
        var number = 1
        while try folder.kind(of: name) != nil {
            number += 1
            name = "..\(time)-\(number)"
        }
        return name
    }
}
