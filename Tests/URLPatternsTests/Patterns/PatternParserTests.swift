import Testing
import URLPatterns

@Suite("Reading patterns")
struct PatternParserTests {
    @Test(
        "a pattern is cut at its variables",
        arguments: [
            ("", []), ("/a*b?", ["/a*b?"]), ("$(x)", ["<x>"]),
            ("/$(lang)_$(region)/*", ["/", "<lang>", "_", "<region>", "/*"]),
            ("$(a)$(b)", ["<a>", "<b>"]), ("$()", ["<>"]), ("$(naïve name! *?/)", ["<naïve name! *?/>"]),
            ("$", ["$"]), ("$$", ["$$"]), ("a$b", ["a$b"]), ("$(", ["$("]), ("$(x", ["$(x"]), ("$x)", ["$x)"]),
            ("$ (x)", ["$ (x)"]),
            ("$$(x)", ["$", "<x>"]), ("$($(x)", ["$(", "<x>"]), ("$(a(b)", ["$(a(b)"]),
            ("$(a$(b))", ["$(a", "<b>", ")"]),
            ("$(a))", ["<a>", ")"]), ("$(a$)", ["$(a$)"]), ("$((a)", ["$((a)"]), ("x$(a", ["x$(a"]),
            ("$(a)$(", ["<a>", "$("]),
        ])
    func pieces(pattern: String, expected: [String]) {
        let pieces = PatternParser.pieces(Array(pattern.utf8)).map { piece in
            switch piece {
            case .text(let text): String(decoding: text, as: UTF8.self)
            case .variable(let name): "<\(String(decoding: name, as: UTF8.self))>"
            }
        }
        #expect(pieces == expected)
    }

    @Test("the pieces make the pattern again", arguments: ["", "/a$(b)c$(d", "$(a$(b))", "$$$(((x)))$", "é$(ü)*"])
    func whole(pattern: String) {
        let pieces = PatternParser.pieces(Array(pattern.utf8))
        let text = pieces.flatMap { piece in
            switch piece {
            case .text(let text): Array(text)
            case .variable(let name): Array("$(".utf8) + name + Array(")".utf8)
            }
        }
        #expect(text == Array(pattern.utf8))
    }

    @Test("wildcards and text become elements, byte by byte")
    func elements() {
        let elements = parse("/*?a\u{E9}\\")
        #expect(elements == [.byte(0x2F), .anyRun, .anyCharacter, .byte(0x61), .byte(0xC3), .byte(0xA9), .byte(0x5C)])
    }

    @Test("a variable stands for its values, in which wildcards count and variables do not")
    func values() {
        let variables = SubstitutionVariables([
            SubstitutionVariable(name: "v", values: ["a*", "", "$(v)"]), SubstitutionVariable(name: "none", values: []),
        ])
        let reference = "$(v)".utf8.map { PatternElement.byte($0) }
        #expect(parse("$(v)", variables) == [.oneOf([[.byte(0x61), .anyRun], [], reference])])
        #expect(parse("$(none)", variables) == [.oneOf([])])
        #expect(parse("$(undefined)", variables) == [.oneOf([])])
        #expect(parse("$(V)", variables) == [.oneOf([])])
    }

    @Test(
        "a built-in variable is one character of a set",
        arguments: [
            ("alpha", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"), ("upper", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
            ("lower", "abcdefghijklmnopqrstuvwxyz"), ("digit", "0123456789"), ("xdigit", "0123456789ABCDEFabcdef"),
            ("alnum", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
        ])
    func sets(name: String, characters: String) {
        #expect(parse("$(\(name))") == [.character(ByteSet(characters.utf8))])
        let folded = parse("$(\(name))", caseSensitive: false)
        #expect(folded == [.character(ByteSet(characters.lowercased().utf8))])
    }

    @Test("region and lang are one of their codes, folded if case does not matter")
    func codes() {
        func words(_ codes: [String]) -> [PatternElement] { [.oneOf(codes.map { $0.utf8.map { .byte($0) } })] }
        #expect(parse("$(region)") == words(RegionCodes.all))
        #expect(parse("$(lang)") == words(LanguageCodes.all))
        #expect(parse("$(region)", caseSensitive: false) == words(RegionCodes.all.map { $0.lowercased() }))
    }

    @Test("a file's variable replaces a built-in one of exactly its name")
    func replaced() {
        let variables = SubstitutionVariables([
            SubstitutionVariable(name: "digit", values: ["x"]), SubstitutionVariable(name: "Alpha", values: ["y"]),
        ])
        #expect(parse("$(digit)", variables) == [.oneOf([[.byte(0x78)]])])
        #expect(parse("$(alpha)", variables) == parse("$(alpha)"))
    }

    @Test("text and values are folded as the comparison says, names are not")
    func folding() {
        let variables = SubstitutionVariables([SubstitutionVariable(name: "V", values: ["\u{C9}A"])])
        #expect(parse("$(V)B", variables, caseSensitive: false) == parse("$(V)b", variables, caseSensitive: false))
        #expect(parse("\u{C9}", caseSensitive: false) == parse("\u{C9}"))
        #expect(parse("\u{C9}", caseSensitive: false, percentEncoded: false) == parse("\u{E9}"))
        #expect(parse("$(v)", variables, caseSensitive: false) == [.oneOf([])])
    }

    private func parse(
        _ pattern: String, _ variables: SubstitutionVariables = SubstitutionVariables(), caseSensitive: Bool = true,
        percentEncoded: Bool = true
    ) -> [PatternElement] {
        let comparison = Comparison(caseSensitive: caseSensitive, percentEncoded: percentEncoded)
        return PatternParser(variables: variables, comparison: comparison).parse(pattern)
    }
}
