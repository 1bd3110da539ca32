import AppSiteAssociation
import AssociationFiles
import AssociationLint
import CommandLineSupport
import Diagnostics
import DomainDoctor
import JSONSyntax
import SystemSupport

/// Association files that a command has to be able to read.
enum AssociationFile {
    /// Reads a file, a signed one without its signature.
    ///
    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - command: The command with `-` for this file, to be shown where a URL was given.
    static func read(_ path: String, for command: String) throws(CommandFailure) -> AssociationDocument {
        try document(try content(path, for: command), path: path)
    }

    /// The document in what was read of a file.
    static func document(_ bytes: [UInt8], path: String) throws(CommandFailure) -> AssociationDocument {
        do throws(UnusableFile) {
            return try reader.association(bytes, path: InputFile.name(path))
        } catch {
            guard let foreign = ForeignFile(bytes, besideManifests: path) else { throw .unusable(error.report) }
            throw CommandFailure(
                status: .unusableData, code: .unusableFile, message: foreign.message, help: foreign.help,
                path: InputFile.name(path))
        }
    }

    /// The reader of files of both platforms.
    static let reader = UsableFileReader(unwrap: SignedAssociationFile.unwrap)

    /// The bytes of a file, no more than the limit and one.
    static func content(_ path: String, for command: String) throws(CommandFailure) -> [UInt8] {
        do throws(SystemError) {
            return try InputFile.read(path, limit: FileSizes.read)
        } catch {
            throw .unreadable(path, error.reason, for: command)
        }
    }
}

/// A path among the arguments that should lead to a file.
struct FileArgument {
    let path: String
    /// The path, or the URL of the domain that it seems to name.
    private let url: String

    init(_ path: String) {
        self.path = path
        url = Self.isDomain(path) ? "https://\(path)" : path
    }

    /// Whether it is the address of something on the web.
    var isURL: Bool {
        let start = path.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    /// Whether there is no such file, and it is rather the name of a host.
    var isDomain: Bool { url != path && Path.isMissing(path) }

    /// Whether it leads to something on the web, and not to a file.
    var isTarget: Bool { isURL || isDomain }

    /// Endings of files that would also do for domains.
    private static let fileEndings: Set = [
        "aab", "apk", "apks", "bak", "cer", "conf", "crt", "csv", "entitlements", "html", "ipa", "js", "json", "md",
        "old",
        "orig", "pem", "plist", "swift", "tmp", "ts", "txt", "xml", "yaml", "yml", "zip",
    ]

    private static func isDomain(_ path: String) -> Bool {
        // A URL would be a target, too.
        guard !path.utf8.contains(UInt8(ascii: "/")) else { return false }
        let labels = path.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, let last = labels.last?.lowercased(), last.utf8.count > 1,
            last.utf8.allSatisfy({ 0x61...0x7A ~= $0 }), !fileEndings.contains(last)
        else { return false }
        return (try? Target(path, allowsAddresses: false)) != nil
    }

    /// Why it cannot be read.
    ///
    /// - Parameters:
    ///   - reason: What the system says.
    ///   - command: The command with `-` for the file, such as `aasa validate -`.
    func failure(_ reason: String, for command: String) -> (message: String, help: String?) {
        guard isURL else {
            let help = isDomain ? "if it is a domain, try: \(doctor); or: \(download) | \(command)" : nil
            return ("cannot read '\(InputFile.name(path))': \(reason)", help)
        }
        return ("'\(path)' is a URL, but this command reads files", "try: \(download) | \(command)")
    }

    /// The command that gets what is at the URL.
    var download: String { "curl -fsS \(Self.quotedForShell(address))" }

    /// The command that checks the host of the URL; with the URL itself if it is a link, and not one of the files.
    var doctor: String {
        let (authority, rest) = parts
        let isLink = !rest.isEmpty && rest != "/" && !isFileOfHost
        return "aasa doctor \(Self.quotedForShell(isLink ? url : String(authority)))"
    }

    /// Whether it is the URL of a file that speaks for its host, and hardly meant as a link.
    var isFileOfHost: Bool { Target.requestedPaths.contains(String(parts.rest)) }

    /// The text between the scheme and the path, and the text after it.
    private var parts: (authority: Substring, rest: Substring) {
        let authority = url.drop { $0 != "/" }.dropFirst(2)
        let rest = authority.drop { $0 != "/" && $0 != "?" && $0 != "#" }
        return (authority[..<rest.startIndex], rest)
    }

    /// The URL, or that of the association file if it names a host only.
    private var address: String {
        let rest = parts.rest
        guard rest.isEmpty || rest == "/" else { return url }
        return (rest == "/" ? String(url.dropLast()) : url) + "/.well-known/" + AssociationFileName.name
    }

    /// A word as a shell takes it.
    static func quotedForShell(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                || "-._~:/%@+,=".unicodeScalars.contains(scalar)
        }
        return isPlain ? text : "'\(text.replacing("'", with: #"'\''"#))'"
    }
}

/// A file that cannot be read, as a finding.
enum UnreadableFile {
    static func report(_ path: String, _ message: String, notes: [String] = [], help: String? = nil) -> FileReport {
        let fixIts = help.map { [FixIt(title: $0, applicability: .displayOnly, edits: [])] } ?? []
        return FileReport(
            SourceText([], path: path), [Diagnostic(.unreadableFile, message, notes: notes, fixIts: fixIts)])
    }
}

/// The errors of an association file because of which it opens other links than it seems to: keys that the system does not
/// know, values that it does not take, app IDs and patterns that match nothing.
struct FileErrors {
    private let path: String
    let count: Int

    init(_ document: AssociationDocument) {
        path = document.source.path
        count = Linter().countReadingErrors(in: document.source.bytes)
    }

    /// For the JSON of a command; nothing if there are none.
    var members: [String: JSONOutput] { count == 0 ? [:] : ["fileErrors": .number(count)] }

    /// Says so on standard error.
    func warn() {
        guard count > 0 else { return }
        let file = path == InputFile.name("-") ? "-" : path
        StandardError.write(
            "warning: \(VisibleText.escaped(path)) has \(counted(count, "error")) that \(count == 1 ? "changes" : "change") "
                + "which links open; run 'aasa validate \(VisibleText.escaped(file))'")
    }
}
