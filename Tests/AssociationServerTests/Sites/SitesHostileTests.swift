import AssociationServer
import Diagnostics
import Foundation
import Glibc
import ServiceHealth
import TestSupport
import Testing

/// One bad site stops no other.
@Suite("Folders of sites as they come", .waiting)
struct SitesHostileTests {
    private let sites: SitesFolder

    init() throws {
        sites = try SitesFolder()
        try sites.write(SitesFolder.document, "good.example")
    }

    private func make(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: "\(sites.folder.path)/sites/\(name)", withIntermediateDirectories: true)
    }

    @Test("all that can lie there is named, and the good one is served")
    func all() throws {
        let association = "apple-app-site-association"
        try sites.write("x", "folder.example/\(association)", "x")
        try sites.write("x", "folder.example/assetlinks.json", "x")
        for name in [association, "assetlinks.json"] {
            try make("pipe.example")
            try Shell.run(["mkfifo", sites.path("pipe.example", name)])
            try make("link.example")
            try sites.link("link.example/\(name)", to: "nowhere")
            try make("circle.example")
            try sites.link("circle.example/\(name)", to: name)
            try make("socket.example")
            try sites.link("socket.example/\(name)", to: "/dev/null")
        }
        try sites.link("gone.example", to: "nowhere")
        try sites.link("round.example", to: "round.example")
        try sites.link("README", to: "nowhere")
        try make("empty.example")
        try sites.write("[{\"a\":" + String(repeating: "[", count: 5_000), "deep.example")
        try sites.write(String(repeating: "{\"a\":", count: 3_000), "deep2.example")
        for name in [
            "Upper.example", "a b.example", "a_b.example", "-a.example", "_wildcard.", "_wildcard._wildcard.a",
        ] {
            try make(name)
        }
        // 1 GB that takes no room.
        try make("huge.example")
        let huge = open(sites.path("huge.example"), O_CREAT | O_WRONLY, 0o644)
        #expect(ftruncate(huge, 1 << 30) == 0)
        close(huge)
        try sites.load()

        #expect(sites.site("good.example")?.state == .published)
        let refused = [
            "circle", "deep", "deep2", "empty", "folder", "gone", "huge", "link", "pipe", "round", "socket",
        ]
        #expect(sites.sites.map(\.domain) == (refused + ["good"]).map { "\($0).example" }.sorted())
        for name in refused {
            let site = try #require(sites.site("\(name).example"))
            #expect(site.state == .refused)
            #expect(site.association?.findings.contains { $0.severity == .error } == true)
            #expect(site.otherFiles.allSatisfy { $0.isRefused && $0.file == nil })
        }
        let shown = sites.shown(sites.sites.flatMap(\.findings))
        for (path, reason) in [
            ("circle.example/\(association)", "it is a circular link, or one through /proc"),
            ("folder.example/\(association)", "is a directory"), ("folder.example/assetlinks.json", "is a directory"),
            ("gone.example/\(association)", "its folder is a broken link, or cannot be entered"),
            ("link.example/\(association)", "it is a broken link"),
            ("link.example/assetlinks.json", "it is a broken link"),
            ("pipe.example/\(association)", "not a regular file"),
            ("pipe.example/assetlinks.json", "not a regular file"),
            ("round.example/\(association)", "its folder is a broken link, or cannot be entered"),
            (
                "socket.example/\(association)",
                "it is a link that points outside the sites folder; set 'allowLinksOutside' to true if that is intended"
            ),
        ] {
            let found = shown.filter { $0.hasPrefix("error \(path): ") }
            #expect(found == ["error \(path): the file cannot be read: \(reason)"])
        }
        #expect(shown.contains("error empty.example/\(association): the site has no file '\(association)'"))
        #expect(shown.contains { $0.hasPrefix("error huge.example/\(association): the file has more than 1,048,576") })
        #expect(
            sites.shown(sites.otherFindings).map { $0.prefix { $0 != ":" } }.sorted()
                == [
                    "-a.example", "README", "Upper.example", "_wildcard.", "_wildcard._wildcard.a", "a b.example",
                    "a_b.example",
                ]
                .map { "error \($0)" }.sorted())
    }

    @Test("a folder that nobody may enter is one bad site", .enabled(if: geteuid() != 0))
    func permissions() throws {
        try sites.write(SitesFolder.document, "a.example")
        try sites.load()
        chmod("\(sites.folder.path)/sites/a.example", 0)
        defer { chmod("\(sites.folder.path)/sites/a.example", 0o755) }
        try sites.load()
        #expect(sites.site("a.example")?.state == .stale)
        #expect(sites.site("good.example")?.state == .published)
    }

    @Test("a folder whose link leads nowhere for a moment keeps its site")
    func danglingFolder() throws {
        try sites.write(SitesFolder.document, ".v1")
        try sites.link("a.example", to: ".v1")
        try sites.load()
        #expect(sites.site("a.example")?.state == .published)
        try sites.remove(".v1")
        try sites.load()
        #expect(sites.site("a.example")?.state == .stale)
        try sites.write(SitesFolder.document, ".v1")
        try sites.load()
        #expect(sites.site("a.example")?.state == .published)
        try sites.remove("a.example")
        try sites.load()
        #expect(sites.site("a.example") == nil)
    }

    @Test("a relative path that leads nowhere comes to an end")
    func relative() throws {
        try sites.link("gone.example", to: "nowhere")
        let up = String(repeating: "../", count: FileManager.default.currentDirectoryPath.split(separator: "/").count)
        sites.configuration.sites = "\(up)\(sites.folder.path.dropFirst())/sites"
        try sites.load()
        #expect(sites.sites.map(\.state) == [.refused, .published])
    }

    @Test("names that are no UTF-8 are named, also those of links")
    func bytes() throws {
        for (byte, isLink) in [(0xFF, false), (0xFE, true)] as [(UInt8, Bool)] {
            let path = Array("\(sites.folder.path)/sites/a".utf8) + [byte, 0]
            path.withUnsafeBytes { bytes in
                guard let name = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
                if isLink { symlink("good.example", name) } else { mkdir(name, 0o755) }
            }
        }
        try sites.load()
        #expect(sites.sites.map(\.domain) == ["good.example"])
        #expect(sites.otherFindings.map(\.severity) == [Severity.error, .error])
    }

    @Test("of mistakes that all files share so many are kept, and of each file one that says why")
    func budget() throws {
        // A warning for each, and two errors behind them.
        let links = Array(repeating: #"{"relation":["a/b"]}"#, count: 40).joined(separator: ",")
        try sites.write("[\(links),1,2]", "good.example", "assetlinks.json")
        try sites.load()
        let findings = try #require(sites.file("good.example", "assetlinks.json")?.findings)
        #expect(findings.count == 42)
        let errors = findings.filter { $0.severity == .error }
        var budget = FindingBudget(most: 100)
        #expect(budget.keep(findings) == findings)
        budget.count(findings)
        let some = budget.keep(findings)
        #expect(some.count == 17 && some.prefix(14) == findings.prefix(14) && some.contains(errors[0]))
        #expect(some.last?.message == "26 more findings are not listed")
        #expect(some.last?.severity == .warning)
        for _ in 0..<3 {
            let few = budget.keep(findings)
            #expect(few.count == FindingBudget.fewOfOneFile + 1 && few.contains(errors[1]))
        }
        #expect(budget.keep(Array(findings.prefix(4))).count == 4)
    }
}
