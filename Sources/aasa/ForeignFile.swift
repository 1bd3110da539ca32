import AssociationLint
import CommandLineSupport
import Diagnostics

/// A file that another command reads, recognized by its first bytes.
struct ForeignFile {
    /// One clause, lower case.
    let message: String
    let help: String

    /// An archive or a certificate, which no command takes for an association file; nil for anything else.
    init?(_ bytes: [UInt8], path: String) {
        let word = FileArgument.quotedForShell(path)
        let name = InputFile.name(path)
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        if ["p12", "pfx", "cer", "p8"].contains(ending),
            bytes.first == 0x30 || bytes.starts(with: "-----".utf8)
        {
            message = "'\(name)' is a certificate or a key, not an association file"
            help = "when it expires: certcheck \(word)"
        } else if !bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
            return nil
        } else if ["apk", "apks", "aab"].contains(ending) {
            message = "'\(name)' is an Android app, not a text"
            help =
                "to compare its certificate: aasa validate --fingerprint-of \(word) assetlinks.json; to show it: aasa "
                + "android fingerprint \(word)"
        } else if ending == "ipa" {
            message = "'\(name)' is an iOS app, not a text"
            help = "to check its domains: aasa doctor --app \(word)"
        } else {
            message = "'\(name)' is a ZIP archive, not a text"
            help = "unpack it, and name the file or its folder"
        }
    }

    /// The same, or a manifest, for a command that decides links by the files of a domain.
    init?(_ bytes: [UInt8], besideManifests path: String) {
        guard FileKind(path: path, bytes) == .manifest else {
            self.init(bytes, path: path)
            return
        }
        let word = FileArgument.quotedForShell(path)
        self.init(
            "'\(InputFile.name(path))' is an Android manifest; this command reads an association file or assetlinks.json",
            help: "which links open the app: aasa route \(word) URL; mistakes in it: aasa "
                + "validate \(word)")
    }

    private init(_ message: String, help: String) {
        self.message = message
        self.help = help
    }
}
