import AssociationLint
import Diagnostics
import Testing

struct PlaceTests {
    @Test("Patterns are looked at wherever they stand")
    func places() {
        let file = #"""
            {"applinks": {"apps": [], "defaults": {"/": "NOT /a", "?": {"x": 1}}, "substitutionVariables": {"v": ["**"]}, "details": [
            {"appIDs": ["7K3QWZ9PLM.com.shop.app"], "appID": "7K3QWZ9PLM.com.shop.app",
             "defaults": {"percentEncoded": false, "#": "#a%20"}, "components": [{"?": {"y": "*"}}, {"/": "/é/$(v)"}],
             "paths": ["not /a"]}]}}
            """#
        let found = Linter().check(Array(file.utf8)).diagnostics
        let places = found.filter { $0.code.rawValue != "pattern-in-defaults" }.map { "\($0.code) \($0.pointer ?? "")" }
        #expect(
            places == [
                "not-in-component /applinks/defaults/~1", "non-string-query-value /applinks/defaults/?/x",
                "repeated-wildcard /applinks/substitutionVariables/v/0",
                "leading-hash-in-fragment /applinks/details/0/defaults/#",
                "escape-with-decoding /applinks/details/0/defaults/#",
                "query-star-matches-absent /applinks/details/0/components/0/?/y",
                "malformed-not /applinks/details/0/paths/0",
            ])
    }

    @Test("A character reference is marked as a whole")
    func escapes() {
        let file =
            ##"{"applinks": {"details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{"/": "\/a\ud83d\ude00b"}]}]}}"##
        let result = Linter().check(Array(file.utf8))
        let found = result.diagnostics.first
        #expect(found?.range.length == 12)
        #expect(found?.fixIts.first?.edits.map(\.replacement) == ["%F0%9F%98%80"])
        #expect(found?.message == "'😀' is percent-encoded in URLs: the pattern never matches")
    }
}
