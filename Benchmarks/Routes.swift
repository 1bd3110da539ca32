import AppSiteAssociation
import ArgumentParser
import FoundationEssentials
import FuzzingSupport
import LinkDelivery

struct Routes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure what an app's routes take: CPU time, the median of some rounds.")

    @Option(help: "Measure tables of this many routes.")
    var routes = [10, 100, 1_000]

    @Option(help: "Deliver this many activities, one after another, to the last of ten routes.")
    var activities = 100_000

    @Option(help: "Measure each this often.")
    var rounds = 9

    func run() async throws {
        for count in routes { try measure(count) }
        var times: [Int] = []
        for _ in 0..<max(1, rounds) { times.append(try await Self.deliver(activities)) }
        times.sort()
        print("\(times[times.count / 2] / max(1, activities)) ns an activity from 'receive' to its result")
    }

    private func measure(_ count: Int) throws {
        let patterns = (0..<max(1, count)).map(Self.pattern)
        let build = try median {
            _ = try RouteTable(patterns.map { Route($0) { _ in .handled } })
        }
        let table = try RouteTable(patterns.map { Route($0) { _ in .handled } })
        var line = "\(patterns.count) routes: table \(build / 1_000) µs"
        for (name, path) in [
            ("first", "/section0/7"), ("last", "/section\(patterns.count - 1)/7?q=shoes&page=2"), ("none", "/else"),
        ] {
            guard let url = URL(string: "https://example.com\(path)") else { continue }
            let activity = UserActivity(browsing: url)
            let time = median { for _ in 0..<100 { _ = table.firstMatch(activity) } }
            line += ", \(name) \(time / 100) ns"
        }
        print(line)
    }

    /// The pattern of a number, of the kinds that apps have.
    private static func pattern(_ number: Int) -> String {
        switch number % 4 {
        case 0: "/section\(number)/{item}"
        case 1: "/section\(number)/{item} ?q={term}&page={page:*}"
        case 2: "/{lang:$(lang)}/section\(number)/{rest:*}"
        default: "/section\(number)/* ?q={term:*}"
        }
    }

    @MainActor
    private static func deliver(_ count: Int) async throws -> Int {
        let center = UserActivityCenter(pending: .all(upTo: count))
        var handled = 0
        let subscription = try center.add {
            for number in 0..<9 { Route(pattern(number)) { _ in .handled } }
            Route("/buy/{product}", Int.self, policy: .oneAfterAnother) { product in handled += 1 }
        }
        guard let url = URL(string: "https://example.com/buy/7") else { return 0 }
        let start = ProcessTime.nanoseconds
        for _ in 0..<count { center.receive(UserActivity(browsing: url)) }
        await center.idle()
        let time = ProcessTime.nanoseconds - start
        guard handled == count else { throw ValidationError("\(handled) of \(count) activities were handled") }
        subscription.cancel()
        return time
    }

    private func median(_ body: () throws -> Void) rethrows -> Int {
        var times: [Int] = []
        for _ in 0..<max(1, rounds) {
            let start = ProcessTime.nanoseconds
            try body()
            times.append(ProcessTime.nanoseconds - start)
        }
        times.sort()
        return times[times.count / 2]
    }
}
