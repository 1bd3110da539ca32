internal import Diagnostics

/// The blocks of a PEM file, one after the other; text between them is skipped.
struct PEMBlocks {
    private var lines: TextLines
    private let text: ArraySlice<UInt8>

    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        lines = TextLines(text)
    }

    /// Whether a line in it begins a block.
    static func isPEM(_ text: ArraySlice<UInt8>) -> Bool {
        var lines = TextLines(text)
        while let line = lines.next() {
            if line.starts(with: begin) { return true }
        }
        return false
    }

    /// - Returns: Nil at the end.
    /// - Throws: `CertificateFileError.Code.corrupt` if a block does not end.
    mutating func next() throws(CertificateFileError) -> PEMBlock? {
        while let line = lines.next() {
            guard line.starts(with: Self.begin) else { continue }
            let number = lines.number
            guard let label = Self.label(line, Self.begin) else {
                throw Self.error(number, "does not end with five dashes, as the first line of a block has to")
            }
            let start = lines.place
            while let line = lines.next(), !line.starts(with: Self.begin) {
                guard line.starts(with: Self.end) else { continue }
                guard Self.label(line, Self.end) == label else {
                    throw Self.error(lines.number, "is not the end of the block \(quoted(label)) of line \(number)")
                }
                return PEMBlock(label: label, line: number, body: text[start..<lines.start])
            }
            throw Self.error(number, "begins the block \(quoted(label)), which has no END line")
        }
        return nil
    }

    /// What stands between the word and the dashes at the end; nil if there are none.
    private static func label(_ line: ArraySlice<UInt8>, _ word: [UInt8]) -> String? {
        var label = line.dropFirst(word.count)
        while let last = label.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { label.removeLast() }
        guard label.suffix(dashes.count).elementsEqual(dashes) else { return nil }
        return String(decoding: label.dropLast(dashes.count), as: UTF8.self)
    }

    private static func error(_ line: Int, _ problem: String) -> CertificateFileError {
        CertificateFileError(.corrupt, "it is a damaged PEM file: line \(line) \(problem); download or export it again")
    }
}
