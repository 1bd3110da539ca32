import AssociationServer
import Diagnostics
import Foundation
import ServiceHealth
import TestSupport
import Testing

/// Whoever may write files of a site may also make links there; the server reads more than they may.
@Suite("Links in the folders of sites")
struct SitesLinksTests {
    private let sites: SitesFolder

    init() throws {
        sites = try SitesFolder()
        sites.configuration.wellKnown = [ServerConfiguration.WellKnownFile(name: "note.txt", contentType: "text/plain")]
        try sites.write(SitesFolder.document, "a.example")
    }

    /// Why the note is not served; `nil` if it is.
    private func problem() throws -> String? {
        try sites.load()
        return sites.file("a.example", "note.txt")?.error?.message
    }

    private static let outside = """
        the file cannot be read: it is a link that points outside the sites folder; set 'allowLinksOutside' to true if \
        that is intended
        """

    @Test("a link to a file elsewhere is refused, unless a switch allows it", arguments: [true, false])
    func outside(isAbsolute: Bool) throws {
        let path = try sites.folder.write("hello\n", to: "elsewhere/note.txt")
        try sites.link("a.example/note.txt", to: isAbsolute ? path : "../../elsewhere/note.txt")
        #expect(try problem() == Self.outside)
        sites.configuration.allowLinksOutside = true
        #expect(try problem() == nil)
        sites.configuration.allowLinksOutside = false
        // The last good one stays, as with any other fault.
        #expect(try problem() == Self.outside)
        #expect(sites.file("a.example", "note.txt")?.isStale == true)
    }

    @Test("a link through a folder that leads elsewhere is refused, too")
    func outsideByFolder() throws {
        try sites.folder.write("hello\n", to: "elsewhere/note.txt")
        try sites.link("a.example/current", to: "../../elsewhere")
        try sites.link("a.example/note.txt", to: "current/note.txt")
        #expect(try problem() == Self.outside)
    }

