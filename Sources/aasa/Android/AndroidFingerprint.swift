import Android
import AppProjects
import ArgumentParser
import AssociationLint
import CommandLineSupport
import Diagnostics
import OpenSSL
import SystemSupport

struct AndroidFingerprint: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "fingerprint",
        abstract: "Show the SHA-256 fingerprints of the certificates that an Android app is signed with.",
        discussion: manual.discussion(
            """
            FILE is an APK, an app bundle (AAB), a JAR, a PKCS #12 keystore, or certificates in PEM or DER; it is recognized \
            by its content, not by its name; - is standard input. The signature itself is not verified. With --statement, \
            the output is a complete assetlinks.json, ready to publish: the package is the APK's, unless --package names it.

            If Google Play signs the app, its users have a certificate that is in none of your files: take the fingerprint \
            from Play Console, App integrity, 'App signing key certificate', or from an APK that was installed from Play.

            No option takes the password itself, because other users can see arguments. A keystore is tried without a \
            password, and with the one of Android's debug keystores, too.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa android fingerprint app-release.apk", "show the certificate that an app is signed with"),
            .init(
                "aasa android fingerprint --password-env STORE_PASSWORD release.p12", "show the one of a keystore"),
            .init(
                "aasa android fingerprint --statement app-release.apk > assetlinks.json",
                "write assetlinks.json with the package and the fingerprint of an APK"),
            .init(
                "aasa android fingerprint --statement --package com.shop.app release.p12", "write it for a keystore"),
        ],
        exits: [.init(.done, "if all files have a certificate")] + exits,
        exitRemark: "All files are reported; the highest code counts.",
        seeAlso: ["aasa-validate(1)", "keytool(1)", "apksigner(1)"])

    static let exits: [CommandManual.Exit] = [
        .init(.unusableData, "if a file has none, or cannot be used"), .init(.missingFile, "if a file cannot be read"),
        .init(.unavailable, "if zlib is missing"),
    ]

    @Argument(help: ArgumentHelp("The files; - is standard input.", valueName: "file"), completion: .file())
    var files: [String] = []

    @Option(help: "Set the output format.")
    var format = ResultFormat.text

    @Flag(help: "Write the fingerprints alone, one per line, and leave notes out.")
    var quiet = false

    @Flag(help: "Write an assetlinks.json with the fingerprints of the signers.")
    var statement = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Set the package of the statement, e.g. com.shop.app (default: the one of the APK).", valueName: "name"))
    var package: String?

    @OptionGroup(title: "Password") var password: PasswordOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if files.isEmpty {
            throw ValidationError("no file given; name an APK, an app bundle, a keystore, or a certificate")
        }
        let count = files.count { $0 == "-" }
        if count > 1 { throw ValidationError("standard input can be read only once; '-' is given \(count) times") }
        if count == 1, password.source?.isStandardInput == true {
            throw ValidationError(
                "standard input cannot be both the password and a file; read one of them from elsewhere")
        }
        guard statement else {
            if package != nil { throw ValidationError("--package needs --statement") }
            if quiet, format == .json { throw ValidationError("--quiet and --format json exclude each other") }
            return
        }
        if quiet { throw ValidationError("--statement and --quiet exclude each other") }
        if format == .json { throw ValidationError("--statement is JSON of its own; remove '--format json'") }
        if let package, !AndroidPackageName.isValid(package) {
            throw ValidationError(
                "--package: \(quoted(package)) is not a package name; expected one like com.example.app")
        }
    }

    func run() throws {
        // A keystore has a private key, of which nothing may stay behind.
        FreedMemory.wipe()
        var report = FingerprintReport(quiet: quiet)
        do {
            // Before any file is opened: it might get the number of a descriptor that was meant to hold the password.
            var reader = FingerprintReader(PasswordProvider(given: try password.password()))
            for file in files { report.files.append(reader.read(file)) }
        }
        report.writeRemarks()
        if !statement {
            format.print(report.lines, json: report.json)
        } else if report.status == .done {
            // A part of it would be published as if it were all.
            StandardOutput.print([report.statement(try report.package(given: package))])
        }
        if report.status != .done { throw report.status.code }
    }
}

/// Reads files one after another, and asks for a password at most once.
struct FingerprintReader {
    private var passwords: PasswordProvider

    init(_ passwords: PasswordProvider) { self.passwords = passwords }

    mutating func read(_ argument: String) -> FingerprintReport.File {
        let path = InputFile.name(argument)
        let result = Result { () throws(SignatureError) in try content(argument, path) }
        return FingerprintReport.File(argument: argument, content: result)
    }

    private mutating func content(_ argument: String, _ path: String) throws(SignatureError) -> SignerFile {
        let file: RandomAccessFile
        do throws(SystemError) {
            file =
                argument == "-"
                ? try RandomAccessFile(standardInput: SignerFile.maximumPipe)
                : try RandomAccessFile(RawPath(argument: argument), pipeLimit: SignerFile.maximumPipe)
        } catch {
            throw SignatureError(error)
        }
        do throws(SignatureError) {
            return try SignerFile.read(file, path: argument == "-" ? "-" : path, password: passwords.password)
        } catch {
            guard error.code == .wrongPassword, passwords.password == nil, passwords.ask(for: path) else { throw error }
        }
        return try SignerFile.read(file, path: argument == "-" ? "-" : path, password: passwords.password)
    }
}
