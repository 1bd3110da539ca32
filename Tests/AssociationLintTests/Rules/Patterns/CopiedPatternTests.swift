import Testing

@Suite("Patterns that were copied, or mean another text")
struct CopiedPatternTests {
    @Test(
        "a host at the start of a path is found, with and without the slash",
        arguments: [
            PatternCase.legacy(#""/⟦github.com⟧/969990431/*""#, "host-in-path", fixed: #""/969990431/*""#),
            .legacy(#""⟦github.com⟧/969990431/*""#, "missing-leading-slash host-in-path"),
            .legacy(#""NOT /⟦shop.example.co.uk⟧/a", "*""#, "host-in-path", fixed: #""NOT /a", "*""#),
            .component(#"{"/": "/⟦*.shop.io⟧/a/*"}"#, "host-in-path", fixed: #"{"/": "/a/*"}"#),
            // Folders and files, the ID of an app, a language and a region.
            .path("/.well-known/*"), .path("/v1.2/*"), .path("/index.html"), .path("/index.html/*"),
            .path("/main.js/*"),
            .path("/com.shop.app/*"), .path("/io.shop.app/*"), .path("/de.ch/*"), .path("/github.com"),
            .path("/buy/github.com/*"),
        ])
    func hosts(example: PatternCase) { example.check() }

    @Test(
        "a pattern that starts with '*/' misses the top level",
        arguments: [
            PatternCase.component(
                #"{"/": ⟦"*/terms/*"⟧, "exclude": true}, {"/": "/buy/*"}"#, "top-level-not-matched",
                fixed: #"{"/": "/terms/*", "exclude": true}, {"/": "*/terms/*", "exclude": true}, {"/": "/buy/*"}"#),
            .legacy(#"⟦"*/a"⟧, "/b""#, "top-level-not-matched", fixed: #""/a", "*/a", "/b""#),
            .legacy(
                #"⟦"NOT */a/*"⟧, "*""#, "top-level-not-matched", fixed: #""NOT /a/*", "NOT */a/*", "*""#),
            // The list says what is to happen there.
            .legacy(#""*/a/*", "/a/*""#), .legacy(#""/a", "*/a/""#), .legacy(#""*/a/*", "*""#),
            .component(#"{"/": "*/a"}, {"comment": "all the rest"}"#),
            // Nothing is missing, or something else is wrong.
            .path("*/*", ""), .path("*.html"), .path("/*/a/*"), .path("*/?*"), .path("*/$(lang)/*"), .path("*"),
        ])
    func topLevel(example: PatternCase) { example.check() }

    @Test(
        "a value of a query item that matches one character, or nothing",
        arguments: [
            PatternCase.component(
                #"{"/": "/open", "?": {"app_id": ⟦"?"⟧, "app_data": "?*"}}"#, "odd-query-value",
                fixed: #"{"/": "/open", "?": {"app_id": "?*", "app_data": "?*"}}"#),
            .component(
                #"{"/": "/open", "?": {"app_data": ⟦""⟧}}"#, "odd-query-value",
                fixed: #"{"/": "/open", "?": {"app_data": "?*"}}"#),
            .component(#"{"/": "/open", "?": {"a": "??"}}"#), .component(#"{"/": "/open", "?": ""}"#),
        ])
    func values(example: PatternCase) { example.check() }

    @Test(
        "a star for the query or the fragment alone matches every URL",
        arguments: [
            PatternCase.component(
                #"{"?": ⟦"*"⟧, "comment": "Matches any URL with query parameters"}"#, "query-star-matches-absent",
                fixed: #"{"?": "?*", "comment": "Matches any URL with query parameters"}"#),
            .component(##"{"#": ⟦"*"⟧}"##, "fragment-star-matches-absent", fixed: ##"{"#": "?*"}"##),
            .component(##"{"?": ⟦"*"⟧, "#": "*"}"##, "query-star-matches-absent"),
            .component(##"{"/": "/buy", "?": "*"}"##), .component(##"{"/": "*", "#": "*"}"##),
            .component(##"{"?": "*", "#": "top"}"##), .component(##"{"?": "a=1", "#": "*"}"##),
        ])
    func stars(example: PatternCase) { example.check() }
}
