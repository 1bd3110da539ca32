extension MatchingCase {
    /// Section 3, "Case".
    static let letterCase: [MatchingCase] = [
        .init("a path is case-sensitive", #"{"/": "/Soups/*"}"#, "/soups/1", .noMatch),
        .init("a query is case-sensitive", #"{"?": "tag=Hot"}"#, "/x?tag=hot", .noMatch),
        .init("an item's value is case-sensitive", #"{"?": {"tag": "Hot"}}"#, "/x?tag=hot", .noMatch),
        .init("an item's name is case-sensitive", #"{"?": {"Id": "5"}}"#, "/x?id=5", .noMatch),
        .init("a fragment is case-sensitive", ##"{"#": "Top"}"##, "/x#top", .noMatch),
        .init("an escape is case-sensitive", #"{"/": "/caf%C3%A9"}"#, "/caf%c3%a9", .noMatch),
        .init("case may be said to matter", #"{"/": "/Soups", "caseSensitive": true}"#, "/soups", .noMatch),
        .init("without regard to case: the path", #"{"/": "/Soups/*", "caseSensitive": false}"#, "/sOUPS/1", .open),
        .init("without regard to case: the pattern", #"{"/": "/SOUPS/*", "caseSensitive": false}"#, "/soups/1", .open),
        .init("without regard to case: a chunk", #"{"/": "*/Soup?/*X", "caseSensitive": false}"#, "/a/sOUPs/yx", .open),
        .init("without regard to case: what a star covers", #"{"/": "/a*", "caseSensitive": false}"#, "/ABCD", .open),
        .init("without regard to case: the parent", #"{"/": "/Soups/*", "caseSensitive": false}"#, "/SOUPS", .open),
        .init("without regard to case: the query", #"{"?": "tag=Hot", "caseSensitive": false}"#, "/x?TAG=hot", .open),
        .init(
            "without regard to case: an item's value", #"{"?": {"tag": "Hot"}, "caseSensitive": false}"#, "/x?tag=hOT",
            .open),
        .init(
            "without regard to case: an item's name", #"{"?": {"Tag": "Hot"}, "caseSensitive": false}"#, "/x?tAG=hot",
            .open),
        .init(
            "without regard to case: all items of the folded name", #"{"?": {"a": "1"}, "caseSensitive": false}"#,
            "/x?a=1&A=2", .noMatch),
        .init("with regard to case the other name does not matter", #"{"?": {"a": "1"}}"#, "/x?a=1&A=2", .open),
        .init("without regard to case: the fragment", ##"{"#": "Top", "caseSensitive": false}"##, "/x#tOP", .open),
        .init(
            "without regard to case: an escape", #"{"/": "/caf%C3%A9", "caseSensitive": false}"#, "/caf%c3%a9", .open),
        .init(
            "without regard to case another letter is another letter", #"{"/": "/soups", "caseSensitive": false}"#,
            "/soupz", .noMatch),
        .init("neighbours of the letters do not fold", #"{"/": "/@[`{", "caseSensitive": false}"#, "/`{@[", .noMatch),
        .init("an at sign is no grave accent", #"{"/": "/@", "caseSensitive": false}"#, "/`", .noMatch),
        .init(
            "encoded, an escaped letter is not folded", #"{"/": "/%C3%89", "caseSensitive": false}"#, "/%C3%A9",
            .noMatch),
        .init(
            "encoded, a raw letter beyond ASCII is not folded", #"{"/": "/É", "caseSensitive": false}"#, "/é", .noMatch),
        .init("encoded, a raw letter beyond ASCII is itself", #"{"/": "/É", "caseSensitive": false}"#, "/É", .open),
        .init(
            "decoded, a letter beyond ASCII is folded",
            #"{"/": "/É", "caseSensitive": false, "percentEncoded": false}"#, "/%C3%A9", .open),
        .init(
            "decoded, the URL is folded too", #"{"/": "/é", "caseSensitive": false, "percentEncoded": false}"#,
            "/%C3%89", .open),
        .init("decoded, with regard to case", #"{"/": "/é", "percentEncoded": false}"#, "/%C3%89", .noMatch),
        .init(
            "folding is simple: a capital sharp s", #"{"/": "/ß", "caseSensitive": false, "percentEncoded": false}"#,
            "/%E1%BA%9E", .open),
        .init(
            "folding is simple: no two letters for one",
            #"{"/": "/ss", "caseSensitive": false, "percentEncoded": false}"#, "/%C3%9F", .noMatch),
        .init(
            "folding is Unicode's: the final sigma", #"{"/": "/σ", "caseSensitive": false, "percentEncoded": false}"#,
            "/%CF%82", .open),
        .init(
            "folding is Unicode's: the kelvin sign", #"{"/": "/k", "caseSensitive": false, "percentEncoded": false}"#,
            "/%E2%84%AA", .open),
        .init(
            "folding is not Turkish", #"{"/": "/ı", "caseSensitive": false, "percentEncoded": false}"#, "/I", .noMatch),
        .init(
            "decoded, an item's name is folded",
            #"{"?": {"GRÖSSE": "l"}, "caseSensitive": false, "percentEncoded": false}"#, "/x?gr%C3%B6sse=L", .open),
        .init(
            "the rules of an entry differ in case",
            #"{"/": "/A", "caseSensitive": false, "exclude": true}, {"/": "/a"}"#, "/a", .excluded, by: [0, 0]),
        .init(
            "the first rule counts, whatever its case",
            #"{"/": "/a"}, {"/": "/A", "caseSensitive": false, "exclude": true}"#, "/a", .open, by: [0, 0]),
        .init(
            "the second rule counts for another case",
            #"{"/": "/a"}, {"/": "/A", "caseSensitive": false, "exclude": true}"#, "/A", .excluded, by: [0, 1]),
    ]
}
