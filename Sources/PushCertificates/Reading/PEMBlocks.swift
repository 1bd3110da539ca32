internal import BoundedText
internal import Diagnostics
internal import OpenSSL
internal import SystemSupport

/// The blocks of a PEM file, one after another; text between them is skipped.
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
                throw Self.error(number, "does not end with five dashes, as the first line of a block must")
            }
            let start = lines.offset
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

    /// The label between the word and the dashes at the end; nil if there are no dashes.
    private static func label(_ line: ArraySlice<UInt8>, _ word: [UInt8]) -> String? {
        var label = line.dropFirst(word.count)
        while let last = label.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { label.removeLast() }
        guard label.suffix(dashes.count).elementsEqual(dashes) else { return nil }
        return String(text: label.dropLast(dashes.count))
    }

    private static func error(_ line: Int, _ problem: String) -> CertificateFileError {
        CertificateFileError(
            .corrupt, "damaged PEM file: line \(line) \(problem)", advice: "download or export it again")
    }
}

/// A block of PEM (RFC 7468), and its headers if it is one of old (RFC 1421).
struct PEMBlock {
    /// Like `RSA PRIVATE KEY`.
    let label: String
    /// The number of its first line, from 1.
    let line: Int
    /// `Proc-Type` says that it is encrypted.
    let isEncrypted: Bool
    /// The value of `DEK-Info`: a cipher and a vector.
    let cipherInformation: String?
    /// The content in base64.
    private let text: ArraySlice<UInt8>

    var isCertificate: Bool { ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"].contains(label) }
    var isPrivateKey: Bool { label == "PRIVATE KEY" || label.hasSuffix(" PRIVATE KEY") }

    /// - Parameter body: All between the first line and the last.
    init(label: String, line: Int, body: ArraySlice<UInt8>) {
        self.label = label
        self.line = line
        var lines = TextLines(body)
        var isEncrypted = false
        var cipherInformation: String?
        var text = body
        while let line = lines.next() {
            // Base64 has no colon. A line that begins with white space goes on with the one before it.
            let isContinued = text.startIndex != body.startIndex && line.first == UInt8(ascii: " ")
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? (isContinued ? line.startIndex : nil) else {
                break
            }
            text = body[lines.offset...]
            let value = String(text: line[colon...].dropFirst().prefix(100)).filter { $0 != " " }
            switch String(text: line[..<colon].prefix(20)) {
            case "Proc-Type": isEncrypted = value.hasSuffix(",ENCRYPTED")
            case "DEK-Info": cipherInformation = value
            default: break
            }
        }
        self.text = text
        self.isEncrypted = isEncrypted
        self.cipherInformation = cipherInformation
    }

    /// Nil if it is not base64, or empty.
    func decoded() -> SecretBytes? {
        guard let bytes = Base64Text.decode(text), bytes.count > 0 else { return nil }
        return bytes
    }
}

/// The lines of a text, which end with LF, CR or both.
struct TextLines {
    private var rest: ArraySlice<UInt8>
    /// The number of the line that was read last, from 1.
    private(set) var number = 0
    /// Where the line that was read last begins.
    private(set) var start: Int

    /// - Parameter text: A byte order mark at its beginning is left out.
    init(_ text: ArraySlice<UInt8>) {
        rest = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text
        start = rest.startIndex
    }

    /// Where the next line begins.
    var offset: Int { rest.startIndex }

    /// The next line, without its end.
    mutating func next() -> ArraySlice<UInt8>? {
        guard !rest.isEmpty else { return nil }
        number += 1
        start = rest.startIndex
        guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
            defer { rest = rest[rest.endIndex...] }
            return rest
        }
        let line = rest[..<end]
        let isPair = rest[end] == UInt8(ascii: "\r") && rest[end...].dropFirst().first == UInt8(ascii: "\n")
        rest = rest[(end + (isPair ? 2 : 1))...]
        return line
    }
}

/// Base64 (RFC 4648, section 4) with white space in between, as in PEM and in mail.
enum Base64Text {
    private static let padding = UInt8(ascii: "=")

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Nil if there are other characters, or if it does not end with a whole group.
    static func decode(_ text: ArraySlice<UInt8>) -> SecretBytes? { decode(text, canBeCutOff: false) }

    /// A whole file of base64 and nothing else that decodes to a SEQUENCE; nil if it is not one.
    ///
    /// One that is cut off is decoded as far as it goes.
    static func decodeText(_ text: ArraySlice<UInt8>) -> SecretBytes? {
        let text = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text
        // Nothing is set aside for what is plainly something else.
        let isPlausible = text.allSatisfy { byte in
            isSpace(byte) || byte == padding || Base64.standard.value(of: byte) != nil
        }
        guard isPlausible else { return nil }
        let bytes = decode(text, canBeCutOff: true)
        return bytes?.withBytes { $0.first } == 0x30 ? bytes : nil
    }

    private static func decode(_ text: ArraySlice<UInt8>, canBeCutOff: Bool) -> SecretBytes? {
        SecretBytes(capacity: text.count / 4 * 3 + 3) { buffer in
            var count = 0
            var group: UInt32 = 0
            var digits = 0
            var paddings = 0
            for byte in text {
                if isSpace(byte) { continue }
                if byte == padding, paddings < 2 {
                    paddings += 1
                    continue
                }
                guard paddings == 0, let value = Base64.standard.value(of: byte) else { return nil }
                group = group << 6 | value
                digits += 1
                guard digits == 4 else { continue }
                buffer[count] = UInt8(group >> 16 & 0xFF)
                buffer[count + 1] = UInt8(group >> 8 & 0xFF)
                buffer[count + 2] = UInt8(group & 0xFF)
                count += 3
                (group, digits) = (0, 0)
            }
            guard canBeCutOff || digits == 0 && paddings == 0 || digits > 1 && digits + paddings == 4 else {
                return nil
            }
            if digits > 1 {
                group <<= 6 * UInt32(4 - digits)
                buffer[count] = UInt8(group >> 16 & 0xFF)
                buffer[count + 1] = UInt8(group >> 8 & 0xFF)
                count += digits - 1
            }
            return count
        }
    }
}
