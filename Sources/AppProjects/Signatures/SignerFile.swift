internal import Glibc
package import OpenSSL
package import SystemSupport

/// A file that says who signs an Android app: an APK, an app bundle or a JAR, a keystore, or certificates
/// (android.md, section 8).
///
/// The certificates are those that the file names. Whether its signature is valid is not verified.
package struct SignerFile: Sendable {
    /// The kind of a file, by its content.
    package enum Kind: String, Sendable, CaseIterable {
        case apk, aab, jar, pkcs12, certificate
    }

    /// The reason why the fingerprint of a file may not be the one of the app that people install.
    package enum Hint: String, Sendable, CaseIterable {
        /// Google Play signs the app again, with another key.
        case uploadKey = "upload-key"
        /// The certificate is one for development.
        case debugKey = "debug-key"
    }

    package let kind: Kind
    /// The signers first, then earlier certificates of their lineage, then those of older schemes; each certificate once.
    package let certificates: [SigningCertificate]
    /// The name of the app, as in the compiled manifest of an APK; nil if the file does not say it.
    package let package: String?

    init(kind: Kind, certificates: [SigningCertificate], package: String? = nil) {
        (self.kind, self.certificates, self.package) = (kind, certificates, package)
    }

    /// The certificates that the current systems see.
    package var signers: [SigningCertificate] { certificates.filter { $0.role == .signer } }

    /// The certificates of which an `assetlinks.json` has to list one, for each group of systems that sees others.
    package var identities: [SignerIdentity] {
        let hybrid = signers.filter { $0.scheme == .v32 }
        let others = certificates.filter { $0.scheme != .v32 && $0.role != .olderScheme }
        // Whether earlier certificates count after a change to v3.2 is not documented, so its own has to be listed.
        let groups = [(hybrid, "Android 17 and later"), (others, "systems before Android 17")]
        return groups.compactMap { certificates, systems in
            guard let first = certificates.first else { return nil }
            return SignerIdentity(
                fingerprint: first.sha256, accepted: Set(certificates.map(\.sha256)),
                systems: hybrid.isEmpty ? nil : systems)
        }
    }

    package var hint: Hint? {
        if signers.contains(where: \.isForDebugging) { return .debugKey }
        return kind == .aab ? .uploadKey : nil
    }
}

/// The certificates by which a group of systems knows an app.
package struct SignerIdentity: Sendable, Equatable {
    /// The fingerprint of the newest one.
    package let fingerprint: String
    /// The fingerprints of which one suffices: of all signers, and of those before a rotation of the key.
    package let accepted: Set<String>
    /// The systems, as in a sentence; nil if they are all.
    package let systems: String?
}

/// A certificate with which an app is signed, or was.
package struct SigningCertificate: Sendable, Equatable {
    /// The meaning that a certificate has for the systems on which the app is installed.
    package enum Role: String, Sendable, CaseIterable {
        /// It is the one of the newest scheme, or of a file that is not signed itself.
        case signer
        /// The app was signed with it before its key was rotated.
        case lineage
        /// Only systems that do not know the newest scheme see it.
        case olderScheme = "older-scheme"
    }

    /// A way in which an archive is signed.
    package enum Scheme: String, Sendable, CaseIterable {
        case v1, v2, v3
        case v31 = "v3.1"
        /// One with two signers, a classical and a post-quantum one.
        case v32 = "v3.2"
    }

    /// The fingerprint as `assetlinks.json` has it: 32 upper-case pairs with colons.
    package let sha256: String
    package let role: Role
    /// Nil for a keystore and for certificates.
    package let scheme: Scheme?
    /// As RFC 4514 writes it, like `CN=Android Debug,O=Android,C=US`.
    package let subject: String
    /// Seconds since 1970.
    package let notAfter: Int64
    /// Whether it is made by Android's tools for development, or its private key is public.
    package let isForDebugging: Bool
}

extension SignerFile {
    /// Larger files are not read.
    package static let maximumSize = 4 << 30

    /// The most bytes that are read of a pipe.
    package static let maximumPipe = 64 << 20

    /// Reads the certificates of a file. Of an archive only those parts are read that are about its signature.
    ///
    /// - Parameters:
    ///   - path: A regular file or a pipe.
    ///   - password: Of a keystore; no password, and the public one of debug keystores, are tried, too.
    package static func read(_ path: RawPath, password: SecretBytes? = nil) throws(SignatureError) -> SignerFile {
        let file: RandomAccessFile
        do throws(SystemError) {
            file = try RandomAccessFile(path, pipeLimit: maximumPipe)
        } catch {
            throw SignatureError(error)
        }
        return try read(file, path: path.shown, password: password)
    }

    /// Reads the certificates of an open file.
    ///
    /// - Parameters:
    ///   - path: The name of the file in advice.
    ///   - password: Of a keystore; no password, and the public one of debug keystores, are tried, too.
    package static func read(
        _ file: RandomAccessFile, path: String, password: SecretBytes? = nil
    ) throws(SignatureError) -> SignerFile {
        try SignerFileReader(file: file, path: path).read(password: password)
    }
}

/// Why there are no certificates to be had from a file.
package struct SignatureError: Error, Sendable, Equatable {
    package enum Code: String, Sendable, CaseIterable {
        /// It is something else, or has no certificate that signs anything.
        case notACertificate = "not-a-certificate"
        /// It is an archive without a signature.
        case unsigned
        case corrupt
        /// A keystore of a kind, or with an encryption, that is not read.
        case unsupportedKeystore = "unsupported-keystore"
        /// No password was given and it needs one, or the one that was given is wrong.
        case wrongPassword = "wrong-password"
        case tooLarge = "too-large"
        case notFound = "not-found"
        /// The system does not give the content.
        case unreadable
        /// A library that is opened when it is first needed is not on this machine.
        case missingLibrary = "missing-library"
    }

    package let code: Code
    /// One clause, lower case, without a full stop.
    package let message: String
    package let help: String?
    /// The kind of the file, as far as it is known.
    package internal(set) var kind: SignerFile.Kind?

    package init(_ code: Code, _ message: String, help: String? = nil, kind: SignerFile.Kind? = nil) {
        self.code = code
        self.message = message
        self.help = help
        self.kind = kind
    }

    /// The error of a file that the system does not give; its message is the reason alone.
    package init(_ error: SystemError) {
        let isMissing = error.number == ENOENT || error.number == ENOTDIR
        self.init(isMissing ? .notFound : .unreadable, error.reason)
    }
}
