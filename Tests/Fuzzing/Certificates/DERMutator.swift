import FuzzingSupport
import PushSamples

/// Changes elements of DER so that everything around them stays right.
struct DERMutator {
    /// Elements of other files, to be put in.
    let donors: [DERNode]

    /// - Parameter isGentle: Only values are changed, so that more of it can be read.
    func mutate(_ nodes: inout [DERNode], isGentle: Bool = false, _ random: inout SplitMix64) {
        let count = DERNode.count(nodes)
        guard count > 0 else { return }
        let number = random.number(0...count - 1)
        // A copy, as the closure below may not use the parameter.
        var generator = random
        DERNode.edit(&nodes, at: number) { list, place in
            guard isGentle else { return change(&list, place, &generator) }
            if case .octets = list[place].content { changeContent(of: &list[place], &generator) }
        }
        random = generator
    }

    private func change(_ list: inout [DERNode], _ place: Int, _ random: inout SplitMix64) {
        switch random.number(0...15) {
        case 0: list[place].tag = random.chance(50) ? random.pick(Self.tags) : random.byte()
        case 1: list[place].tag ^= random.pick([0x20, 0x40, 0x80, 0x01])
        case 2: list[place].length = length(&random)
        case 3: list.remove(at: place)
        case 4: list.insert(contentsOf: repeatElement(list[place], count: random.pick([1, 1, 2, 9, 40])), at: place)
        case 5: list.swapAt(place, random.number(0...list.count - 1))
        case 6: list[place] = random.pick(donors)
        case 7: list.insert(random.pick(donors), at: place)
        case 8: nest(&list[place], &random)
        default: changeContent(of: &list[place], &random)
        }
    }

    private func length(_ random: inout SplitMix64) -> DERNode.Length {
        switch random.number(0...3) {
        case 0: .indefinite
        case 1: .long(random.pick([1, 2, 4, 5, 8, 9, 20, 126]))
        default: .literal(random.pick(Self.lengths))
        }
    }

    private func nest(_ node: inout DERNode, _ random: inout SplitMix64) {
        let depth = random.pick([1, 2, 7, 8, 9, 30, 70, 300])
        let kind = random.number(0...4)
        for _ in 0..<depth {
            switch kind {
            case 0: node = DERNode(tag: 0x30, nodes: [node])
            case 1:
                node = DERNode(tag: 0x24, nodes: [node])
                node.length = .indefinite
            case 2:
                node = DERNode(tag: 0xA0, nodes: [node])
                node.length = .indefinite
            case 3: node = DERNode(tag: 0x04, nodes: [node])
            // SafeContents in a bag of SafeContents, of a bag.
            default:
                let oid = DERNode(tag: 0x06, octets: DER.content(of: DER.oid("1.2.840.113549.1.12.10.1.6")) ?? [])
                let inner = DERNode(tag: 0xA0, nodes: [DERNode(tag: 0x30, nodes: [node])])
                node = DERNode(tag: 0x30, nodes: [oid, inner])
            }
        }
    }

    private func changeContent(of node: inout DERNode, _ random: inout SplitMix64) {
        guard case .octets(var octets) = node.content else {
            node.content = random.chance(50) ? .nodes([], prefix: []) : .octets(ByteMutator.noise(&random))
            return
        }
        let isMeant = random.chance(70)
        switch node.tag {
        case 0x02 where isMeant: octets = random.pick(Self.integers)
        case 0x06 where isMeant: octets = random.pick(Self.identifiers)
        case 0x17 where isMeant, 0x18 where isMeant:
            octets = Array(random.pick(Self.times).utf8)
            if random.chance(50) { node.tag = 0x18 }
        case _ where isMeant && Self.textTags.contains(node.tag):
            octets = random.pick(Self.texts)
            if random.chance(30) { node.tag = random.pick(Self.textTags) }
        default: ByteMutator.mutate(&octets, others: [], &random)
        }
        node.content = .octets(octets)
    }

    private static let textTags: [UInt8] = [0x0C, 0x13, 0x14, 0x16, 0x1C, 0x1E]

