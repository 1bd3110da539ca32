extension MatchingCase {
    /// Section 4, the legacy `paths`.
    static let legacyPaths: [MatchingCase] = [
        .init("a path", .paths(#""/soups/", "/recipes/2024/*""#), "/recipes/2024/pie", .open, by: [0, 1]),
        .init("another path", .paths(#""/soups/", "/recipes/2024/*""#), "/recipes/2023/pie", .noMatch),
        .init("a star", .paths(#""*""#), "/any/thing", .open),
        .init("a question mark", .paths(#""/soups/1?""#), "/soups/1x", .open),
        .init(
            "an exclusion", .paths(#""NOT /recipes/2010/*", "/recipes/201?/*""#), "/recipes/2010/pie", .excluded,
            by: [0, 0]),
        .init(
            "an exclusion that does not match", .paths(#""NOT /recipes/2010/*", "/recipes/201?/*""#),
            "/recipes/2011/pie", .open, by: [0, 1]),
        .init(
            "an exclusion comes too late", .paths(#""/recipes/*", "NOT /recipes/2010""#), "/recipes/2010", .open,
            by: [0, 0]),
        .init("an exclusion alone opens nothing", .paths(#""NOT /recipes/2010""#), "/soups", .noMatch),
        .init("an exclusion of the parent", .paths(#""NOT /recipes/*", "*""#), "/recipes", .excluded, by: [0, 0]),
        .init("NOT needs its space", .paths(#""NOT/recipes/*", "*""#), "/recipes/1", .open, by: [0, 1]),
        .init("NOT needs its capitals", .paths(#""not /recipes/*", "*""#), "/recipes/1", .open, by: [0, 1]),
        .init("NOT is in front", .paths(#""/recipes/* NOT ", "*""#), "/recipes/1", .open, by: [0, 1]),
        .init("NOT is in front without a space before it", .paths(#"" NOT /x", "*""#), "/x", .open, by: [0, 1]),
        .init("NOT once", .paths(#""NOT NOT /x", "*""#), "/NOT /x", .excluded, by: [0, 0]),
        .init("only the path counts", .paths(#""/x""#), "/x?a=1#b", .open),
        .init("a query in a path is none", .paths(#""/x?a=1""#), "/x?a=1", .noMatch),
        .init("the parent", .paths(#""/soups/*""#), "/soups", .open),
        .init("the leading slash is optional", .paths(#""soups""#), "/soups/", .open),
        .init("case counts", .paths(#""/Soups""#), "/soups", .noMatch),
        .init("nothing is decoded", .paths(#""/a b""#), "/a%20b", .noMatch),
        .init("empty paths match nothing", .paths(""), "/", .noMatch),
        .init("an empty path matches the root", .paths("\"\""), "/", .open),
        .init("NOT and nothing excludes the root", .paths(#""NOT ", "*""#), "/", .excluded, by: [0, 0]),
    ]
}
