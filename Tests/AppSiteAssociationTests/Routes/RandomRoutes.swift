import FuzzingSupport

/// Small random routes and texts, of few letters so that they meet often.
struct RandomRoutes {
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    mutating func number(below count: Int) -> Int { random.number(below: count) }

    mutating func list<Value>(of values: [Value], upTo count: Int) -> [Value] {
        random.list(of: values, upTo: count)
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
