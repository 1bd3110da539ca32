import CommandLineSupport
import Diagnostics
import Glibc
import OpenSSL
import PushCertificates
import SystemSupport

/// A file to be read, or standard input.
enum CertificateInput {
    case standardInput
    case file(RawPath)

    /// In reports.
    var path: String {
        switch self {
        case .standardInput: "-"
        case .file(let path): path.text
        }
    }

    /// The content, of which no copy stays when it is forgotten. Waits for standard input, and for nothing else.
    func read() throws(CertificateFileError) -> SecretBytes {
        switch self {
        case .standardInput: try Self.content(of: STDIN_FILENO, expected: 0)
        case .file(let path): try Self.read(path)
        }
    }

    private static func read(_ path: RawPath) throws(CertificateFileError) -> SecretBytes {
        // Not opened before it is known to be a file: opening some devices does something, as rewinding a tape.
        guard let found = FileStatus(at: path.cString) else { throw failure(SystemError(call: "stat"), path) }
        try checkKind(found.kind)
        let descriptor = open(path.cString, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(SystemError(call: "open"), path) }
        defer { close(descriptor) }
        // It may be another one by now.
        guard let opened = FileStatus(of: descriptor) else { throw failure(SystemError(call: "fstat"), path) }
        try checkKind(opened.kind)
        try checkSize(Int(opened.stamp.size))
        return try content(of: descriptor, expected: Int(opened.stamp.size))
    }

    private static func content(of descriptor: Int32, expected: Int) throws(CertificateFileError) -> SecretBytes {
        let bytes: SecretBytes
        do throws(SystemError) {
            bytes = try SecretInput.read(descriptor, expected: expected, limit: CertificateFileReader.maximumBytes)
        } catch {
            throw CertificateFileError(.unreadable, "it cannot be read: \(error.reason)")
        }
        guard bytes.count <= CertificateFileReader.maximumBytes else {
            throw tooLarge("it has more than \(CertificateFileReader.maximumBytes) bytes")
        }
        return bytes
    }

    private static func checkSize(_ size: Int) throws(CertificateFileError) {
        guard size > CertificateFileReader.maximumBytes else { return }
        throw tooLarge("it has \(size) bytes, and \(CertificateFileReader.maximumBytes) are the limit")
    }

    private static func tooLarge(_ statement: String) -> CertificateFileError {
        CertificateFileError(.tooLarge, "\(statement); a certificate has a few thousand, so this is something else")
    }

    /// - Throws: `CertificateFileError.Code.unreadable` for what is not a regular file.
    private static func checkKind(_ found: FileStatus.Kind) throws(CertificateFileError) {
        let kind: String
        switch found {
        case .regular: return
        case .pipe: kind = "a pipe, not a regular file; what comes through one is read as standard input, with -"
        case .folder: kind = "a folder, not a regular file; name a file"
        case .socket: kind = "a socket, not a regular file; name a file"
        case .device, .link: kind = "a device, not a regular file; name a file"
        }
        throw CertificateFileError(.unreadable, "it is \(kind)")
    }

    private static func failure(_ error: SystemError, _ path: RawPath) -> CertificateFileError {
        let name = "'\(VisibleText.escaped(path.text))'"
        switch error.number {
        case ENOENT where path.bytes.isEmpty:
            return CertificateFileError(.notFound, "the path '' is empty; is a variable not set?")
        case ENOENT where isURL(path):
            return CertificateFileError(
                .notFound, "this is a URL, and certcheck reads files; download it first, then name the file")
        case ENOENT:
            let isLink = FileStatus(at: path.cString, followsLink: false) != nil
            let statement = isLink ? "\(name) is a symbolic link that leads nowhere" : "\(name) does not exist"
            return CertificateFileError(.notFound, "\(statement); check the path")
        case ENOTDIR:
            return CertificateFileError(
                .notFound, "\(name) does not exist: something on the way to it is no folder; check the path")
        case EACCES:
            return CertificateFileError(
                .unreadable, "it cannot be read: \(error.reason); this user needs the right to read it")
        default: return CertificateFileError(.unreadable, "it cannot be read: \(error.reason)")
        }
    }

    private static func isURL(_ path: RawPath) -> Bool {
        let start = path.text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }
}
