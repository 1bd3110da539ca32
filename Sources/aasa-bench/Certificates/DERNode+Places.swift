extension DERNode {
    /// How many there are, those inside included.
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
