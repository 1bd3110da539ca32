import HTTP1
import Testing

struct LimitTests {
    /// A request line of so many bytes.
    private static func line(_ count: Int) -> String {
        "GET /" + String(repeating: "x", count: count - "GET / HTTP/1.1".utf8.count) + " HTTP/1.1"
    }

    /// A head of so many bytes.
    private static func head(_ count: Int) -> String {
        request([filler(count - request(["X: "]).utf8.count)])
    }

    private static func filler(_ count: Int) -> String { "X: " + String(repeating: "y", count: count) }

    private static func fields(_ count: Int) -> String {
        request((1..<count).map { "X\($0): y" })
    }

    @Test("The bounds are those of the documentation")
    func bounds() {
        #expect(RequestParser.longestRequestLine == 4_096)
        #expect(RequestParser.longestHead == 8_192)
        #expect(RequestParser.maxFields == 100)
    }

    @Test("A request line may have 4,096 bytes", arguments: ["", "\r\n"])
    func longestLine(emptyLine: String) throws {
        let longest = emptyLine + request(Self.line(4_096))
        #expect(try #require(requestHead(longest)).path.count == 4_096 - 13)
        #expect(parse(emptyLine + request(Self.line(4_097))) == .refused(.uriTooLong))
        #expect(parse(emptyLine + request(Self.line(70_000))) == .refused(.uriTooLong))
    }

    @Test("A request line of 4,096 bytes waits for its line end", arguments: ["", "\r\n"])
    func longestLinePrefixes(emptyLine: String) {
        let input = bytes(emptyLine + request(Self.line(4_096)))
        for count in 4_000..<input.count { #expect(parse(input[..<count]) == .incomplete, "of \(count) bytes") }
    }

    @Test(
        "A request line without end is refused once it is too long",
        arguments: ["", "\r\n"], ["GET /", "GET https://a/", ""])
    func endlessLine(emptyLine: String, start: String) {
        let filler = String(repeating: "x", count: 4_096 - start.utf8.count)
        #expect(parse(emptyLine + start + filler) == .incomplete)
        #expect(parse(emptyLine + start + filler + "x") == .refused(.uriTooLong))
    }

    @Test("A head may have 8,192 bytes", arguments: [0, 1, 2, 3])
    func longestHead(dropped: Int) {
        let longest = bytes(Self.head(8_192))
        #expect(longest.count == 8_192)
        guard case .request(let head) = parse(longest) else {
            Issue.record("not a request")
            return
        }
        #expect(head.count == 8_192)
        #expect(parse(longest + bytes(request())) == .request(head))
        #expect(parse(Array(longest.dropLast(dropped + 1))) == .incomplete)
        #expect(parse(Self.head(8_193 + dropped)) == .refused(.requestHeaderFieldsTooLarge))
        #expect(parse(Self.head(70_000 + dropped)) == .refused(.requestHeaderFieldsTooLarge))
    }

    @Test("A skipped empty line is no part of the head")
    func skippedLineAndHead() {
        #expect(requestHead("\r\n" + Self.head(8_192))?.count == 8_194)
        #expect(parse("\r\n" + Self.head(8_193)) == .refused(.requestHeaderFieldsTooLarge))
    }

    @Test("A head without end is refused once it is too long")
    func endlessHead() {
        for start in [String(request().dropLast(1)), "GET / HTTP/1.1\r\nX: ", "GET / HTTP/1.1\r\n"] {
            let all = bytes(start + String(repeating: "x", count: 8_193 - start.utf8.count))
            #expect(parse(Array(all.dropLast())) == .incomplete)
            #expect(parse(all) == .refused(.requestHeaderFieldsTooLarge))
        }
    }

    @Test("A long head is never refused before it is too long")
    func prefixes() {
        let head = bytes(Self.head(8_192))
        for count in stride(from: 0, to: head.count, by: 13) { #expect(parse(head[..<count]) == .incomplete) }
    }

    @Test("A head may have 100 fields")
    func mostFields() {
        #expect(requestHead(Self.fields(100)) != nil)
        #expect(parse(Self.fields(101)) == .refused(.requestHeaderFieldsTooLarge))
        #expect(parse(String(Self.fields(101).dropLast())) == .refused(.requestHeaderFieldsTooLarge))
    }

    /// The result after each byte for somebody who parses only when it may help, and how often that was.
    private static func byteByByte(_ input: [UInt8]) -> (result: RequestParser.Result, count: Int, parsed: Int) {
        var parsed = 0
        for count in 1...input.count {
            let mayDecide = input[..<count].withUnsafeBufferPointer { RequestParser.mayDecide($0, seen: count - 1) }
            guard mayDecide else { continue }
            parsed += 1
            let result = parse(input[..<count])
            if result != .incomplete { return (result, count, parsed) }
        }
        return (.incomplete, input.count, parsed)
    }

    @Test("A head that comes byte by byte is parsed once for each of its lines, however long it is")
    func linearWork() {
        let fields = (0..<97).map { "X\($0): \(String(repeating: "y", count: 70))" }
        let input = bytes(request(fields))
        #expect(input.count > 7_000)
        let (result, count, parsed) = Self.byteByByte(input)
        #expect(result == parse(input))
        #expect(count == input.count)
        // The four bytes around each limit are looked at, too.
        #expect(parsed <= 100 + 8)
    }

    @Test(
        "A head without line ends that comes byte by byte is refused at the limit",
        arguments: ["", "\r\n"], ["GET /", "GET / HTTP/1.1\r\nHost: a\r\nX: "])
    func limitsByteByByte(emptyLine: String, start: String) {
        let input = bytes(emptyLine + start + String(repeating: "x", count: 9_000))
        let first = (1...input.count).first { parse(input[..<$0]) != .incomplete }
        let (result, count, parsed) = Self.byteByByte(input)
        #expect(count == first)
        #expect(result == first.map { parse(input[..<$0]) })
        #expect(parsed <= 12)
    }
}
