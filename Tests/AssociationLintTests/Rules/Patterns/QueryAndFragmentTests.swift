import Testing

struct QueryAndFragmentTests {
    @Test(
        "Marks in front of a query or fragment are deleted",
        arguments: [
            PatternCase.component(##"{"#": "⟦#⟧top"}"##, "leading-hash-in-fragment", fixed: ##"{"#": "top"}"##),
            .component(##"{"#": "⟦##⟧*"}"##, "leading-hash-in-fragment", fixed: ##"{"#": "*"}"##),
            .component(
                ##"{"#": "⟦#⟧ #top"}"##, "leading-hash-in-fragment unencoded-character", fixed: ##"{"#": "top"}"##),
            .component(##"{"#": "⟦#⟧"}"##, "leading-hash-in-fragment", fixed: ##"{"#": ""}"##),
            .component(##"{"#": "⟦\u0023⟧top"}"##, "leading-hash-in-fragment", fixed: ##"{"#": "top"}"##),
            .component(##"{"#": "top#x"}"##), .component(##"{"#": "/route?x=1"}"##), .component(##"{"#": "!/x"}"##),
            .component(#"{"?": "⟦?⟧x=1"}"#, "leading-question-mark-in-query", fixed: #"{"?": "x=1"}"#),
            .component(#"{"?": "⟦?⟧utm_source=*"}"#, "leading-question-mark-in-query"),
            .component(#"{"?": "?*"}"#), .component(#"{"?": "?"}"#), .component(#"{"?": "??=1"}"#),
            .component(#"{"?": "x?=1"}"#),
            .component(#"{"?": {"x": "?=1"}}"#),
        ])
    func marks(example: PatternCase) { example.check() }

    @Test(
        "A string with several items can be a dictionary",
        arguments: [
            PatternCase.component(
                #"{"?": ⟦"x=1&y=2"⟧}"#, "query-order-matters", fixed: #"{"?": { "x": "1", "y": "2" }}"#),
            .component(#"{"?": ⟦"x=1&*"⟧}"#, "query-order-matters", fixed: #"{"?": { "x": "1" }}"#),
            .component(#"{"?": ⟦"*&x=*&*"⟧}"#, "query-order-matters", fixed: #"{"?": { "x": "?*" }}"#),
            .component(
                #"{"?": ⟦"a\u0022=1&b=\""⟧}"#, "query-order-matters unencoded-character",
                fixed: #"{"?": "a\u0022=1&b=\""}"#),
            .component(#"{"?": ⟦"x=1&x=2"⟧}"#, "query-order-matters", fixed: #"{"?": "x=1&x=2"}"#),
            .component(#"{"?": ⟦"*x=1*&*"⟧}"#, "query-order-matters", fixed: #"{"?": "*x=1*&*"}"#),
            .component(#"{"?": ⟦"x&y"⟧}"#, "query-order-matters", fixed: #"{"?": "x&y"}"#),
            .component(
                #"{"?": "?x=1&y=2"}"#, "query-order-matters leading-question-mark-in-query",
                fixed: #"{"?": { "x": "1", "y": "2" }}"#),
            .component(#"{"?": "x=1"}"#), .component(#"{"?": {"x": "1&2"}}"#), .component(##"{"#": "x=1&y=2"}"##),
        ])
    func order(example: PatternCase) { example.check() }

    @Test(
        "Values of query dictionaries are strings that ask for something",
        arguments: [
            PatternCase.component(#"{"?": {"x": ⟦7⟧}}"#, "non-string-query-value", fixed: #"{"?": {"x": "7"}}"#),
            .component(#"{"?": {"x": ⟦-1.5e3⟧}}"#, "non-string-query-value", fixed: #"{"?": {"x": "-1.5e3"}}"#),
            .component(#"{"?": {"x": ⟦true⟧}}"#, "non-string-query-value", fixed: #"{"?": {"x": "true"}}"#),
            .component(#"{"?": {"x": ⟦null⟧}}"#, "non-string-query-value", fixed: #"{"?": {"x": null}}"#),
            .component(#"{"?": {"x": ⟦["1"]⟧}}"#, "non-string-query-value"),
            .component(#"{"?": {"x": 1, "y": "1", "z": ⟦{}⟧}}"#, "non-string-query-value non-string-query-value"),
            .component(#"{"?": {"x": ⟦"*"⟧}}"#, "query-star-matches-absent", fixed: #"{"?": {"x": "?*"}}"#),
            .component(#"{"?": {"x": ⟦"\u002a"⟧}}"#, "query-star-matches-absent", fixed: #"{"?": {"x": "?*"}}"#),
            .component(#"{"?": {"x": "?*", "y": "*1", "*": "1"}}"#), .component(#"{"?": "*", "/": "/x"}"#),
        ])
    func dictionaries(example: PatternCase) { example.check() }
}
