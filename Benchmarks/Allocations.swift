import AppSiteAssociation
import ArgumentParser
import CAllocations
import UniversalLinks

struct Allocations: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Count the allocations of decisions with rules of every kind, and of requests of HTTP/2.",
        discussion: "Exits with 1 if there is one."
    )

    func run() throws {
        let count = try Self.count(decisions: 100_000)
        print("\(count) allocations in 100000 decisions")
        let streams = try StreamAllocations.count(requests: 100_000)
        print("\(streams) allocations in 100000 requests of HTTP/2")
        if count + streams > 0 { throw ExitCode(1) }
    }

    /// The number of allocations that so many decisions make, of URLs as bytes and as text, on a router with all kinds
    /// of rules.
    package static func count(decisions: Int) throws -> Int {
        let urls = urls
        let router = try UniversalLinkRouter(AssociationDocument(document), domain: "example.com")
        let list = URLList(urls)
        var opened = 0
        let before = allocation_count()
        for number in 0..<decisions {
            let place = number / 2 % urls.count
            let decision = number % 2 == 0 ? router.decide(list.urls[place]) : router.decide(urls[place])
            if decision.outcome == .open { opened += 1 }
        }
        let count = allocation_count() - before
        guard opened > 0 else { throw ValidationError("no URL was opened: the rules are not what they should be") }
        return Int(count)
    }

    private static let urls: [String] = {
        let long = String(repeating: "/segment", count: 90)
        let paths = [
            "/", "", "/section7/page", "/section7/x/end", "/SECTION8/y", "/caf%C3%A9/3", "/de_CH/help", "/q?a=1&b=2",
            "/q?a=2#x",
            "/shop/item?color=red&size=%4C#details", "/nothing/of/this/matches", "/tags/a*b", long, "\(long)/read",
        ]
        return paths.map { "https://example.com\($0)" }
            + ["http://user@EXAMPLE.com:8080/section9", "https://b\u{FC}cher.example/x", "ftp://example.com/"]
    }()

    private static let document: String = {
        var rules = (0..<1000).map { #"{"/":"/section\#($0)/*","exclude":\#($0 % 3 == 0)}"# }
        rules += [
            #"{"/":"/section8/*","caseSensitive":false}"#, #"{"/":"/café/$(digit)","percentEncoded":false}"#,
            #"{"/":"/CAFÉ/?","percentEncoded":false,"caseSensitive":false}"#, #"{"/":"/$(lang)_$(region)/*"}"#,
            #"{"/":"/q","?":{"a":"1","b":"?"}}"#, ##"{"/":"/q","?":"a=*","#":"?*"}"##,
            #"{"/":"/shop/*","?":{"SIZE":"l"},"caseSensitive":false,"percentEncoded":false}"#,
            #"{"/":"*/read"}"#, #"{"/":"*a*b*c"}"#, #"{"/":"/$(section)/end"}"#,
        ]
        return """
            {"applinks":{"substitutionVariables":{"section":["section7","x*"]},"details":[
            {"appIDs":["ABCDE12345.one"],"components":[\(rules.joined(separator: ",\n"))]},
            {"appIDs":["ABCDE12345.two"],"components":[\(rules.reversed().joined(separator: ",\n"))]}]}}
            """
    }()
}
