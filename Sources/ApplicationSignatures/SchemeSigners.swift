/// The signers of one scheme: the certificate of each, and those that it had before.
struct SchemeSigners {
    /// In DER.
    private(set) var certificates: [[UInt8]]
    /// The certificates of a proof of rotation, the oldest first. The newest is the one of the signer itself.
    private(set) var lineage: [[UInt8]]

    static let maximumSigners = 10
    /// The most certificates in all proofs of rotation of a scheme.
    private let maximumLineage: Int

    /// The attribute with the proof of rotation (source.android.com, "APK Signature Scheme v3").
    private static let proofOfRotation = 0x3BA0_6F8C

    init(certificates: [[UInt8]], lineage: [[UInt8]], maximumLineage: Int = 16) {
        (self.certificates, self.lineage, self.maximumLineage) = (certificates, lineage, maximumLineage)
    }

    /// Reads the block of a scheme.
    init(_ value: ArraySlice<UInt8>, _ scheme: SigningCertificate.Scheme) throws(SignatureError) {
        // Both signers of a hybrid block have the whole lineage.
        self.init(certificates: [], lineage: [], maximumLineage: scheme == .v32 ? 32 : 16)
        do throws(Failure) {
            try read(value, hasVersions: scheme != .v2)
        } catch {
            switch error {
            case .damaged(let reason):
                throw SignatureError(
                    .corrupt, "the \(scheme.rawValue) signature is damaged: \(reason)", help: SignatureError.again)
            case .tooManySigners: throw Self.tooMany(scheme)
            case .tooLongLineage:
                throw SignatureError(
                    .tooLarge,
                    "the lineage of the \(scheme.rawValue) signature has more than \(maximumLineage) entries")
            }
        }
    }

    static func tooMany(_ scheme: SigningCertificate.Scheme) -> SignatureError {
        SignatureError(.tooLarge, "the \(scheme.rawValue) signature has more than \(maximumSigners) signers")
    }

    private enum Failure: Error {
        case damaged(String)
        case tooManySigners
        case tooLongLineage
    }

    /// - Parameter hasVersions: Whether the range of systems follows the certificates, as it does since v3.
    private mutating func read(_ value: ArraySlice<UInt8>, hasVersions: Bool) throws(Failure) {
        var outside = BlockReader(value)
        var signers = try Self.inside { () throws(BlockReader.Failure) in try outside.block() }
        while !signers.isAtEnd {
            guard certificates.count < Self.maximumSigners else { throw .tooManySigners }
            var signedData = try Self.inside { () throws(BlockReader.Failure) in
                var signer = try signers.block()
                return try signer.block()
            }
            var attributes = try Self.inside { () throws(BlockReader.Failure) in
                _ = try signedData.block()
                certificates.append(contentsOf: try Self.firstBlock(of: try signedData.block()))
                if hasVersions { _ = (try signedData.number32(), try signedData.number32()) }
                return try signedData.block()
            }
            while !attributes.isAtEnd {
                var attribute = try Self.inside { () throws(BlockReader.Failure) in try attributes.block() }
                let identifier = try Self.inside { () throws(BlockReader.Failure) in try attribute.number32() }
                if hasVersions, identifier == Self.proofOfRotation { try readLineage(attribute) }
            }
        }
        guard !certificates.isEmpty else { throw .damaged("it has no signer") }
    }

    private mutating func readLineage(_ proof: BlockReader) throws(Failure) {
        var proof = proof
        // The version, of which there is only one.
        _ = try Self.inside { () throws(BlockReader.Failure) in try proof.number32() }
        while !proof.isAtEnd {
            guard lineage.count < maximumLineage else { throw .tooLongLineage }
            let certificate = try Self.inside { () throws(BlockReader.Failure) in
                var node = try proof.block()
                var signedData = try node.block()
                return Array(try signedData.block().rest)
            }
            lineage.append(certificate)
        }
    }

    /// The first of the blocks in a block, of which all are walked over.
    private static func firstBlock(of blocks: BlockReader) throws(BlockReader.Failure) -> [[UInt8]] {
        var blocks = blocks
        let first = Array(try blocks.block().rest)
        while !blocks.isAtEnd { _ = try blocks.block() }
        return [first]
    }

    private static func inside<Value>(_ body: () throws(BlockReader.Failure) -> Value) throws(Failure) -> Value {
        do throws(BlockReader.Failure) {
            return try body()
        } catch {
            throw .damaged("a length in it is larger than what contains it")
        }
    }
}
