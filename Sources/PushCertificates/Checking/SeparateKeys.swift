internal import Diagnostics
internal import OpenSSL
internal import SystemSupport

/// A file of a run, as it was read: its certificates, or why there are none, and what else of use is in it.
package struct RunFile: Sendable {
    package let path: String
    /// The folder that it is in, if that was searched; nil for a file that was named.
    package let folder: String?
    package var content: Result<CertificateFile, CertificateFileError>
    /// The private keys of a file without certificates.
    package var keys: KeyFile?
    /// The public key of a signing request, as `SubjectPublicKeyInfo` in DER.
    package var requestedKey: [UInt8]?

    package init(
        path: String, folder: String?, content: Result<CertificateFile, CertificateFileError>, keys: KeyFile? = nil,
        requestedKey: [UInt8]? = nil
    ) {
        self.path = path
        self.folder = folder
        self.content = content
        self.keys = keys
        self.requestedKey = requestedKey
    }

    /// Whether it has nothing to report of its own: it was found, and has no certificate.
    package var isNothing: Bool {
        if case .failure(let error) = content { folder != nil && error.code == .notACertificate } else { false }
    }

    fileprivate var isTokenKey: Bool { (try? content.get())?.certificates.first?.kind == .tokenKey }
}

/// Joins certificates with private keys that are in other files of the run (push-certificates.md, section 3).
///
/// Equal public keys prove it, wherever the files are. A key that fits nothing is taken for the wrong key of a certificate only
/// where one is clearly meant for the other.
package struct SeparateKeys {
    private var files: [RunFile]
    /// The indices of the files of keys that belong to something.
    private var used: Set<Int> = []

    /// - Returns: The files without those whose keys belong to certificates, or are reported with one; and the indices that
    ///   those had.
    package static func join(_ files: [RunFile]) -> (files: [RunFile], used: Set<Int>) {
        var keys = SeparateKeys(files: files)
        keys.match()
        keys.accuse()
        return (keys.files.indices.filter { !keys.used.contains($0) }.map { keys.files[$0] }, keys.used)
    }

    private init(files: [RunFile]) {
        self.files = files
    }

    private mutating func match() {
        var owners: Set<[UInt8]> = []
        for file in files where file.keys == nil {
            for certificate in (try? file.content.get().certificates) ?? [] {
                if let identity = certificate.publicKeyIdentity { owners.insert(identity) }
            }
        }
        let requested = Set(files.compactMap(\.requestedKey))
        var found: [[UInt8]: Int] = [:]
        for (index, file) in files.enumerated() {
            for key in file.keys?.keys ?? [] {
                guard let identity = key.publicKeyIdentity else { continue }
                found[identity] = found[identity] ?? index
                if owners.contains(identity) || !requested.isEmpty && requested.contains(key.publicKeyInfo) {
                    used.insert(index)
                }
            }
        }
        guard !found.isEmpty else { return }
        for index in files.indices {
            guard case .success(var content) = files[index].content, files[index].keys == nil, !content.isPKCS12 else {
                continue
            }
            for (number, certificate) in content.certificates.enumerated() where certificate.key == .none {
                guard let key = certificate.publicKeyIdentity.flatMap({ found[$0] }) else { continue }
                content.join(number, with: .matching, in: files[key].path)
            }
            files[index].content = .success(content)
        }
    }

    /// Keys that belong to nothing, and the certificates that they were meant for.
    private mutating func accuse() {
        let left = files.indices.filter { files[$0].keys != nil && !used.contains($0) }
        guard !left.isEmpty else { return }
        var held: Set<[UInt8]> = []
        for file in files {
            for certificate in (try? file.content.get().certificates) ?? [] where certificate.key == .matching {
                if let identity = certificate.publicKeyIdentity { held.insert(identity) }
            }
        }
        // The files with certificates by folder and name, and those of them whose push certificate has no key.
        var all: [[UInt8]?: [[[UInt8]]: [Int]]] = [:]
        var counts: [[UInt8]?: Int] = [:]
        var lonely: [Int: Int] = [:]
        var lonelyFiles: [[UInt8]?: Set<Int>] = [:]
        for index in files.indices where files[index].keys == nil {
            guard let content = try? files[index].content.get(),
                content.certificates.contains(where: { $0.kind != .ca })
            else { continue }
            let folder = folder(of: index)
            all[folder, default: [:]][FileStem.words(files[index].path), default: []].append(index)
            counts[folder, default: 0] += 1
            guard let number = lonelyCertificate(of: content, held) else { continue }
            lonely[index] = number
            lonelyFiles[folder, default: []].insert(index)
        }
        for key in left {
            let folder = folder(of: key)
            let named = all[folder]?[FileStem.words(files[key].path)] ?? []
            // In a folder there may be other things; files that are named are named for a reason.
            let isClear = folder == nil || counts[folder] == 1
            let others = isClear && lonelyFiles[folder]?.count == 1 ? lonelyFiles[folder]?.first : nil
            guard let file = named.count == 1 ? named.first : others, let number = lonely[file],
                case .success(var content) = files[file].content, mayBelong(key, to: content.certificates[number])
            else { continue }
            content.join(
                number, with: files[key].keys?.keys.isEmpty == true ? .unreadable : .mismatched, in: files[key].path)
            files[file].content = .success(content)
            used.insert(key)
            lonely[file] = nil
            lonelyFiles[folder]?.remove(file)
        }
    }

    private func folder(of file: Int) -> [UInt8]? { files[file].folder.map { Array($0.utf8) } }

    /// The first push certificate of a file without any key, in this file or elsewhere.
    private func lonelyCertificate(of content: CertificateFile, _ held: Set<[UInt8]>) -> Int? {
        guard !content.isPKCS12, !content.certificates.contains(where: { $0.key.isPresent }),
            let index = content.certificates.firstIndex(where: { $0.kind.isForPush })
        else { return nil }
        return content.certificates[index].publicKeyIdentity.map { !held.contains($0) } ?? true ? index : nil
    }

    /// A key that can sign tokens is one, unless the certificate has such a key.
    private func mayBelong(_ key: Int, to certificate: PushCertificate) -> Bool {
        !files[key].isTokenKey || certificate.keyAlgorithm == "EC"
    }
}

