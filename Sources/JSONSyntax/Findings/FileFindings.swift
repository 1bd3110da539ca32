import Diagnostics

/// Findings about a file as a whole.
extension SyntaxFindings {
    private static let file = 0..<0

    mutating func emptyFile() {
        report(.emptyFile, Self.file) { _ in Wording("the file has no JSON value") }
    }

    /// - Parameter isIgnored: Whether the limit is that of the system, not our own.
    mutating func fileTooLarge(_ count: Int, limit: Int, isIgnored: Bool) {
        report(.fileTooLarge, Self.file) { _ in
            Wording(
                isIgnored
                    ? "the file has \(grouped(count)) bytes: files of more than \(grouped(limit)) are ignored"
                    : "the file has more than \(grouped(limit)) bytes and is not read")
        }
    }

    mutating func fileNearLimit(_ count: Int, limit: Int) {
        report(.fileNearLimit, Self.file) { _ in
            Wording(
                "the file has \(grouped(count)) bytes: the system ignores files of more than 128 KB",
                notes: [
                    "128 KB are \(grouped(limit)) bytes if a kilobyte has 1,024 bytes, but only 128,000 if it has 1,000"
                ])
        }
    }

    mutating func htmlInsteadOfJSON(_ line: Range<Int>) {
        report(.htmlInsteadOfJSON, Self.file) { findings in
            Wording(
                "the file is an HTML or XML page: it starts with \(findings.text(line))",
                notes: ["it may be an error page, or the page that a single-page application serves for every path"])
        }
    }

    mutating func notJSON(_ line: Range<Int>) {
        report(.notJSON, Self.file) { findings in
            Wording("the file is not valid JSON: it starts with \(findings.text(line))")
        }
    }

    /// - Parameter line: The message.
    mutating func phpMessage(_ line: Range<Int>) {
        report(.notJSON, Self.file) { findings in
            Wording(
                "the file begins with a message of PHP, not with JSON: \(findings.text(line))",
                fixIts: [
                    FixIt(
                        "correct the script, and set 'display_errors = Off', so that messages go to the log",
                        .displayOnly)
                ])
        }
    }

    /// Names the format, as what to do depends on it.
    mutating func foreignFormat(_ format: ForeignFormat) {
        let (message, help) =
            switch format {
            case .richText:
                (
                    "the file is rich text (RTF), not JSON",
                    "save it as plain text; in TextEdit choose Format > Make Plain Text"
                )
            case .httpResponse:
                (
                    "the file begins with the header of an HTTP response, not with JSON",
                    "save only the body, e.g. with 'curl -fsS' and without '-i'"
                )
            case .propertyList, .binaryPropertyList:
                (
                    format == .propertyList
                        ? "the file is a property list, not JSON" : "the file is a binary property list, not JSON",
                    "write it as JSON; 'plutil -convert json FILE' converts one on a Mac"
                )
            case .script:
                (
                    "the file is JavaScript or TypeScript, not JSON",
                    "write it as JSON; 'npx expo config --json' prints the configuration of an Expo project"
                )
            case .widget:
                (
                    "the file is Cordova's config.xml, not JSON",
                    "check what 'cordova prepare' makes of it: AndroidManifest.xml, and with 'aasa doctor --app' the "
                        + "entitlements"
                )
            case .resources:
                (
                    "the file has resources of an Android app, not JSON",
                    "to check a string such as 'asset_statements', save its value alone, without the backslashes before "
                        + #"quotes; it is a list like [{"include": "https://HOST/.well-known/assetlinks.json"}]"#
                )
            case .pem:
                (
                    "the file is a certificate or a private key (PEM), not JSON",
                    "name the JSON file instead, and keep private keys out of published folders"
                )
            }
        report([.propertyList, .widget, .resources].contains(format) ? .htmlInsteadOfJSON : .notJSON, Self.file) { _ in
            Wording(message, fixIts: [FixIt(help, .displayOnly)])
        }
    }

    /// - Parameter isList: Whether it is a list of statements, as it should be.
    mutating func androidAssetLinks(isList: Bool) {
        report(.androidAssetLinks, Self.file) { _ in
            Wording(
                isList
                    ? "the file is an asset links file for Android, not an association file"
                    : "the file is an asset links statement for Android, not an association file",
                notes: ["an association file is an object with keys like 'applinks'"],
                fixIts: [
                    FixIt(
                        isList
                            ? "publish it as 'assetlinks.json', and check it with 'aasa validate --kind assetlinks'"
                            : "put it in [ ], and name the file 'assetlinks.json'", .displayOnly)
                ])
        }
    }

    mutating func utf16Text(_ encoding: TextEncoding) {
        report(.utf16Text, Self.file) { _ in
            Wording(
                "the file is encoded in \(encoding.rawValue), not in UTF-8",
                notes: ["lines and columns refer to the converted text"],
                fixIts: [FixIt("save the file as UTF-8", .suggested)])
        }
    }

    mutating func byteOrderMark(_ range: Range<Int>) {
        report(.byteOrderMark, range) { _ in
            Wording(
                "the file starts with a byte order mark, which is not part of JSON",
                fixIts: [FixIt(.automatic, "delete the byte order mark", replacing: range, with: "")])
        }
    }

    mutating func invalidUTF8(at offset: Int) {
        report(.invalidUTF8, offset..<offset + 1) { findings in
            let digits = String(findings.source.bytes[offset], radix: 16, uppercase: true)
            return Wording("byte 0x\(digits) is not valid UTF-8: the system ignores the whole file")
        }
    }

    mutating func malformedUTF16(_ range: Range<Int>) {
        report(.invalidUTF8, range) { _ in Wording("malformed character: it cannot be converted to UTF-8") }
    }

    mutating func frontMatter(_ block: Range<Int>, lines: Range<Int>) {
        report(.frontMatter, block) { _ in
            Wording(
                "front matter of a site generator comes before the JSON",
                notes: ["validate the file that the generator writes, not its source"],
                fixIts: [FixIt(.suggested, "delete the front matter", replacing: lines, with: "")])
        }
    }
}
