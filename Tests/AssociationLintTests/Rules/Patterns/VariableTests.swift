import Testing

struct VariableTests {
    static func variables(_ variables: String, _ path: String, _ codes: String = "", fixed: String? = nil)
        -> PatternCase
    {
        .appLinks(
            #""substitutionVariables": \#(variables)"#, path: path, codes,
            fixed: fixed.map { #""substitutionVariables": \#($0)"# })
    }

    @Test(
        "A variable is defined and closed",
        arguments: [
            PatternCase.path("/⟦$(x)⟧", "undefined-variable", fixed: "/$(x)"),
            .path("/⟦$(Lang)⟧/x", "undefined-variable", fixed: "/$(lang)/x"),
            .path("/⟦$(digits)⟧", "undefined-variable", fixed: "/$(digit)"),
            .path("/⟦$()⟧", "undefined-variable"),
            .path("/⟦$(a)⟧$(a)$(b)", "undefined-variable undefined-variable"),
            .path(#"\/⟦\u0024(landg)⟧"#, "undefined-variable", fixed: #"\/$(lang)"#),
            .path("/$(alpha)$(upper)$(lower)$(alnum)$(digit)$(xdigit)$(region)$(lang)"),
            variables(#"{"shelf": ["a"], "size": ["s"]}"#, "/$(shelf)/$(size)"),
            variables(#"{"shelf": ["a"]}"#, "/$(shelv)", "undefined-variable"),
            variables(#"{"Shelf": ["a"]}"#, "/$(shelf)", "undefined-variable"),
            .component(#"{"?": {"x": "⟦$(x)⟧"}}"#, "undefined-variable"),
            .component(#"{"?": "x=⟦$(x)⟧"}"#, "undefined-variable"),
            .component(##"{"#": "⟦$(x)⟧"}"##, "undefined-variable"), .legacy(#""/⟦$(x)⟧""#, "undefined-variable"),
            .path("/⟦$(lang⟧", "unclosed-variable", fixed: "/$(lang)"),
            .path("/⟦$(lang/buy/$(lang)⟧", "unclosed-variable", fixed: "/$(lang)/buy/$(lang)"),
            .path("/$(lang)/⟦$(⟧", "unclosed-variable", fixed: "/$(lang)/$("),
            .path("/⟦$(a(b)⟧", "unclosed-variable"), .path("/$lang"), .path("/lang)"),
        ])
    func use(example: PatternCase) { example.check() }

    @Test(
        "What is defined is sound and used",
        arguments: [
            variables(#"{⟦""⟧: ["a"]}"#, "/x", "invalid-variable-name"),
            variables(#"{⟦"$(a)"⟧: ["a"]}"#, "/x", "invalid-variable-name"),
            variables(#"{⟦"a)"⟧: ["a"]}"#, "/x", "invalid-variable-name"),
            variables(#"{⟦"a"⟧: ["1"]}"#, "/x", "unused-variable", fixed: "{}"),
            variables(#"{⟦"a"⟧: ["1"], "b": ["2"]}"#, "/$(b)", "unused-variable", fixed: #"{"b": ["2"]}"#),
            variables(#"{"b": ["2"], ⟦"a"⟧: ["1"]}"#, "/$(b)", "unused-variable", fixed: #"{"b": ["2"]}"#),
            variables(#"{"b": ["$(a)"], "a": ["1"]}"#, "/$(b)", "nested-variable"),
            variables(#"{"a": ["1"]}"#, "/$(a", "unclosed-variable"),
            variables(#"{⟦"lang"⟧: ["de"]}"#, "/$(lang)", "shadowed-variable"),
            variables(#"{⟦"lang"⟧: ["de"]}"#, "/x", "unused-variable"),
            variables(#"{"a": ["1", ⟦""⟧]}"#, "/$(a)", "empty-variable-value"),
            variables(#"{"a": ["x⟦$(lang)⟧y"]}"#, "/$(a)", "nested-variable"),
            variables(#"{"a": ["x⟦$(lang⟧"]}"#, "/$(a)", "nested-variable"),
            variables(#"{"a": ["⟦$(b$(lang)⟧"]}"#, "/$(a)", "nested-variable"),
            variables(#"{"a b/c": ["1"]}"#, "/$(a b/c)"),
            variables(#"{"a": ["1", "*", "x?"]}"#, "/$(a)"),
        ])
    func definitions(example: PatternCase) { example.check() }

    @Test(
        "A value is looked at as the patterns that use it are compared",
        arguments: [
            variables(#"{"a": ["⟦**⟧"]}"#, "/$(a)", "repeated-wildcard", fixed: #"{"a": ["*"]}"#),
            variables(#"{"a": ["⟦é⟧"]}"#, "/$(a)", "unencoded-character", fixed: #"{"a": ["%C3%A9"]}"#),
            variables(#"{"a": [⟦"x "⟧]}"#, "/$(a)", "whitespace-around-pattern", fixed: #"{"a": ["x"]}"#),
            variables(#"{"a": ["⟦%c3⟧%A9"]}"#, "/$(a)", "lowercase-percent-escape", fixed: #"{"a": ["%C3%A9"]}"#),
            variables(#"{"a": ["⟦[0-9]⟧"]}"#, "/$(a)", "regex-in-pattern"),
            variables(#"{"a": ["⟦{id}⟧"]}"#, "/$(a)", "router-placeholder"),
            variables(#"{"a": ["100%", "%2", "b//c", "..", "x#y", "https://x", "?q=1"]}"#, "/$(a)"),
            PatternCase.appLinks(
                #""defaults": {"percentEncoded": false}, "substitutionVariables": {"a": ["⟦%C3⟧%A9", "é", " x"]}"#,
                path: "/$(a)", "escape-with-decoding"),
            variables(
                #"{"a": ["é", "%C3%A9", "%c3%A9", "x "]}"#,
                ##"/$(a)"}, {"/": "/b/$(a)", "percentEncoded": false, "#": "x"##),
            variables(#"{⟦"a"⟧: ["é "]}"#, "/x", "unused-variable"),
        ])
    func values(example: PatternCase) { example.check() }
}
