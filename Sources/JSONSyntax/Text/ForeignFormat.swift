/// A format that files have which should be JSON, recognised by how they begin.
enum ForeignFormat {
    /// Rich text, as TextEdit saves it unless it is told otherwise.
    case richText
    /// The header of an HTTP response, as `curl -i` prints it.
    case httpResponse
    /// A property list in XML.
    case propertyList
    /// A property list in its binary form.
    case binaryPropertyList
    /// A certificate or a key.
    case pem

    /// - Parameter offset: Where the first token begins.
    init?(_ bytes: ByteView, at offset: Int) {
        if bytes.starts(with: "{\\rtf", at: offset) {
            self = .richText
        } else if bytes.starts(with: "HTTP/", at: offset), isDigit(bytes[offset + 5]) {
            self = .httpResponse
        } else if bytes.starts(with: "bplist0", at: offset) {
            self = .binaryPropertyList
        } else if bytes.starts(with: "-----BEGIN ", at: offset) {
            self = .pem
        } else if bytes.starts(with: "<plist", at: offset) || Self.isPropertyList(bytes, offset) {
            self = .propertyList
        } else {
            return nil
        }
    }

    /// Whether the document type is that of property lists, which is after the XML declaration if there is one.
    private static func isPropertyList(_ bytes: ByteView, _ start: Int) -> Bool {
        guard bytes.starts(with: "<?xml", at: start) || bytes.starts(with: "<!DOCTYPE", at: start) else { return false }
        return (start..<min(start + 256, bytes.count)).contains { index in
            bytes[index] == UInt8(ascii: "<")
                && (bytes.starts(with: "<plist", at: index) || bytes.starts(with: "<!DOCTYPE plist", at: index))
        }
    }
}