    private static let tags: [UInt8] = [
        0, 1, 2, 3, 4, 5, 6, 0x0C, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1C, 0x1E, 0x24, 0x30, 0x31, 0x80, 0xA0, 0xA1, 0xA3,
        0x1F,
        0x3F, 0x9F, 0xBF, 0xFF,
    ]

    private static let lengths: [[UInt8]] = [
        [0], [1], [0x7F], [0x80], [0xFF], [0x81, 0], [0x81, 0xFF], [0x82, 0xFF, 0xFF], [0x84, 0x7F, 0xFF, 0xFF, 0xFF],
        [0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x88, 0x7F] + [UInt8](repeating: 0xFF, count: 7),
        [0x88] + [UInt8](repeating: 0xFF, count: 8), [0x89, 1] + [UInt8](repeating: 0, count: 8),
        [0xFE] + [UInt8](repeating: 0, count: 126),
    ]

    private static let integers: [[UInt8]] = [
        [], [0], [1], [2], [3], [0x7F], [0x80], [0xFF], [0, 0x80], [0x7F, 0xFF], [0x4C, 0x4B, 0x41],
        [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0, 0xFF, 0xFF, 0xFF, 0xFF], [1, 0, 0, 0, 0], [1, 0, 0, 0, 1],
        [0x7F] + [UInt8](repeating: 0xFF, count: 7), [0x80] + [UInt8](repeating: 0, count: 7),
        [0] + [UInt8](repeating: 0xFF, count: 8), [UInt8](repeating: 0, count: 20),
        [UInt8](repeating: 0x55, count: 200),
    ]

    private static let identifiers: [[UInt8]] =
        [
            [], [0x80], [0xFF], [0x2A, 0x86], [UInt8](repeating: 0xFF, count: 30) + [0x7F],
            [0x2A] + [UInt8](repeating: 1, count: 300), [0x80, 1],
        ]
        + [
            "1.2.840.113549.1.7.1", "1.2.840.113549.1.7.2", "1.2.840.113549.1.7.3", "1.2.840.113549.1.7.6",
            "1.2.840.113549.1.12.10.1.1", "1.2.840.113549.1.12.10.1.2", "1.2.840.113549.1.12.10.1.3",
            "1.2.840.113549.1.12.10.1.4", "1.2.840.113549.1.12.10.1.5", "1.2.840.113549.1.12.10.1.6",
            "1.2.840.113549.1.9.22.1", "1.2.840.113549.1.9.22.2", "1.2.840.113549.1.9.20", "1.2.840.113549.1.9.21",
            "1.2.840.113549.1.12.1.1", "1.2.840.113549.1.12.1.2", "1.2.840.113549.1.12.1.3", "1.2.840.113549.1.12.1.4",
            "1.2.840.113549.1.12.1.5", "1.2.840.113549.1.12.1.6", "1.2.840.113549.1.5.3", "1.2.840.113549.1.5.12",
            "1.2.840.113549.1.5.13", "1.2.840.113549.1.5.14", "1.3.6.1.4.1.11591.4.11", "1.2.840.113549.2.7",
            "1.2.840.113549.2.9", "1.2.840.113549.3.2", "1.2.840.113549.3.4", "1.2.840.113549.3.7",
            "2.16.840.1.101.3.4.1.2", "2.16.840.1.101.3.4.1.6", "2.16.840.1.101.3.4.1.42", "1.3.14.3.2.26",
            "1.2.643.7.1.1.2.2", "2.16.840.1.101.3.4.2.1", "2.16.840.1.101.3.4.2.8", "2.5.4.3", "2.5.4.11",
            "0.9.2342.19200300.100.1.1", "2.5.29.14", "2.5.29.19", "2.5.29.35", "1.2.840.113635.100.6.1.16",
            "1.2.840.113635.100.6.3.1", "1.2.840.113635.100.6.3.2", "1.2.840.113635.100.6.3.4",
            "1.2.840.113635.100.6.3.6", "1.2.840.10045.2.1", "1.2.840.113549.1.1.1", "1.2.840.113549.1.1.10",
            "1.3.101.112",
        ].map { DER.content(of: DER.oid($0)) ?? [] }

