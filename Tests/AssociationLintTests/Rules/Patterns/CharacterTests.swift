import AssociationLint
import Diagnostics
import Testing

struct CharacterTests {
    @Test(
        "Placeholders of routers are blamed, and nothing else for them",
        arguments: [
            PatternCase.path("/buy/⟦:id⟧", "router-placeholder", fixed: "/buy/*"),
            .path("/buy/⟦:id⟧/:size?", "router-placeholder", fixed: "/buy/*/*"),
            .path("/buy/⟦[id]⟧", "router-placeholder", fixed: "/buy/*"),
            .path("/buy/⟦[...slug]⟧", "router-placeholder", fixed: "/buy/*"),
            .path("/buy/⟦[[...slug]]⟧", "router-placeholder", fixed: "/buy/*"),
            .path("/buy/⟦[post-id]⟧/x", "router-placeholder", fixed: "/buy/*/x"),
            .path("⟦:id⟧/x", "router-placeholder", fixed: "*/x"),
            .legacy(#""NOT /⟦:id⟧", "*""#, "router-placeholder"),
            .component(
                ##"{"/": "/a", "#": "/buy/⟦:id⟧"}"##, "router-placeholder", fixed: ##"{"/": "/a", "#": "/buy/*"}"##),
            .component(#"{"/": "/a", "?": {"x": "⟦{id}⟧"}}"#, "router-placeholder"),
            .component(#"{"/": "/a", "?": "x=⟦{id}⟧"}"#, "router-placeholder"),
            .decoded("/⟦{id}⟧", "router-placeholder"),
            .component(#"{"/": "/a", "?": "y=1*x=⟦{id}⟧"}"#, "router-placeholder"),
            .component(##"{"/": "/a", "#": "⟦{id}⟧"}"##, "router-placeholder"),
            .decoded("/item-⟦{id}⟧", "router-placeholder", fixed: "/item-*"),
            .path("/a é/⟦:id⟧", "unencoded-character router-placeholder"),
            .path("/a:b"), .path("/:"), .path("/:1"), .path("/a[b]"), .path("/$(lang)"), .path("/12:30"),
            .component(#"{"/": "/a", "?": {"x": ":id"}}"#),
            .component(#"{"/": "/a", "?": {"ids[]": "[1]"}}"#),
        ])
    func placeholders(example: PatternCase) { example.check() }

    @Test(
        "Placeholders that no URL can have are an error",
        arguments: [
            PatternCase.path(#"/buy/:id(⟦\\⟧d+)/x"#, "unencoded-character", fixed: "/buy/*/x"),
            .path("/buy/⟦{⟧id}", "unencoded-character", fixed: "/buy/*"),
            .path("/buy/⟦{{⟧ id }}", "unencoded-character", fixed: "/buy/*"),
            .path("/buy/$⟦{⟧id}", "unencoded-character", fixed: "/buy/*"),
            .path("/buy/⟦{⟧*rest}", "unencoded-character", fixed: "/buy/*"),
            .path("/buy/⟦<⟧id>", "unencoded-character", fixed: "/buy/*"),
            .path("/buy/⟦<⟧int:id>/x", "unencoded-character", fixed: "/buy/*/x"),
            .path(#"\/buy\/⟦{⟧id}"#, "unencoded-character", fixed: #"\/buy\/*"#),
            .path("/⟦<⟧Sub Path to be added here>", "unencoded-character", fixed: "/<Sub Path to be added here>"),
            .path("/buy/:size/⟦{⟧id}", "router-placeholder unencoded-character"),
            .legacy(#""⟦<⟧Sub Path to be added here>""#, "unencoded-character"),
            .legacy(#""NOT /⟦{⟧id}", "*""#, "unencoded-character"),
            .component(##"{"/": "/a", "#": "/buy/⟦<⟧id>"}"##, "unencoded-character"),
            .component(#"{"/": "/a", "?": {"x": "⟦<⟧id>"}}"#, "unencoded-character"),
        ])
    func impossiblePlaceholders(example: PatternCase) { example.check() }

    @Test(
        "Placeholders that are part of a segment or value are characters that no URL has",
        arguments: [
            PatternCase.path("/item-⟦{⟧id}", "unencoded-character", fixed: "/item-*"),
            .path("/a⟦{⟧b}c", "unencoded-character", fixed: "/a*c"),
            .path("/buy/p-⟦{⟧id}.html", "unencoded-character", fixed: "/buy/p-*.html"),
            .path("/buy/⟦{⟧a}{b}", "unencoded-character", fixed: "/buy/*"),
            .path("/buy/⟦{⟧a}*", "unencoded-character", fixed: "/buy/*"),
            .path("/x-⟦{{⟧ id }}", "unencoded-character", fixed: "/x-*"),
            .path("/x-$⟦{⟧id}/y", "unencoded-character", fixed: "/x-*/y"),
            .path("/x-⟦<⟧int:id>", "unencoded-character", fixed: "/x-*"),
            .path("/x-⟦{⟧**rest}/{%}", "unencoded-character invalid-percent-escape", fixed: "/x-*/%7B%%7D"),
            .path("/$(lang)⟦{⟧id}", "unencoded-character", fixed: "/$(lang)*"),
            .path("/a⟦ ⟧b/é-{id}/{c}d", "unencoded-character", fixed: "/a%20b/%C3%A9-*/*d"),
            .path("/x-⟦{⟧id}/é", "unencoded-character", fixed: "/x-*/%C3%A9"),
            .path("/⟦{⟧a}/x-{b}", "unencoded-character", fixed: "/*/x-*"),
            .path(#"\/x-⟦{⟧id}"#, "unencoded-character", fixed: #"\/x-*"#),
            .path("x-⟦{⟧id}", "missing-leading-slash unencoded-character"),
            .legacy(#""NOT /x-⟦{⟧id}", "*""#, "unencoded-character", fixed: #""NOT /x-*", "*""#),
            .component(#"{"/": "/a", "?": "x=a⟦{⟧id}"}"#, "unencoded-character", fixed: #"{"/": "/a", "?": "x=a*"}"#),
            .component(#"{"/": "/a", "?": {"x": "a⟦{⟧id}"}}"#, "unencoded-character"),
            .component(##"{"/": "/a", "#": "x=⟦{⟧id}"}"##, "unencoded-character"),
            .path("/x-⟦{⟧id}/.*", "unencoded-character regex-in-pattern"),
        ])
    func parts(example: PatternCase) { example.check() }

    @Test(
        "A regular expression is blamed once",
        arguments: [
            PatternCase.path(#"⟦^⟧/buy/\\d+$"#, "regex-in-pattern"),
            .path(#"⟦/.*⟧\\.html"#, "regex-in-pattern"),
            .path(#"⟦^⟧/buy"#, "regex-in-pattern"),
            .path("⟦/.*⟧", "regex-in-pattern"), .path("⟦.*⟧/buy", "regex-in-pattern"),
            .path("/buy⟦/.*⟧", "regex-in-pattern"), .path("/buy/⟦.+⟧", "regex-in-pattern"),
            .path(#"/buy/⟦\\d⟧{4}"#, "regex-in-pattern"),
            .path(#"/buy/⟦\\d⟧/\\d"#, "regex-in-pattern"), .path("/buy/⟦[0-9]⟧{4}", "regex-in-pattern"),
            .path("/x/.**/⟦(a|b)⟧", "repeated-wildcard regex-in-pattern"),
            .path("/x/⟦[a-zéééééééééééé^]⟧", "regex-in-pattern unencoded-character"),
            .path("/⟦(a|b)⟧/(c|d)", "regex-in-pattern"), .path(#"/buy/⟦\\w⟧+"#, "regex-in-pattern"),
            .path("/⟦(buy|sell)⟧/*", "regex-in-pattern"), .path("/⟦(?:de|en)⟧/.*", "regex-in-pattern"),
            .path("/buy/⟦[0-9]⟧+", "regex-in-pattern"), .path("/buy/⟦[a-zA-Z0-9_-]⟧*", "regex-in-pattern"),
            .path("/⟦[a-z]⟧", "regex-in-pattern"), .path("/buy⟦$⟧", "regex-in-pattern"),
            .path("/⟦$⟧", "regex-in-pattern"),
            .path(#"/a b/⟦\\d⟧"#, "unencoded-character regex-in-pattern"),
            .component(#"{"/": "/a", "?": {"x": "⟦[0-9]⟧*"}}"#, "regex-in-pattern"),
            .component(#"{"/": "/a", "?": {"x": "⟦.*⟧"}}"#, "regex-in-pattern"),
            .component(##"{"/": "/a", "#": "⟦^⟧x"}"##, "regex-in-pattern"),
            .path("/(buy)/*"), .path("/a.*"), .path("/$/x"), .path("/a$b"), .path("/dir/.*x"), .path("/a-z"),
            .path("/[x]y"),
        ])
    func regularExpressions(example: PatternCase) { example.check() }

    @Test(
        "A regular expression that no URL can match is an error, unless the options say otherwise",
        arguments: [
            (#"^/user/.*$"#, true), (#"/order/\\d+"#, true), ("/(a|b)/*", true), ("/x/[0-9]{4}", true),
            ("/order/[0-9]+", false), ("/.*", false), ("/buy$", false), ("/x/.+", false),
        ])
    func impossibleExpressions(pattern: String, isError: Bool) {
        let file = Array(
            #"{"applinks": {"details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{"/": "\#(pattern)"}]}]}}"#
                .utf8)
        let found = Linter().check(file).diagnostics
        #expect(found.map(\.code.rawValue) == ["regex-in-pattern"])
        #expect(found.map(\.severity) == [isError ? .error : .warning])
        for (setting, severity) in [(LintOptions.Setting.warning, Severity.warning), (.error, .error)] {
            let options = LintOptions(settings: [DiagnosticCode(rawValue: "regex-in-pattern"): setting])
            #expect(Linter(options).check(file).diagnostics.map(\.severity) == [severity])
        }
    }

    @Test(
        "What no URL has is encoded",
        arguments: [
            PatternCase.path("/caf⟦é⟧", "unencoded-character", fixed: "/caf%C3%A9"),
            .path("/cafe\u{301}x", "unencoded-character", fixed: "/cafe%CC%81x"),
            .path("/⟦日本⟧/é x", "unencoded-character", fixed: "/%E6%97%A5%E6%9C%AC/%C3%A9%20x"),
            .path(#"/caf⟦\u00e9⟧/\u00e9"#, "unencoded-character", fixed: "/caf%C3%A9/%C3%A9"),
            .path(#"\/a⟦ ⟧b\/"#, "unencoded-character", fixed: #"\/a%20b\/"#),
            .path(#"/a⟦\u0000⟧b"#, "unencoded-character", fixed: "/a%00b"),
            .path(#"/a⟦\t⟧b"#, "unencoded-character", fixed: "/a%09b"),
            .path("/a⟦\u{7F}⟧b", "unencoded-character", fixed: "/a%7Fb"),
            .path(#"/a⟦\"⟧b"#, "unencoded-character", fixed: "/a%22b"),
            .path("/a⟦<>⟧b", "unencoded-character", fixed: "/a%3C%3Eb"),
            .path(#"/a⟦\\⟧b"#, "unencoded-character", fixed: "/a%5Cb"),
            .path("/a⟦^`|⟧b", "unencoded-character", fixed: "/a%5E%60%7Cb"),
            .path("/a⟦{⟧1}", "unencoded-character", fixed: "/a%7B1%7D"),
            .path(#"/⟦\ud83d\uDE00⟧"#, "unencoded-character", fixed: "/%F0%9F%98%80"),
            .legacy(#""NOT /a⟦ ⟧b", "*""#, "unencoded-character", fixed: #""NOT /a%20b", "*""#),
            .component(#"{"/": "/a", "?": "x=⟦é⟧"}"#, "unencoded-character", fixed: #"{"/": "/a", "?": "x=%C3%A9"}"#),
            .component(#"{"/": "/a", "?": {"x": "⟦é⟧"}}"#, "unencoded-character"),
            .component(##"{"/": "/a", "#": "⟦é⟧"}"##, "unencoded-character"),
            .component(#"{"/": "/⟦ä⟧/$(lang) x"}"#, "unencoded-character", fixed: #"{"/": "/%C3%A4/$(lang)%20x"}"#),
            .appLinks(#""defaults": {"percentEncoded": false}"#, path: "/café x"),
            .decoded("/café {1}"), .path("/a~!$&'()+,;=:@b"),
        ])
    func unencodedCharacters(example: PatternCase) { example.check() }

    @Test(
        "Escapes are looked at",
        arguments: [
            PatternCase.path("/100⟦%⟧", "invalid-percent-escape", fixed: "/100%25"),
            .path("/⟦%⟧zz/%2", "invalid-percent-escape", fixed: "/%25zz/%252"),
            .path("/⟦%⟧%41", "invalid-percent-escape", fixed: "/%25%41"),
            .path("/⟦%⟧%", "invalid-percent-escape", fixed: "/%25%25"),
            .path(#"\/50⟦\u0025⟧x"#, "invalid-percent-escape", fixed: #"\/50%25x"#),
            .component(#"{"/": "/a", "?": {"x": "50⟦%⟧"}}"#, "invalid-percent-escape"),
            .path("/%*"), .path("/%??"), .path("/%2?"), .path("/%?0"), .path("/%$(xdigit)$(xdigit)"),
            .path("/%2$(digit)"), .path("/%E2%9C%93"), .decoded("/100%"),
            .path("/⟦%c3⟧%A9%e2", "lowercase-percent-escape", fixed: "/%C3%A9%E2"),
            .path("/%C3⟦%a9⟧", "lowercase-percent-escape"),
            .component(#"{"/": "/%c3%a9", "caseSensitive": false}"#),
            .decoded("/my⟦%20⟧shop%21", "escape-with-decoding", fixed: "/my shop!"),
            .decoded("/caf⟦%c3⟧%A9", "escape-with-decoding", fixed: "/café"),
            .decoded("/a⟦%22⟧b", "escape-with-decoding", fixed: #"/a\"b"#),
            .decoded("/a⟦%23⟧b", "escape-with-decoding", fixed: "/a#b"),
            .decoded("/a⟦%2A⟧b", "escape-with-decoding", fixed: "/a%2Ab"),
            .decoded("/a⟦%3F⟧b", "escape-with-decoding", fixed: "/a%3Fb"),
            .decoded("/a⟦%FF⟧b", "escape-with-decoding", fixed: "/a%FFb"),
            .decoded("/a⟦%25⟧20", "escape-with-decoding", fixed: "/a%2520"),
            .decoded("/a⟦%20⟧", "escape-with-decoding", fixed: "/a%20"),
        ])
    func escapes(example: PatternCase) { example.check() }

    @Test(
        "Stars in a row become one",
        arguments: [
            PatternCase.path("/buy/⟦**⟧", "repeated-wildcard", fixed: "/buy/?*"),
            .path("/⟦***⟧/buy**", "repeated-wildcard", fixed: "/*/buy*"),
            .path("⟦**⟧", "repeated-wildcard", fixed: "*"),
            .legacy(#""NOT /a/⟦**⟧", "*""#, "repeated-wildcard", fixed: #""NOT /a/?*", "*""#),
            .component(#"{"/": "/a", "?": "x=⟦**⟧"}"#, "repeated-wildcard", fixed: #"{"/": "/a", "?": "x=*"}"#),
            .component(#"{"/": "/a", "?": {"x": "⟦**⟧"}}"#, "repeated-wildcard"),
            .component(##"{"/": "/a", "#": "⟦**⟧"}"##, "repeated-wildcard"),
            .path(#"\/a\/⟦*\u002a⟧"#, "repeated-wildcard", fixed: #"\/a\/?*"#),
            .path("/*?*"), .path("/*/*"), .path("/*$(lang)*"),
        ])
    func stars(example: PatternCase) { example.check() }
}
