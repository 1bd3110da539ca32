import Diagnostics
import JSONSyntax
import Testing

/// A text with one mistake, and what is reported about it.
struct BadExample: CustomTestStringConvertible, Sendable {
    let rule: RuleDescription
    /// The range of the finding is marked; without a mark it is the beginning of the file.
    let marked: String
    let place: String
    let applicability: FixIt.Applicability?
    let fixed: String?
    /// The other findings.
    let others: [String]

    init(
        _ rule: RuleDescription, _ marked: String, _ place: String, _ applicability: FixIt.Applicability? = nil,
        _ fixed: String? = nil, others: [String] = []
    ) {
        self.rule = rule
        self.marked = marked
        self.place = place
        self.applicability = applicability
        self.fixed = fixed
        self.others = others
    }

    var testDescription: String { "\(rule.code): \(marked.debugDescription)" }

    /// A file of another format: what to do about it is shown, and changes nothing.
    private static func other(_ rule: RuleDescription, _ text: String) -> BadExample {
        BadExample(rule, text, "1:1", .displayOnly, text)
    }

    static let all = files + commas + pairs + strings + words + brackets + trivia

    static let files: [BadExample] = [
        .init(.emptyFile, "", "1:1"),
        .init(.emptyFile, " \t\r\n", "1:1"),
        .init(.htmlInsteadOfJSON, "<!DOCTYPE html>\n<html></html>", "1:1"),
        .init(.htmlInsteadOfJSON, "\n <?xml version=\"1.0\"?>", "1:1"),
        .init(.htmlInsteadOfJSON, "<html>", "1:1"),
        .init(.notJSON, "Not found", "1:1"),
        .init(.notJSON, "applinks:\n", "1:1"),
        .init(.notJSON, "</html>", "1:1"),
        .init(.notJSON, "trueish", "1:1"),
        .init(.notJSON, ", <- a comma", "1:1"),
        .init(.notJSON, "---\n", "1:1"),
        .other(.notJSON, #"{\rtf1\ansi {\fonttbl} \{ "applinks": \{\} \}}"#),
        .other(.notJSON, "\n {\\rtf1}"),
        .other(.notJSON, "HTTP/2 200\r\ncontent-type: application/json\r\n\r\n{}"),
        .other(.notJSON, "HTTP/1.1 200 OK\nVary: Accept\n\n{}"),
        .other(.notJSON, "bplist00\u{1}"),
        .other(.notJSON, "-----BEGIN CERTIFICATE-----\nMIIB\n"),
        .other(.htmlInsteadOfJSON, "<?xml version=\"1.0\"?>\n<!DOCTYPE plist PUBLIC \"x\">\n<plist/>"),
        .other(.htmlInsteadOfJSON, "<plist version=\"1.0\">"),
        .other(.androidAssetLinks, #"[{"relation": ["x"], "target": {}}]"#),
        .other(.androidAssetLinks, #"[1, {"target": {},}, {"a": @}"#),
        .other(.androidAssetLinks, #"[{"include": "https://a.example/b.json"}]"#),
        .init(.byteOrderMark, "⟦\u{FEFF}⟧{}", "1:1", .automatic, "{}"),
        .init(.frontMatter, "⟦---\nlayout: none\n---⟧\n{}", "1:1", .suggested, "{}"),
        .init(.frontMatter, "\n⟦---\n---⟧\r\n{}", "2:1", .suggested, "\n{}"),
        .init(.frontMatter, "⟦layout: none\n\npermalink: /x⟧\n\n[]", "1:1", .suggested, "\n[]"),
        .init(.frontMatter, "⟦---⟧\n{}", "1:1", .suggested, "{}"),
    ]

    static let commas: [BadExample] = [
        .init(.trailingComma, #"{"a": 1⟦,⟧}"#, "1:8", .automatic, #"{"a": 1}"#),
        .init(.trailingComma, "[1\n⟦,⟧ ]", "2:1", .automatic, "[1\n ]"),
        .init(.trailingComma, "[⟦,⟧]", "1:2", .automatic, "[]"),
        .init(.trailingComma, "{}⟦,⟧\n", "1:3", .automatic, "{}\n"),
        .init(.trailingComma, "[1⟦,⟧", "1:3", .automatic, "[1", others: ["unclosed-bracket 1:1"]),
        .init(.extraComma, "[1,⟦,⟧2]", "1:4", .automatic, "[1,2]"),
        .init(.extraComma, "[⟦,⟧1]", "1:2", .automatic, "[1]"),
        .init(.extraComma, #"{"a": 1, ⟦,⟧"b": 2}"#, "1:10", .automatic, #"{"a": 1, "b": 2}"#),
        .init(.extraComma, "⟦,⟧{}", "1:1", .automatic, "{}"),
        .init(.missingComma, #"["a"⟦⟧ "b"]"#, "1:5", .automatic, #"["a", "b"]"#),
        .init(.missingComma, "[{}⟦⟧{}]", "1:4", .automatic, "[{},{}]"),
        .init(.missingComma, "{\"a\": [1]⟦⟧\n\"b\": 2}", "1:10", .automatic, "{\"a\": [1],\n\"b\": 2}"),
        .init(
            .missingComma, "{\"a\": 1⟦⟧ // one\n\"b\": 2}", "1:8", .automatic, "{\"a\": 1, // one\n\"b\": 2}",
            others: ["json-comment 1:9"]),
    ]

    static let pairs: [BadExample] = [
        .init(.missingColon, #"{"a"⟦⟧ 1}"#, "1:5", .suggested, #"{"a": 1}"#),
        .init(.missingColon, #"{"a"⟦⟧{"b": 2}}"#, "1:5", .suggested, #"{"a":{"b": 2}}"#),
        .init(.missingColon, #"{"a"⟦=⟧1}"#, "1:5", .suggested, #"{"a":1}"#),
        .init(.missingColon, #"{"a" ⟦=⟧> 1}"#, "1:6", .suggested, #"{"a" : 1}"#),
        .init(.missingColon, #"{"a"⟦⟧, "b": 1}"#, "1:5", .displayOnly, #"{"a": "VALUE", "b": 1}"#),
        .init(.missingColon, #"{"a"⟦⟧}"#, "1:5", .displayOnly, #"{"a": "VALUE"}"#),
        .init(.missingValue, #"{"a":⟦⟧}"#, "1:6", .displayOnly, #"{"a": "VALUE"}"#),
        .init(.missingValue, #"{"a":⟦⟧ , "b": 1}"#, "1:6", .displayOnly, #"{"a": "VALUE" , "b": 1}"#),
        .init(.missingKey, "{⟦1⟧}", "1:2"),
        .init(.missingKey, #"{"a": [], ⟦{⟧"b": 1}}"#, "1:11"),
        .init(.missingKey, #"{"a": 1 ⟦{⟧"b": 1}}"#, "1:9"),
        .init(.missingKey, #"{"a": "b" ⟦"c"⟧}"#, "1:11"),
        .init(.missingKey, #"{"a": "b"⟦c⟧"d"}"#, "1:10"),
        .init(.missingKey, "{: ⟦1⟧}", "1:4"),
        .init(.pairInArray, #"["a"⟦:⟧ 1, "b": "c"]"#, "1:5", .suggested, #"{"a": 1, "b": "c"}"#),
        .init(.pairInArray, #"["a"⟦:⟧ 1, 2]"#, "1:5"),
        .init(.duplicateKey, #"{"a": 1, ⟦"a"⟧: 2}"#, "1:10"),
        .init(.duplicateKey, #"{"a": 1, ⟦"\u0061"⟧: 2}"#, "1:10"),
    ]

    static let strings: [BadExample] = [
        .init(.curlyQuote, "{⟦“⟧a”: 1}", "1:2", .automatic, #"{"a": 1}"#),
        .init(.curlyQuote, "[⟦“⟧a\"]", "1:2", .automatic, #"["a"]"#),
        .init(.curlyQuote, "[\"a⟦”⟧]", "1:4", .automatic, #"["a"]"#),
        .init(.curlyQuote, "{\"a⟦”⟧: \"b\"}", "1:4", .automatic, #"{"a": "b"}"#),
        .init(.curlyQuote, "[⟦„⟧a“, 1]", "1:2", .automatic, #"["a", 1]"#),
        .init(.curlyQuote, "[⟦‘⟧a\"b’]", "1:2", .automatic, #"["a\"b"]"#),
        .init(.curlyQuote, "[⟦«⟧a»]", "1:2", .automatic, #"["a"]"#),
        .init(.curlyQuote, "{⟦«⟧a»: \"b\"}", "1:2", .automatic, #"{"a": "b"}"#),
        .init(.curlyQuote, "[⟦»⟧a«, 1]", "1:2", .automatic, #"["a", 1]"#),
        .init(.curlyQuote, "[⟦«⟧a\"]", "1:2", .automatic, #"["a"]"#),
        .init(.curlyQuote, "[⟦‹⟧it\\'s›]", "1:2", .automatic, #"["it's"]"#),
        .init(.curlyQuote, "[⟦「⟧a」]", "1:2", .automatic, #"["a"]"#),
        .init(.curlyQuote, "[⟦『⟧a』]", "1:2", .automatic, #"["a"]"#),
        .init(.singleQuotedString, "[⟦'a'⟧]", "1:2", .automatic, #"["a"]"#),
        .init(.singleQuotedString, "{⟦'a'⟧: 1}", "1:2", .automatic, #"{"a": 1}"#),
        .init(.singleQuotedString, #"[⟦'"it\'s"\n'⟧]"#, "1:2", .automatic, #"["\"it's\"\n"]"#),
        .init(.invalidEscape, #"["a⟦\q⟧"]"#, "1:4"),
        .init(.invalidEscape, #"["⟦\é⟧"]"#, "1:3"),
        .init(.invalidEscape, #"["⟦\u12⟧ 4"]"#, "1:3"),
        .init(.invalidEscape, #"["⟦\u⟧"]"#, "1:3"),
        .init(.invalidEscape, #"["⟦\'⟧"]"#, "1:3"),
        .init(.controlCharacter, "[\"a⟦\t⟧b\"]", "1:4", .automatic, #"["a\tb"]"#),
        .init(.controlCharacter, "[\"⟦\u{0}⟧\"]", "1:3", .automatic, #"["\u0000"]"#),
        .init(.controlCharacter, "[\"⟦\u{1F}⟧\"]", "1:3", .automatic, #"["\u001F"]"#),
        .init(.loneSurrogate, #"["⟦\ud800⟧"]"#, "1:3"),
        .init(.loneSurrogate, #"["⟦\uDC00⟧\ud83d\ude00"]"#, "1:3"),
        .init(.loneSurrogate, #"["⟦\ud800⟧A"]"#, "1:3"),
        .init(.combiningMarks, "[\"a" + String(repeating: "\u{301}", count: 30) + #"⟦\u0323⟧\u0301"]"#, "1:64"),
        .init(.combiningMarks, "[\"" + String(repeating: #"\u0f73"#, count: 30) + #"⟦\u0301⟧"]"#, "1:183"),
        .init(.combiningMarks, "{\"" + String(repeating: "\u{1F1E6}", count: 64) + "⟦\u{1F1E7}⟧\": 1}", "1:259"),
        .init(.unclosedString, "{⟦\"a: 1,⟧\n\"b\": 2}", "1:2"),
        .init(.unclosedString, "[⟦\"a⟧\r\n]", "1:2"),
        .init(.unclosedString, "[⟦\"/x/*],⟧", "1:2"),
        .init(.unclosedString, "[⟦'a⟧\n]", "1:2"),
        .init(.unclosedString, "[⟦“a⟧\n]", "1:2"),
        .init(.unclosedString, "⟦\"a⟧", "1:1"),
        .init(.unclosedString, "[⟦\"AA:BB,⟧\n  CC:DD,\r\n  EE\", \"c\"]", "1:2"),
        .init(.unclosedString, "[⟦\"a,⟧\n \"b\"]", "1:2"),
    ]

    static let words: [BadExample] = [
        .init(.unquotedKey, "{⟦a⟧: 1}", "1:2", .automatic, #"{"a": 1}"#),
        .init(.unquotedKey, "{⟦app-links.x⟧ : 1}", "1:2", .automatic, #"{"app-links.x" : 1}"#),
        .init(.unquotedKey, "{⟦ключ⟧: 1}", "1:2", .automatic, #"{"ключ": 1}"#),
        .init(.unquotedKey, "{⟦5⟧: 1}", "1:2", .automatic, #"{"5": 1}"#),
        .init(.unquotedKey, "{⟦true⟧: 1}", "1:2", .automatic, #"{"true": 1}"#),
        .init(.unquotedValue, "[⟦yes⟧]", "1:2", .suggested, #"["yes"]"#),
        .init(.unquotedValue, "[⟦1.2.3⟧]", "1:2", .suggested, #"["1.2.3"]"#),
        .init(.unquotedValue, "[⟦...⟧]", "1:2", .suggested, #"["..."]"#),
        .init(.unquotedValue, "[⟦True⟧]", "1:2", .suggested, "[true]"),
        .init(.unquotedValue, "[⟦nil⟧, 1]", "1:2", .suggested, "[null, 1]"),
        .init(
            .unquotedValue, #"{"a": ⟦42RWBGTSB9.com.shop.App⟧}"#, "1:7", .suggested,
            #"{"a": "42RWBGTSB9.com.shop.App"}"#
        ),
        .init(.unquotedValue, "[⟦/buy/*⟧]", "1:2", .suggested, #"["/buy/*"]"#),
        .init(.unquotedValue, #"["a"⟦b⟧"c"]"#, "1:5", .suggested, #"["a""b""c"]"#),
        .init(.invalidNumber, "[⟦01⟧]", "1:2"),
        .init(.invalidNumber, "[⟦+1⟧]", "1:2"),
        .init(.invalidNumber, "[⟦.5⟧]", "1:2"),
        .init(.invalidNumber, "[⟦1.⟧]", "1:2"),
        .init(.invalidNumber, "[⟦1e⟧]", "1:2"),
        .init(.invalidNumber, "[⟦0x1F⟧]", "1:2"),
        .init(.invalidNumber, "[⟦NaN⟧]", "1:2"),
        .init(.invalidNumber, "[⟦-Infinity⟧]", "1:2"),
        .init(.invalidNumber, "[⟦-⟧]", "1:2"),
        .init(.invalidNumber, "[⟦--1⟧]", "1:2"),
        .init(.invalidNumber, "[⟦1.5e⟧]", "1:2"),
        .init(.invalidNumber, "[⟦1_000⟧]", "1:2"),
    ]

    static let brackets: [BadExample] = [
        .init(.unclosedBracket, #"⟦{⟧"a": 1"#, "1:1"),
        .init(.unclosedBracket, #"{"a": ⟦[⟧1, 2}"#, "1:7"),
        .init(.unclosedBracket, #"{"a": ⟦[⟧1}, "b": 2}"#, "1:7"),
        .init(.unclosedBracket, "⟦[⟧1}", "1:1"),
        .init(.unexpectedBracket, "{}⟦}⟧", "1:3"),
        .init(.unexpectedBracket, "⟦]⟧", "1:1"),
        .init(.unexpectedBracket, #"{"a": 1⟦]⟧, "b": 2}"#, "1:8"),
        .init(.extraContent, "{} ⟦{}⟧ \n", "1:4"),
        .init(.extraContent, "{}⟦, {}, \"x⟧\n", "1:3"),
        .init(.extraContent, #"⟦⟧"a": 1"#, "1:1", .suggested, #"{"a": 1}"#),
        .init(.extraContent, "⟦⟧\"a\": {\n  \"b\": 1\n}\n}\n", "1:1", .suggested, "{\"a\": {\n  \"b\": 1\n}\n}\n"),
        .init(.extraContent, #"⟦⟧"a": {"b": 1}}}"#, "1:1"),
        .init(.extraContent, "{}⟦;⟧", "1:3"),
        .init(
            .nestingTooDeep, String(repeating: "[", count: 512) + "⟦[⟧" + String(repeating: "]", count: 513), "1:513"),
    ]

    static let trivia: [BadExample] = [
        .init(.mergeConflict, "⟦=======⟧\n{}", "1:1"),
        .init(.mergeConflict, "{\n⟦>>>>>>>⟧ main\n}", "2:1"),
        .init(.templateMarkup, #"{"a": ⟦{{⟧ .Values.x }}, "b": 1}"#, "1:7"),
        .init(.templateMarkup, "⟦{%⟧ if x %}{}", "1:1"),
        .init(.templateMarkup, "[⟦<%⟧= x %>, 1]", "1:2"),
        .init(.templateMarkup, #"{"a": "${x}", "b": ⟦${⟧x}}"#, "1:20"),
        .init(.templateMarkup, #"[⟦{{⟧"a": 1}]"#, "1:2"),
        .init(.jsonComment, "{} ⟦// x⟧\n", "1:4", .suggested, "{} \n"),
        .init(.jsonComment, "[1⟦/* , \n */⟧, 2]", "1:3", .suggested, "[1, 2]"),
        .init(.jsonComment, "⟦# x⟧\r\n{}", "1:1", .suggested, "\r\n{}"),
        .init(.nonASCIISpace, "{⟦\u{A0}⟧\"a\": 1}", "1:2", .automatic, #"{ "a": 1}"#),
        .init(.nonASCIISpace, "[⟦\u{2003}\u{3000} \u{FEFF}⟧ 1]", "1:2", .automatic, "[     1]"),
        .init(.unexpectedCharacter, "[1 ⟦@⟧ 2 @]", "1:4"),
        .init(.unexpectedCharacter, #"{"a": 1⟦;⟧}"#, "1:8"),
        .init(.unexpectedCharacter, "[⟦\u{C}⟧1]", "1:2"),
        .init(.unexpectedCharacter, #"{"a":⟦:⟧ 1}"#, "1:6"),
        .init(.unexpectedCharacter, #"["a" ⟦=⟧ 1]"#, "1:6"),
    ]
}
