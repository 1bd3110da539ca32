internal import Diagnostics
internal import JSONSyntax

extension SyntaxDescriptions {
    private static let refused = "The system's reader refuses the whole file, so that no link opens (RFC 8259)."

    static let commas = [
        rule(
            .trailingComma, "a comma is not followed by a value", refused, fix: .automatic,
            bad: #"{ "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"⟦,⟧] } }"#),
        rule(
            .extraComma, "a comma is where a value or a key is expected", refused, fix: .automatic,
            bad: #"{ "webcredentials": { "apps": [⟦,⟧"7K3QWZ9PLM.com.shop.app"] } }"#),
        rule(
            .missingComma, "a comma is missing between two values", refused, fix: .automatic,
            bad: #"{ "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"⟦⟧ "7K3QWZ9PLM.com.shop.beta"] } }"#),
    ]

    static let pairs = [
        rule(
            .missingColon, "the colon after a key is missing, or is an equals sign", refused, fix: .suggested,
            bad: #"{ "webcredentials"⟦⟧ { "apps": ["7K3QWZ9PLM.com.shop.app"] } }"#),
        rule(
            .missingValue, "a key has no value", refused, fix: .displayOnly,
            bad: #"{ "webcredentials": { "apps":⟦⟧ } }"#),
        rule(
            .missingKey, "a value in an object has no key", refused,
            bad: #"{ ⟦{⟧ "apps": ["7K3QWZ9PLM.com.shop.app"] } }"#),
        rule(
            .pairInArray, "a key and its value are in an array", refused, fix: .suggested,
            bad: #"{ "webcredentials": [ "apps"⟦:⟧ ["7K3QWZ9PLM.com.shop.app"] ] }"#),
        rule(
            .duplicateKey, "a key appears twice in an object",
            "Only one of the two is read; the other is silently ignored (RFC 8259, section 4).",
            bad: """
                { "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.beta"],
                                      ⟦"apps"⟧: ["7K3QWZ9PLM.com.shop.app"] } }

                """),
    ]

    static let strings = [
        rule(
            .curlyQuote, "a string is delimited by typographic quotation marks",
            "\(refused) Word processors and chat programs replace straight quotation marks with them.", fix: .automatic,
            bad: #"{ ⟦“⟧webcredentials”: { "apps": ["7K3QWZ9PLM.com.shop.app"] } }"#),
        rule(
            .singleQuotedString, "a string is delimited by apostrophes", refused, fix: .automatic,
            bad: #"{ "webcredentials": { "apps": [⟦'7K3QWZ9PLM.com.shop.app'⟧] } }"#),
        rule(
            .invalidEscape, "a backslash does not begin a valid escape",
            "\(refused) Write a backslash itself as `\\\\`.",
            bad: #"{ "webcredentials": { "apps": ["7K3QWZ9PLM⟦\.⟧com.shop.app"] } }"#),
        rule(
            .controlCharacter, "a string contains a control character",
            "\(refused) It is written as an escape, such as `\\t`.",
            fix: .automatic,
            bad: "{ \"_note\": \"a⟦\t⟧tab\", \"webcredentials\": { \"apps\": [\"7K3QWZ9PLM.com.shop.app\"] } }"),
        rule(
            .loneSurrogate, "an escape is half of a surrogate pair", refused, basis: .inferred,
            bad: #"{ "_note": "⟦\ud83d⟧", "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] } }"#),
        rule(
            .unclosedString, "a string is not closed on its line",
            "\(refused) A string cannot contain a line break; lines of a list are strings of their own.",
            bad: "{ \"webcredentials\": { \"apps\": [⟦\"7K3QWZ9PLM.com.shop.app] } }⟧\n"),
    ]

    static let words = [
        rule(
            .unquotedKey, "a key is not in quotation marks", refused, fix: .automatic,
            bad: #"{ ⟦webcredentials⟧: { "apps": ["7K3QWZ9PLM.com.shop.app"] } }"#),
        rule(
            .unquotedValue, "a value is not in quotation marks", refused, fix: .suggested,
            bad: #"{ "webcredentials": { "apps": [⟦7K3QWZ9PLM.com.shop.app⟧] } }"#),
        rule(
            .invalidNumber, "a number is not valid JSON", refused,
            bad: #"{ "_version": ⟦01⟧, "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] } }"#),
    ]

    static let brackets = [
        rule(
            .unclosedBracket, "a bracket is not closed", refused,
            bad: #"{ "webcredentials": { "apps": ⟦[⟧"7K3QWZ9PLM.com.shop.app" } }"#),
        rule(
            .unexpectedBracket, "a closing bracket closes nothing", refused,
            bad: #"{ "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] } }⟦}⟧"#),
        rule(
            .extraContent, "there is more text after the JSON value",
            "\(refused) A text that begins with a key has lost its first '{': that is reported where it is missing.",
            bad: #"{ "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] } } ⟦{}⟧"#),
        rule(
            .nestingTooDeep, "brackets are nested more than 512 levels deep",
            "The system's reader accepts at most 512 levels.", basis: .inferred,
            bad: String(repeating: "[", count: 512) + "⟦[⟧" + String(repeating: "]", count: 513)),
    ]

    static let trivia = [
        rule(
            .mergeConflict, "the file has a merge conflict marker", refused,
            bad: """
                ⟦<<<<<<<⟧ HEAD
                { "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] } }

                """),
        rule(
            .templateMarkup, "the file has template markup",
            "\(refused) Validate the file that is generated from the template.",
            bad: #"{ "webcredentials": { "apps": [⟦{{⟧ app_ids }}] } }"#),
        rule(
            .jsonComment, "the file has a comment",
            "\(refused) JSON has no comments; a key such as `comment` is ignored.",
            fix: .suggested,
            bad: """
                { ⟦// shared passwords⟧
                  "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] } }

                """),
        rule(
            .nonASCIISpace, "there is a space between two tokens that is not ASCII",
            "\(refused) Such spaces come from text that is copied from web pages.", fix: .automatic,
            bad: "{⟦\u{A0}⟧\"webcredentials\": { \"apps\": [\"7K3QWZ9PLM.com.shop.app\"] } }"),
        rule(
            .unexpectedCharacter, "a character is not allowed in JSON", refused,
            bad: #"{ "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] }⟦;⟧ }"#),
    ]
}
