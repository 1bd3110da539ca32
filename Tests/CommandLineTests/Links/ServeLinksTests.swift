import Foundation
import TestSupport
import Testing

/// The pages of a built server, and the library that they need (docs/spec/link-pages.md).
@Suite("aasa serve: pages of links", .waiting)
struct ServeLinksTests {
    private static let links = """
        { "app": { "name": "Shop", "appStore": { "id": "1234567890" }, "openHost": "open.example.com" },
          "links": { "/summer": { "title": "Summer sale", "to": "https://www.example.com/sale" } } }
        """

    @Test("a page has a QR code; without libqrencode the log says so once, and the page is whole without one")
    func missingLibrary() throws {
        for isMissing in [false, true] {
            let folder = try RunningServer.layOut()
            try folder.write(Self.links, to: "sites/localhost/links.json")
            // The loader finds this one first, and does not look any further.
            if isMissing { try folder.write("\u{7F}ELF, but no library", to: "libraries/libqrencode.so.4") }
            let server = try RunningServer(
                folder, launcher: ["env", "LD_LIBRARY_PATH=\(folder.path)/libraries"])
            let message = " warning: pages of links have no QR code: libqrencode cannot be loaded: "
            #expect(server.logText.components(separatedBy: message).count == (isMissing ? 2 : 1))
            #expect(server.logText.contains("apt-get install libqrencode4") == isMissing)
            let page = try server.curl("/summer", ["-H", "Accept: text/html"]).text
            #expect(page.contains("<h1><bdi>Summer sale</bdi></h1>"))
            #expect(page.contains("<svg id=\"qr\"") != isMissing)
            #expect(page.hasSuffix("</html>\n"))
        }
    }

    @Test("a server without links needs no libqrencode")
    func withoutLinks() throws {
        let server = try RunningServer(RunningServer.layOut())
        let maps = try String(contentsOfFile: "/proc/\(server.processIdentifier)/maps", encoding: .utf8)
        #expect(!maps.contains("libqrencode"))
    }
}