    private static let times = [
        "", "Z", "000101000000Z", "491231235959Z", "500101000000Z", "991231235959Z", "00000101000000Z",
        "99991231235959Z", "20260230000000Z", "20261118110640.5Z", "20261118110640+0100", "2026111811Z", "261118110640",
        "-00010101000000Z", "20261318000000Z", "202611181106Z", "999999999999999999999Z",
    ]

    private static let texts: [[UInt8]] =
        [
            "", " ", "|", "a|b", "a\nb", "\r\n", "\t", "\u{0}", "\u{1B}[31mred", "\u{7F}", "\u{85}", "\u{9B}2J",
            "\u{2028}",
            "\u{202E}gpj.exe", "\u{FEFF}", "\"", "\\", "\\\"", "'", ",", ",,", "a,b,,c", "Apple Push Services: ",
            "Apple Push Services: com.example.app", "VoIP Services: x", "Pass Type ID: ", "Website Push ID: web.x",
            "APSP:",
            "APSP:6f9619ff", "web.", "pass.", "com.apple.mgmt.External.", "com.example.app", "com.example.APP", ".voip",
            "日本", "e\u{301}", "\u{E9}", "\u{1F600}", "{\"x\":1}", "# HELP", "days_left=1;2;3;", "</script>",
            String(repeating: "x", count: 300), String(repeating: "日本\n", count: 500),
        ].map { Array($0.utf8) } + [
            [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xD8, 0x00], [0xD8, 0x3D, 0xDE, 0x00], [0, 0, 0],
        ]
}

/// Changes bytes without a thought of what they mean.
enum ByteMutator {
    /// - Parameter others: Files from which pieces are taken.
    static func mutate(_ bytes: inout [UInt8], others: [[UInt8]], _ random: inout SplitMix64) {
        guard !bytes.isEmpty else {
            bytes = noise(&random)
            return
        }
        let start = random.number(0...bytes.count - 1)
        let end = min(bytes.count, start + random.number(0...16))
        switch random.number(0...9) {
        case 0, 1: bytes[start] ^= 1 << random.number(below: 8)
        case 2: bytes[start] = random.pick([0, 1, 0x7F, 0x80, 0xFF, 0x30, 0x0A, 0x2D])
        case 3: bytes[start] = random.byte()
        case 4: bytes.removeSubrange(start..<end)
        case 5: bytes.insert(contentsOf: noise(&random), at: start)
        case 6: bytes.insert(contentsOf: bytes[start..<end], at: random.number(0...bytes.count))
        case 7: bytes.removeSubrange(start...)
        case 8: bytes += noise(&random)
        default:
            guard !others.isEmpty, case let other = random.pick(others), !other.isEmpty else { return }
            let from = random.number(0...other.count - 1)
            bytes.replaceSubrange(start..., with: other[from...])
        }
    }

    static func noise(_ random: inout SplitMix64) -> [UInt8] {
        if random.chance(40) { return Array(random.pick(pieces).utf8) }
        return (0..<random.number(0...20)).map { _ in random.byte() }
    }

    private static let pieces = [
        "\n", "\r\n", " ", "-", "--", "-----", "-----BEGIN ", "-----BEGIN CERTIFICATE-----\n",
        "-----END CERTIFICATE-----\n",
        SamplePEM.begin("PRIVATE KEY"), SamplePEM.end("PRIVATE KEY"), SamplePEM.begin("ENCRYPTED PRIVATE KEY"),
        SamplePEM.begin("EC PRIVATE KEY"), "-----BEGIN TRUSTED CERTIFICATE-----\n",
        "-----BEGIN X509 CERTIFICATE-----\n",
        "-----BEGIN -----\n", "-----BEGIN X\u{1B}-----\n", "-----END -----\n", "Proc-Type: 4,ENCRYPTED\n",
        "DEK-Info: AES-128-CBC,00\n", "DEK-Info: X\n\n", "\u{FEFF}", "=", "==", "====", "AAAA", "MII",
        "<!DOCTYPE html>",
        "<html>", "Bag Attributes\n", "\0", "# x\n",
    ]
}
