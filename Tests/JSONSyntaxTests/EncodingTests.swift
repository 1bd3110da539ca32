import Diagnostics
import JSONSyntax
import Testing

struct EncodingTests {
    enum Form: CaseIterable {
        case utf16Little, utf16Big, utf32Little, utf32Big

        func encode(_ text: String) -> [UInt8] {
            let units: [UInt32] =
                switch self {
                case .utf16Little, .utf16Big: text.utf16.map(UInt32.init)
                case .utf32Little, .utf32Big: text.unicodeScalars.map(\.value)
                }
            let size = self == .utf16Little || self == .utf16Big ? 2 : 4
            return units.flatMap { unit in
                let bytes = (0..<size).map { UInt8(truncatingIfNeeded: unit >> (8 * UInt32($0))) }
                return self == .utf16Little || self == .utf32Little ? bytes : bytes.reversed()
            }
        }
    }

    @Test("UTF-16 and UTF-32 are converted and read on", arguments: Form.allCases, ["", "\u{FEFF}"])
    func conversion(form: Form, mark: String) {
        let text = "{\"é😀\": [1,]}"
        let document = JSONReader.read(form.encode(mark + text), path: "file")
        #expect(document.summary == ["utf-16-text 1:1", "trailing-comma 1:14"])
        #expect(document.source.bytes == Array(text.utf8))
        #expect(document.root?.outline == read(#"{"é😀": [1]}"#).root?.outline)
        #expect(document.isTreeReliable)
        #expect(!document.isUsableWithoutRepairs)
        #expect(document.findings[0].range == SourceRange(start: 0, end: 0))
        #expect(document.findings[0].fixIts.map(\.applicability) == [.suggested])
    }

    @Test("UTF-16 that cannot be converted is not read on")
    func malformedUTF16() {
        let bytes: [UInt8] = [0xFF, 0xFE, 0x5B, 0, 0x22, 0, 0, 0xD8, 0x22, 0, 0x5D, 0]
        let document = JSONReader.read(bytes, path: "file")
        #expect(document.summary == ["utf-16-text 1:1", "invalid-utf8 1:3"])
        #expect(document.root == nil)
        #expect(JSONReader.read([0xFE, 0xFF, 0], path: "file").codes == ["utf-16-text", "invalid-utf8"])
    }

    static let malformed: [(bytes: [UInt8], offset: Int)] = [
        ([0x80], 0), ([0xBF], 0), ([0xC0, 0x80], 0), ([0xC1, 0xBF], 0), ([0xC3], 0), ([0xC3, 0x22], 0),
        ([0xE0, 0x9F, 0xBF], 0), ([0xE2, 0x82], 0), ([0xED, 0xA0, 0x80], 0), ([0xED, 0xBF, 0xBF], 0),
        ([0xEF, 0xBF, 0xBF, 0xFF], 3), ([0xF0, 0x8F, 0xBF, 0xBF], 0), ([0xF0, 0x90, 0x80], 0),
        ([0xF4, 0x90, 0x80, 0x80], 0), ([0xF5, 0x80, 0x80, 0x80], 0), ([0xFF], 0),
        ([0xC3, 0xA9, 0xF4, 0x8F, 0xBF, 0xBF, 0xE9], 6),
    ]

    @Test("The first byte that is not UTF-8 is reported, and nothing else", arguments: malformed)
    func invalidUTF8(bytes: [UInt8], offset: Int) {
        let head = Array("[\n'abcdefgh', \"".utf8)
        let document = JSONReader.read(head + bytes + Array("\",]".utf8), path: "file")
        #expect(document.summary == ["invalid-utf8 2:\(14 + offset)"])
        #expect(document.findings.first?.range.length == 1)
        #expect(document.root == nil)
        #expect(!document.isTreeReliable)
    }

    @Test("The byte order mark counts as three bytes of line 1")
    func byteOrderMark() {
        let document = read("\u{FEFF}[1,]")
        #expect(document.summary == ["byte-order-mark 1:1", "trailing-comma 1:6"])
        #expect(read("\u{FEFF}[1]").isUsableWithoutRepairs)
    }
}
