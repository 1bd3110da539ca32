import PushSamples

/// A PKCS #12 file whose inside is changed before it is encrypted and its MAC is made: what is changed outside never gets
/// past the MAC.
struct MutableContainer {
    private let file: SamplePKCS12
    /// The file itself.
    let bytes: [UInt8]
    /// The elements of each part that is encrypted or plain, and the encryption.
    private let parts: [(nodes: [DERNode], encryption: SampleEncryption?)]
    private let safe: [DERNode]

    init(_ file: SamplePKCS12) throws {
        self.file = file
        bytes = try file.der()
        parts = try file.parts.compactMap { part in
            switch part {
            case .plain(let bags): (try Self.nodes(bags), nil)
            case .encrypted(let bags, let encryption): (try Self.nodes(bags), encryption)
            case .plainBytes, .encryptedBytes, .raw: nil
            }
        }
        let content = DER.elements(of: DER.content(of: bytes) ?? [])
        // PFX, ContentInfo, [0], OCTET STRING.
        let octets = content.dropFirst().first.flatMap { DER.content(of: $0) }.map(DER.elements)?.last
        safe =
            octets.flatMap { DER.content(of: $0) }.flatMap { DER.content(of: $0) }.flatMap { DERNode.parse($0[...]) }
            ?? []
    }

    /// Other content in one of the parts, or another authenticated safe.
    func changed(_ mutator: DERMutator, _ random: inout SplitMix64) throws -> [UInt8] {
        var copy = file
        if random.chance(30) || parts.isEmpty {
            var nodes = safe
            mutator.mutate(&nodes, &random)
            copy.authenticatedSafe = DERNode.bytes(nodes)
        } else {
            var parts = parts
            let place = random.number(0...parts.count - 1)
            for _ in 0..<random.number(1...3) { mutator.mutate(&parts[place].nodes, &random) }
            copy.parts = parts.map { part in
                let bytes = DERNode.bytes(part.nodes)
                return part.encryption.map { .encryptedBytes(bytes, $0) } ?? .plainBytes(bytes)
            }
        }
        if random.chance(10) { copy.isIndefinite = true }
        if random.chance(20) { copy.mac = nil }
        return try copy.der()
    }

    private static func nodes(_ bags: [SampleBag]) throws -> [DERNode] {
        DERNode.parse(try SamplePKCS12.safeContents(bags)[...]) ?? []
    }
}
