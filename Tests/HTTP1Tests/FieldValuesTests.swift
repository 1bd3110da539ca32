import HTTP1
import Testing

/// Fields that are looked for in a head after it was parsed, because few requests are asked for them.
struct FieldValuesTests {
    private func values(_ name: StaticString, _ text: String) throws -> [String] {
        let head = try #require(requestHead(text))
        let memory = UnsafeMutablePointer<Range<Int>>.allocate(capacity: RequestParser.maxFields)
        defer { memory.deallocate() }
        let input = bytes(text)
        return head.values(of: name, in: input.span, to: memory).map { String(decoding: input[$0], as: UTF8.self) }
    }

    @Test("All values of a field are found, in their order, whatever the case of its name")
    func values() throws {
        let text = request(["X-A: 1", "x-a:  2 \t", "Forwarded: x", "X-A:", "X-AB: 4", "A: 5"])
        #expect(try values("x-a", text) == ["1", "2", ""])
        #expect(try values("forwarded", text) == ["x"])
        #expect(try values("host", "\r\n" + text) == ["a"])
        #expect(try values("x-b", text) == [])
    }

    @Test("Those of a request that follows are not its own")
    func nextRequest() throws {
        #expect(try values("x-a", request(["X-A: 1"]) + request(["X-A: 2"])) == ["1"])
    }

    @Test("There is room for as many as a head may have")
    func most() throws {
        let fields = (1..<RequestParser.maxFields).map { "X-A: \($0)" }
        #expect(try values("x-a", request(fields)) == (1..<RequestParser.maxFields).map(String.init))
    }

    @Test(
        "Path and query are given as they were sent",
        arguments: [
            ("/", "/"), ("/a/../%2f?b=c?d", "/a/../%2f?b=c?d"), ("http://b.example/x?y", "/x?y"), ("http://b", ""),
            ("https://b?x", "?x"), ("//c/d", "//c/d"), ("/?", "/?"),
        ])
    func pathAndQuery(target: String, expected: String) throws {
        for start in ["", "\r\n"] {
            let head = start + request("GET \(target) HTTP/1.1")
            let slice = try #require(requestHead(head)).pathAndQuery(in: bytes(head).span)
            #expect(text(slice, of: bytes(head)) == expected)
        }
    }
}
