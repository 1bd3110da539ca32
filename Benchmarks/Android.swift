import AppSiteAssociation
import ArgumentParser
import AssetLinks
import CAllocations
import FuzzingSupport
import UniversalLinks

struct Android: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure decisions by dynamic rules of Android beside those of the router on the same rules.",
        discussion: """
            Prints 'COUNT android_ns router_ns percent allocations' for 10, 100, 1000 and 10000 rules: the medians of nine \
            alternating rounds, the times being CPU time of the process. Exits with 1 if a decision allocates.
            """
    )

    @Argument(help: "For how many milliseconds of CPU time to decide, for each number of rules and each of the two.")
    var budget: Int = 900

    func run() throws {
        var allocated = 0
        for count in [10, 100, 1_000, 10_000] {
            let paths = Self.paths(count)
            let index = DynamicRuleIndex(
                paths.enumerated().map { DynamicComponent(path: $1, excludes: $0 % 7 == 0, index: $0) })
            let list = paths.enumerated().map { "{\"/\":\"\($1)\",\"exclude\":\($0 % 7 == 0)}" }
            let document = try AssociationDocument(
                #"{"applinks":{"details":[{"appIDs":["ABCDE12345.a.b"],"components":[\#(list.joined(separator: ","))]}]}}"#
            )
            let router = UniversalLinkRouter(anyDomain: DocumentIndex(document))
            let urls = URLList(Self.urls(count))
            // What is made once, at the first URL of its kind, is made before it is counted.
            for url in urls.urls { _ = index.decide(url) }
            let before = allocation_count()
            for url in urls.urls { _ = index.decide(url) }
            let allocations = Int(allocation_count() - before)
            allocated += allocations
            var rounds: [(own: Double, other: Double)] = []
            for _ in 0..<Self.rounds {
                let share = budget * 1_000_000 / Self.rounds
                rounds.append(
                    (
                        Match.measure(urls, budget: share) { index.decide($0) != .noMatch },
                        Match.measure(urls, budget: share) { router.decide($0).outcome == .open }
                    ))
            }
            let (own, other) = (Match.median(rounds.map(\.own)), Match.median(rounds.map(\.other)))
            let ratio = Match.median(rounds.map { $0.own / $0.other })
            print("\(count) \(Match.fixed(own)) \(Match.fixed(other)) \(Int(ratio * 100)) % \(allocations)")
        }
        if allocated > 0 { throw ExitCode(1) }
    }

    private static let rounds = 9

    private static func paths(_ count: Int) -> [String] {
        (0..<count).map { number in
            switch number % 10 {
            case 0..<5: "/section\(number)/*"
            case 5..<8: "/shop/item\(number)"
            case 8: "/area\(number)/*/details"
            default: "/news/\(number)?*"
            }
        }
    }

    private static func urls(_ count: Int) -> [String] {
        var random = SplitMix64(seed: 1)
        return (0..<20_000).map { _ in
            let number = random.number(below: count + count / 4)
            let path =
                switch number % 10 {
                case 0..<5: "/section\(number)/page/\(random.number(below: 1_000))"
                case 5..<8: "/shop/item\(number)"
                case 8: "/area\(number)/x/details"
                default: "/news/\(number)a"
                }
            return "https://example.com\(path)"
        }
    }
}
