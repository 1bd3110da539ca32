import Android
import AppProjects
import ArgumentParser
import AssociationLint
import CommandLineSupport
import Diagnostics
import SystemSupport

/// The certificates of the files of a run, as text, as JSON, and as a statement of assetlinks.json.
struct FingerprintReport {
    struct File {
        /// As it was given.
        let argument: String
        let content: Result<SignerFile, SignatureError>

        var path: String { InputFile.name(argument) }
        fileprivate var signerFile: SignerFile? { try? content.get() }
    }

    var files: [File] = []
    /// Whether notes are left out.
    let quiet: Bool

    init(quiet: Bool) { self.quiet = quiet }

    /// The highest of all files.
    var status: ExitStatus {
        let statuses = files.map { file in
            switch file.content {
            case .success: ExitStatus.done
            case .failure(let error): Self.status(error.code)
            }
        }
        return statuses.max { $0.rawValue < $1.rawValue } ?? .done
    }

    static func status(_ code: SignatureError.Code) -> ExitStatus {
        switch code {
        case .notACertificate, .unsigned, .corrupt, .unsupportedKeystore, .wrongPassword, .tooLarge: .unusableData
        case .notFound, .unreadable: .missingFile
        case .missingLibrary: .unavailable
        }
    }

    /// One for each certificate.
    var lines: [String] {
        files.flatMap { file in
            (file.signerFile?.certificates ?? []).map { certificate in
                guard !quiet else { return certificate.sha256 }
                let facts = [
                    certificate.scheme?.rawValue, certificate.role.rawValue,
                    certificate.subject.isEmpty ? "no subject" : VisibleText.escaped(certificate.subject),
                    "expires \(InternetDate.day(certificate.notAfter))",
                ].compactMap { $0 }
                return "\(certificate.sha256)  \(VisibleText.escaped(file.path)) (\(facts.joined(separator: ", ")))"
            }
        }
    }

    /// One object.
    var json: [String: JSONOutput] { ["files": .array(files.map(Self.json))] }

    private static func json(_ file: File) -> JSONOutput {
        let signed = file.signerFile
        var error: SignatureError?
        if case .failure(let failure) = file.content { error = failure }
        return .object([
            "path": .string(file.path), "kind": .optional((signed?.kind ?? error?.kind)?.rawValue),
            "package": .optional(signed?.package),
            "error": .optional(error?.code.rawValue), "hint": .optional(signed?.hint?.rawValue),
            "certificates": .array(
                (signed?.certificates ?? []).map { certificate in
                    .object([
                        "sha256": .string(certificate.sha256), "role": .string(certificate.role.rawValue),
                        "scheme": .optional(certificate.scheme?.rawValue), "subject": .string(certificate.subject),
                        "notAfter": .string(InternetDate.string(certificate.notAfter)),
                    ])
                }),
        ])
    }

    /// The package of a statement: the one that is given, or that of the APKs.
    func package(given: String?) throws(ValidationError) -> String {
        let found = files.compactMap { file in file.signerFile?.package.map { (file.path, $0) } }
        guard let package = given ?? found.first?.1 else {
            throw ValidationError(
                "--statement needs --package, e.g. --package com.shop.app: no file says it; only the manifest of an APK does"
            )
        }
        for (path, other) in found where other != package {
            guard given != nil else {
                throw ValidationError(
                    "the files are of several apps, '\(package)' and '\(other)'; name those of one app, or give --package"
                )
            }
            StandardError.write("warning: \(path): this is the app '\(other)', not '\(package)'")
        }
        return package
    }

    /// A complete assetlinks.json with the signers of all files, without the end of its last line.
    ///
    /// - Parameter package: A valid name.
    func statement(_ package: String) -> String {
        var fingerprints: [String] = []
        for certificate in files.flatMap({ $0.signerFile?.signers ?? [] })
        where !fingerprints.contains(certificate.sha256) {
            fingerprints.append(certificate.sha256)
        }
        let list = fingerprints.map { "        \"\($0)\"" }.joined(separator: ",\n")
        return """
            [
              {
                "relation": ["delegate_permission/common.handle_all_urls"],
                "target": {
                  "namespace": "android_app",
                  "package_name": "\(package)",
                  "sha256_cert_fingerprints": [
            \(list)
                  ]
                }
              }
            ]
            """
    }
}

extension FingerprintReport {
    /// Says on standard error what is wrong with the files, and what their fingerprints are not good for.
    func writeRemarks() {
        for file in files {
            switch file.content {
            case .success(let signed):
                Self.remarks(on: signed, at: file.path, quiet: quiet).forEach(StandardError.write)
            case .failure(let error): Self.write(error, about: file)
            }
        }
        let isArchive = files.contains { [.apk, .aab, .jar].contains($0.signerFile?.kind) }
        if isArchive, !quiet {
            StandardError.write("note: the signatures themselves are not verified; 'apksigner verify' does that")
        }
    }

    /// Why the certificate of a file is not the one of the app that people install; nil if it may be that.
    static func objection(to file: SignerFile) -> (problem: String, help: String)? {
        switch file.hint {
        case .uploadKey:
            return (
                "this is the certificate of the upload key; Google Play signs what users install with another key",
                "take the fingerprint \(AppSigner.playConsole), or from an APK that was installed from Play"
            )
        case .debugKey:
            let certificate = file.signers.first { $0.isForDebugging }
            let name = certificate.flatMap { KnownSigningKeys.publicKey($0.sha256)?.name }
            return (
                "the certificate is \(name ?? "one for debugging (CN=Android Debug)"); an app in a store is signed with "
                    + "another one",
                "name an APK of a release, or the keystore that releases are signed with"
            )
        case nil: return nil
        }
    }

    private static func remarks(on file: SignerFile, at path: String, quiet: Bool) -> [String] {
        var remarks: [String] = []
        for certificate in file.certificates where certificate.role == .olderScheme {
            let release = certificate.scheme == .v1 ? "Android 7" : "Android 9"
            remarks.append(
                "warning: \(path): systems before \(release) see another certificate, the one of the "
                    + "\(certificate.scheme?.rawValue ?? "") signature")
        }
        let systems = file.identities.compactMap(\.systems)
        if !quiet, systems.count == 2 {
            remarks.append(
                "note: \(path): \(systems[0]) see the certificate of the v3.2 signature, \(systems[1]) another one; "
                    + "'assetlinks.json' has to list both")
        }
        if let objection = objection(to: file) {
            remarks.append("warning: \(path): \(objection.problem)")
            remarks.append("help: \(objection.help)")
        } else if !quiet, file.kind == .apk || file.kind == .pkcs12 {
            remarks.append(
                "note: \(path): if Google Play signs the app with another key, take the fingerprint \(AppSigner.playConsole)"
            )
        }
        return remarks
    }

    /// Says on standard error why there are no certificates in a file.
    static func write(
        _ error: SignatureError, about file: File, for command: String = "aasa android fingerprint -"
    ) {
        switch error.code {
        case .notFound, .unreadable:
            let argument = FileArgument(file.argument)
            let (message, help) = argument.failure(error.message, for: command)
            StandardError.write("error: \(message)")
            // No domain serves the file of an app under a known name.
            if let help, argument.isURL { StandardError.write("help: \(help)") }
        default:
            StandardError.write("error: \(file.path): \(error.message)")
            if let help = error.help { StandardError.write("help: \(help)") }
        }
    }
}
