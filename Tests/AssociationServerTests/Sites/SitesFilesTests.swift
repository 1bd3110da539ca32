import AssociationServer
import Diagnostics
import Foundation
import HTTP1
import ServiceHealth
import TestSupport
import Testing

/// Several files of a site: what is published of each (server.md, sections 1, 2 and 5).
@Suite("The files of a site")
struct SitesFilesTests {
    private let sites: SitesFolder
    private static let links = "assetlinks.json"

    init() throws {
        sites = try SitesFolder()
        sites.configuration.wellKnown = [
            ServerConfiguration.WellKnownFile(name: "data.json", contentType: "application/json; charset=utf-8"),
            ServerConfiguration.WellKnownFile(name: "security.txt", contentType: "text/plain; charset=utf-8"),
        ]
        try sites.write(SitesFolder.document, "a.example")
    }

    @Test("a site has the files that are listed and there, and no others")
    func files() throws {
        try sites.write(SitesFolder.links, "a.example", Self.links)
        try sites.write("Contact: mailto:a@a.example", "a.example", "security.txt")
        try sites.write("{}", "a.example", "other.json")
        try sites.write(SitesFolder.document, "b.example")
        try sites.load()
        #expect(sites.site("a.example")?.otherFiles.map(\.name) == [Self.links, "security.txt"])
        #expect(sites.site("b.example")?.otherFiles.isEmpty == true)
        #expect(sites.sites.allSatisfy { $0.state == .published && $0.findings.isEmpty })
        #expect(sites.file("a.example", "security.txt")?.file?.count == 27)
    }

    @Test(
        "each is checked as what it is",
        arguments: [
            (links, SitesFolder.links, nil), (links, "[]", "warning"), (links, "{}", "error"), (links, "[", "error"),
            (links, "[{}]", "error"), (links, SitesFolder.document, "error"), (links, "", "error"),
            ("data.json", "7", nil), ("data.json", "[{}]", nil), ("data.json", "x", "error"),
            ("data.json", "", "error"),
            ("security.txt", "{", nil), ("security.txt", "", nil), ("security.txt", "\u{FEFF}a\n", nil),
            ("security.txt", "\0", "error"),
            ("data.json", String(repeating: "[", count: 2_000), "error"),
            (links, String(repeating: "[", count: 2_000), "error"),
        ] as [(String, String, String?)])
    func checks(name: String, text: String, severity: String?) throws {
        try sites.write(text, "a.example", name)
        try sites.load()
        let file = try #require(sites.file("a.example", name))
        #expect(file.findings.first?.severity.rawValue == severity, "\(file.findings)")
        #expect(file.isRefused == (severity == "error"))
        #expect((file.file == nil) == file.isRefused)
        // It changes nothing for the association file, and the site is as its worst file.
        #expect(sites.site("a.example")?.association?.isRefused == false)
        #expect(sites.site("a.example")?.state == (file.isRefused ? .refused : .published))
        #expect(sites.site("a.example")?.hasRefusedFile == file.isRefused)
    }

    @Test("limits.fileBytes holds for all of them, and Apple's own limit for the association file only")
    func sizes() throws {
        sites.configuration.limits.fileBytes = 200
        for name in [Self.links, "data.json", "security.txt"] {
            try sites.write("[" + String(repeating: " ", count: 198) + "]", "a.example", name)
        }
        try sites.load()
        #expect(sites.site("a.example")?.hasRefusedFile == false)
        for name in [Self.links, "data.json", "security.txt"] {
            try sites.write("[" + String(repeating: " ", count: 199) + "]", "a.example", name)
        }
        try sites.load()
        for name in [Self.links, "data.json", "security.txt"] {
            let file = try #require(sites.file("a.example", name))
            #expect(file.isStale)
            #expect(file.findings.map { $0.diagnostic.code.rawValue } == ["file-too-large"])
            #expect(file.findings.first?.diagnostic.notes.isEmpty == true)
        }
        sites.configuration.limits.fileBytes = 1_000_000
        try sites.write("[" + String(repeating: " ", count: 500_000) + "]", "a.example", "data.json")
        try sites.load()
        #expect(sites.file("a.example", "data.json")?.isRefused == false)
    }

