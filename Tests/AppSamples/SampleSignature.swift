public import PushSamples

/// The signing block of an APK (source.android.com, "APK Signature Scheme v2").
public struct SampleSigningBlock: Sendable {
    public static let (v2, v3, v31, v32) = (0x7109_871A, 0xF053_68C0, 0x1B93_AD61, 0x70E1_C89F)
    /// Fills a block up to whole pages, as apksigner does.
    public static let padding = 0x4272_6577

    public var pairs: [(identifier: Int, value: [UInt8])] = []
    /// Stand in for the sizes at the beginning and at the end.
    public var (firstSize, lastSize): (Int?, Int?)
    /// Stands in for the pairs.
    public var content: [UInt8]?

    public init(_ pairs: [(identifier: Int, value: [UInt8])] = []) { self.pairs = pairs }

    public var bytes: [UInt8] {
        let content =
            content
            ?? pairs.flatMap { pair in
                SampleArchive.little(pair.value.count + 4, 8) + SampleArchive.little(pair.identifier, 4) + pair.value
            }
        let size = content.count + 24
        return SampleArchive.little(firstSize ?? size, 8) + content + SampleArchive.little(lastSize ?? size, 8)
            + Array("APK Sig Block 42".utf8)
    }

    /// The archive with the block before its directory.
    ///
    /// - Parameter archive: Without a comment.
    public func inserted(into archive: [UInt8]) -> [UInt8] {
        let offset = archive.count - 6
        let directory = (0..<4).reduce(0) { $0 | Int(archive[offset + $1]) << (8 * $1) }
        var result = Array(archive[..<directory]) + bytes + archive[directory...]
        let moved = SampleArchive.little(directory + bytes.count, 4)
        result.replaceSubrange(result.count - 6..<result.count - 2, with: moved)
        return result
    }
}

/// The contents of blocks of signature schemes, and the signatures of JARs.
public enum SampleSignature {
    /// Bytes after their length.
    public static func prefixed(_ bytes: [UInt8]) -> [UInt8] { SampleArchive.little(bytes.count, 4) + bytes }

    /// The block of a scheme with its signers.
    public static func scheme(_ signers: [[UInt8]]) -> [UInt8] { prefixed(signers.flatMap(prefixed)) }

    /// A signer of v2.
    ///
    /// - Parameter certificates: In DER; the first one is the signer's.
    public static func signer(_ certificates: [[UInt8]]) -> [UInt8] {
        signer(prefixed([]) + prefixed(certificates.flatMap(prefixed)) + prefixed([]))
    }

    /// A signer of v3, v3.1 and v3.2.
    ///
    /// - Parameter minimum: The oldest system that it is for.
    public static func rotatingSigner(
        _ certificates: [[UInt8]], lineage: [[UInt8]] = [], minimum: Int = 28
    ) -> [UInt8] {
        let versions = SampleArchive.little(minimum, 4) + SampleArchive.little(Int(Int32.max), 4)
        let proof = lineage.isEmpty ? [] : prefixed(SampleArchive.little(0x3BA0_6F8C, 4) + proofOfRotation(lineage))
        return signer(prefixed([]) + prefixed(certificates.flatMap(prefixed)) + versions + prefixed(proof))
    }

    /// Signed data, a signature and a key.
    private static func signer(_ signedData: [UInt8]) -> [UInt8] {
        prefixed(signedData) + prefixed([1, 2, 3]) + prefixed([4, 5])
    }

    /// The certificates from the oldest to the newest.
    public static func proofOfRotation(_ lineage: [[UInt8]]) -> [UInt8] {
        SampleArchive.little(1, 4)
            + lineage.flatMap { certificate in
                let signedData = prefixed(certificate) + SampleArchive.little(0x103, 4)
                return prefixed(
                    prefixed(signedData) + SampleArchive.little(0, 4) + SampleArchive.little(0x103, 4)
                        + prefixed([1, 2, 3, 4]))
            }
    }

    /// Detached signed data (RFC 2315), whose signatures nobody has made.
    ///
    /// - Parameter enclosed: The certificates in it; nil for those of the signers.
    public static func pkcs7(
        _ signers: [SampleCertificate], enclosing enclosed: [SampleCertificate]? = nil
    ) throws -> [UInt8] {
        let digest = DER.sequence(DER.oid("2.16.840.1.101.3.4.2.1"), DER.null)
        let algorithm = DER.sequence(DER.oid("1.2.840.10045.4.3.2"))
        let infos = signers.map { signer in
            DER.sequence(
                DER.integer(1),
                DER.sequence((signer.issuer?.name ?? signer.subject).der, DER.element(0x02, signer.serial)), digest,
                algorithm, DER.octets([1, 2, 3, 4]))
        }
        let certificates = try (enclosed ?? signers).flatMap { try $0.der() }
        let signedData = DER.sequence(
            DER.integer(1), DER.set(digest), DER.sequence(DER.oid("1.2.840.113549.1.7.1")),
            DER.tagged(0, certificates), DER.set(of: infos))
        return DER.sequence(DER.oid("1.2.840.113549.1.7.2"), DER.tagged(0, signedData))
    }

