/// The signers of one scheme: the certificate of each, and those that it had before.
struct SchemeSigners {
    /// In DER.
    private(set) var certificates: [[UInt8]]
    /// The certificates of a proof of rotation, the oldest first. The newest is the one of the signer itself.
    private(set) var lineage: [[UInt8]]

    static let maximumSigners = 10
    /// The attribute with the proof of rotation (source.android.com, "APK Signature Scheme v3").
    private static let proofOfRotation = 0x3BA0_6F8C

    init(certificates: [[UInt8]], lineage: [[UInt8]]) {
        (self.certificates, self.lineage) = (certificates, lineage)
    }

    /// Reads the block of a scheme.
    init(_ value: ArraySlice<UInt8>, _ scheme: SigningCertificate.Scheme) throws(SignatureError) {
        self.init(certificates: [], lineage: [])
        let name = "the \(scheme.rawValue) signature"
        // Since v3 the range of systems follows the certificates.
        let hasVersions = scheme != .v2
        var outside = BlockReader(value, of: name)
        var signers = try outside.block()
        while !signers.isAtEnd {
            guard certificates.count < Self.maximumSigners else { throw Self.tooMany(scheme) }
            var signer = try signers.block()
            var signedData = try signer.block()
            _ = try signedData.block()
            certificates.append(try Self.firstBlock(of: try signedData.block()))
            if hasVersions { _ = (try signedData.number32(), try signedData.number32()) }
            var attributes = try signedData.block()
            while !attributes.isAtEnd {
                var attribute = try attributes.block()
                let identifier = try attribute.number32()
                if hasVersions, identifier == Self.proofOfRotation { try readLineage(attribute, scheme) }
            }
        }
        guard !certificates.isEmpty else { throw .damaged(name, "it has no signer") }
    }

    static func tooMany(_ scheme: SigningCertificate.Scheme) -> SignatureError {
        SignatureError(.tooLarge, "the \(scheme.rawValue) signature has more than \(maximumSigners) signers")
    }

    private mutating func readLineage(
        _ proof: BlockReader, _ scheme: SigningCertificate.Scheme
    ) throws(SignatureError) {
        // The most certificates in all proofs of rotation; both signers of a hybrid block have the whole lineage.
        let maxCertificates = scheme == .v32 ? 32 : 16
        var proof = proof
        // The version, of which there is only one.
        _ = try proof.number32()
        while !proof.isAtEnd {
            guard lineage.count < maxCertificates else {
                throw SignatureError(
                    .tooLarge,
                    "the lineage of the \(scheme.rawValue) signature has more than \(maxCertificates) entries")
            }
            var node = try proof.block()
            var signedData = try node.block()
            lineage.append(Array(try signedData.block().rest))
        }
    }

    /// The first of the blocks in a block, of which all are walked over.
    private static func firstBlock(of blocks: BlockReader) throws(SignatureError) -> [UInt8] {
        var blocks = blocks
        let first = Array(try blocks.block().rest)
        while !blocks.isAtEnd { _ = try blocks.block() }
        return first
    }
}
