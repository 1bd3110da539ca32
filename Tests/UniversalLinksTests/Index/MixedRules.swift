/// Rules of every kind that the index tells apart, and URLs that are about them.
enum MixedRules {
    /// - Parameter flags: Whether some rules have no regard to case, or see the URL decoded.
    static func document(count: Int, flags: Bool = true) -> SampleDocument {
        let components = (0..<count).map { component($0, flags: flags) }.joined(separator: ",\n")
        return .components(components, variables: #""word": ["red", "blue", "", "a*z"], "many": [\#(many)]"#)
    }

    private static let many = (0..<70).map { #""m\#($0)""# }.joined(separator: ", ")

    private static func component(_ number: Int, flags: Bool) -> String {
        let kind = number % 20
        var members = [#""/": "\#(pattern(kind, number / 20))""#]
        if number % 7 == 3 { members.append(#""exclude": true"#) }
        if number % 11 == 5 { members.append(#""?": {"id": "\#(number % 3)*"}"#) }
        if number % 13 == 7 { members.append(##""#": "f\##(number % 2)""##) }
        if flags, number % 3 == 1 { members.append(#""caseSensitive": false"#) }
        if flags, number % 5 == 2 { members.append(#""percentEncoded": false"#) }
        return "{\(members.joined(separator: ", "))}"
    }

    private static func pattern(_ kind: Int, _ number: Int) -> String {
        switch kind {
        case 0: "/exact-\(number)"
        case 1: "/below-\(number)/*"
        case 2: "/a/b/c/\(number)"
        case 3: "/a/b/c/\(number)/*"
        case 4: "*.end\(number)"
        case 5: "*/inner\(number)/*"
        case 6: "/q?\(number)/*/z"
        case 7: "/$(digit)$(alpha)-\(number)"
        case 8: "/$(word)/\(number)"
        case 9: "/$(many)/\(number)/*"
        case 10: "*-\(number)*x"
        case 11: "/a-segment-of-more-than-16-bytes-\(number)/with/*/tail"
        case 12: number % 3 == 0 ? "/$(region)/\(number)" : "/US/\(number)"
        case 13: "/caf\u{E9}/\(number)?"
        case 14: "?\(number)"
        case 15: "/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/\(number)"
        case 16: "/a/b/*\(number)*/c/*"
        case 17: "/prefix\(number)*"
        case 18: "*~\(number)"
        default: "//slashes//\(number)//"
        }
    }

    /// URLs of which each is about some rules; the numbers are those of patterns.
    static func urls(_ numbers: some Sequence<Int>) -> [String] {
        numbers.flatMap { number in
            [
                "/exact-\(number)/", "/below-\(number)", "/BELOW-\(number)/x?id=1", "/a/b/c/\(number)/d#f1",
                "/x/y.end\(number)",
                "/x/inner\(number)/y?id=2&a", "/x/inner\(number)", "/q/\(number)/a/b/z", "/7q-\(number)",
                "/red/\(number)", "//\(number)",
                "/axyz/\(number)", "/m69/\(number)/x", "/M3/\(number)", "/a-\(number)-yx", "/US/\(number)",
                "/us/\(number)",
                "/a-segment-of-more-than-16-bytes-\(number)/with/a/b/tail#f0", "/caf%C3%A9/\(number)%C3%A9",
                "/caf\u{E9}/\(number)x",
                "/x\(number)", "/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/\(number)", "/a/b/x\(number)y/c", "/prefix\(number)",
                "/x~\(number)?id",
                "/slashes//\(number)", "/slashes/\(number)", "/exact-\(number)x", "/a/b%2Fc/\(number)", "", "?id=0",
                "/\(number)",
            ].map { "https://example.com\($0)" }
        }
    }
}