    @Test(
        "no switch allows what the kernel makes up",
        arguments: ["/proc/self/environ", "/proc/self/maps", "/proc/self/status", "/proc/1/status", "/proc/cpuinfo"])
    func kernel(path: String) throws {
        sites.configuration.allowLinksOutside = true
        try sites.link("a.example/note.txt", to: path)
        let reason = try problem()
        #expect(
            reason?.contains("it points to a file of the kernel, such as in /proc") == true, "\(reason ?? "served")")
    }

    @Test("nor a way through the links of /proc that lead past the permissions of paths")
    func magicLinks() throws {
        sites.configuration.allowLinksOutside = true
        let path = try sites.folder.write("hello\n", to: "elsewhere/note.txt")
        try sites.link("a.example/note.txt", to: "/proc/self/root\(path)")
        #expect(try problem() == "the file cannot be read: it is a circular link, or one through /proc")
    }

    @Test("nor the access log, by whatever name", arguments: [true, false])
    func ownLog(isHardLink: Bool) throws {
        sites.configuration.allowLinksOutside = true
        let log = try sites.folder.write("a line\n", to: "log/access.log")
        sites.configuration.log.access = .file(log)
        if isHardLink {
            try FileManager.default.linkItem(atPath: log, toPath: sites.path("a.example", "note.txt"))
        } else {
            try sites.link("a.example/note.txt", to: log)
        }
        #expect(try problem() == "the file cannot be read: it is a log of this server")
    }

    @Test("Kubernetes' links to the present version stay within the folder")
    func kubernetes() throws {
        try sites.write("hello\n", "a.example/..2026_11_22", "note.txt")
        try sites.link("a.example/..data", to: "..2026_11_22")
        try sites.link("a.example/note.txt", to: "..data/note.txt")
        #expect(try problem() == nil)
        #expect(sites.file("a.example", "note.txt")?.file?.count == 6)
    }

    @Test("a link to what sites share in the sites folder is followed", arguments: [true, false])
    func shared(isAbsolute: Bool) throws {
        try sites.write("hello\n", ".shared", "note.txt")
        try sites.link(
            "a.example/note.txt", to: isAbsolute ? "\(sites.folder.path)/sites/.shared/note.txt" : "../.shared/note.txt"
        )
        #expect(try problem() == nil)
    }

    @Test("the folder of a site may be a link to anywhere, and what is in there belongs to it")
    func linkedFolder() throws {
        try sites.folder.write("hello\n", to: "app/releases/42/note.txt")
        try sites.folder.write(SitesFolder.document, to: "app/releases/42/apple-app-site-association")
        let current = "\(sites.folder.path)/app/current"
        try FileManager.default.createSymbolicLink(atPath: current, withDestinationPath: "releases/42")
        try sites.remove("a.example")
        try sites.link("a.example", to: current)
        #expect(try problem() == nil)
        #expect(sites.site("a.example")?.state == .published)
        // But not what is beside it there.
        try sites.folder.write("secret\n", to: "app/secret.txt")
        try FileManager.default.removeItem(atPath: "\(current)/note.txt")
        try FileManager.default.createSymbolicLink(
            atPath: "\(current)/note.txt", withDestinationPath: "../../secret.txt")
        #expect(try problem() == Self.outside)
    }

    @Test(
        "what is served as text is text",
        arguments: [
            [0x7F, 0x45, 0x4C, 0x46], [0x61, 0x00], [0xFF, 0xFE, 0x61, 0x00], [0xC3, 0x28], [0x1B, 0x5B, 0x32, 0x4A],
            [0x7F], [0xC2, 0x9B],
        ] as [[UInt8]])
    func binary(bytes: [UInt8]) throws {
        try sites.folder.write(Data(bytes), to: "sites/a.example/note.txt")
        #expect(try problem()?.hasPrefix("the file is served as 'text/plain', but is not text; ") == true)
        sites.configuration.wellKnown = [
            ServerConfiguration.WellKnownFile(name: "note.txt", contentType: "application/octet-stream")
        ]
        #expect(try problem() == nil)
        sites.configuration.wellKnown = [
            ServerConfiguration.WellKnownFile(name: "note.txt", contentType: "Text/PLAIN; charset=utf-8")
        ]
        #expect(try problem()?.contains("as 'Text/PLAIN; charset=utf-8', but is not text;") == true)
    }

    @Test("any text is", arguments: ["", "a\tb\r\n", "Grüße, 日本\n", "\u{FEFF}a\n"])
    func text(text: String) throws {
        try sites.write(text, "a.example", "note.txt")
        #expect(try problem() == nil)
    }

    @Test(
        "a file that is nearly where it belongs is named",
        arguments: [
            ("apple-app-site-association.json", "rename 'apple-app-site-association.json' to"),
            ("apple-app-site-association.txt", "rename 'apple-app-site-association.txt' to"),
            ("apple-app-site-assocation", "rename 'apple-app-site-assocation' to"),
            ("Apple-App-Site-Association", "rename 'Apple-App-Site-Association' to"),
        ])
    func misplaced(name: String, help: String) throws {
        try sites.write(SitesFolder.document, "b.example", name)
        try sites.load()
        let error = try #require(sites.site("b.example")?.lastError)
        #expect(error.message == "the site has no file 'apple-app-site-association'")
        #expect(error.diagnostics.map(\.diagnostic.advice) == ["\(help) 'apple-app-site-association'"])
    }

    @Test("a folder '.well-known' within the folder of a site is named, and one without anything alike is not")
    func wellKnownFolder() throws {
        try sites.write(SitesFolder.document, "b.example/.well-known")
        try sites.write("x", "c.example", "readme")
        try sites.load()
        let folder = "\(sites.folder.path)/sites/b.example"
        let help = "move '\(folder)/.well-known/apple-app-site-association' up into '\(folder)'"
        let problem = "the site has no file 'apple-app-site-association'"
        for (name, help) in [("b.example", help), ("c.example", nil)] {
            let error = try #require(sites.site(name)?.lastError)
            #expect(error.message == problem)
            #expect(error.diagnostics.map(\.diagnostic.advice) == [help])
        }
    }

    @Test("a folder that is named in Unicode is told its name in DNS")
    func unicodeName() throws {
        try sites.write(SitesFolder.document, "bücher.example")
        try sites.load()
        #expect(
            sites.shown(sites.otherFindings) == [
                "error bücher.example: the folder's name is not a host name; use Punycode: 'xn--bcher-kva.example'"
            ])
    }
}
