extension MatchingCase {
    /// Section 4, "Defaults".
    static let defaults: [MatchingCase] = [
        .init("of applinks", .components(#"{"/": "/menu"}"#, defaults: #""caseSensitive": false"#), "/MENU", .open),
        .init(
            "of an entry", .components(#"{"/": "/menu"}"#, entryDefaults: #""caseSensitive": false"#), "/MENU", .open),
        .init(
            "an entry wins over applinks",
            .components(
                #"{"/": "/menu"}"#, defaults: #""caseSensitive": false"#, entryDefaults: #""caseSensitive": true"#),
            "/MENU", .noMatch),
        .init(
            "a component wins over applinks",
            .components(#"{"/": "/menu", "caseSensitive": true}"#, defaults: #""caseSensitive": false"#), "/MENU",
            .noMatch),
        .init(
            "a component wins over its entry",
            .components(#"{"/": "/menu", "caseSensitive": false}"#, entryDefaults: #""caseSensitive": true"#), "/MENU",
            .open),
        .init(
            "a component wins over both",
            .components(
                #"{"/": "/menu", "caseSensitive": false}"#, defaults: #""caseSensitive": true"#,
                entryDefaults: #""caseSensitive": true"#), "/MENU", .open),
        .init(
            "each key on its own",
            .components(
                #"{"/": "/a b"}"#, defaults: #""percentEncoded": false, "caseSensitive": true"#,
                entryDefaults: #""caseSensitive": false"#), "/A%20B", .open),
        .init(
            "percentEncoded", .components(#"{"/": "/寿司/*"}"#, defaults: #""percentEncoded": false"#),
            "/%E5%AF%BF%E5%8F%B8/maki", .open),
        .init(
            "percentEncoded, taken back",
            .components(#"{"/": "/寿司/*", "percentEncoded": true}"#, defaults: #""percentEncoded": false"#),
            "/%E5%AF%BF%E5%8F%B8/maki", .noMatch),
        .init("a path", .components(##"{"#": "*"}"##, defaults: #""/": "/foo/*""#), "/foo/1", .open),
        .init(
            "a path that does not match", .components(##"{"#": "*"}"##, defaults: #""/": "/foo/*""#), "/bar", .noMatch),
        .init(
            "a path that a component replaces", .components(#"{"/": "/bar"}"#, defaults: #""/": "/foo/*""#), "/bar",
            .open),
        .init(
            "a path that a component replaces is gone", .components(#"{"/": "/bar"}"#, defaults: #""/": "/foo/*""#),
            "/foo/1", .noMatch),
        .init(
            "a path that a component of another type does not replace",
            .components(#"{"/": false}"#, defaults: #""/": "/foo/*""#), "/bar", .noMatch),
        .init("a query", .components(#"{"/": "/x"}"#, entryDefaults: #""?": {"app": "1"}"#), "/x?app=1", .open),
        .init(
            "a query that does not match", .components(#"{"/": "/x"}"#, entryDefaults: #""?": {"app": "1"}"#), "/x",
            .noMatch),
        .init(
            "dictionaries are not merged", .components(#"{"?": {"b": "2"}}"#, defaults: #""?": {"a": "1"}"#), "/x?b=2",
            .open),
        .init(
            "a text replaces a dictionary", .components(#"{"?": "b"}"#, defaults: #""?": {"a": "1"}"#), "/x?b", .open),
        .init("a fragment", .components("{}", defaults: ##""#": "app""##), "/x#web", .noMatch),
        .init("a fragment that matches", .components("{}", defaults: ##""#": "app""##), "/x#app", .open),
        .init("exclude", .components(#"{"/": "/x"}"#, defaults: #""exclude": true"#), "/x", .excluded),
        .init(
            "exclude, taken back", .components(#"{"/": "/x", "exclude": false}"#, defaults: #""exclude": true"#), "/x",
            .open),
        .init(
            "exclude of an entry, taken back by none",
            .components(#"{"/": "/x", "exclude": null}"#, entryDefaults: #""exclude": true"#), "/x", .excluded),
        .init(
            "the defaults of one entry are not those of another",
            .entries([
                #"{"appIDs": ["B"], "defaults": {"caseSensitive": false}, "components": [{"/": "/b"}]}"#,
                #"{"appIDs": ["A"], "components": [{"/": "/b"}]}"#,
            ]), "/B", .opens("B"), by: [0, 0]),
        .init(
            "defaults that are an array",
            .file(
                #"{"applinks": {"defaults": [true], "details": [{"appID": "A", "defaults": 1, "components": [{"/": "/x"}]}]}}"#
            ), "/x", .open),
        .init(
            "defaults behind details",
            .file(
                #"{"applinks": {"details": [{"appID": "A", "components": [{"/": "/x"}], "defaults": {"caseSensitive": false}}], "defaults": {"exclude": true}}}"#
            ), "/X", .excluded),
        .init(
            "a variable in defaults",
            .components("{}", defaults: #""/": "/$(word)""#, variables: #""word": ["a", "b"]"#), "/b", .open),
    ]
}
