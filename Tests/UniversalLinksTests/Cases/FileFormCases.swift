extension MatchingCase {
    /// Section 1, the keys and what they are for.
    static let fileForms: [MatchingCase] = [
        .init(
            "apps is not needed",
            .file(#"{"applinks": {"details": [{"appIDs": ["A"], "components": [{"/": "/x"}]}]}}"#), "/x", .open),
        .init(
            "apps may be empty",
            .file(#"{"applinks": {"apps": [], "details": [{"appIDs": ["A"], "components": [{}]}]}}"#), "/x", .open),
        .init(
            "apps that are named there open nothing", .file(#"{"applinks": {"apps": ["B"], "details": []}}"#), "/x",
            .noMatch),
        .init(
            "one app and its legacy paths",
            .file(#"{"applinks": {"apps": [], "details": [{"appID": "A", "paths": ["/x"]}]}}"#), "/x", .open),
        .init(
            "a dictionary of entries", .file(#"{"applinks": {"details": {"A": {"paths": ["/x/*"]}}}}"#), "/x/y", .open,
            by: [0, 0]),
        .init(
            "a dictionary of entries, another path", .file(#"{"applinks": {"details": {"A": {"paths": ["/x/*"]}}}}"#),
            "/y", .noMatch),
        .init(
            "a dictionary of entries with an exclusion",
            .file(#"{"applinks": {"details": {"A": {"paths": ["NOT /x/y", "*"]}}}}"#), "/x/y", .excluded, by: [0, 0]),
        .init(
            "a dictionary is read in file order",
            .file(#"{"applinks": {"details": {"Z": {"paths": ["*"]}, "A": {"paths": ["*"]}}}}"#), "/x", .opens("Z", "A")
        ),
        .init("one app and components", .entries([#"{"appID": "A", "components": [{"/": "/x"}]}"#]), "/x", .open),
        .init(
            "several apps and components", .entries([#"{"appIDs": ["A", "B"], "components": [{"/": "/x"}]}"#]), "/x",
            .opens("A", "B")),
        .init(
            "several apps and legacy paths", .entries([#"{"appIDs": ["A", "B"], "paths": ["/x"]}"#]), "/x",
            .opens("A", "B")),
        .init("a comment says nothing", #"{"/": "/x", "comment": "/y"}"#, "/y", .noMatch),
        .init("a component may exclude", #"{"/": "/x", "exclude": true}"#, "/x", .excluded, by: [0, 0]),
        .init("a component may say that it does not exclude", #"{"/": "/x", "exclude": false}"#, "/x", .open),
        .init(
            "components beside paths: the paths do not count",
            .entries([#"{"appID": "A", "paths": ["/old"], "components": [{"/": "/new"}]}"#]), "/old", .noMatch),
        .init(
            "components beside paths: the components count",
            .entries([#"{"appID": "A", "components": [{"/": "/new"}], "paths": ["NOT *"]}"#]), "/new", .open),
        .init("empty components match nothing", "", "/x", .noMatch),
        .init(
            "empty components beside paths match nothing",
            .entries([#"{"appID": "A", "paths": ["*"], "components": []}"#]), "/x", .noMatch),
        .init(
            "appIDs wins over appID", .entries([#"{"appID": "B", "appIDs": ["A"], "components": [{}]}"#]), "/x", .open),
        .init(
            "empty appIDs win over appID", .entries([#"{"appID": "B", "appIDs": [], "components": [{}]}"#]), "/x",
            .noMatch),
        .init("an entry without an app matches nothing", .entries([#"{"components": [{}]}"#]), "/x", .noMatch),
        .init(
            "an entry without an app excludes nothing",
            .entries([#"{"components": [{"exclude": true}]}"#, #"{"appID": "A", "paths": ["*"]}"#]), "/x", .open,
            by: [1, 0]),
        .init("an entry without rules matches nothing", .entries([#"{"appIDs": ["A"]}"#]), "/x", .noMatch),
        .init(
            "an entry without rules does not hide another",
            .entries([#"{"appIDs": ["A"]}"#, #"{"appIDs": ["A"], "components": [{}]}"#]), "/x", .open, by: [1, 0]),
        .init(
            "the apps of the other services open nothing",
            .file(#"{"webcredentials": {"apps": ["A"]}, "appclips": {"apps": ["A"]}}"#), "/x", .noMatch),
        .init(
            "the other services do no harm",
            .file(
                #"{"activitycontinuation": {"apps": ["B"]}, "applinks": {"details": [{"appID": "A", "paths": ["*"]}]}}"#
            ), "/x", .open),
        .init("an empty file object", .file("{}"), "/x", .noMatch),
        .init("an empty applinks", .file(#"{"applinks": {}}"#), "/x", .noMatch),
        .init("empty details", .entries([]), "/x", .noMatch),
    ]

    /// Section 1, what is unknown or of a wrong type.
    static let lenience: [MatchingCase] = [
        .init("an empty component matches every URL", "{}", "/x/y?z#w", .open),
        .init("a component with unknown keys alone matches every URL", #"{"path": "/x"}"#, "/y?z", .open),
        .init("an unknown key beside a known one", #"{"/": "/x", "method": "GET"}"#, "/x", .open),
        .init("an unknown key beside a known one, another path", #"{"/": "/x", "method": "GET"}"#, "/y", .noMatch),
        .init(
            "unknown keys in an entry and in applinks",
            .file(#"{"v": 1, "applinks": {"u": [], "details": [{"t": {}, "appID": "A", "paths": ["*"]}]}}"#), "/x",
            .open),
        .init("key names are case-sensitive: a flag", #"{"/": "/x", "casesensitive": false}"#, "/X", .noMatch),
        .init("key names are case-sensitive: exclude", #"{"/": "/x", "Exclude": true}"#, "/x", .open),
        .init(
            "key names are case-sensitive: the service",
            .file(#"{"appLinks": {"details": [{"appID": "A", "paths": ["*"]}]}}"#), "/x", .noMatch),
        .init(
            "key names are case-sensitive: the entry", .entries([#"{"appids": ["A"], "components": [{}]}"#]), "/x",
            .noMatch),
        .init(
            "key names are case-sensitive: Components",
            .entries([#"{"appID": "A", "Components": [], "paths": ["*"]}"#]), "/x", .open),
        .init("a path pattern that is no string is not there", #"{"/": 5}"#, "/x", .open),
        .init("a fragment pattern that is no string is not there", ##"{"#": null}"##, "/x#y", .open),
        .init("a query pattern that is a number is not there", #"{"?": 7}"#, "/x?y", .open),
        .init("a query pattern that is an array is not there", #"{"?": ["a"]}"#, "/x?y", .open),
        .init("an exclude that is no boolean is not there", #"{"exclude": "true"}"#, "/x", .open),
        .init("an exclude that is a number is not there", #"{"exclude": 1}"#, "/x", .open),
        .init(
            "a caseSensitive that is no boolean is not there", #"{"/": "/x", "caseSensitive": "false"}"#, "/X", .noMatch
        ),
        .init(
            "a percentEncoded that is no boolean is not there", #"{"/": "/a b", "percentEncoded": 0}"#, "/a%20b",
            .noMatch),
        .init("a component that is no object is passed over", #""/x", {"/": "/y"}"#, "/y", .open, by: [0, 1]),
        .init("a component that is no object matches nothing", #""*", null, 3"#, "/x", .noMatch),
        .init(
            "an entry that is no object is passed over",
            .entries(["null", #""A""#, #"{"appID": "A", "paths": ["*"]}"#]), "/x", .open, by: [2, 0]),
        .init(
            "an app that is no string is passed over", .entries([#"{"appIDs": [1, "A", null], "components": [{}]}"#]),
            "/x", .open),
        .init("a path that is no string is passed over", .paths(#"5, {}, "/x""#), "/x", .open, by: [0, 2]),
        .init("details that are a string", .file(#"{"applinks": {"details": "A"}}"#), "/x", .noMatch),
        .init(
            "an applinks that is an array", .file(#"{"applinks": [{"details": [{"appID": "A", "paths": ["*"]}]}]}"#),
            "/x", .noMatch),
        .init("a file that is an array", .file(#"[{"applinks": {"details": []}}]"#), "/x", .noMatch),
        .init("a file that is a string", .file(#""applinks""#), "/x", .noMatch),
        .init(
            "a byte order mark is no matter",
            .file("\u{FEFF}" + #"{"applinks": {"details": [{"appID": "A", "paths": ["*"]}]}}"#), "/x", .open),
        .init("of equal keys the later counts", #"{"/": "/x", "/": "/y"}"#, "/y", .open),
        .init("of equal keys the earlier does not count", #"{"/": "/x", "/": "/y"}"#, "/x", .noMatch),
        .init("of equal keys the later counts, whatever its type", #"{"/": "/x", "/": 1}"#, "/y", .open),
        .init("an escape in a key is the key", #"{"\u002f": "/x"}"#, "/y", .noMatch),
    ]
}