/// The name of a file without what says whether it is a certificate or a key, by which `push-cert.pem` and `push-key.pem` go
/// together.
private enum FileStem {
    private static let kinds: Set<[UInt8]> = Set(
        [
            "cert", "certificate", "crt", "cer", "key", "privkey", "private", "fullchain", "noenc", "enc", "encrypted",
            "pem",
        ].map { Array($0.utf8) })

    static func words(_ path: String) -> [[UInt8]] {
        let name = Path.name(of: path).utf8
        // The bytes of a path are compared, so that nothing has to be normalized.
        let stem = name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name[...]
        let words = stem.split { byte in
            let letter = byte | 0x20
            return byte < 0x80 && !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
                && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        return words.map { $0.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
            .filter { !kinds.contains($0) }
    }
}

extension CertificateFile {
    /// Notes that the key of a certificate, or one that is meant for it, is in a file of its own.
    fileprivate mutating func join(_ index: Int, with key: KeyPresence, in path: String) {
        certificates[index].key = key
        certificates[index].keyPath = path
        let certificate = certificates[index]
        let file = "'\(VisibleText.escaped(path))'"
        switch key {
        case .mismatched: findings.append(KeyFindings.mismatch(certificate, file).about(certificate, index))
        case .unreadable:
            findings.append(
                RuleDescription.keyUnreadable.finding(
                    "\(certificate.title): the private key in \(file) cannot be read: no password that was given opens it",
                    advice: "give its password; until then it is unknown whether it matches the certificate"
                ).about(certificate, index))
        case .none, .matching, .alone: break
        }
    }
}
