import HTTP1
import Testing

struct RefusedHeadTests {
    private static let letters = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { $0 }
    private static let tokenCharacters = Set(
        bytes("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") + letters)

    @Test("A head that could be read in two ways is refused", arguments: RefusedHead.all)
    func refusal(expected: RefusedHead) {
        #expect(parse(expected.head) == .refused(expected.status))
    }

    @Test("A refused head that comes byte by byte waits, then is refused for good", arguments: RefusedHead.all)
    func prefixes(expected: RefusedHead) {
        let input = bytes(expected.head)
        var isRefused = false
        for count in 0...input.count {
            let result = parse(input[..<count])
            if result == .incomplete {
                #expect(!isRefused, "after \(count) bytes")
            } else {
                #expect(result == .refused(expected.status), "after \(count) bytes")
                isRefused = true
            }
        }
        #expect(isRefused)
    }

    @Test("A refused head stays refused, whatever follows it", arguments: RefusedHead.all)
    func followers(expected: RefusedHead) {
        #expect(parse(expected.head + request()) == .refused(expected.status))
    }

    @Test("A value holds no control character but the tab")
    func valueCharacters() {
        for byte in 0...UInt8.max {
            // Behind 0 to 8 bytes: values are read eight at a time.
            for offset in 0...8 {
                let value = bytes(String(repeating: "v", count: offset)) + [byte] + bytes("wwwwwwwww")
                let result = parse(bytes("GET / HTTP/1.1\r\nHost: a\r\nX:") + value + bytes("\r\n\r\n"))
                let isControl = byte != 9 && byte < 0x20 || byte == 0x7F
                #expect((result == .refused(.badRequest)) == isControl, "byte \(byte) behind \(offset)")
            }
        }
    }

    @Test("A target holds visible ASCII without the number sign only")
    func targetCharacters() {
        for byte in 0...UInt8.max {
            for offset in 0...8 {
                let target = bytes("/" + String(repeating: "t", count: offset)) + [byte] + bytes("ttttttttt")
                let result = parse(bytes("GET ") + target + bytes(" HTTP/1.1\r\nHost: a\r\n\r\n"))
                let isVisible = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "#")
                #expect((result != .refused(.badRequest)) == isVisible, "byte \(byte) behind \(offset)")
            }
        }
    }

    @Test("Method and field name are tokens")
    func tokens() {
        for byte in 0...UInt8.max {
            let isToken = Self.tokenCharacters.contains(byte)
            let field = parse(bytes("GET / HTTP/1.1\r\nHost: a\r\nX") + [byte] + bytes("X: y\r\n\r\n"))
            #expect(
                (field != .refused(.badRequest)) == (isToken || byte == UInt8(ascii: ":")), "byte \(byte) in a name")
            let method = parse(bytes("G") + [byte] + bytes("T / HTTP/1.1\r\nHost: a\r\n\r\n"))
            #expect((method != .refused(.badRequest)) == isToken, "byte \(byte) in a method")
        }
    }
}
