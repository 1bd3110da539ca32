/// Small random routes and texts, of few letters so that they meet often.
struct RandomRoutes {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func number(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(max(count, 1)))
    }

    mutating func list<Value>(of values: [Value], upTo count: Int) -> [Value] {
        (0..<number(count + 1)).map { _ in values[number(values.count)] }
    }

    /// The parts of a path or a fragment; a capture has no name yet.
    mutating func parts(upTo count: Int) -> [String] {
        list(
            of: [
                "a", "b", "/", "/", "*", "?", "$(digit)", "1", "/*", "{}", "{}", "{:*}", "{:a?}", "{:$(digit)*}",
                "{:*b}", "{:?*}", "{:/a}", "{:a/}", "{:/*}", "{:*/*}", "{:/}", "{:a*b*}",
            ], upTo: count)
    }

    /// The text of a route, with names for its captures.
    static func text(_ parts: [String]) -> String {
        parts.enumerated().map { index, part in
            part.first == "{" ? "{c\(index)" + part.dropFirst() : part
        }.joined()
    }
}