    /// A certificate as developers make them for their apps, always the same for a number: nobody verifies its signature.
    ///
    /// - Parameter number: Others have other certificates.
    public static func certificate(_ number: Int = 1, name: String? = nil) -> SampleCertificate {
        SampleCertificate(
            subject: [.country("DE"), .organization("Example"), .commonName(name ?? "Release \(number)")], issuer: nil,
            notBefore: 1_700_000_000, notAfter: 2_540_592_000, key: .p256(200 + number)
        ).with { $0.signature = [0x30, 6, 2, 1, 1, 2, 1, 1] }
    }

    /// The same with a key of ML-DSA, which OpenSSL 3.0 does not know.
    ///
    /// - Parameter parameters: The last number of the algorithm's identifier: 17 to 19 for ML-DSA-44, 65 and 87.
    public static func postQuantumCertificate(_ number: Int = 1, parameters: Int = 18) -> SampleCertificate {
        let algorithm = DER.sequence(DER.oid("2.16.840.1.101.3.4.3.\(parameters)"))
        let keyCount = [17: 1_312, 19: 2_592][parameters] ?? 1_952
        return certificate(number, name: "Hybrid \(number)").with {
            $0.publicKeyInfo = DER.sequence(algorithm, DER.bits([UInt8](repeating: UInt8(number), count: keyCount)))
            $0.signatureAlgorithm = algorithm
            $0.signature = [UInt8](repeating: 7, count: 3_309)
        }
    }

    /// The signers of v3.2: the first certificate of each is its own.
    public static func hybrid(_ signers: [[UInt8]]..., ancestors: [[UInt8]] = []) -> [UInt8] {
        scheme(
            signers.map { certificates in
                let lineage = ancestors.isEmpty ? [] : ancestors + certificates.prefix(1)
                return rotatingSigner(certificates, lineage: lineage, minimum: 37)
            })
    }

    /// A compiled manifest (`ResourceTypes.h`) of an app.
    ///
    /// - Parameters:
    ///   - isUTF8: Whether its strings are in UTF-8, and not in UTF-16.
    ///   - isTyped: Whether the name is only in the typed value of its attribute.
    public static func manifest(_ package: String, isUTF8: Bool = false, isTyped: Bool = false) -> [UInt8] {
        func little(_ numbers: [Int], _ size: Int = 4) -> [UInt8] { numbers.flatMap { SampleArchive.little($0, size) } }
        func chunk(_ type: Int, header: [UInt8], _ content: [UInt8] = []) -> [UInt8] {
            little([type, 8 + header.count], 2) + little([8 + header.count + content.count]) + header + content
        }
        var strings: [UInt8] = []
        var offsets: [Int] = []
        for text in ["versionCode", "manifest", "package", package] {
            offsets.append(strings.count)
            let count = text.utf8.count
            strings +=
                isUTF8
                ? [UInt8(count), UInt8(count)] + text.utf8 + [0] : little([count] + text.utf8.map(Int.init) + [0], 2)
        }
        let pool = chunk(
            1, header: little([offsets.count, 0, isUTF8 ? 0x100 : 0, 28 + 4 * offsets.count, 0]),
            little(offsets) + strings)
        let none = 0xFFFF_FFFF
        let version = little([none, 0, none, 0x1000_0008, 42])
        let name = little([none, 2, isTyped ? none : 3, 0x0300_0008, 3])
        let element = little([none, 1]) + little([20, 20, 2, 0, 0, 0], 2) + version + name
        let tag = chunk(0x102, header: little([2, none]), element)
        return chunk(3, header: [], pool + chunk(0x180, header: [], little([0x0101_021B])) + tag)
    }

    /// An archive with what makes it an app, and with the signature of a JAR if there are signers.
    public static func application(
        _ signers: [SampleCertificate] = [], manifest: [UInt8] = [3, 0, 8, 0]
    ) throws -> SampleArchive {
        var archive = SampleArchive()
        archive.add("AndroidManifest.xml", manifest)
        archive.add("classes.dex", .zeros(1_000))
        try addSignature(of: signers, to: &archive)
        return archive
    }

    public static func addSignature(of signers: [SampleCertificate], to archive: inout SampleArchive) throws {
        guard !signers.isEmpty else { return }
        archive.add("META-INF/MANIFEST.MF", Array("Manifest-Version: 1.0\n".utf8))
        archive.add("META-INF/CERT.SF", Array("Signature-Version: 1.0\n".utf8))
        archive.add("META-INF/CERT.EC", try pkcs7(signers))
    }
}
