import PushSamples

/// Makes files that are almost right.
struct CertificateInputs {
    private let certificates: [[UInt8]]
    private let trees: [[DERNode]]
    private let containers: [MutableContainer]
    private let containerTrees: [[DERNode]]
    private let texts: [[UInt8]]
    private let all: [[UInt8]]
    private let mutator: DERMutator

    /// - Parameter files: More to start from.
    init(files: [[UInt8]]) throws {
        let seeds = try CertificateSeeds()
        certificates = seeds.certificates
        containers = try seeds.containers.map(MutableContainer.init)
        texts = seeds.texts + files
        let bytes = containers.map(\.bytes)
        all = certificates + texts + bytes
        trees = certificates.compactMap { DERNode.parse($0[...]) }
        containerTrees = (bytes + files).compactMap { DERNode.parse($0[...]) }.filter { !$0.isEmpty }
        // All elements of some files: whole certificates, names, extensions, dates.
        mutator = DERMutator(donors: (trees.prefix(3) + containerTrees.prefix(3)).flatMap { Self.flattened($0) })
    }

    private static func flattened(_ nodes: [DERNode]) -> [DERNode] {
        nodes.flatMap { node in
            guard case .nodes(let inner, _) = node.content else { return [node] }
            return [node] + flattened(inner)
        }
    }

    func next(_ random: inout SplitMix64) throws -> [UInt8] {
        switch random.number(0...99) {
        case 0..<35: return wrapped(changed(random.pick(trees), &random), &random)
        case 35..<50: return changed(random.pick(containerTrees), &random)
        case 50..<75: return try random.pick(containers).changed(mutator, &random)
        case 75..<88: return spoilt(random.pick(texts), &random)
        default: return spoilt(random.pick(all), &random)
        }
    }

    private func changed(_ tree: [DERNode], _ random: inout SplitMix64) -> [UInt8] {
        var nodes = tree
        let isGentle = random.chance(40)
        for _ in 0..<random.pick([1, 1, 1, 2, 3, 6]) { mutator.mutate(&nodes, isGentle: isGentle, &random) }
        return DERNode.bytes(nodes)
    }

    private func spoilt(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<random.number(0...4) { ByteMutator.mutate(&bytes, others: all, &random) }
        return bytes
    }

    /// As PEM, as base64, among others, or as it is.
    private func wrapped(_ der: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        switch random.number(0...9) {
        case 0: return Array(SamplePEM.block("CERTIFICATE", der).utf8)
        case 1: return Array(SamplePEM.block("CERTIFICATE", der).utf8) + random.pick(texts)
        case 2: return Array(SamplePEM.base64(der).utf8)
        case 3: return der + random.pick([[0x0A], [0], [0x30], [UInt8](repeating: 0x20, count: 50)])
        default: return der
        }
    }
}
