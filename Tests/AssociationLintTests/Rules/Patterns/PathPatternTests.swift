import Testing

struct PathPatternTests {
    @Test(
        "A word that excludes nothing is blamed",
        arguments: [
            PatternCase.legacy(#""NOT /help/*", "*""#),
            .legacy(#""⟦not ⟧/help/*", "*""#, "malformed-not", fixed: #""NOT /help/*", "*""#),
            .legacy(#""⟦Not ⟧/help/*", "*""#, "malformed-not", fixed: #""NOT /help/*", "*""#),
            .legacy(#""⟦NOT⟧/help/*", "*""#, "malformed-not", fixed: #""NOT /help/*", "*""#),
            .legacy(#""⟦NOT⟧*", "/a""#, "malformed-not"),
            .legacy(#""⟦NOT  ⟧/help/*", "*""#, "malformed-not", fixed: #""NOT /help/*", "*""#),
            .legacy(#""⟦NOT\t⟧/help/*", "*""#, "malformed-not", fixed: #""NOT /help/*", "*""#),
            .legacy(#""⟦NOT\u00a0⟧/help/*", "*""#, "malformed-not", fixed: #""NOT /help/*", "*""#),
            .legacy(#""⟦!⟧/help/*", "*""#, "malformed-not", fixed: #""NOT /help/*", "*""#),
            .legacy(#""⟦! ⟧/help/*", "*""#, "malformed-not", fixed: #""NOT /help/*", "*""#),
            .legacy(#""⟦NOT NOT ⟧/help/*", "*""#, "malformed-not", fixed: #""NOT /help/*", "*""#),
            .legacy(#""⟦!NOT ⟧/help/*", "*""#, "malformed-not", fixed: #""NOT /help/*", "*""#),
            .legacy(#""/help/!*", "/a""#),
            .legacy(#"⟦"NOTES/*"⟧"#, "missing-leading-slash", fixed: #""/NOTES/*""#),
            .legacy(#"⟦"nothing"⟧"#, "missing-leading-slash", fixed: #""/nothing""#),
            .legacy(#"⟦"not/found"⟧"#, "missing-leading-slash", fixed: #""/not/found""#),
            .legacy(#"⟦"not found/*"⟧"#, "missing-leading-slash malformed-not", fixed: #""not /found/*""#),
            .legacy(#"⟦" not /help/*"⟧, "*""#, "whitespace-around-pattern malformed-not"),
            .component(
                #"{"/": "⟦NOT ⟧/help/*"}, {"/": "*"}"#, "not-in-component",
                fixed: #"{"/": "/help/*", "exclude": true}, {"/": "*"}"#),
            .component(
                #"{"exclude": false, "/": "⟦NOT ⟧/help/*"}, {"/": "*"}"#, "not-in-component",
                fixed: #"{"exclude": true, "/": "/help/*"}, {"/": "*"}"#),
            .component(
                #"{"exclude": true, "/": "⟦NOT ⟧/help/*"}, {"/": "*"}"#, "not-in-component",
                fixed: #"{"exclude": true, "/": "/help/*"}, {"/": "*"}"#),
            .path("⟦not ⟧/help", "not-in-component"), .path("⟦NOT NOT ⟧/help", "not-in-component"),
            .path("NOT/help", "missing-leading-slash", fixed: "/NOT/help"),
        ])
    func exclusions(example: PatternCase) { example.check() }

    @Test(
        "White space around a pattern is deleted",
        arguments: [
            PatternCase.component(#"{"/": ⟦" /buy"⟧}"#, "whitespace-around-pattern", fixed: #"{"/": "/buy"}"#),
            .component(#"{"/": ⟦"/buy\n"⟧}"#, "whitespace-around-pattern", fixed: #"{"/": "/buy"}"#),
            .component(#"{"/": ⟦"\u00A0/buy/* \u200b"⟧}"#, "whitespace-around-pattern", fixed: #"{"/": "/buy/*"}"#),
            .component("{\"/\": ⟦\"\u{3000}\\/buy\u{FEFF}\"⟧}", "whitespace-around-pattern", fixed: #"{"/": "\/buy"}"#),
            .component(##"{"/": "/buy", "#": ⟦"top "⟧}"##, "whitespace-around-pattern"),
            .component(#"{"/": "/buy", "?": ⟦" x=1"⟧}"#, "whitespace-around-pattern"),
            .component(#"{"/": "/buy", "?": {"x": ⟦"1 "⟧}}"#, "whitespace-around-pattern"),
            .component(#"{"/": ⟦"  "⟧}"#, "whitespace-around-pattern", fixed: #"{"/": ""}"#),
            .component(#"{"/": ⟦" buy "⟧}"#, "whitespace-around-pattern", fixed: #"{"/": "buy"}"#),
            .legacy(#"⟦" NOT /help/*"⟧, "*""#, "whitespace-around-pattern", fixed: #""NOT /help/*", "*""#),
            .legacy(#"⟦"NOT /help/* "⟧, "*""#, "whitespace-around-pattern", fixed: #""NOT /help/*", "*""#),
            .path("/my%20shop"), .path("/a/?*"),
        ])
    func whiteSpace(example: PatternCase) { example.check() }

    @Test(
        "An empty path is blamed, an empty query or fragment is not",
        arguments: [
            PatternCase.component(#"{"/": ⟦""⟧}"#, "empty-pattern", fixed: #"{"/": "/"}"#),
            .legacy(#"⟦""⟧, "/a""#, "empty-pattern", fixed: #""/", "/a""#),
            .legacy(#"⟦"NOT "⟧, "*""#, "empty-pattern", fixed: #""NOT /", "*""#),
            .component(##"{"/": "/buy", "?": "", "#": ""}"##),
            .path("/"),
        ])
    func emptyPatterns(example: PatternCase) { example.check() }

    @Test(
        "A URL is blamed as a whole, for nothing else",
        arguments: [
            PatternCase.component(
                #"{"/": ⟦"https://x.com//a b/{id}?x=1#top"⟧}"#, "url-in-path",
                fixed: ##"{"/": "//a b/{id}", "?": { "x": "1" }, "#": "top"}"##),
            .path("https://shop.example", "url-in-path", fixed: "/"),
            .path(#"https:\/\/shop.example\/buy"#, "url-in-path", fixed: #"\/buy"#),
            .component(
                #"{"/": ⟦"https://shop.example?x=1"⟧}"#, "url-in-path", fixed: #"{"/": "/", "?": { "x": "1" }}"#),
            .path("https://shop.example#top", "url-in-path", fixed: ##"/", "#": "top"##),
            .component(
                ##"{"/": "https://x.com/a?b=c#d"}"##, "url-in-path",
                fixed: ##"{"/": "/a", "?": { "b": "c" }, "#": "d"}"##),
            .path("https://x.com/a#d?b=c", "url-in-path", fixed: ##"/a", "#": "d?b=c"##),
            // The query is there already, and nothing says which one is meant.
            .component(
                #"{"/": "https://x.com/a?b=c", "?": "x=1"}"#, "url-in-path",
                fixed: #"{"/": "https://x.com/a?b=c", "?": "x=1"}"#),
            .component(
                #"{"/": "https:\/\/x.com\/a\u003fb=c"}"#, "url-in-path", fixed: #"{"/": "\/a", "?": { "b": "c" }}"#),
            .path("https://x.com/id/???", "url-in-path", fixed: "/id/???"),
            .component(
                #"{"/": "https://x.com/$(lang)?b=c"}"#, "url-in-path",
                fixed: #"{"/": "/$(lang)", "?": { "b": "c" }}"#),
            .component(
                #"{"/": "https://x.com/a ?b=c"}"#, "url-in-path", fixed: #"{"/": "/a", "?": { "b": "c" }}"#),
            // Without the query more would be excluded.
            .legacy(#""NOT https://x.com/a?b=c", "*""#, "url-in-path", fixed: #""NOT https://x.com/a?b=c", "*""#),
            .legacy(#""https://x.com/a#b""#, "url-in-path", fixed: #""https://x.com/a#b""#),
            .path("http*://shop.example/*", "url-in-path", fixed: "/*"),
            .path("https?://*/buy", "url-in-path", fixed: "/buy"),
            .path("WWW.shop.example/buy", "url-in-path", fixed: "/buy"),
            .path("shop+1://buy/*", "url-in-path", fixed: "/buy/*"),
            .path("acme://product/*", "url-in-path", fixed: "/product/*"),
            .path(#"acme:\/\/product\/*"#, "url-in-path", fixed: #"/product\/*"#),
            .path("acme://product", "url-in-path", fixed: "/product"),
            .path("acme:///product/*", "url-in-path", fixed: "/product/*"),
            .path("acme://product?id=*", "url-in-path"),
            .legacy(#""NOT acme://help/*", "*""#, "url-in-path", fixed: #""NOT /help/*", "*""#),
            // Who knows what is meant; every path of the site would be too much.
            .path("acme://*", "url-in-path", fixed: "acme://*"), .path("acme://", "url-in-path", fixed: "acme://"),
            .path("acme://?id=7", "url-in-path", fixed: "acme://?id=7"),
            .legacy(#""NOT https://shop.example/help", "*""#, "url-in-path", fixed: #""NOT /help", "*""#),
            .path("/go/https:%2F%2F*"), .path("/www.shop.example/*"),
            .path("/go/https://*", "double-slash-in-pattern"),
            .path("1://x", "missing-leading-slash double-slash-in-pattern"),
        ])
    func urls(example: PatternCase) { example.check() }

    @Test(
        "A query or fragment in a path is taken out of it",
        arguments: [
            PatternCase.component(
                ##"{"/": "/help⟦#top⟧"}"##, "fragment-in-path", fixed: ##"{"/": "/help", "#": "top"}"##),
            .component(##"{"/": "/help⟦#⟧"}"##, "fragment-in-path", fixed: ##"{"/": "/help", "#": ""}"##),
            .component(
                ##"{"/": "⟦#/route/{id}?x=1⟧"}"##, "fragment-in-path", fixed: ##"{"/": "/", "#": "/route/{id}?x=1"}"##),
            .component(##"{"/": "/help⟦##top⟧"}"##, "fragment-in-path", fixed: ##"{"/": "/help", "#": "top"}"##),
            .path("/help ⟦#top⟧", "unencoded-character fragment-in-path"),
            .component(##"{"/": "/⟦#a\"é⟧"}"##, "fragment-in-path", fixed: ##"{"/": "/", "#": "a\"é"}"##),
            .component(
                ##"{"/": "/help⟦#top⟧", "#": "x"}"##, "fragment-in-path", fixed: ##"{"/": "/help#top", "#": "x"}"##),
            .decoded("/a#b"),
            .legacy(##""/help⟦#top⟧""##, "fragment-in-path"), .legacy(##""/⟦#/settings⟧""##, "fragment-in-path"),
            .component(#"{"/": "/buy⟦?x=1⟧"}"#, "query-in-path", fixed: #"{"/": "/buy", "?": { "x": "1" }}"#),
            .component(
                #"{"/": "/buy⟦?x=1&y=*⟧"}"#, "query-in-path", fixed: #"{"/": "/buy", "?": { "x": "1", "y": "?*" }}"#),
            .component(#"{"/": "/buy⟦?x=1&*⟧"}"#, "query-in-path", fixed: #"{"/": "/buy", "?": { "x": "1" }}"#),
            .component(#"{"/": "/buy⟦?x=1&flag⟧"}"#, "query-in-path", fixed: #"{"/": "/buy", "?": "x=1&flag"}"#),
            .component(#"{"/": "/buy⟦?ä b=1⟧"}"#, "query-in-path", fixed: #"{"/": "/buy", "?": "ä b=1"}"#),
            .component(#"{"/": "⟦?x=1⟧"}"#, "query-in-path", fixed: #"{"/": "/", "?": { "x": "1" }}"#),
            .component(#"{"/": "/buy⟦?x=1⟧", "?": "y=2"}"#, "query-in-path", fixed: #"{"/": "/buy?x=1", "?": "y=2"}"#),
            .path("/buy⟦?x=1⟧#top", "query-in-path fragment-in-path"),
            .path("/{id}⟦?x={y}⟧", "unencoded-character query-in-path"),
            .legacy(#""/buy⟦?utm_source=*⟧""#, "query-in-path"),
            .path("/id/????"), .path("/b?y"), .path("/a=?b"),
        ])
    func queriesAndFragments(example: PatternCase) { example.check() }

    @Test(
        "'?*' behind a word is not a query",
        arguments: [
            PatternCase.path("/buy⟦?*⟧", "ambiguous-question-mark", fixed: #"/buy", "?": "?*"#),
            .path("/buy2⟦?*⟧", "ambiguous-question-mark"),
            .component(
                #"{"/": "/buy⟦?*⟧", "?": "x=1"}"#, "ambiguous-question-mark", fixed: #"{"/": "/buy", "?": "x=1"}"#),
            .legacy(#""/buy⟦?*⟧""#, "ambiguous-question-mark", fixed: #""/buy""#),
            .path("/buy/?*"), .path("/buy??*"), .path("/*?*"), .path("/buy-?*"), .path("/$(lang)?*"), .path("/buy?*/x"),
        ])
    func questionMarks(example: PatternCase) { example.check() }

    @Test(
        "A path begins with a slash",
        arguments: [
            PatternCase.component(#"{"/": ⟦"buy/*"⟧}"#, "missing-leading-slash", fixed: #"{"/": "/buy/*"}"#),
            .path(#"\u0062uy"#, "missing-leading-slash", fixed: #"/\u0062uy"#),
            .path(#"\\/buy"#, "missing-leading-slash unencoded-character", fixed: #"/\\/buy"#),
            .path(".well-known/x", "missing-leading-slash", fixed: "/.well-known/x"),
            .legacy(#"⟦"NOT buy/*"⟧, "*""#, "missing-leading-slash", fixed: #""NOT /buy/*", "*""#),
            .path("*"), .path("*buy"), .path("?uy"), .path("$(lang)/buy"), .path(#"\/buy"#),
            .component(##"{"/": "/a", "#": "x", "?": "x=1"}"##),
        ])
    func leadingSlashes(example: PatternCase) { example.check() }

    @Test(
        "Slashes and dots inside a path are looked at",
        arguments: [
            PatternCase.path("/shop⟦//⟧buy", "double-slash-in-pattern", fixed: "/shop/buy"),
            .path("/shop⟦///⟧buy//x", "double-slash-in-pattern", fixed: "/shop/buy/x"),
            .path(#"\/shop⟦\/\/⟧buy"#, "double-slash-in-pattern", fixed: #"\/shop/buy"#),
            .path("/x⟦//⟧*", "double-slash-in-pattern"),
            .path("//buy"), .path("/buy//"), .path("//"), .path("/$(lang)/$(region)"), .path("/$(lang)/"),
            .component(##"{"/": "/a", "#": "x//y"}"##),
            .path("/shop/⟦..⟧/buy", "dot-segment-in-pattern"), .path("/⟦.⟧", "dot-segment-in-pattern"),
            .path("⟦..⟧/buy", "dot-segment-in-pattern"), .path("⟦.⟧/buy/..", "dot-segment-in-pattern"),
            .path("/shop/.../buy"), .path("/.well-known/*"), .path("/a./b"), .path("/..a"), .path("/.?"),
        ])
    func slashesAndDots(example: PatternCase) { example.check() }
}
