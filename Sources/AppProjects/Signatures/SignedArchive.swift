internal import OpenSSL
internal import SystemSupport

/// An APK, an app bundle or a JAR: a zip archive, and the schemes by which it is signed.
struct SignedArchive {
    private let file: RandomAccessFile
    private let archive: ZipArchive
    private let names: ArchiveNames

    /// The largest directory of an archive, in bytes.
    static let maximumDirectory = 64 << 20

    init(_ file: RandomAccessFile) throws(SignatureError) {
        let archive = try SignatureError.readingArchive { () throws(ZipError) in
            try ZipArchive(file, maximumDirectory: Self.maximumDirectory)
        }
        // Systems do not install such an APK either, and would read other parts of it than these.
        guard archive.prefixCount == 0 else {
            throw SignatureError(
                .corrupt, "the archive is damaged: its directory is not where its end says", help: SignatureError.again)
        }
        self.file = file
        self.archive = archive
        names = ArchiveNames(archive)
    }

    func read(_ context: LibraryContext) throws(SignatureError) -> SignerFile {
        var kind = names.kind
        do throws(SignatureError) {
            var schemes: [SigningCertificate.Scheme: SchemeSigners] = [:]
            if let block = try SigningBlock(before: archive.directoryStart, of: file) {
                if kind == .jar { kind = .apk }
                for (scheme, value) in block.schemes { schemes[scheme] = try SchemeSigners(value, scheme) }
            }
            schemes[.v1] = try JARSignature(archive, names).signers()
            guard !schemes.isEmpty else { throw unsigned(kind) }
            return SignerFile(
                kind: kind, certificates: try Self.certificates(schemes, context),
                package: kind == .apk ? names.manifestIndex.flatMap(package) : nil)
        } catch {
            var error = error
            error.kind = kind
            throw error
        }
    }

    /// Those of the newest scheme first: it is the one that systems use.
    private static func certificates(
        _ schemes: [SigningCertificate.Scheme: SchemeSigners], _ context: LibraryContext
    ) throws(SignatureError) -> [SigningCertificate] {
        var list = CertificateList()
        // Only Android 17 and later know v3.2; the others take the newest scheme besides.
        let hybrid = try schemes[.v32].map { signers throws(SignatureError) in try HybridSigners(signers, context) }
        for certificate in hybrid?.postQuantum ?? [] { list.add(certificate, .signer, .v32) }
        let present = SigningCertificate.Scheme.allCases.reversed().filter { $0 != .v32 && schemes[$0] != nil }
        // Beside v3.1, which Android 13 introduced, v3 is still the newest that many systems know.
        let current = present.first == .v31 ? present.filter { $0 == .v31 || $0 == .v3 } : Array(present.prefix(1))
        for scheme in current { try list.add(schemes[scheme]?.certificates ?? [], .signer, scheme, context) }
        for scheme in current { try list.add(schemes[scheme]?.lineage ?? [], .lineage, scheme, context) }
        // After those that older systems see, too: what is left is known to Android 17 alone.
        try list.add(schemes[.v32]?.lineage ?? [], .lineage, .v32, context)
        for certificate in hybrid?.classical ?? [] { list.add(certificate, .lineage, .v32) }
        for scheme in present where !current.contains(scheme) {
            try list.add(schemes[scheme]?.certificates ?? [], .olderScheme, scheme, context)
        }
        return list.certificates
    }

    /// The name of the app in its manifest; nil if that is not a compiled one that says it.
    private func package(_ manifest: Int) -> String? {
        guard let content = try? archive.read(manifest, limit: CompiledManifest.maximumSize) else { return nil }
        return CompiledManifest.package(in: content)
    }

    private func unsigned(_ kind: SignerFile.Kind) -> SignatureError {
        if names.hasApplications {
            return SignatureError(
                .unsigned, "the archive is not signed itself, but contains APKs", help: "extract an APK, and name that")
        }
        return switch kind {
        case .apk:
            SignatureError(.unsigned, "the APK is not signed", help: "sign it with apksigner, or name the keystore")
        case .aab:
            SignatureError(
                .unsigned, "the app bundle is not signed",
                help: "take the fingerprint from Play Console, App integrity, or name an APK that Play has signed")
        default: SignatureError(.unsigned, "the archive is not signed", help: SignatureError.expected)
        }
    }
}

/// The names in an archive that say what it is, and how it is signed.
struct ArchiveNames {
    /// The entries that hold a signature of a JAR, or tell what is signed, by the name that they share.
    struct JARSignatureFile {
        /// In upper case, without the folder and the extension.
        let name: [UInt8]
        let index: Int
        /// Whether it is what is signed (`.SF`), and not the signature.
        let isManifest: Bool
    }

    private(set) var signatureFiles: [JARSignatureFile] = []
    private(set) var hasApplications = false
    private(set) var manifestIndex: Int?
    private var hasBundleConfiguration = false

    /// A system sees an app in what has a manifest, whatever else there is.
    var kind: SignerFile.Kind { manifestIndex != nil ? .apk : hasBundleConfiguration ? .aab : .jar }

    private static let manifest = Array("AndroidManifest.xml".utf8)
    private static let bundleConfiguration = Array("BundleConfig.pb".utf8)
    private static let application = Array(".apk".utf8)
    private static let signatureFolder = Array("META-INF/".utf8)
    private static let signatures = [".RSA", ".DSA", ".EC"].map { Array($0.utf8) }
    private static let signedManifest = Array(".SF".utf8)

    init(_ archive: ZipArchive) {
        let indices = archive.indices { name in
            switch name.first {
            case UInt8(ascii: "A"): if name.elementsEqual(Self.manifest) { return true }
            case UInt8(ascii: "B"): if name.elementsEqual(Self.bundleConfiguration) { hasBundleConfiguration = true }
            case UInt8(ascii: "M"), UInt8(ascii: "m"): return true
            default: break
            }
            if name.last == UInt8(ascii: "k"), name.suffix(4).elementsEqual(Self.application) { hasApplications = true }
            return false
        }
        for index in indices { add(archive.name(index) ?? [], index) }
    }

    private mutating func add(_ name: [UInt8], _ index: Int) {
        if name == Self.manifest { manifestIndex = manifestIndex ?? index }
        // Java compares these names without case.
        let name = name.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 & 0xDF : $0 }
        guard name.starts(with: Self.signatureFolder) else { return }
        let file = name.dropFirst(Self.signatureFolder.count)
        guard !file.contains(UInt8(ascii: "/")) else { return }
        for (end, isManifest) in Self.signatures.map({ ($0, false) }) + [(Self.signedManifest, true)]
        where file.count > end.count && file.suffix(end.count).elementsEqual(end) {
            signatureFiles.append(
                JARSignatureFile(name: Array(file.dropLast(end.count)), index: index, isManifest: isManifest))
        }
    }
}
