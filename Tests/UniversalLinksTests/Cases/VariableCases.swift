extension MatchingCase {
    /// Section 5, the variables of a file.
    static let variables: [MatchingCase] = [
        .init("one of the values", .variables(#""food": ["ramen", "udon"]"#, #"{"/": "/$(food)"}"#), "/udon", .open),
        .init(
            "none of the values", .variables(#""food": ["ramen", "udon"]"#, #"{"/": "/$(food)"}"#), "/soba", .noMatch),
        .init("a value is whole", .variables(#""food": ["ramen", "udon"]"#, #"{"/": "/$(food)"}"#), "/udo", .noMatch),
        .init(
            "text around a variable", .variables(#""food": ["ramen", "udon"]"#, #"{"/": "/a-$(food)-z/*"}"#),
            "/a-ramen-z/1", .open),
        .init(
            "a longer value behind a shorter one", .variables(#""v": ["a", "ab"]"#, #"{"/": "/$(v)c"}"#), "/abc", .open),
        .init(
            "a shorter value behind a longer one", .variables(#""v": ["ab", "a"]"#, #"{"/": "/$(v)bc"}"#), "/abc", .open
        ),
        .init("two variables side by side", .variables(#""v": ["a", "b"]"#, #"{"/": "/$(v)$(v)"}"#), "/ba", .open),
        .init(
            "the same variable twice is chosen twice", .variables(#""v": ["a", "b"]"#, #"{"/": "/$(v)/$(v)"}"#), "/a/b",
            .open),
        .init("names are case-sensitive", .variables(#""Food": ["udon"]"#, #"{"/": "/$(food)"}"#), "/udon", .noMatch),
        .init(
            "names of any characters", .variables(#""naïve name! */?": ["ok"]"#, #"{"/": "/$(naïve name! */?)"}"#),
            "/ok", .open),
        .init("an empty name", .variables("\"\": [\"ok\"]", #"{"/": "/$()"}"#), "/ok", .open),
        .init(
            "a name is what stands behind the last opening", .variables(#""v": ["ok"]"#, #"{"/": "/$($(v)"}"#), "/$(ok",
            .open),
        .init("a variable that is not closed is text", .variables(#""v": ["ok"]"#, #"{"/": "/$(v"}"#), "/$(v", .open),
        .init("a dollar without a bracket is text", .variables(#""v": ["ok"]"#, #"{"/": "/$v"}"#), "/$v", .open),
        .init("two dollars", .variables(#""v": ["ok"]"#, #"{"/": "/$$(v)"}"#), "/$ok", .open),
        .init(
            "a star in a value is a wildcard", .variables(#""g": ["a*z"]"#, #"{"/": "/$(g)/x"}"#), "/abc/yz/x", .open),
        .init(
            "a question mark in a value is a wildcard", .variables(#""g": ["q?"]"#, #"{"/": "/$(g)"}"#), "/qq", .open),
        .init(
            "a question mark in a value is one character", .variables(#""g": ["q?"]"#, #"{"/": "/$(g)"}"#), "/q",
            .noMatch),
        .init(
            "a variable in a value is text", .variables(#""a": ["$(b)"], "b": ["x"]"#, #"{"/": "/$(a)"}"#), "/$(b)",
            .open),
        .init(
            "a variable in a value stands for nothing", .variables(#""a": ["$(b)"], "b": ["x"]"#, #"{"/": "/$(a)"}"#),
            "/x", .noMatch),
        .init("an undefined variable matches nothing", #"{"/": "/$(none)"}"#, "/none", .noMatch),
        .init("an undefined variable is no text", #"{"/": "/$(none)"}"#, "/$(none)", .noMatch),
        .init("an undefined variable is not empty", #"{"/": "/x$(none)"}"#, "/x", .noMatch),
        .init("an undefined variable in a query", #"{"?": "$(none)"}"#, "/x", .noMatch),
        .init("an empty list matches nothing", .variables(#""e": []"#, #"{"/": "/x$(e)"}"#), "/x", .noMatch),
        .init("an empty list in an item", .variables(#""e": []"#, #"{"?": {"a": "$(e)"}}"#), "/x", .noMatch),
        .init("an empty list behind a star", .variables(#""e": []"#, ##"{"#": "*$(e)*"}"##), "/x#y", .noMatch),
        .init("an empty value is an empty string", .variables(#""o": ["", "-old"]"#, #"{"/": "/p$(o)"}"#), "/p", .open),
        .init("beside an empty value", .variables(#""o": ["", "-old"]"#, #"{"/": "/p$(o)"}"#), "/p-old", .open),
        .init("a query text", .variables(#""v": ["a", "b"]"#, #"{"?": "k=$(v)&*"}"#), "/x?k=b&z", .open),
        .init("an item's value", .variables(#""v": ["a", "b"]"#, #"{"?": {"k": "$(v)"}}"#), "/x?k=b", .open),
        .init(
            "an item's name has no variables", .variables(#""v": ["k"]"#, #"{"?": {"$(v)": "1"}}"#), "/x?k=1", .noMatch),
        .init("a fragment", .variables(#""v": ["a", "b"]"#, ##"{"#": "$(v)?"}"##), "/x#b1", .open),
        .init(
            "a legacy path", .entries([#"{"appID": "A", "paths": ["/$(v)/*"]}"#], variables: #""v": ["a", "b"]"#),
            "/b/c", .open),
        .init(
            "an exclusion", .components(#"{"/": "/$(v)", "exclude": true}, {}"#, variables: #""v": ["a", "b"]"#), "/b",
            .excluded, by: [0, 0]),
        .init("values are case-sensitive", .variables(#""v": ["MiX"]"#, #"{"/": "/$(v)"}"#), "/mix", .noMatch),
        .init(
            "values follow the component's case",
            .variables(#""v": ["MiX"]"#, #"{"/": "/$(v)", "caseSensitive": false}"#), "/mIx", .open),
        .init(
            "names are case-sensitive in any component",
            .variables(#""V": ["a"]"#, #"{"/": "/$(v)", "caseSensitive": false}"#), "/a", .noMatch),
        .init(
            "values are compared with the decoded URL",
            .variables(#""v": ["é"]"#, #"{"/": "/$(v)", "percentEncoded": false}"#), "/%C3%A9", .open),
        .init(
            "a value that is no string is passed over", .variables(#""v": [1, "a"]"#, #"{"/": "/$(v)"}"#), "/a", .open),
        .init(
            "a variable that is no list is not defined", .variables(#""v": "a""#, #"{"/": "/$(v)"}"#), "/a", .noMatch),
        .init(
            "of equal names the later counts", .variables(#""v": ["a"], "v": ["b"]"#, #"{"/": "/$(v)"}"#), "/a",
            .noMatch),
        .init("a slash inside a value", .variables(#""v": ["a/b"]"#, #"{"/": "/$(v)/c"}"#), "/a/b/c", .open),
        .init(
            "a slash at the end of a value does not matter at the end", .variables(#""v": ["a/"]"#, #"{"/": "/$(v)"}"#),
            "/a", .open),
        .init("a tail in a value is optional", .variables(#""v": ["a/*", "b"]"#, #"{"/": "/$(v)"}"#), "/a", .open),
        .init(
            "many values",
            .variables("\"v\": [\((0..<100).map { "\"w\($0)\"" }.joined(separator: ", "))]", #"{"/": "/$(v)/$(v)/*"}"#),
            "/w7/w99/x", .open),
        .init(
            "many values, none of them",
            .variables("\"v\": [\((0..<100).map { "\"w\($0)\"" }.joined(separator: ", "))]", #"{"/": "/$(v)/$(v)/*"}"#),
            "/w7/w100/x", .noMatch),
        .init(
            "many values with wildcards",
            .variables("\"v\": [\((0..<100).map { "\"w\($0)-*\"" }.joined(separator: ", "))]", #"{"/": "/$(v)/end"}"#),
            "/w42-a/b/end", .open),
    ]

    /// Section 5, the variables that every file has.
    static let builtInVariables: [MatchingCase] = [
        .init("alpha: a small letter", #"{"/": "/$(alpha)"}"#, "/q", .open),
        .init("alpha: a capital", #"{"/": "/$(alpha)"}"#, "/Q", .open),
        .init("alpha: no digit", #"{"/": "/$(alpha)"}"#, "/7", .noMatch),
        .init("alpha: one character", #"{"/": "/$(alpha)"}"#, "/qq", .noMatch),
        .init("alpha: not none", #"{"/": "/x$(alpha)"}"#, "/x", .noMatch),
        .init("alpha: ASCII", #"{"/": "/$(alpha)", "percentEncoded": false}"#, "/%C3%A9", .noMatch),
        .init("upper", #"{"/": "/$(upper)"}"#, "/Q", .open),
        .init("upper: no small letter", #"{"/": "/$(upper)"}"#, "/q", .noMatch),
        .init("upper folds", #"{"/": "/$(upper)", "caseSensitive": false}"#, "/q", .open),
        .init("upper folds to capitals too", #"{"/": "/$(upper)", "caseSensitive": false}"#, "/Q", .open),
        .init("lower", #"{"/": "/$(lower)"}"#, "/q", .open),
        .init("lower: no capital", #"{"/": "/$(lower)"}"#, "/Q", .noMatch),
        .init("lower folds", #"{"/": "/$(lower)", "caseSensitive": false}"#, "/Q", .open),
        .init("alnum", #"{"/": "/$(alnum)$(alnum)$(alnum)"}"#, "/aZ9", .open),
        .init("alnum: no hyphen", #"{"/": "/$(alnum)"}"#, "/-", .noMatch),
        .init("digit", #"{"/": "/$(digit)$(digit)"}"#, "/09", .open),
        .init("digit: too few", #"{"/": "/$(digit)$(digit)"}"#, "/4", .noMatch),
        .init("digit: no letter", #"{"/": "/$(digit)"}"#, "/a", .noMatch),
        .init("xdigit", #"{"/": "/$(xdigit)$(xdigit)$(xdigit)"}"#, "/fF0", .open),
        .init("xdigit: no g", #"{"/": "/$(xdigit)"}"#, "/g", .noMatch),
        .init("a set behind a star", #"{"/": "/*-$(digit)"}"#, "/a-b-7", .open),
        .init("a set before a tail", #"{"/": "/v$(digit)/*"}"#, "/v2", .open),
        .init("region", #"{"/": "/$(region)/home"}"#, "/DE/home", .open),
        .init("region: GB", #"{"/": "/$(region)/home"}"#, "/GB/home", .open),
        .init("region: not UK", #"{"/": "/$(region)/home"}"#, "/UK/home", .noMatch),
        .init("region: one of the eight more", #"{"/": "/$(region)/home"}"#, "/XK/home", .open),
        .init("region: no number", #"{"/": "/$(region)/home"}"#, "/419/home", .noMatch),
        .init("region: capitals", #"{"/": "/$(region)/home"}"#, "/de/home", .noMatch),
        .init("region folds", #"{"/": "/$(region)/home", "caseSensitive": false}"#, "/de/home", .open),
        .init("region: no other code", #"{"/": "/$(region)/home"}"#, "/QQ/home", .noMatch),
        .init("lang: two letters", #"{"/": "/$(lang)/home"}"#, "/en/home", .open),
        .init("lang: three letters", #"{"/": "/$(lang)/home"}"#, "/deu/home", .open),
        .init(
            "lang: the terminological code, not the bibliographical", #"{"/": "/$(lang)/home"}"#, "/ger/home", .noMatch),
        .init("lang: small letters", #"{"/": "/$(lang)/home"}"#, "/EN/home", .noMatch),
        .init("lang folds", #"{"/": "/$(lang)/home", "caseSensitive": false}"#, "/EN/home", .open),
        .init("lang and region", #"{"/": "/$(lang)_$(region)/*"}"#, "/fr_CA/x", .open),
        .init("lang and region, and the parent", #"{"/": "/$(lang)_$(region)/*"}"#, "/fr_CA", .open),
        .init("a language that begins another: the shorter", #"{"/": "/$(lang)u"}"#, "/deu", .open),
        .init("lang in a query", #"{"?": {"hl": "$(lang)"}}"#, "/x?hl=fr", .open),
        .init("a longer word is no language", #"{"/": "/$(lang)/home"}"#, "/english/home", .noMatch),
        .init("names of built-ins are case-sensitive", #"{"/": "/$(Digit)"}"#, "/7", .noMatch),
        .init("a file may replace a built-in", .variables(#""digit": ["x"]"#, #"{"/": "/$(digit)"}"#), "/x", .open),
        .init(
            "a built-in that is replaced is gone", .variables(#""digit": ["x"]"#, #"{"/": "/$(digit)"}"#), "/7",
            .noMatch),
        .init(
            "a built-in that is replaced by an empty list is gone", .variables(#""lang": []"#, #"{"/": "/$(lang)"}"#),
            "/en", .noMatch),
        .init(
            "a built-in of another letter case is not replaced", .variables(#""Digit": ["x"]"#, #"{"/": "/$(digit)"}"#),
            "/7", .open),
    ]
}
