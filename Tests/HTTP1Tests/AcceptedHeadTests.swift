import HTTP1
import Testing

struct AcceptedHeadTests {
    @Test("A well-formed head is read for what it says", arguments: AcceptedHead.all)
    func reading(expected: AcceptedHead) throws {
        let input = bytes(expected.head)
        let head = try #require(requestHead(expected.head))
        #expect(head.method == expected.method)
        #expect(head.target == expected.target)
        #expect(text(head.path, of: input) == expected.path)
        #expect(text(head.host, of: input) == expected.host)
        #expect(head.persistence == expected.persistence)
        #expect(head.announcesBody == expected.flags.contains(.body))
        #expect(head.hasConditions == expected.flags.contains(.conditions))
        #expect(head.hasUnknownExpectation == expected.flags.contains(.expectation))
        #expect(head.isExpectedLine == expected.flags.contains(.expectedLine))
        #expect(Int(head.count) == input.count)
    }

    @Test("Every proper prefix of a head waits for more", arguments: AcceptedHead.all)
    func prefixes(expected: AcceptedHead) {
        let input = bytes(expected.head)
        for count in 0..<input.count {
            let result = parse(input[..<count])
            #expect(result == .incomplete, "of \(count) bytes")
        }
    }

    @Test("What follows a head changes nothing", arguments: AcceptedHead.all)
    func followers(expected: AcceptedHead) {
        let input = bytes(expected.head)
        let result = parse(input)
        for follower in [
            "\r\n", "\n", "\0", " folded", "X: y\r\n\r\n", "\u{FF}\u{16}\u{3}", request("GET /x HTTP/1.0"),
        ] {
            #expect(parse(input + bytes(follower)) == result, "before \(follower.debugDescription)")
        }
    }

    @Test("Pipelined heads are read one after the other")
    func pipelining() throws {
        var rest = AcceptedHead.all.flatMap { bytes($0.head) }[...]
        for expected in AcceptedHead.all {
            guard case .request(let head) = parse(Array(rest)) else {
                Issue.record("no request: \(expected.testDescription)")
                return
            }
            #expect(Int(head.count) == bytes(expected.head).count)
            rest = rest.dropFirst(Int(head.count))
        }
        #expect(rest.isEmpty)
    }

    @Test("The fields begin behind the request line", arguments: ["", "\r\n"])
    func fields(emptyLine: String) throws {
        for line in ["GET / HTTP/1.1", "GET \(AcceptedHead.wellKnown) HTTP/1.1"] {
            let head = try #require(requestHead(emptyLine + request(line)))
            #expect(Int(head.fields) == emptyLine.utf8.count + line.utf8.count + 2)
        }
    }
}
