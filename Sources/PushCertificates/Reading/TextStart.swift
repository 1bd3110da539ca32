/// The beginning of a file, taken as text.
struct TextStart {
    /// In lower case, without a byte order mark and white space before it.
    private let text: ArraySlice<UInt8>
    let isUTF16: Bool
    /// Whether there is nothing but white space.
    var isEmpty: Bool { text.isEmpty }

    private static let length = 1024

    init(_ bytes: ArraySlice<UInt8>) {
        isUTF16 = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
        text = start.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }.prefix(Self.length)
    }

    var isHTML: Bool {
        begins(with: ["<!doctype html", "<html", "<head", "<script"])
            || begins(with: ["<"]) && Self.lowercased(text).contains("<html")
    }

    /// - Parameter beginnings: ASCII; case does not matter.
    func begins(with beginnings: [String]) -> Bool {
        beginnings.contains { beginning in
            text.prefix(beginning.utf8.count).elementsEqual(beginning.utf8) {
                Self.lowercased($0) == Self.lowercased($1)
            }
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.map(lowercased), as: UTF8.self)
    }
}
