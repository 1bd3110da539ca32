import Android
import AppProjects
import ArgumentParser
import AssociationLint
import CommandLineSupport
import Diagnostics
import OpenSSL

/// The options about the apps whose certificates an assetlinks.json has to list.
struct SignerOptions: ParsableArguments {
    @Option(
        name: .customLong("fingerprint-of"),
        help: ArgumentHelp(
            """
            Check that the asset links file lists the certificate of this APK, app bundle, keystore or certificate \
            (repeatable; PACKAGE= for the statements about one app; that of an APK by default).
            """, valueName: "[package=]file"),
        completion: .file())
    var files: [String] = []

    @OptionGroup(title: "Password of a keystore") var password: PasswordOptions

    /// - Parameter paths: The paths that are checked.
    func validate(with paths: [String]) throws {
        guard !files.isEmpty else {
            if password.source != nil { throw ValidationError("a password needs --fingerprint-of") }
            return
        }
        let inputs =
            (paths + files.map { ManifestOptions.packageAndPath($0).path }).count { $0 == "-" }
            + (password.source?.isStandardInput == true ? 1 : 0)
        if inputs > 1 { throw ValidationError("standard input can be read only once") }
    }

    /// Makes sure that the apps were compared with one file: with another one they have nothing to do.
    func check(assetLinksFiles count: Int) throws(ValidationError) {
        guard !files.isEmpty, count != 1 else { return }
        throw ValidationError(
            count == 0
                ? "--fingerprint-of needs an asset links file, and none was checked; name an assetlinks.json"
                : "--fingerprint-of needs exactly one asset links file, and \(count) were checked; name one of them")
    }

    /// Reads all files.
    ///
    /// - Throws: The exit status, if one cannot be used; all that cannot are reported first.
    func signers() throws -> [AppSigner] {
        guard !files.isEmpty else { return [] }
        // A keystore has a private key, of which nothing may stay behind.
        FreedMemory.wipe()
        var reader = FingerprintReader(PasswordProvider(given: try password.password()))
        var signers: [AppSigner] = []
        var status = ExitStatus.done
        for argument in files {
            let (package, path) = ManifestOptions.packageAndPath(argument)
            let file = reader.read(path)
            switch file.content {
            case .failure(let error):
                FingerprintReport.write(error, about: file, for: "aasa validate --fingerprint-of -")
                let failure = FingerprintReport.status(error.code)
                if failure.rawValue > status.rawValue { status = failure }
            case .success(let signed):
                // What a bundle is has a finding of its own.
                let objection = signed.hint == .uploadKey ? nil : FingerprintReport.objection(to: signed)
                signers += signed.identities.map { identity in
                    AppSigner(
                        package: package ?? signed.package, path: file.path, fingerprint: identity.fingerprint,
                        accepted: identity.accepted, systems: identity.systems, isBundle: signed.kind == .aab,
                        notes: objection.map { ["\($0.problem): \($0.help)"] } ?? [])
                }
            }
        }
        guard status == .done else { throw status.code }
        return signers
    }
}
