import SiteStore
import Testing

@Suite("Nodes as others see them")
struct StoredNodeTests {
    private func node(_ state: StoredNode.State, _ generation: Int64 = 1) -> StoredNode {
        StoredNode(name: "a", generation: generation, state: state, seenAt: 0)
    }

    @Test("a node is behind only once it has been behind at one generation for a while")
    func behind() {
        var observation = NodeObservation()
        func state(_ state: StoredNode.State, _ generation: Int64 = 1, at now: Int64) -> StoredNode.State? {
            observation.look(at: [node(state, generation)], now: now).first?.state
        }
        let patience = NodeObservation.patience
        #expect(state(.behind, at: 0) == .current)
        #expect(state(.behind, at: patience - 1) == .current)
        #expect(state(.behind, at: patience) == .behind)
        // It goes on, so the time begins anew.
        #expect(state(.behind, 2, at: patience + 1) == .current)
        #expect(state(.behind, 2, at: 2 * patience) == .current)
        #expect(state(.behind, 2, at: 2 * patience + 1) == .behind)
        // In between it was there.
        #expect(state(.current, 3, at: 2 * patience + 2) == .current)
        #expect(state(.behind, 3, at: 3 * patience) == .current)
    }

    @Test("a silent node is silent at once, and one that is gone is forgotten")
    func silent() {
        var observation = NodeObservation()
        #expect(observation.look(at: [node(.behind)], now: 0).map(\.state) == [.current])
        #expect(observation.look(at: [node(.silent)], now: 1).map(\.state) == [.silent])
        #expect(observation.look(at: [node(.behind)], now: 2).map(\.state) == [.current])
        #expect(observation.look(at: [], now: 3).isEmpty)
        #expect(observation.look(at: [node(.behind)], now: 2 + NodeObservation.patience).map(\.state) == [.current])
    }

    @Test("nodes are looked at one by one")
    func several() {
        var observation = NodeObservation()
        let nodes = [
            StoredNode(name: "a", generation: 1, state: .behind, seenAt: 0),
            StoredNode(name: "b", generation: 1, state: .current, seenAt: 0),
        ]
        _ = observation.look(at: nodes, now: 0)
        var later = nodes
        later[1].state = .behind
        #expect(observation.look(at: later, now: NodeObservation.patience).map(\.state) == [.behind, .current])
    }

    private static let key = StoreFileKey(domain: "a.example", name: "x.txt")

    @Test(
        "a node says why it does not serve a file, if it does not",
        arguments: [
            (NodeServing(), nil), (NodeServing(names: ["x.txt"]), nil),
            (NodeServing(names: ["y.txt"]), "a.example/x.txt: its name is not in 'wellKnown'"),
            (NodeServing(names: ["x.txt"], unserved: ["b.example/x.txt refused", "a.example/x.txt-2 refused"]), nil),
            (
                NodeServing(names: ["x.txt"], unserved: ["a.example/x.txt refused: a b"]),
                "a.example/x.txt: refused: a b"
            ),
            (NodeServing(names: ["x.txt"], unserved: ["a.example/x.txt", ""]), nil),
        ] as [(NodeServing, String?)])
    func problem(serving: NodeServing, problem: String?) {
        #expect(serving.problem(of: [Self.key]) == problem)
        #expect(serving.problem(of: []) == nil)
    }

    @Test("a reason is cut, however long it is")
    func longReason() {
        var serving = NodeServing(names: ["x.txt"])
        serving.add(Self.key, because: String(repeating: "r", count: 10_000))
        #expect(serving.unserved.map(\.count) == ["a.example/x.txt ".count + 200])
    }
}
