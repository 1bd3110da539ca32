internal import BoundedText
package import Diagnostics

/// The rules about a file and its syntax (validation.md, 3.1).
package enum SyntaxRules {
    /// In the order of the tables.
    package static let all: [RuleDescription] =
        files + [
            .mergeConflict, .templateMarkup, .trailingComma, .extraComma,
            .missingComma, .missingColon, .missingValue, .missingKey, .pairInArray, .jsonComment, .curlyQuote,
            .singleQuotedString, .unquotedKey, .unquotedValue, .invalidNumber, .invalidEscape, .controlCharacter,
            .loneSurrogate, .combiningMarks, .unclosedString, .unclosedBracket, .unexpectedBracket, .extraContent,
            .nonASCIISpace, .unexpectedCharacter, .nestingTooDeep, .duplicateKey,
        ]
    /// The rules about the file as a whole.
    package static let files: [RuleDescription] = [
        .emptyFile, .fileTooLarge, .fileNearLimit, .htmlInsteadOfJSON, .notJSON, .androidAssetLinks, .utf16Text,
        .byteOrderMark, .invalidUTF8, .frontMatter,
    ]

    /// A file without a mistake.
    package static let good = """
        {
          "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] }
        }

        """

    fileprivate static let refused = "The system's reader refuses the whole file, so that no link opens (RFC 8259)."

    /// An example of a size, made from bytes: to repeat a string so often would take longer than to check a file.
    fileprivate static func padded(_ count: Int) -> String {
        String(text: Array(good.utf8) + [UInt8](repeating: 0x20, count: count - good.utf8.count))
    }

    /// The codes of the rules that a reader that repairs nothing may tolerate.
    static let tolerable = Set(all.filter(\.isTolerable).map(\.code))

    /// The rules whose repair leaves no doubt about what the tree is.
    fileprivate static let safelyRepaired: [RuleDescription] = [
        .byteOrderMark, .utf16Text, .frontMatter, .trailingComma, .extraComma, .missingComma, .jsonComment, .curlyQuote,
        .singleQuotedString, .unquotedKey, .nonASCIISpace, .controlCharacter, .duplicateKey,
    ]
}

extension RuleDescription {
    /// Whether the repair leaves no doubt about what the tree is.
    package var hasSafeRepair: Bool { SyntaxRules.safelyRepaired.contains { $0 === self } }

    /// Whether the tree is what was meant all the same: the repair is safe, or nothing has to be repaired.
    package var keepsTree: Bool { hasSafeRepair || self === Self.fileTooLarge || self === Self.fileNearLimit }

    /// Whether a reader that repairs nothing may use the file all the same.
    package var isTolerable: Bool {
        severity == .warning || self === Self.duplicateKey || self === Self.fileTooLarge
    }

    private static func syntax(
        _ code: String, _ summary: String, _ reason: String, severity: Severity = .error, basis: Basis = .json,
        fix: FixIt.Applicability? = nil, bad: @autoclosure @escaping @Sendable () -> String
    ) -> RuleDescription {
        RuleDescription(
            code, severity, summary: summary, reason: reason, basis: [basis], fix: fix, bad: bad(),
            good: SyntaxRules.good)
    }
}

