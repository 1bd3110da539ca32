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
        guard case .file(let path) = self else { return try Self.content(of: STDIN_FILENO, expected: 0) }
        // Not opened before it is known to be a file: opening some devices does something, as rewinding a tape.
        guard let found = FileStatus(at: path.cString) else { throw Self.failure(SystemError(call: "stat"), path) }
        try Self.checkKind(found.kind)
        let descriptor = open(path.cString, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(SystemError(call: "open"), path) }
        defer { close(descriptor) }
        // It may be another one by now.
        guard let opened = FileStatus(of: descriptor) else { throw Self.failure(SystemError(call: "fstat"), path) }
        try Self.checkKind(opened.kind)
        let size = Int(opened.stamp.size)
        guard size <= CertificateFileReader.maximumBytes else {
            throw Self.tooLarge(
                "the file has \(grouped(size)) bytes; the limit is \(grouped(CertificateFileReader.maximumBytes))")
        }
        return try Self.content(of: descriptor, expected: size)
    }

    private static func content(of descriptor: Int32, expected: Int) throws(CertificateFileError) -> SecretBytes {
        let bytes: SecretBytes
        do throws(SystemError) {
            bytes = try SecretInput.read(descriptor, expected: expected, limit: CertificateFileReader.maximumBytes)
        } catch {
            throw CertificateFileError(.unreadable, "the file cannot be read: \(error.reason)")
        }
        guard bytes.count <= CertificateFileReader.maximumBytes else {
            throw tooLarge("the file has more than \(grouped(CertificateFileReader.maximumBytes)) bytes")
        }
        return bytes
    }

    private static func tooLarge(_ statement: String) -> CertificateFileError {
        CertificateFileError(
            .tooLarge, statement, advice: "name the file with the certificate; it has a few thousand bytes")
    }

    /// - Throws: `CertificateFileError.Code.unreadable` for what is not a regular file.
    private static func checkKind(_ found: FileStatus.Kind) throws(CertificateFileError) {
        var advice = "name a file"
        let kind: String
        switch found {
        case .regular: return
        case .pipe:
            kind = "pipe"
            advice = "redirect it to standard input, and use the path '-'"
        case .folder: kind = "folder"
        case .socket: kind = "socket"
        case .device, .link: kind = "device"
        }
        throw CertificateFileError(.unreadable, "this is a \(kind), not a regular file", advice: advice)
    }

    private static func failure(_ error: SystemError, _ path: RawPath) -> CertificateFileError {
        switch error.number {
        case ENOENT where path.bytes.isEmpty:
            return CertificateFileError(
                .notFound, "the path is empty", advice: "check whether a shell variable is not set")
        case ENOENT where isURL(path):
            return CertificateFileError(
                .notFound, "this is a URL, but certcheck reads files", advice: "download it first, then name the file")
        case ENOENT:
            let isLink = FileStatus(at: path.cString, followsLink: false) != nil
            let statement = isLink ? "it is a broken symbolic link" : "there is no such file"
            return CertificateFileError(.notFound, statement, advice: "check the path")
        case ENOTDIR:
            return CertificateFileError(
                .notFound, "there is no such file: a part of the path is not a folder", advice: "check the path")
        case EACCES:
            return CertificateFileError(
                .unreadable, "the file cannot be read: \(error.reason)",
                advice: "run certcheck as a user with permission to read it")
        default: return CertificateFileError(.unreadable, "the file cannot be read: \(error.reason)")
        }
    }

    private static func isURL(_ path: RawPath) -> Bool {
        let start = path.text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }
}
