internal import Diagnostics
internal import JSONSyntax

/// The codes about a file and its syntax (validation.md, 3.1). The reader finds them; here they are explained.
enum SyntaxDescriptions {
    /// In the order of the codes; a signature is found where the kind of a file is.
    static let all: [RuleDescription] = {
        let written = Dictionary(
            (files + commas + pairs + strings + words + brackets + trivia).map { ($0.code, $0) },
            uniquingKeysWith: { first, _ in first })
        return SyntaxCode.allCases.flatMap { code in
            [written[code.diagnosticCode]].compactMap(\.self) + (code == .androidAssetLinks ? signatures : [])
        }
    }()

    /// A file without a mistake.
    static let good = """
        {
          "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] }
        }

        """

    static func rule(
        _ code: SyntaxCode, _ summary: String, _ reason: String, basis: RuleDescription.Basis = .json,
        fix: FixIt.Applicability? = nil, bad: @autoclosure @escaping @Sendable () -> String,
        good: @autoclosure @escaping @Sendable () -> String = good
    ) -> RuleDescription {
        RuleDescription(
            code.rawValue, code.severity, summary: summary, reason: reason, basis: [basis], fix: fix,
            bad: bad(), good: good())
    }

    static let signatures = [
        RuleDescription(
            "signed-file", .warning, summary: "the file is signed (CMS)",
            reason: """
                Only iOS 8 asked for a signature; newer systems take plain JSON, and nobody notices when the signer's certificate \
                expires (Apple, "Supporting associated domains"). The content is checked, the signature is not verified.
                """, basis: [.apple],
            // Signed data without a signer: nothing in it expires.
            bad: """
                -----BEGIN CMS-----
                MF8GCSqGSIb3DQEHAqBSMFACAQExADBHBgkqhkiG9w0BBwGgOgQ4eyJ3ZWJjcmVk
                ZW50aWFscyI6eyJhcHBzIjpbIjdLM1FXWjlQTE0uY29tLnNob3AuYXBwIl19fQox
                AA==
                -----END CMS-----

                """, good: good),
        RuleDescription(
            "unreadable-signature", .error, summary: "the file is signed data without readable content",
            reason: "The file has no readable content, so the system finds no associations in it, either.",
            basis: [.inferred],
            bad: """
                -----BEGIN CMS-----
                MAsGCSqGSIb3DQEHAg==
                -----END CMS-----

                """, good: good),
    ]

    static let files = [
        rule(
            .emptyFile, "the file has no JSON value",
            "The system finds nothing in an empty file, and no app is associated with the domain.", bad: "\n"),
        rule(
            .fileTooLarge, "the file has more than 131,072 bytes",
            """
            The system ignores an association file of more than 128 KB, counted without compression (Apple, "Supporting \
            associated domains"). Use wildcards, substitution variables and defaults instead of long lists.
            """, basis: .apple, bad: padded(131_073)),
        rule(
            .fileNearLimit, "the file has more than 128,000 bytes",
            "Apple's limit is 128 KB. It is not known whether this means 131,072 or 128,000 bytes.",
            basis: .inferred,
            bad: padded(128_001)),
        rule(
            .htmlInsteadOfJSON, "the file is an HTML or XML page",
            """
            If the file is missing, servers often answer with an error page, or the page of a single-page application. \
            The system cannot read it.
            """, basis: .inferred, bad: "<!DOCTYPE html>\n<html><title>Not found</title></html>\n"),
        rule(
            .notJSON, "the file is not valid JSON",
            """
            The system reads only JSON (RFC 8259) and ignores everything else. For rich text (RTF), the header of an HTTP \
            response, property lists, certificates and keys, the finding names the format and says what to do.
            """, bad: "applinks: 7K3QWZ9PLM.com.shop.app\n"),
        rule(
            .androidAssetLinks, "the file has the content of an 'assetlinks.json' for Android",
            "Android's file has a different structure and name; nothing looks for it under the name of an association file.",
            basis: .inferred,
            fix: .displayOnly,
            bad: """
                [{ "relation": ["delegate_permission/common.handle_all_urls"],
                   "target": { "namespace": "web", "site": "https://shop.example" } }]

                """),
        rule(
            .utf16Text, "the file is UTF-16 or UTF-32, not UTF-8",
            """
            JSON that is sent over the network is UTF-8 (RFC 8259, section 8.1). The text is converted and checked; lines \
            and columns refer to the converted text.
            """, fix: .suggested, bad: good.unicodeScalars.map { "\($0)\0" }.joined()),
        rule(
            .byteOrderMark, "the file starts with a byte order mark",
            "A byte order mark is not part of JSON (RFC 8259, section 8.1); readers may skip it or refuse the file.",
            fix: .automatic, bad: "⟦\u{FEFF}⟧\(good)"),
        rule(
            .invalidUTF8, "a byte is not UTF-8",
            """
            A file that is not UTF-8 is refused as a whole: overlong forms, surrogates, numbers above U+10FFFF and single bytes \
            of other encodings (RFC 3629).
            """, bad: "{ \"webcredentials\": { \"apps\": [\"7K3QWZ9PLM.com.caf⟦\u{F7E9}⟧\"] } }\n"),
        rule(
            .frontMatter, "front matter of a site generator comes before the JSON",
            """
            A generator such as Jekyll removes it when it builds the site. If the published file still has it, the system \
            refuses the file.
            """, fix: .suggested, bad: "⟦---\nlayout: none\n---⟧\n\(good)"),
    ]

    /// Made from bytes: to repeat a string so often would take longer than to check a file.
    private static func padded(_ count: Int) -> String {
        String(decoding: Array(good.utf8) + [UInt8](repeating: 0x20, count: count - good.utf8.count), as: UTF8.self)
    }
}
