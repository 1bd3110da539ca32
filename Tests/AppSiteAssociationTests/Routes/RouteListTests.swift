import AppSiteAssociation
import Diagnostics
import FuzzingSupport
import Testing

@Suite("Lists of routes")
struct RouteListTests {
    @Test("have a route a line; comments and empty lines are skipped, whatever ends a line")
    func lines() {
        let text = "# shop\r\n/buy/{a}\r\n\r\n  \t\n\t/cart  #{b} \r  # more\n/x"
        let list = RouteList.read(Array(text.utf8), path: "routes.txt")
        #expect(list.diagnostics.isEmpty)
        #expect(list.source.path == "routes.txt")
        #expect(list.routes.map(\.pattern.description) == ["/buy/{a}", "/cart #{b}", "/x"])
        let lines = list.routes.map { route in
            String(decoding: list.source.bytes[route.range.start..<route.range.end], as: UTF8.self)
        }
        #expect(lines == ["/buy/{a}", "/cart  #{b}", "/x"])
        #expect(list.routes.map { list.source.position(at: $0.range.start).line } == [2, 5, 7])
    }

    @Test(
        "may begin with a byte order mark, and may be empty",
        arguments: ["", "\n", "# none", "\u{FEFF}", "\u{FEFF}\n# x"])
    func empty(text: String) {
        let list = RouteList.read(Array(text.utf8), path: "routes.txt")
        #expect(list.routes.isEmpty && list.diagnostics.isEmpty)
        let more = RouteList.read(Array((text + "\n/a").utf8), path: "routes.txt")
        #expect(more.routes.map(\.pattern.description) == ["/a"])
        #expect(RouteList.read(Array("\u{FEFF}/a".utf8), path: "").routes.first?.range == SourceRange(start: 3, end: 5))
    }

    @Test(
        "tell what is wrong at its place",
        arguments: [
            ("/a\n  /b/⟦{}⟧/c\n/d", "invalid-route", Severity.error), ("/a ⟦/b⟧", "invalid-route", .error),
            ("/a\n/b ⟦?q⟧ ".replacing("⟦?", with: "?⟦"), "invalid-route", .error),
            ("/a/*\n/b\n⟦/a/{x}⟧  \n", "unreachable-route", .warning), ("/a\n⟦/a #x⟧", "unreachable-route", .warning),
            ("/{x}/y\n/{x}\n⟦/z⟧", "unreachable-route", .warning), ("/a ⟦\u{F7FF}⟧", "invalid-route", .error),
            ("/é percentEncoded:false ?q=⟦\u{F7C3}⟧", "invalid-route", .error),
            ("/a⟦\u{1}⟧b", "invalid-route", .error), ("/a ?q=x⟦\u{7F}⟧", "invalid-route", .error),
        ])
    func mistakes(marked: String, code: String, severity: Severity) {
        let marked = MarkedText(marked)
        let list = RouteList.read(marked.bytes, path: "routes.txt")
        #expect(list.diagnostics.map(\.code.rawValue) == [code])
        #expect(list.diagnostics.map(\.severity) == [severity])
        #expect(list.diagnostics.first?.range == marked.range)
    }

    @Test("name the route that leaves nothing to another one")
    func messages() {
        let list = RouteList.read(Array("# x\n/a/{b}\n\n/a/new\n/{".utf8), path: "routes.txt")
        #expect(
            list.diagnostics.map { $0.line(in: list.source) } == [
                """
                routes.txt:4:1: warning: '/a/{b}' in line 2 matches every URL of this route; put this one before it, or \
                remove it [unreachable-route]
                """,
                """
                routes.txt:5:2: error: '{' has no '}'; expected a capture like {name} or {name:*}, without spaces \
                [invalid-route]
                """,
            ])
        #expect(list.routes.count == 2)
    }

    @Test("are read whatever the bytes", arguments: TestSeeds.of(9...9))
    func bytes(seed: UInt64) {
        var random = RandomRoutes(seed: seed)
        let bytes = Array("/ab{}:*?&=# $(digit)\n\r%é".utf8) + [0x00, 0xFF, 0xC3, 0xEF, 0xBB, 0xBF]
        var sound = 0
        for _ in 0..<4000 {
            let text = random.list(of: bytes, upTo: 24)
            let list = RouteList.read(text, path: "routes.txt")
            for diagnostic in list.diagnostics {
                #expect(diagnostic.range.start >= 0 && diagnostic.range.end <= text.count, "\(text)")
                #expect(diagnostic.range.start <= diagnostic.range.end)
            }
            for route in list.routes {
                sound += 1
                #expect((try? RoutePattern(route.pattern.description)) == route.pattern)
            }
        }
        #expect(sound > 100)
    }

    @Test("that are long are read, and compared as far as that is quick")
    func long() {
        let lines = (0..<700).map { "/section/\($0)/{page}" } + ["/section/{number}/{page}", "/section/7/last"]
        let list = RouteList.read(Array(lines.joined(separator: "\n").utf8), path: "routes.txt")
        #expect(list.routes.count == lines.count)
        #expect(list.diagnostics.map(\.range) == [list.routes.last?.range])
    }
}
