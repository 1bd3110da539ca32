import FuzzingSupport

/// Makes association files of at most 128 KiB with as many mistakes as possible that have a fix, in rules that are expensive
/// to compare.
package struct HostileFixes {
    private var random: SplitMix64

    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// Files whose fixes once took many times as long as a check.
    package static let known: [HostileFiles.Known] = {
        let windows = (0..<400).map { start in
            (start..<start + 10).map { "$(v\($0))" }.joined()
        }
        let values = (0..<410).map { "\"v\($0)\":[\"a\",\"aa\",\"b*\"]" }
        return [
            HostileFiles.Known(
                description: "400 rules of ten variables each, many of which can be deleted",
                text: file(windows.map { "{\"/\":\"/\($0)\"}" }, variables: values)),
            HostileFiles.Known(
                description: "11,900 equal rules in single quotation marks",
                text: "{'applinks':{'details':[{'appIDs':['7K3QWZ9PLM.com.shop.app'],'components':["
                    + Array(repeating: "{'/':'/a'}", count: 11_900).joined(separator: ",") + "]}]}}"),
            HostileFiles.Known(
                description: "3,000 exclusions that come too late",
                text: file(["{\"/\":\"*\"}"] + (0..<3_000).map { "{\"/\":\"/a\($0)\",\"exclude\":true}" })),
            HostileFiles.Known(
                description: "3,000 paths that are meant to exclude",
                text: "{\"applinks\":{\"apps\":[],\"details\":[{\"appID\":\"7K3QWZ9PLM.com.shop.app\",\"paths\":[\"*\","
                    + (0..<3_000).map { "\"not /a\($0)//*\"" }.joined(separator: ",") + "]}]}}"),
        ]
            + HostileText.kinds.flatMap { text in
                [text.text(30_000), text.escapedForJSON(30_000)].map { written in
                    HostileFiles.Known(
                        description: "\(text), in a key, a value, a path and a variable, which is not closed",
                        text: file(
                            ["{'\(written)':'\(written)','/':'/\(written)$(a'}"], variables: ["'\(written)':['b']"]))
                }
            }
    }()

    private static func file(_ components: [String], variables: [String] = []) -> String {
        "{\"applinks\":{\"substitutionVariables\":{\(variables.joined(separator: ","))},\"details\":"
            + "[{\"appIDs\":[\"7K3QWZ9PLM.com.shop.app\"],\"components\":[\(components.joined(separator: ","))]}]}}"
    }

    /// One more file.
    package mutating func next() -> String {
        let names = random.number(1...40)
        let variables = (0..<names + random.pick([0, 0, 300])).map { number in
            let values = (0..<random.number(1...5)).map { _ in
                random.pick(["\"a\"", "\"aa\"", "\"b*\"", "\"?a\"", "\"\""])
            }
            return "\"v\(number)\":[\(values.joined(separator: ","))]"
        }
        var size = variables.reduce(400) { $0 + $1.utf8.count + 1 }
        let most = random.pick([2_000, 20_000, 60_000, HostileFiles.limit])
        let start = random.pick(["", "{\"/\":\"*\"},", "{\"/\":\"/a*\"},", "{\"/\":\"/$(v0)*\"},"])
        var components: [String] = []
        let kinds = (0..<random.number(1...3)).map { _ in random.number(0...6) }
        while size < most - 200 {
            let component = component(random.pick(kinds), names)
            components.append(component)
            size += component.utf8.count + 1
        }
        let nested =
            random.chance(20) ? ",\"webcredentials\":{\"apps\":\"com.shop\"},\"appclips\":{\"apps\":\"x\"}" : ""
        let list = start + components.joined(separator: random.chance(10) ? ",," : ",")
        return """
            {"applinks":{"apps":[],"substitutionVariables":{\(variables.joined(separator: ","))},
            "details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[\(list)]}]\(nested)}}
            """
    }

    private mutating func component(_ kind: Int, _ names: Int) -> String {
        let uses = (0..<random.pick([1, 3, 10])).map { _ in "$(v\(random.number(0...names - 1)))" }
        let path = "/" + uses.joined(separator: random.pick(["", "", "*", "/"])) + random.pick(["", "*", "/*"])
        return switch kind {
        case 0: "{\"/\":\"\(path)\",\"exclude\":true}"
        case 1: "{\"/\":\"\(path)\"}"
        case 2: "{\"/\":\"NOT \(path)\"}"
        case 3: "{\"/\":\"https://x.example\(path)?a=1\"}"
        case 4: "{'/':'\(path)'}"
        case 5: "{\"/\":\"\(path)//x**\",\"Exclude\":\"true\"}"
        default: "{\"/\":\"\(path)$(w)%zz\",\"?\":{\"a\":\"*\"}}"
        }
    }
}
