internal import AppSiteAssociation
internal import Diagnostics

/// A character that a URL has only percent-encoded.
enum UnencodedCharacterRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "unencoded-character", .error, summary: "a pattern has a character that URLs have only percent-encoded",
            reason: #"""
                The system compares the text of the URL as it stands, and there blanks, control characters, characters beyond \#
                ASCII and '" < > \ ^ { } |' and the backquote are percent-encoded. Recorded output of Apple's swcutil shows \#
                that '/café' does not match '/caf%C3%A9'; only with '"percentEncoded": false' the URL is decoded before.
                """#,
            basis: [.apple, .recorded], fix: .automatic,
            bad: PatternExample.components(#"{ "/": "/caf⟦é⟧/*" }"#),
            good: PatternExample.components(#"{ "/": "/caf%C3%A9/*" }"#))
    ]

    /// What regular expressions are made of.
    private static let ofExpressions = ByteSet(#"\^{}|"#.utf8)

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns where place.percentEncoded && place.anatomy.present.intersects(.unencoded) {
            let runs = runs(place.anatomy)
            guard let first = runs.first else { continue }
            let encoded = runs.map { (range: $0, text: percentEncoded(place.anatomy.text[$0])) }
            findings.report(
                "unencoded-character", place.part(first, in: file.source), place.pointer,
                "\(quoted(place.anatomy.string(first))) is percent-encoded in URLs, so the pattern never matches",
                fixIts: [
                    FixIt(
                        title: "write \(quoted(encoded[0].text))", applicability: .automatic,
                        edits: place.edits(encoded, in: file.source))
                ])
        }
    }

    private static func runs(_ anatomy: PatternAnatomy) -> [Range<Int>] {
        let isExpression = anatomy.regex != nil
        func isBad(_ byte: UInt8) -> Bool { byte.isUnencoded && !(isExpression && ofExpressions.contains(byte)) }
        var found: [Range<Int>] = []
        var offset = anatomy.examined.lowerBound
        while offset < anatomy.examined.upperBound {
            let start = offset
            while offset < anatomy.examined.upperBound, isBad(anatomy.bytes[offset]) { offset += 1 }
            if offset > start { found.append(start..<offset) } else { offset += 1 }
        }
        return found
    }

    private static func percentEncoded(_ bytes: ArraySlice<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let encoded = bytes.flatMap { [UInt8(ascii: "%"), digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: encoded, as: UTF8.self)
    }
}
