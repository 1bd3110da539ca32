import AppSiteAssociation
import Testing
import UniversalLinks

@Suite("Many apps")
struct AppsTests {
    @Test("one entry names them all", arguments: [1, 2, 63, 64, 65, 128, 129, 200, 300])
    func oneEntry(count: Int) throws {
        let apps = (0..<count).map { "app\(count - $0)" }
        let names = apps.map { #""\#($0)""# }.joined(separator: ", ")
        let agreement = try Agreement(
            .entries([#"{"appIDs": [\#(names)], "components": [{"/": "/a"}, {"/": "/b", "exclude": true}]}"#]))
        #expect(agreement.router.decide("https://e/a").appIDs == apps)
        #expect(agreement.router.decide("https://e/b").outcome == .excluded)
        for path in ["a", "b", "c"] { agreement.expect("https://e/\(path)") }
    }

    @Test("each has an entry of its own", arguments: [2, 63, 64, 65, 66, 127, 128, 129, 200, 300])
    func ownEntries(count: Int) throws {
        let entries = (0..<count).map { number in
            let exclusion = number % 3 == 1 ? #"{"/": "/half/*", "exclude": true}, "# : ""
            return
                #"{"appIDs": ["app\#(number)"], "components": [\#(exclusion){"/": "/own/\#(number)"}, {"/": "/half/*"}, {"/": "/all"}]}"#
        }
        let agreement = try Agreement(.entries(entries))
        let all = (0..<count).map { "app\($0)" }
        #expect(agreement.router.decide("https://e/all").appIDs == all)
        #expect(
            agreement.router.decide("https://e/half").appIDs == (0..<count).filter { $0 % 3 != 1 }.map { "app\($0)" })
        for number in [0, 1, count / 2, count - 1] {
            let decision = agreement.router.decide("https://e/own/\(number)")
            #expect(decision.appIDs == ["app\(number)"])
            #expect(decision.rule?.detail == number)
        }
        for path in ["all", "half/x", "own/\(count - 1)", "own/\(count)", ""] { agreement.expect("https://e/\(path)") }
    }

    @Test("lists of apps overlap", arguments: [3, 10, 40, 70, 130])
    func overlapping(count: Int) throws {
        let entries = (0..<count).map { number in
            let apps = (0..<3).map { #""app\#((number * 7 + $0 * 5) % count)""# }.joined(separator: ", ")
            let flag = number % 4 == 0 ? #", "exclude": true"# : ""
            return
                #"{"appIDs": [\#(apps)], "components": [{"/": "/\#(number % 5)/*"\#(flag)}, {"?": {"n": "\#(number % 3)"}}]}"#
        }
        let agreement = try Agreement(.entries(entries))
        for path in 0..<6 {
            for query in ["", "?n=0", "?n=1", "?n=2"] { agreement.expect("https://e/\(path)/x\(query)") }
        }
    }

    @Test("the same app in many entries, in one list of apps and in another")
    func groups() throws {
        let entries = (0..<100).map { number in
            #"{"appIDs": [\#(number % 2 == 0 ? #""B", "A""# : #""A", "B""#)], "components": [{"/": "/\#(number)"}]}"#
        }
        let agreement = try Agreement(.entries(entries))
        for number in [0, 1, 50, 99] {
            let decision = agreement.router.decide("https://e/\(number)")
            #expect(decision.appIDs == ["B", "A"])
            #expect(decision.rule?.detail == number)
            agreement.expect("https://e/\(number)")
        }
    }

    @Test("apps in entries that cannot decide count for the order")
    func order() throws {
        let agreement = try Agreement(
            .entries([
                #"{"appIDs": ["C", "B"]}"#, #"{"appIDs": ["A"], "components": [{}]}"#,
                #"{"appIDs": ["B", "C"], "components": [{}]}"#,
            ]))
        #expect(agreement.expect("https://e/") == "open C B A by /applinks/details/2/components/0")
    }

    @Test("the rule of a decision is that of the first app that opens the URL, else of the first that is excluded")
    func decidingRule() throws {
        func entry(_ app: String, _ component: String) -> String {
            #"{"appIDs": ["\#(app)"], "components": [\#(component)]}"#
        }
        let excluded = #"{"exclude": true}"#
        let opened = try Agreement(
            .entries([entry("A", excluded), entry("C", #"{"/": "/none"}"#), entry("B", "{}"), entry("C", "{}")]))
        #expect(opened.expect("https://e/") == "open C B by /applinks/details/3/components/0")
        let none = try Agreement(
            .entries([entry("C", #"{"/": "/none"}"#), entry("B", excluded), entry("C", excluded)]))
        #expect(none.expect("https://e/") == "excluded by /applinks/details/2/components/0")
    }
}
