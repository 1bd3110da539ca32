extension MatchingCase {
    /// Section 3, "Percent-encoding".
    static let percentEncoding: [MatchingCase] = [
        .init("as it stands", #"{"/": "/rye%20bread"}"#, "/rye%20bread", .open),
        .init("an escape is not decoded", #"{"/": "/rye bread"}"#, "/rye%20bread", .noMatch),
        .init("a raw character is not encoded", #"{"/": "/rye%20bread"}"#, "/rye bread", .noMatch),
        .init("an escaped slash is no slash", #"{"/": "/a/b"}"#, "/a%2Fb", .noMatch),
        .init("an escaped slash is not dropped", #"{"/": "/a"}"#, "/a%2F", .noMatch),
        .init("an escaped slash does not open the parent", #"{"/": "/a/*"}"#, "/a%2Fb", .noMatch),
        .init("an escaped question mark begins no query", #"{"?": ""}"#, "/a%3Fb=1", .open),
        .init("an escaped unreserved character is another text", #"{"/": "/%7Euser"}"#, "/~user", .noMatch),
        .init("a question mark counts one byte", #"{"/": "/caf?"}"#, "/caf%C3%A9", .noMatch),
        .init("six question marks for an escaped letter", #"{"/": "/caf??????"}"#, "/caf%C3%A9", .open),
        .init("two question marks for a raw letter", #"{"/": "/caf??"}"#, "/café", .open),
        .init("a raw letter in a pattern and an escaped one", #"{"/": "/café"}"#, "/caf%C3%A9", .noMatch),
        .init("an escaped letter on both sides", #"{"/": "/caf%C3%A9/*"}"#, "/caf%C3%A9/menu", .open),
        .init("the default may be said", #"{"/": "/a%20b", "percentEncoded": true}"#, "/a%20b", .open),
        .init("an item's value as it stands", #"{"?": {"city": "M%C3%BCnchen"}}"#, "/x?city=M%C3%BCnchen", .open),
        .init("an item's name as it stands", #"{"?": {"%24web": "1"}}"#, "/x?%24web=1", .open),
        .init("an item's name is not decoded", #"{"?": {"$web": "1"}}"#, "/x?%24web=1", .noMatch),
        .init("a fragment as it stands", ##"{"#": "a%20b"}"##, "/x#a%20b", .open),
        .init("decoded: a letter", #"{"/": "/café/*", "percentEncoded": false}"#, "/caf%C3%A9/menu", .open),
        .init("decoded: small letters in the escape", #"{"/": "/café", "percentEncoded": false}"#, "/caf%c3%a9", .open),
        .init("decoded: a raw letter stays", #"{"/": "/café", "percentEncoded": false}"#, "/café", .open),
        .init("decoded: a space", #"{"/": "/rye bread", "percentEncoded": false}"#, "/rye%20bread", .open),
        .init(
            "decoded: the pattern is left alone", #"{"/": "/rye%20bread", "percentEncoded": false}"#, "/rye%20bread",
            .noMatch),
        .init("decoded: once and not twice", #"{"/": "/a%20b", "percentEncoded": false}"#, "/a%2520b", .open),
        .init("decoded: not twice", #"{"/": "/a b", "percentEncoded": false}"#, "/a%2520b", .noMatch),
        .init("decoded: an unreserved character", #"{"/": "/~user", "percentEncoded": false}"#, "/%7Euser", .open),
        .init("decoded: a slash is a slash", #"{"/": "/a/b", "percentEncoded": false}"#, "/a%2Fb", .open),
        .init(
            "decoded: a slash at the end does not matter", #"{"/": "/a", "percentEncoded": false}"#, "/a%2F%2f", .open),
        .init("decoded: a slash opens the parent", #"{"/": "/a/*", "percentEncoded": false}"#, "/a%2Fb", .open),
        .init(
            "decoded: a question mark is one scalar", #"{"/": "/caf?", "percentEncoded": false}"#, "/caf%C3%A9", .open),
        .init(
            "decoded: a question mark is one scalar of four bytes", #"{"/": "/?", "percentEncoded": false}"#,
            "/%F0%9F%98%80", .open),
        .init(
            "decoded: a question mark is not two scalars", #"{"/": "/?", "percentEncoded": false}"#, "/e%CC%81",
            .noMatch),
        .init(
            "decoded: two question marks for two scalars", #"{"/": "/??", "percentEncoded": false}"#, "/e%CC%81", .open),
        .init(
            "decoded: question marks in a chunk", #"{"/": "*/?x?/*", "percentEncoded": false}"#,
            "/a/%C3%A9x%E6%97%A5/b", .open),
        .init(
            "decoded: a star does not part a scalar", #"{"/": "/*??", "percentEncoded": false}"#, "/%E6%97%A5", .noMatch
        ),
        .init(
            "decoded: a star before as many scalars", #"{"/": "/*??", "percentEncoded": false}"#, "/%E6%97%A5a", .open),
        .init(
            "decoded: stars do not part a scalar", #"{"/": "/*?*??", "percentEncoded": false}"#, "/%E6%97%A5a", .noMatch
        ),
        .init(
            "decoded: a star does not part a scalar of a query", #"{"?": "*??", "percentEncoded": false}"#,
            "/x?%E6%97%A5", .noMatch),
        .init(
            "decoded: a star does not part a scalar of an item", #"{"?": {"a": "*??"}, "percentEncoded": false}"#,
            "/x?a=%E6%97%A5", .noMatch),
        .init(
            "decoded: a star does not part a scalar of a fragment", ##"{"#": "*??", "percentEncoded": false}"##,
            "/x#%F0%9F%98%80", .noMatch),
        .init("decoded: an invalid escape stays", #"{"/": "/100%zz", "percentEncoded": false}"#, "/100%zz", .open),
        .init(
            "decoded: an escape that is cut off stays", #"{"/": "/100%4", "percentEncoded": false}"#, "/100%4", .open),
        .init("decoded: a percent sign at the end stays", #"{"/": "/100%", "percentEncoded": false}"#, "/100%", .open),
        .init("decoded: an escaped percent sign", #"{"/": "/100%", "percentEncoded": false}"#, "/100%25", .open),
        .init(
            "decoded: a valid escape behind an invalid one", #"{"/": "/%zA", "percentEncoded": false}"#, "/%z%41", .open
        ),
        .init("decoded: two percent signs", #"{"/": "/%A", "percentEncoded": false}"#, "/%%41", .open),
        .init(
            "decoded: an escape is not made of two parts", #"{"/": "/%41", "percentEncoded": false}"#, "/%%34%31", .open
        ),
        .init("decoded: the query", #"{"?": "q=ü", "percentEncoded": false}"#, "/x?q=%C3%BC", .open),
        .init(
            "decoded: an item's value", #"{"?": {"city": "München"}, "percentEncoded": false}"#, "/x?city=M%C3%BCnchen",
            .open),
        .init(
            "decoded: an item's name", #"{"?": {"größe": "l"}, "percentEncoded": false}"#, "/x?gr%C3%B6%C3%9Fe=l", .open
        ),
        .init(
            "decoded: an ampersand parts no items", #"{"?": {"v": "a&b=c"}, "percentEncoded": false}"#, "/x?v=a%26b=c",
            .open),
        .init(
            "decoded: an equals sign in a name", #"{"?": {"a=b": "c"}, "percentEncoded": false}"#, "/x?a%3Db=c", .open),
        .init("decoded: the fragment", ##"{"#": "übersicht", "percentEncoded": false}"##, "/x#%C3%BCbersicht", .open),
        .init("decoded: a number sign in a path", #"{"/": "/a#b", "percentEncoded": false}"#, "/a%23b", .open),
        .init("decoded: a zero byte", #"{"/": "/a\u0000b", "percentEncoded": false}"#, "/a%00b", .open),
        .init(
            "decoded: bytes that are no text, under a star", #"{"/": "/a*b", "percentEncoded": false}"#, "/a%FF%C3b",
            .open),
        .init(
            "decoded: without regard to case", #"{"/": "/Rye Bread", "percentEncoded": false, "caseSensitive": false}"#,
            "/rYE%20bREAD", .open),
        .init(
            "the rules of an entry differ in decoding",
            #"{"/": "/a b", "percentEncoded": false, "exclude": true}, {"/": "/a%20b"}"#, "/a%20b", .excluded,
            by: [0, 0]),
        .init(
            "the first rule counts, decoded or not",
            #"{"/": "/a%20b"}, {"/": "/a b", "percentEncoded": false, "exclude": true}"#, "/a%20b", .open, by: [0, 0]),
    ]
}
