internal import Diagnostics

/// XML among the contents that a file can have.
enum XMLText {
    /// Whether the first character is a bracket, in any encoding that XML has.
    static func isOne(_ bytes: [UInt8]) -> Bool {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : bytes.first.map { $0 >= 0xFE ? 2 : 0 } ?? 0
        return bytes.dropFirst(start).first { ![0x20, 0x09, 0x0A, 0x0D, 0].contains($0) } == UInt8(ascii: "<")
    }

    /// - Returns: Nil if it does not begin like XML.
    static func read(_ bytes: [UInt8], path: String) throws(AppProjectError) -> XMLDocument? {
        guard isOne(bytes) else { return nil }
        do throws(XMLReadingError) {
            return try XMLReader.read(bytes, path: path)
        } catch {
            if case .missingLibrary(let library) = error.code { throw AppProjectError(library, path) }
            throw AppProjectError(
                .unusable, path, "the XML cannot be read: \(error.message)", help: help(error),
                position: error.source.position(at: error.offset))
        }
    }

    /// An `&` that is not the beginning of a reference is the most frequent mistake.
    private static func help(_ error: XMLReadingError) -> String? {
        guard case .malformed = error.code else { return nil }
        let before = error.source.bytes[..<min(error.offset + 1, error.source.bytes.count)].suffix(20)
        guard let mark = before.lastIndex(of: UInt8(ascii: "&")), !before[mark...].contains(UInt8(ascii: ";")) else {
            return nil
        }
        return "write '&amp;' for '&'"
    }
}
