import AppSiteAssociation
import FuzzingSupport

/// Small random routes of the letters of ``RandomFiles``, and URLs that they are likely to be about.
struct RandomRoutes {
    private var random: SplitMix64
    private var names = 0
    let usesAllComparisons: Bool

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        usesAllComparisons = random.chance(50)
    }

    private mutating func chance(_ percent: Int) -> Bool { random.chance(percent) }
    private mutating func pick<Element>(_ elements: [Element]) -> Element { random.pick(elements) }

    mutating func routes() -> [String] { (0..<random.number(0...5)).map { _ in route() } }

    private mutating func route() -> String {
        names = 0
        var columns = [chance(10) ? "https://\(pick(["example.com", "EXAMPLE.com", "other.example"]))" : ""]
        columns[0] += path()
        if chance(25) {
            let items = ["a", "b"].filter { _ in chance(60) }.map { "\($0)=\(value())" }
            if !items.isEmpty { columns.append("?\(items.joined(separator: "&"))") }
        }
        if chance(15) { columns.append("#\(value())") }
        if usesAllComparisons, chance(30) { columns.append("caseSensitive:false") }
        if usesAllComparisons, chance(30) { columns.append("percentEncoded:false") }
        return columns.joined(separator: "  ")
    }

    private mutating func path() -> String {
        let segments = (0..<random.number(0...3)).map { _ in
            chance(30) ? text() : chance(60) ? capture() : pick(["*", "?", "a*", "$(digit)", "?*", "b?"])
        }
        return "/" + segments.joined(separator: pick(["/", "/", "/", ""])) + (chance(15) ? "/*" : "")
    }

    private mutating func value() -> String { chance(40) ? text() : chance(80) ? capture() : pick(["*", "?*", "a*"]) }

    private mutating func text() -> String {
        (0..<random.number(1...2)).map { _ in pick(["a", "b", "A", "1"]) }.joined()
    }

    private mutating func capture() -> String {
        names += 1
        let pattern = pick(["", "", "", ":*", ":?*", ":$(digit)", ":a*", ":?", ":$(alpha)?*", ":/*", ":a/?"])
        return pick(["", "", "a", "1"]) + "{x\(names)\(pattern)}" + pick(["", "", "", "b"])
    }

    mutating func url() -> String {
        var url = "https://example.com/" + sample(0...4)
        if chance(40) {
            let items = (0..<random.number(0...2)).map { _ in
                "\(pick(["a", "b", "A", "c"]))=\(sample(0...2))"
            }
            url += "?" + items.joined(separator: "&")
        }
        if chance(30) { url += "#" + sample(0...2) }
        return url
    }

    private mutating func sample(_ count: ClosedRange<Int>) -> String {
        (0..<random.number(count)).map { _ in
            usesAllComparisons
                ? pick(["a", "b", "A", "1", "/", "/", "%2F", "%61", "%C3%A9", "%", "%41"])
                : pick(["a", "b", "A", "1", "/", "/"])
        }.joined()
    }
}
