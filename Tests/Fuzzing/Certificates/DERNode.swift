import PushSamples

/// An element of DER that can be changed; lengths are worked out when it is written, all the way up.
struct DERNode {
    /// The form in which the length is written.
    enum Length {
        case right
        /// A length in so many octets, more than it takes.
        case long(Int)
        /// Indefinite, with the end-of-contents octets.
        case indefinite
        /// These octets, whatever the content.
        case literal([UInt8])
    }

    enum Content {
        case octets([UInt8])
        /// The nodes of a constructed one, or of an octet or bit string that holds DER; the first bytes are those
        /// before it.
        case nodes([DERNode], prefix: [UInt8])
    }

    var tag: UInt8
    var length = Length.right
    var content: Content

    init(tag: UInt8, octets: [UInt8]) {
        self.tag = tag
        content = .octets(octets)
    }

    init(tag: UInt8, nodes: [DERNode], prefix: [UInt8] = []) {
        self.tag = tag
        content = .nodes(nodes, prefix: prefix)
    }

    /// The elements of bytes, one behind the other; nil if they are no DER.
    static func parse(_ bytes: ArraySlice<UInt8>, depth: Int = 0) -> [DERNode]? {
        guard depth < 60 else { return nil }
        var nodes: [DERNode] = []
        var rest = bytes
        while let tag = rest.first {
            guard tag & 0x1F != 0x1F, let (header, count) = DER.header(rest), rest.count >= header + count else {
                return nil
            }
            let content = rest.dropFirst(header).prefix(count)
            guard let node = node(tag, content, depth: depth) else { return nil }
            nodes.append(node)
            rest = rest.dropFirst(header + count)
        }
        return nodes
    }

    private static func node(_ tag: UInt8, _ content: ArraySlice<UInt8>, depth: Int) -> DERNode? {
        if tag & 0x20 != 0 {
            return parse(content, depth: depth + 1).map { DERNode(tag: tag, nodes: $0) }
        }
        let before = tag == 0x03 ? 1 : 0
        if tag == 0x03 || tag == 0x04, let first = content.dropFirst(before).first, [0x02, 0x30, 0x31].contains(first),
            let nodes = parse(content.dropFirst(before), depth: depth + 1)
        {
            return DERNode(tag: tag, nodes: nodes, prefix: Array(content.prefix(before)))
        }
        return DERNode(tag: tag, octets: Array(content))
    }

    func write(to bytes: inout [UInt8]) {
        var inner: [UInt8]
        switch content {
        case .octets(let octets): inner = octets
        case .nodes(let nodes, let prefix):
            inner = prefix
            for node in nodes { node.write(to: &inner) }
        }
        bytes.append(tag)
        switch length {
        case .right: bytes += DER.length(inner.count)
        case .literal(let octets): bytes += octets
        case .indefinite: bytes.append(0x80)
        case .long(let count):
            bytes.append(0x80 | UInt8(truncatingIfNeeded: count))
            for place in (0..<count).reversed() {
                bytes.append(place < 8 ? UInt8(truncatingIfNeeded: inner.count >> (8 * place)) : 0)
            }
        }
        bytes += inner
        if case .indefinite = length { bytes += [0, 0] }
    }

    static func bytes(_ nodes: [DERNode]) -> [UInt8] {
        var bytes: [UInt8] = []
        for node in nodes { node.write(to: &bytes) }
        return bytes
    }
}

extension DERNode {
    /// The number of nodes, those inside included.
    static func count(_ nodes: [DERNode]) -> Int {
        nodes.reduce(0) { sum, node in
            guard case .nodes(let inner, _) = node.content else { return sum + 1 }
            return sum + 1 + count(inner)
        }
    }

    /// Calls for the list in which the element of a number stands, counted from the front, and its place in the list.
    ///
    /// - Returns: Whether there is one.
    @discardableResult
    static func edit(
        _ nodes: inout [DERNode], at number: Int, _ body: (inout [DERNode], Int) -> Void
    ) -> Bool {
        var rest = number
        return find(&nodes, &rest, body)
    }

    private static func find(
        _ nodes: inout [DERNode], _ rest: inout Int, _ body: (inout [DERNode], Int) -> Void
    ) -> Bool {
        for place in nodes.indices {
            if rest == 0 {
                body(&nodes, place)
                return true
            }
            rest -= 1
            guard case .nodes(var inner, let prefix) = nodes[place].content else { continue }
            if find(&inner, &rest, body) {
                nodes[place].content = .nodes(inner, prefix: prefix)
                return true
            }
        }
        return false
    }
}
