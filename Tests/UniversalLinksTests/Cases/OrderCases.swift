extension MatchingCase {
    /// Section 4, one app.
    static let order: [MatchingCase] = [
        .init(
            "the first rule that matches decides", #"{"/": "/a/*", "exclude": true}, {"/": "/a/b"}"#, "/a/b", .excluded,
            by: [0, 0]),
        .init(
            "an exclusion behind a match comes too late", #"{"/": "/a/*"}, {"/": "/a/b", "exclude": true}"#, "/a/b",
            .open, by: [0, 0]),
        .init(
            "an exclusion that does not match", #"{"/": "/a/b", "exclude": true}, {"/": "/a/*"}"#, "/a/c", .open,
            by: [0, 1]),
        .init("no rule matches", #"{"/": "/a/*", "exclude": true}, {"/": "/b/*"}"#, "/c", .noMatch),
        .init("of two equal rules the first", #"{"/": "/a"}, {"/": "/a", "exclude": true}"#, "/a", .open, by: [0, 0]),
        .init("only exclusions: those that match exclude", #"{"/": "/a", "exclude": true}"#, "/a", .excluded),
        .init("only exclusions: the rest is no match", #"{"/": "/a", "exclude": true}"#, "/b", .noMatch),
        .init(
            "a longer pattern is not preferred", #"{"/": "*"}, {"/": "/very/long/and/exact", "exclude": true}"#,
            "/very/long/and/exact", .open, by: [0, 0]),
        .init(
            "a query decides between equal paths",
            #"{"/": "/a", "?": "x", "exclude": true}, {"/": "/a", "?": "y"}, {"/": "/a", "exclude": true}"#, "/a?y",
            .open, by: [0, 1]),
        .init(
            "the last of equal paths", #"{"/": "/a", "?": "x"}, {"/": "/a", "?": "y"}, {"/": "/a", "exclude": true}"#,
            "/a?z", .excluded, by: [0, 2]),
        .init(
            "a later entry of the same app",
            .entries([
                #"{"appIDs": ["A"], "components": [{"/": "/a"}]}"#, #"{"appIDs": ["A"], "components": [{"/": "/b"}]}"#,
            ]), "/b", .open, by: [1, 0]),
        .init(
            "an exclusion ends the search for the app",
            .entries([
                #"{"appIDs": ["A"], "components": [{"/": "/a", "exclude": true}]}"#,
                #"{"appIDs": ["A"], "components": [{"/": "/a"}]}"#,
            ]), "/a", .excluded, by: [0, 0]),
        .init(
            "an exclusion in a later entry comes too late",
            .entries([
                #"{"appIDs": ["A"], "components": [{"/": "/a"}]}"#,
                #"{"appIDs": ["A"], "components": [{"/": "/a", "exclude": true}]}"#,
            ]), "/a", .open, by: [0, 0]),
        .init(
            "entries of both forms in file order",
            .entries([#"{"appID": "A", "paths": ["NOT /a"]}"#, #"{"appIDs": ["A"], "components": [{}]}"#]), "/a",
            .excluded, by: [0, 0]),
    ]

    /// Section 4, several apps.
    static let apps: [MatchingCase] = [
        .init(
            "two apps by two entries",
            .entries([entry(#""A""#, #"{"/": "/n/*"}"#), entry(#""B""#, #"{"/": "/n/*"}"#)]), "/n/1", .opens("A", "B"),
            by: [0, 0]),
        .init(
            "only the second app", .entries([entry(#""B""#, #"{"/": "/n/*"}"#), entry(#""A""#, #"{"/": "/w/*"}"#)]),
            "/w/1", .open, by: [1, 0]),
        .init(
            "an exclusion for one app does not stop another",
            .entries([entry(#""B""#, #"{"/": "/a", "exclude": true}"#), entry(#""A""#, #"{"/": "/a"}"#)]), "/a", .open,
            by: [1, 0]),
        .init(
            "an exclusion for a later app",
            .entries([entry(#""A""#, #"{"/": "/a"}"#), entry(#""B""#, #"{"/": "/a", "exclude": true}"#)]), "/a", .open,
            by: [0, 0]),
        .init(
            "excluded for one, no match for the other",
            .entries([entry(#""A""#, #"{"/": "/a", "exclude": true}"#), entry(#""B""#, #"{"/": "/b"}"#)]), "/a",
            .excluded, by: [0, 0]),
        .init(
            "no match for one, excluded for the other",
            .entries([entry(#""A""#, #"{"/": "/b"}"#), entry(#""B""#, #"{"/": "/a", "exclude": true}"#)]), "/a",
            .excluded, by: [1, 0]),
        .init(
            "both excluded",
            .entries([
                entry(#""A""#, #"{"/": "/a", "exclude": true}"#), entry(#""B""#, #"{"/": "/*", "exclude": true}"#),
            ]), "/a", .excluded, by: [0, 0]),
        .init(
            "apps in the order of the file, not of the alphabet",
            .entries([entry(#""Z""#, "{}"), entry(#""A""#, "{}")]), "/x", .opens("Z", "A")),
        .init(
            "apps in the order of their list", .entries([entry(#""Z", "A", "M""#, "{}")]), "/x", .opens("Z", "A", "M")),
        .init(
            "apps in the order of their first appearance, whoever is decided first",
            .entries([entry(#""B", "A""#, #"{"/": "/other"}"#), entry(#""A""#, "{}"), entry(#""B""#, "{}")]), "/x",
            .opens("B", "A")),
        .init(
            "the appearance in an entry without rules counts",
            .entries([#"{"appIDs": ["B"]}"#, entry(#""A""#, "{}"), entry(#""B""#, "{}")]), "/x", .opens("B", "A")),
        .init(
            "an app that is named twice opens once", .entries([entry(#""A", "A""#, "{}"), entry(#""A""#, "{}")]), "/x",
            .open, by: [0, 0]),
        .init(
            "an entry decides for the apps that are not decided",
            .entries([entry(#""A""#, #"{"exclude": true}"#), entry(#""A", "B""#, "{}")]), "/x", .opens("B"), by: [1, 0]),
        .init(
            "an exclusion for two apps, one was opened before",
            .entries([entry(#""A""#, #"{"/": "/a"}"#), entry(#""A", "B""#, #"{"exclude": true}"#)]), "/a", .open,
            by: [0, 0]),
        .init(
            "three apps, each by another entry",
            .entries([
                entry(#""A""#, #"{"/": "/a/*"}"#), entry(#""B""#, #"{"/": "*/b"}"#), entry(#""C""#, #"{"?": ""}"#),
            ]), "/a/b", .opens("A", "B", "C")),
        .init(
            "three apps, the middle one excluded",
            .entries([
                entry(#""A""#, #"{"/": "/a/*"}"#), entry(#""B""#, #"{"exclude": true}, {}"#),
                entry(#""C""#, #"{"?": ""}"#),
            ]), "/a/b", .opens("A", "C")),
        .init("app IDs are case-sensitive", .entries([entry(#""a", "A""#, "{}")]), "/x", .opens("a", "A")),
        .init(
            "app IDs are bytes", .entries([entry(#""\u00e9", "e\u0301""#, "{}")]), "/x", .opens("\u{E9}", "e\u{301}")),
    ]

    private static func entry(_ apps: String, _ components: String) -> String {
        #"{"appIDs": [\#(apps)], "components": [\#(components)]}"#
    }
}
