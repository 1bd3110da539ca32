import AppSiteAssociation
import Diagnostics
import Testing

@Suite("Parameters with a colon in a list of routes")
struct ColonPlaceholderTests {
    @Test(
        "are text, and the capture that is meant is named",
        arguments: [
            ("/order/:id", "/order/{id}"), ("  /order/:id  ?q=*", "  /order/{id}  ?q=*"),
            ("/:a/b/:c_2-d", "/{a}/b/{c_2-d}"),
            ("/order/:id?", "/order/{id}"), ("/files/:path*", "/files/{path:*}"), ("/files/:path+", "/files/{path:*}"),
            (#"/order/:id(\d+)/x"#, "/order/{id}/x"), ("https://shop.example/:id", "https://shop.example/{id}"),
        ])
    func found(route: String, fixed: String) throws {
        let list = RouteList.read(Array(route.utf8), path: "routes")
        #expect(list.diagnostics.map(\.code.rawValue) == ["router-placeholder"])
        let finding = try #require(list.diagnostics.first)
        #expect(finding.severity == .warning)
        #expect(list.source.bytes[finding.range.start] == UInt8(ascii: ":"))
        var bytes = list.source.bytes
        for edit in try #require(finding.fixIts.first).edits.reversed() {
            bytes.replaceSubrange(edit.range.start..<edit.range.end, with: edit.replacement.utf8)
        }
        #expect(String(decoding: bytes, as: UTF8.self) == fixed)
        #expect(RouteList.read(bytes, path: "routes").diagnostics.isEmpty)
    }

    @Test(
        "are not what else has a colon",
        arguments: [
            "/at/10:30", "/at/:30", "/a:b", "/:", "/{name:*}", "https://shop.example/x", "/x ?q=:id", "/x #/:id",
            "/x caseSensitive:false", "# /order/:id",
        ])
    func notFound(route: String) { #expect(RouteList.read(Array(route.utf8), path: "routes").diagnostics.isEmpty) }
}