extension RuleDescription {
    package static let emptyFile = syntax(
        "empty-file", "the file has no JSON value",
        "The system finds nothing in an empty file, and no app is associated with the domain.", bad: "\n")
    package static let fileTooLarge = syntax(
        "file-too-large", "the file has more than 131,072 bytes",
        """
        The system ignores an association file of more than 128 KB, counted without compression (Apple, "Supporting \
        associated domains"). Use wildcards, substitution variables and defaults instead of long lists.
        """, basis: .apple, bad: SyntaxRules.padded(131_073))
    package static let fileNearLimit = syntax(
        "file-near-limit", "the file has more than 128,000 bytes",
        "Apple's limit is 128 KB. It is not known whether this means 131,072 or 128,000 bytes.",
        severity: .warning, basis: .inferred,
        bad: SyntaxRules.padded(128_001))
    package static let htmlInsteadOfJSON = syntax(
        "html-instead-of-json", "the file is an HTML or XML page",
        """
        If the file is missing, servers often answer with an error page, or the page of a single-page application. \
        The system cannot read it.
        """, basis: .inferred, bad: "<!DOCTYPE html>\n<html><title>Not found</title></html>\n")
    package static let notJSON = syntax(
        "not-json", "the file is not valid JSON",
        """
        The system reads only JSON (RFC 8259) and ignores everything else. For rich text (RTF), the header of an HTTP \
        response, a message of PHP, property lists, scripts, certificates and keys, the finding names the format and says what to do.
        """, bad: "applinks: 7K3QWZ9PLM.com.shop.app\n")
    package static let androidAssetLinks = syntax(
        "android-asset-links", "the file has the content of an 'assetlinks.json' for Android",
        "Android's file has a different structure and name; nothing looks for it under the name of an association file.",
        basis: .inferred,
        fix: .displayOnly,
        bad: """
            [{ "relation": ["delegate_permission/common.handle_all_urls"],
               "target": { "namespace": "web", "site": "https://shop.example" } }]

            """)
    package static let utf16Text = syntax(
        "utf-16-text", "the file is UTF-16 or UTF-32, not UTF-8",
        """
        JSON that is sent over the network is UTF-8 (RFC 8259, section 8.1). The text is converted and checked; lines \
        and columns refer to the converted text.
        """, fix: .suggested, bad: SyntaxRules.good.unicodeScalars.map { "\($0)\0" }.joined())
    package static let byteOrderMark = syntax(
        "byte-order-mark", "the file starts with a byte order mark",
        "A byte order mark is not part of JSON (RFC 8259, section 8.1); readers may skip it or refuse the file.",
        severity: .warning, fix: .automatic, bad: "⟦\u{FEFF}⟧\(SyntaxRules.good)")
    package static let invalidUTF8 = syntax(
        "invalid-utf8", "a byte is not UTF-8",
        """
        A file that is not UTF-8 is refused as a whole: overlong forms, surrogates, numbers above U+10FFFF and single bytes \
        of other encodings (RFC 3629).
        """, bad: "{ \"webcredentials\": { \"apps\": [\"7K3QWZ9PLM.com.caf⟦\u{F7E9}⟧\"] } }\n")
    package static let frontMatter = syntax(
        "front-matter", "front matter of a site generator comes before the JSON",
        """
        A generator such as Jekyll removes it when it builds the site. If the published file still has it, the system \
        refuses the file.
        """, fix: .suggested, bad: "⟦---\nlayout: none\n---⟧\n\(SyntaxRules.good)")
    package static let mergeConflict = syntax(
        "merge-conflict", "the file has a merge conflict marker", SyntaxRules.refused,
        bad: """
            ⟦<<<<<<<⟧ HEAD
            { "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] } }

            """)
    package static let templateMarkup = syntax(
        "template-markup", "the file has template markup",
        "\(SyntaxRules.refused) Validate the file that is generated from the template.",
        bad: #"{ "webcredentials": { "apps": [⟦{{⟧ app_ids }}] } }"#)
    package static let trailingComma = syntax(
        "trailing-comma", "a comma is not followed by a value", SyntaxRules.refused, fix: .automatic,
        bad: #"{ "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"⟦,⟧] } }"#)
    package static let extraComma = syntax(
        "extra-comma", "a comma is where a value or a key is expected", SyntaxRules.refused, fix: .automatic,
        bad: #"{ "webcredentials": { "apps": [⟦,⟧"7K3QWZ9PLM.com.shop.app"] } }"#)
    package static let missingComma = syntax(
        "missing-comma", "a comma is missing between two values", SyntaxRules.refused, fix: .automatic,
        bad: #"{ "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"⟦⟧ "7K3QWZ9PLM.com.shop.beta"] } }"#)
    package static let missingColon = syntax(
        "missing-colon", "the colon after a key is missing, or is an equals sign", SyntaxRules.refused, fix: .suggested,
        bad: #"{ "webcredentials"⟦⟧ { "apps": ["7K3QWZ9PLM.com.shop.app"] } }"#)
    package static let missingValue = syntax(
        "missing-value", "a key has no value", SyntaxRules.refused, fix: .displayOnly,
        bad: #"{ "webcredentials": { "apps":⟦⟧ } }"#)
    package static let missingKey = syntax(
        "missing-key", "a value in an object has no key", SyntaxRules.refused,
        bad: #"{ ⟦{⟧ "apps": ["7K3QWZ9PLM.com.shop.app"] } }"#)
    package static let pairInArray = syntax(
        "pair-in-array", "a key and its value are in an array", SyntaxRules.refused, fix: .suggested,
        bad: #"{ "webcredentials": [ "apps"⟦:⟧ ["7K3QWZ9PLM.com.shop.app"] ] }"#)
    package static let jsonComment = syntax(
        "json-comment", "the file has a comment",
        "\(SyntaxRules.refused) JSON has no comments; a key such as `comment` is ignored.",
        fix: .suggested,
        bad: """
            { ⟦// shared passwords⟧
              "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] } }

            """)
    package static let curlyQuote = syntax(
        "curly-quote", "a string is delimited by typographic quotation marks",
        "\(SyntaxRules.refused) Word processors and chat programs replace straight quotation marks with them.",
        fix: .automatic,
        bad: #"{ ⟦“⟧webcredentials”: { "apps": ["7K3QWZ9PLM.com.shop.app"] } }"#)
    package static let singleQuotedString = syntax(
        "single-quoted-string", "a string is delimited by apostrophes", SyntaxRules.refused, fix: .automatic,
        bad: #"{ "webcredentials": { "apps": [⟦'7K3QWZ9PLM.com.shop.app'⟧] } }"#)
    package static let unquotedKey = syntax(
        "unquoted-key", "a key is not in quotation marks", SyntaxRules.refused, fix: .automatic,
        bad: #"{ ⟦webcredentials⟧: { "apps": ["7K3QWZ9PLM.com.shop.app"] } }"#)
    package static let unquotedValue = syntax(
        "unquoted-value", "a value is not in quotation marks", SyntaxRules.refused, fix: .suggested,
        bad: #"{ "webcredentials": { "apps": [⟦7K3QWZ9PLM.com.shop.app⟧] } }"#)
    package static let invalidNumber = syntax(
        "invalid-number", "a number is not valid JSON", SyntaxRules.refused,
        bad: #"{ "_version": ⟦01⟧, "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] } }"#)
    package static let invalidEscape = syntax(
        "invalid-escape", "a backslash does not begin a valid escape",
        "\(SyntaxRules.refused) Write a backslash itself as `\\\\`.",
        bad: #"{ "webcredentials": { "apps": ["7K3QWZ9PLM⟦\.⟧com.shop.app"] } }"#)
    package static let controlCharacter = syntax(
        "control-character", "a string contains a control character",
        "\(SyntaxRules.refused) It is written as an escape, such as `\\t`.",
        fix: .automatic,
        bad: "{ \"_note\": \"a⟦\t⟧tab\", \"webcredentials\": { \"apps\": [\"7K3QWZ9PLM.com.shop.app\"] } }")
    package static let loneSurrogate = syntax(
        "lone-surrogate", "an escape is half of a surrogate pair", SyntaxRules.refused, basis: .inferred,
        bad: #"{ "_note": "⟦\ud83d⟧", "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] } }"#)
    package static let combiningMarks = syntax(
        "combining-marks", "a string has more than 30 combining marks, or 64 regional indicators, in succession",
        """
        To compare such a text takes time that grows with the square of the run's length, so it is not read as it is \
        written, and what is published would not be what was checked. Unicode allows a reader to refuse runs of more than \
        30 marks (UAX #15, section 13), because no text of any language has them.
        """, basis: .lint,
        bad: "{ \"_note\": \"a" + String(repeating: "\\u0301", count: 30)
            + "⟦\\u0301⟧\", \"webcredentials\": { \"apps\": [\"7K3QWZ9PLM.com.shop.app\"] } }")
    package static let unclosedString = syntax(
        "unclosed-string", "a string is not closed on its line",
        "\(SyntaxRules.refused) A string cannot contain a line break; lines of a list are strings of their own.",
        bad: "{ \"webcredentials\": { \"apps\": [⟦\"7K3QWZ9PLM.com.shop.app] } }⟧\n")
    package static let unclosedBracket = syntax(
        "unclosed-bracket", "a bracket is not closed", SyntaxRules.refused,
        bad: #"{ "webcredentials": { "apps": ⟦[⟧"7K3QWZ9PLM.com.shop.app" } }"#)
    package static let unexpectedBracket = syntax(
        "unexpected-bracket", "a closing bracket closes nothing", SyntaxRules.refused,
        bad: #"{ "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] } }⟦}⟧"#)
    package static let extraContent = syntax(
        "extra-content", "there is more text after the JSON value",
        "\(SyntaxRules.refused) A text that begins with a key has lost its first '{': that is reported where it is missing.",
        bad: #"{ "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] } } ⟦{}⟧"#)
    package static let nonASCIISpace = syntax(
        "non-ascii-space", "there is a space between two tokens that is not ASCII",
        "\(SyntaxRules.refused) Such spaces come from text that is copied from web pages.", fix: .automatic,
        bad: "{⟦\u{A0}⟧\"webcredentials\": { \"apps\": [\"7K3QWZ9PLM.com.shop.app\"] } }")
    package static let unexpectedCharacter = syntax(
        "unexpected-character", "a character is not allowed in JSON", SyntaxRules.refused,
        bad: #"{ "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] }⟦;⟧ }"#)
    package static let nestingTooDeep = syntax(
        "nesting-too-deep", "brackets are nested more than 512 levels deep",
        "The system's reader accepts at most 512 levels.", basis: .inferred,
        bad: String(repeating: "[", count: 512) + "⟦[⟧" + String(repeating: "]", count: 513))
    package static let duplicateKey = syntax(
        "duplicate-key", "a key appears twice in an object",
        "Only one of the two is read; the other is silently ignored (RFC 8259, section 4).",
        bad: """
            { "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.beta"],
                                  ⟦"apps"⟧: ["7K3QWZ9PLM.com.shop.app"] } }

            """)
}
