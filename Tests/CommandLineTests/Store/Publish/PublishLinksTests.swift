import Foundation
import TestSupport
import Testing

/// Links and pages through a store (store.md, section 5).
@Suite("aasa publish: links.json", .waiting, .needs(.postgres))
struct PublishLinksTests {
    private func links(_ entries: String) -> String {
        #"{"app": {"name": "Shop", "icon": "icon.webp"}, "links": {\#(entries)}}"#
    }

    @Test("it is judged with the images of the store, its difference is that of links, and it is rolled back")
    func difference() throws {
        let rig = try StoreRig()
        let first = links(
            #""/a": {"to": "https://www.example.com/1"}, "/b": {"to": "https://www.example.com/2", "answer": "redirect"}"#
        )
        try rig.tool.write(first, to: "links.json")
        // Where it lies is no matter.
        try rig.tool.write("RIFF\u{4}\u{0}\u{0}\u{0}WEBPicon", to: "icon.webp")
        let refused = try rig.run("publish", "example.com", "links.json", "--name", "links.json")
        #expect(refused.status == 1 && refused.text.contains("[unusable-image]"), "\(refused.text)")
        try rig.succeed("publish", "example.com", "icon.webp", "--name", "icon.webp")
        try rig.succeed("publish", "example.com", "links.json", "--name", "links.json")
        try rig.tool.write(
            links(#""/a": {"to": "https://www.example.com/3"}, "/c": {"title": "C"}"#), to: "links.json")
        let shown = try rig.succeed(
            "publish", "example.com", "links.json", "--name", "links.json", "--dry-run"
        ).text
        for line in [
            "new: /c leads to its page", "gone: /b, which led to https://www.example.com/2 (redirect)",
            "leads elsewhere: /a, from https://www.example.com/1 to https://www.example.com/3",
        ] {
            #expect(shown.contains(line), "\(shown)")
        }
        let object = try rig.run(
            "publish", "example.com", "links.json", "--name", "links.json", "--format", "json"
        ).object()
        let diff = try #require(object["diff"] as? [String: Any])
        #expect(diff["count"] as? Int == 3 && (diff["gone"] as? [[String: String]])?.first?["link"] == "/b")
        let back = try rig.succeed("rollback", "example.com", "--name", "links.json").text
        #expect(back.contains("new: /b leads to https://www.example.com/2 (redirect)"), "\(back)")
        #expect(try rig.succeed("history", "example.com", "--name", "links.json", "--print", "3").text == first)
    }
}
