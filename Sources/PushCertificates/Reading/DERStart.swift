/// How a file in DER or BER begins, which says what it is even if its end is missing.
enum DERStart {
    /// A SEQUENCE that begins with the number 3.
    case pkcs12
    /// A SEQUENCE that begins with another one: something signed, or an encrypted key.
    case sequence

    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.first == 0x30, let length = bytes.dropFirst().first, !Self.isText(bytes) else { return nil }
        let inside = bytes.dropFirst(length > 0x80 ? 2 + Int(length & 0x7F) : 2)
        if inside.starts(with: [0x02, 0x01, 0x03]) {
            self = .pkcs12
        } else if inside.first == 0x30 {
            self = .sequence
        } else {
            return nil
        }
    }

    /// Text can begin with `000` too.
    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.prefix(1024).allSatisfy { (0x20...0x7E).contains($0) || (0x09...0x0D).contains($0) }
    }
}