    @Test("a refused file without a good version is faulty; with one, that stays until the folder of the site goes")
    func lastGood() throws {
        for (name, good, bad) in [(Self.links, SitesFolder.links, "{}"), ("data.json", "[1]", "[1")] {
            try sites.write(bad, "a.example", name)
            try sites.load()
            #expect(sites.file("a.example", name)?.file == nil)
            #expect(sites.site("a.example")?.lastError?.message.hasPrefix("\(name): ") == true)

            try sites.write(good, "a.example", name)
            try sites.load()
            let file = try #require(sites.file("a.example", name)?.file)
            #expect(sites.site("a.example")?.lastError?.message == nil)

            try sites.write(bad, "a.example", name)
            try sites.load()
            #expect(sites.file("a.example", name)?.file === file)
            #expect(sites.file("a.example", name)?.isStale == true)

            try sites.remove("a.example", name)
            try sites.load()
            #expect(sites.file("a.example", name)?.file === file)
            #expect(sites.file("a.example", name)?.isStale == true)
            #expect(sites.shown(sites.site("a.example")?.findings ?? []).first?.contains("the file is gone") == true)

            try sites.write(good, "a.example", name)
            try sites.load()
            #expect(sites.file("a.example", name)?.file === file)
            #expect(sites.file("a.example", name)?.isRefused == false)
            try sites.remove("a.example")
            try sites.load()
            #expect(sites.sites.isEmpty)
            try sites.write(SitesFolder.document, "a.example")
            try sites.load()
            #expect(sites.site("a.example")?.otherFiles.isEmpty == true)
        }
    }

    @Test("a faulty file that never was good and goes is forgotten")
    func faultyAndGone() throws {
        try sites.write("{}", "a.example", Self.links)
        try sites.load()
        #expect(sites.site("a.example")?.hasRefusedFile == true)
        try sites.remove("a.example", Self.links)
        try sites.load()
        #expect(sites.site("a.example")?.otherFiles.isEmpty == true)
        #expect(sites.site("a.example")?.findings.isEmpty == true)
    }

    @Test("a site with other files alone is a whole site, until its association file comes")
    func withoutAssociation() throws {
        try sites.write(SitesFolder.links, "b.example", Self.links)
        try sites.write("x", "c.example", "other")
        try sites.load()
        let site = try #require(sites.site("b.example"))
        #expect(site.state == .published && site.findings.isEmpty && site.isPublished)
        #expect(site.association == nil && site.file == nil && site.loadedAt == nil)
        #expect(sites.site("c.example")?.state == .refused)
        #expect(sites.site("c.example")?.servesSomething == false)
        #expect(sites.shown(sites.site("c.example")?.findings ?? []).first?.contains("the site has no file") == true)
        // The file that was missing is not missed any more when there is another one.
        try sites.write(SitesFolder.links, "c.example", Self.links)
        try sites.load()
        #expect(sites.site("c.example")?.state == .published)
        // Its links are gone: their last version stays, and an association file is missed as little as before.
        try sites.remove("b.example", Self.links)
        try sites.load()
        #expect(sites.site("b.example")?.files.map(\.name) == [Self.links])
        #expect(sites.site("b.example")?.state == .stale)
        try sites.write(SitesFolder.document, "b.example")
        try sites.load()
        #expect(sites.site("b.example")?.file != nil)
        // One that was served and is gone is missed.
        try sites.remove("b.example", "apple-app-site-association")
        try sites.load()
        #expect(sites.site("b.example")?.association?.isStale == true)
    }

    @Test("an association file under a wrong name is missed, whatever else a site has")
    func nearMiss() throws {
        try sites.write(SitesFolder.links, "b.example", Self.links)
        try sites.write(SitesFolder.document, "b.example", "apple-app-site-association.json")
        try sites.load()
        #expect(sites.site("b.example")?.state == .refused)
        #expect(sites.site("b.example")?.lastError?.diagnostics.first?.diagnostic.advice?.contains("rename") == true)
    }

