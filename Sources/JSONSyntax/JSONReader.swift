import Diagnostics

/// Reads JSON texts (RFC 8259, without extensions) and keeps every position.
///
/// Every fault is reported and repaired, so that one slip does not hide the rest; ``JSONDocument`` says whether the
/// tree may be trusted. The time is linear in the size of the file, and no depth of brackets can exhaust the stack.
package enum JSONReader {
    /// - Parameters:
    ///   - bytes: The file's content.
    ///   - path: What messages call the file.
    ///   - limits: How large it may be, and what kind of file is expected.
    package static func read(
        _ bytes: [UInt8], path: String, limits: ReadingLimits = .associationFile
    ) -> JSONDocument {
        guard bytes.count <= limits.hard else {
            var findings = SyntaxFindings(SourceText(bytes, path: path), limit: limits.findings)
            findings.fileTooLarge(bytes.count, limit: limits.hard, isIgnored: false)
            return JSONDocument(findings, root: nil)
        }
        guard let (encoding, mark) = TextEncoding.detect(bytes) else {
            var findings = SyntaxFindings(SourceText(bytes, path: path), limit: limits.findings)
            findings.checkSize(bytes.count, limits)
            return read(bytes, findings, limits)
        }
        let (text, malformed) = encoding.convert(bytes.dropFirst(mark))
        var findings = SyntaxFindings(SourceText(text, path: path), limit: limits.findings)
        findings.checkSize(bytes.count, limits)
        findings.utf16Text(encoding)
        if let malformed {
            findings.malformedUTF16(malformed..<malformed + 3)
            return JSONDocument(findings, root: nil)
        }
        return read(text, findings, limits)
    }

    /// Whether a text is what Android calls `assetlinks.json`, by what it holds: an array of statements.
    package static func isListOfStatements(_ bytes: [UInt8]) -> Bool {
        // Most files are objects, which are known by their first bracket.
        guard bytes.first(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }) == UInt8(ascii: "[") else {
            return false
        }
        return read(bytes, path: "", limits: .assetLinksFile).root?.isAssetLinks ?? false
    }

    private static func read(_ text: [UInt8], _ findings: SyntaxFindings, _ limits: ReadingLimits) -> JSONDocument {
        text.withUnsafeBufferPointer { buffer in
            var findings = findings
            let bytes = ByteView(buffer)
            var start = 0
            if bytes.starts(with: "\u{FEFF}", at: 0) {
                start = 3
                findings.byteOrderMark(0..<3)
            }
            if case .binaryPropertyList? = ForeignFormat(bytes, at: start) {
                findings.foreignFormat(.binaryPropertyList)
                return JSONDocument(findings, root: nil)
            }
            if let offset = bytes.firstInvalidUTF8() {
                findings.invalidUTF8(at: offset)
                return JSONDocument(findings, root: nil)
            }
            return read(bytes, from: start, findings, limits)
        }
    }

    private static func read(
        _ bytes: ByteView, from start: Int, _ findings: SyntaxFindings, _ limits: ReadingLimits
    ) -> JSONDocument {
        var findings = findings
        var start = start
        var detected = DetectedFormat(bytes, from: start)
        if let message = detected.line.flatMap({ PHPMessage.line(bytes, at: $0.lowerBound) }) {
            findings.phpMessage(message)
            return JSONDocument(findings, root: nil)
        }
        if case .other = detected, let frontMatter = FrontMatter(bytes, from: start) {
            findings.frontMatter(frontMatter.block, lines: frontMatter.lines)
            start = frontMatter.lines.upperBound
            detected = DetectedFormat(bytes, from: start)
        }
        switch detected {
        case .markup(let line):
            findings.htmlInsteadOfJSON(line)
            return JSONDocument(findings, root: nil)
        case .foreign(let format):
            findings.foreignFormat(format)
            return JSONDocument(findings, root: nil)
        case .other(let line):
            findings.notJSON(line)
            return JSONDocument(findings, root: nil)
        case .nothing, .json:
            var parser = JSONParser(Scanner(bytes, from: start, findings: findings), maximumLevels: limits.levels)
            parser.parse()
            findings = parser.scanner.findings
            if parser.root == nil, findings.keepsTree { findings.emptyFile() }
            if limits.recognizesAssetLinks, let root = parser.root, root.isAssetLinks || root.isStatement {
                findings.forgetSyntax()
                findings.androidAssetLinks(isList: root.isAssetLinks)
            }
            return JSONDocument(findings, root: parser.root)
        }
    }
}

extension JSONDocument {
    fileprivate init(_ findings: SyntaxFindings, root: JSONNode?) {
        self.init(
            source: findings.source, root: root, findings: findings.sorted(),
            isTreeReliable: root != nil && findings.keepsTree,
            isUsableWithoutRepairs: root != nil && findings.isTolerable)
    }
}

extension SyntaxFindings {
    fileprivate mutating func checkSize(_ count: Int, _ limits: ReadingLimits) {
        if let size = limits.size, count > size {
            fileTooLarge(count, limit: size, isIgnored: true)
        } else if let nearSize = limits.nearSize, count > nearSize, let size = limits.size {
            fileNearLimit(count, limit: size)
        }
    }
}

extension JSONNode {
    /// Whether this is what Android calls `assetlinks.json`: an array whose first object has one of its keys.
    fileprivate var isAssetLinks: Bool {
        guard let object = array?.lazy.compactMap(\.object).first else { return false }
        return ["relation", "target", "include"].contains { object.member($0) != nil }
    }

    /// Whether this is one statement, without the array that Android expects.
    fileprivate var isStatement: Bool {
        guard let object else { return false }
        return object["relation"] != nil && object["target"]?.object != nil && object["applinks"] == nil
    }
}

/// The sizes that files may have, in bytes: checks, servers and stores share this table.
package enum FileSizes {
    /// The most that Apple's systems read of an association file, without its signature.
    package static let association = 131_072
    /// The most that any file may have to be published.
    package static let published = 1 << 20
    /// The most that is read of any file.
    package static let read = 16 << 20
}

/// The size that a file may have, and the kind of file that is expected.
package struct ReadingLimits: Sendable {
    /// More bytes than this are not read.
    package var hard = FileSizes.read
    /// More bytes than this are an error, but read. Nil: no such limit.
    package var size: Int?
    /// More bytes than this are worth a warning. Nil: no such limit.
    package var nearSize: Int?
    /// More findings than this are counted, but not kept.
    package var findings = 20
    /// Levels of brackets, as the system's reader has them.
    package var levels = 512
    /// Whether an `assetlinks.json` of Android is recognized.
    package var recognizesAssetLinks = false

    /// A file that the system fetches: at most 128 KB.
    package static let associationFile = ReadingLimits(
        size: FileSizes.association, nearSize: 128_000, recognizesAssetLinks: true)
    /// A file that Android fetches: at most 1 MiB.
    package static let assetLinksFile = ReadingLimits(size: FileSizes.published)
    /// A file of our own, of any size that is read at all.
    package static let configuration = ReadingLimits()
}