    @Test("an error says what is wrong and since when, and goes with its cause")
    func lastError() throws {
        try sites.load(now: 10)
        #expect(sites.site("a.example")?.lastError == nil)
        #expect(sites.site("a.example")?.loadedAt == 10)
        try sites.write(#"{"applinks": {"details": [,]}}x"#, "a.example")
        try sites.write("{}", "a.example", Self.links)
        try sites.load(now: 20)
        var error = try #require(sites.site("a.example")?.lastError)
        #expect(error.at == 20)
        #expect(error.message.hasSuffix(", and 1 more error"), "\(error.message)")
        #expect(error.diagnostics.count >= 2)
        #expect(sites.site("a.example")?.isStale == true)
        try sites.load(now: 30)
        #expect(sites.site("a.example")?.lastError?.at == 20)
        #expect(sites.site("a.example")?.loadedAt == 10)

        try sites.write(SitesFolder.document, "a.example")
        try sites.load(now: 40)
        error = try #require(sites.site("a.example")?.lastError)
        #expect(error.message == "assetlinks.json: the file is an object, not an array of statements")
        #expect(error.at == 20)
        #expect(sites.site("a.example")?.isRefused == false)
        #expect(sites.site("a.example")?.state == .refused)
        #expect(sites.site("a.example")?.loadedAt == 10)
        try sites.remove("a.example", Self.links)
        try sites.write(SitesFolder.document + "\n", "a.example")
        try sites.load(now: 50)
        #expect(sites.site("a.example")?.lastError == nil)
        #expect(sites.site("a.example")?.loadedAt == 50)
    }

    @Test("an asset links file whose dynamic rules Android would drop does not replace a good one")
    func droppedRules() throws {
        func links(_ components: String) -> String {
            SitesFolder.links.replacing(
                "}}]",
                with: """
                    },"relation_extensions":{"delegate_permission/common.handle_all_urls":\
                    {"dynamic_app_link_components":[\(components)]}}}]
                    """)
        }
        try sites.write(links(#"{"/":"/buy/*"}"#), "a.example", Self.links)
        try sites.load(now: 10)
        #expect(sites.site("a.example")?.lastError == nil)
        for bad in [#"{"/":"/buy/*","exclude":"true"}"#, #"{"/":"/buy/*","exclude":true}"#] {
            try sites.write(links(bad), "a.example", Self.links)
            try sites.load(now: 20)
            let error = try #require(sites.site("a.example")?.lastError)
            #expect(error.message.hasPrefix("assetlinks.json: "), "\(error.message)")
            #expect(sites.site("a.example")?.loadedAt == 10)
        }
        try sites.write(links(#"{"/":"/sell/*"}"#), "a.example", Self.links)
        try sites.load(now: 30)
        #expect(sites.site("a.example")?.lastError == nil)
    }

    @Test("a domain has one number as long as the server runs")
    func numbers() throws {
        try sites.write(SitesFolder.document, "b.example")
        try sites.write(SitesFolder.document, "_wildcard.b.example")
        try sites.load()
        let before = Dictionary(uniqueKeysWithValues: sites.sites.map { ($0.domain, $0.number) })
        #expect(Set(before.values) == [0, 1, 2])
        try sites.remove("a.example")
        try sites.write(SitesFolder.document, "c.example")
        try sites.load()
        #expect(sites.site("c.example")?.number == 3)
        try sites.write(SitesFolder.document, "a.example")
        try sites.load()
        for (domain, number) in before { #expect(sites.site(domain)?.number == number) }
    }

    @Test("the number of a site that is gone is another's, once no loop counts under it any more")
    func reusedNumbers() throws {
        let numbers = SiteNumbers()
        for (number, domain) in ["a", "b", "c", "d"].enumerated() { #expect(numbers.number(of: domain) == number) }
        numbers.retire([])
        numbers.retire(["b", "c"])
        #expect(numbers.number(of: "e") == 1)
        #expect(numbers.number(of: "d") == 3)
        #expect(numbers.number(of: "c") == 2)
        numbers.retire(["c", "d", "e", "none"])
        #expect(numbers.number(of: "f") == 1)
        for round in 0..<1_000 {
            #expect(numbers.number(of: "site\(round)") == 2)
            numbers.retire(["site\(round)"])
        }
    }

    @Test("what was counted for a site that is gone is forgotten, and the memory for it freed")
    func forgottenCounts() throws {
        let counters = LoopCounters()
        counters.keep(sites: 3)
        for site in 0..<3 {
            counters.count(site: site, .ok)
            let agent = Array("AASA-Bot/1".utf8)
            agent.withUnsafeBufferPointer { counters.countFetch(site: site, .bot, $0, .ok, at: 1) }
        }
        func counts() -> [UInt64] { (0..<3).map { counters.report(connections: 0).count(site: $0, .ok) } }
        func fetched() -> [Bool] { (0..<3).map { counters.report(connections: 0).fetches(site: $0).last != nil } }
        #expect(counts() == [1, 1, 1] && fetched() == [true, true, true])
        counters.forget(site: 1)
        #expect(counts() == [1, 0, 1] && fetched() == [true, false, true])
        counters.keep(sites: 1)
        counters.count(site: 2, .ok)
        #expect(counts() == [1, 0, 0] && fetched() == [true, false, false])
        counters.keep(sites: 3)
        #expect(counts() == [1, 0, 0] && fetched() == [true, false, false])
    }

    @Test(
        "a file that could not be served is no setting",
        arguments: [
            ("", "text/plain"), ("a/b", "text/plain"), (".aasa.json", "text/plain"), ("..", "text/plain"),
            ("apple-app-site-association", "text/plain"), ("a b", "text/plain"), ("ä", "text/plain"),
            ("a", ""), ("a", "text/plain\r\nX: y"), ("a", String(repeating: "x", count: 256)),
            (String(repeating: "x", count: 256), "text/plain"),
        ])
    func settings(name: String, type: String) throws {
        sites.configuration.wellKnown = [ServerConfiguration.WellKnownFile(name: name, contentType: type)]
        do {
            try sites.load()
            Issue.record("it was taken")
        } catch let error as ServerError {
            #expect(error.code == .configuration)
            #expect(!error.description.contains("\r"))
        }
    }
}
