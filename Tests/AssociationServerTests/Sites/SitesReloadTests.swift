import AssociationServer
import Diagnostics
import Foundation
import Glibc
import ServiceHealth
import Synchronization
import TestSupport
import Testing

/// Work that a second look at the same folder does not repeat.
@Suite("Loading sites again")
struct SitesReloadTests {
    private let sites: SitesFolder
    private static let links = "assetlinks.json"

    init() throws {
        sites = try SitesFolder()
        try sites.write(SitesFolder.document, "a.example")
        try sites.write(SitesFolder.links, "a.example", Self.links)
        // A warning, and an error.
        try sites.write("\u{FEFF}" + SitesFolder.document, "b.example")
        try sites.write("{", "c.example")
        try sites.load()
    }

    /// The sites of which there is something new to say.
    private var told: [String] { Set(sites.changes.reported.map(\.domain)).sorted() }

    @Test("what has not changed is the same, and nothing is told again")
    func unchanged() throws {
        #expect(told == ["b.example", "c.example"])
        let before = sites.sites
        for text in [SitesFolder.document, nil] {
            // Written anew with the same bytes, or not at all.
            if let text { try sites.write(text, "a.example") }
            try sites.write("{", "c.example")
            try sites.load()
            #expect(sites.sites == before)
            #expect(told.isEmpty)
            #expect(sites.site("c.example")?.findings.isEmpty == false)
            #expect(zip(sites.sites, before).allSatisfy { $0.serves(sameAs: $1) })
        }
    }

    /// Whether work opens a file.
    private func opens(_ path: String, _ work: () throws -> Void) throws -> Bool {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try #require(inotify_add_watch(descriptor, path, UInt32(IN_OPEN)) >= 0)
        try work()
        var events = [UInt8](repeating: 0, count: 4_096)
        return read(descriptor, &events, events.count) > 0
    }

    @Test(
        "a file that looks as it did is not opened again, good or refused",
        arguments: ["a.example", "b.example", "c.example"])
    func stamps(site: String) throws {
        let path = sites.path(site)
        // All that was written is older than that.
        let later = Int64(Date().timeIntervalSince1970) + 1_000
        try sites.load(now: later)
        let before = sites.sites
        #expect(try !opens(path) { try sites.load(trustsStamps: true, now: later) })
        #expect(try opens(path) { try sites.load(now: later) })
        #expect(sites.sites == before && told.isEmpty)
        // It may have changed without showing it, as it was read right after it was written.
        #expect(try opens(path) { try sites.load(now: 1_000) })
        #expect(try opens(path) { try sites.load(trustsStamps: true, now: 1_000) })
        // Judged by something else, it has to be read.
        try sites.load(now: later)
        try sites.folder.write(#"{"severity": {"byte-order-mark": "error"}}"#, to: "sites/.aasa.json")
        #expect(try opens(path) { try sites.load(trustsStamps: true, now: later) })
        #expect(told.contains("b.example"))
        // Written anew, linked to another one, or gone.
        try sites.write(SitesFolder.document + " ", site)
        try sites.load(trustsStamps: true, now: later)
        #expect(sites.site(site)?.state == .published)
        try sites.remove(site, "apple-app-site-association")
        try sites.write("{", site, "other")
        try sites.link("\(site)/apple-app-site-association", to: "other")
        try sites.load(trustsStamps: true, now: later)
        #expect(sites.site(site)?.state == .stale)
    }

    @Test("sites are read by the names of their folders, and others are not opened")
    func few() throws {
        try sites.write(SitesFolder.document + " ", "a.example")
        try sites.write(SitesFolder.document, "d.example")
        try sites.remove("c.example")
        // Neither hidden folders nor editors' leftovers are sites.
        let leftovers = [".new", "x.swp", "y.example~"]
        for name in leftovers { try sites.write(SitesFolder.document, name) }
        let other = sites.path("b.example")
        let names = Set(leftovers + ["a.example", "c.example", "d.example", "e.example"])
        #expect(try !opens(other) { try sites.load(only: names) })
        #expect(sites.sites.map(\.domain) == ["a.example", "b.example", "d.example"])
        #expect(!sites.changes.needsRetry)
        #expect(sites.site("a.example")?.file?.count == SitesFolder.document.utf8.count + 1)
        // All of it is the same when everything is read.
        let before = sites.sites
        try sites.load()
        #expect(sites.sites == before && told.isEmpty)
    }

    @Test(
        "what a few folders cannot answer is answered by reading all of them",
        arguments: ["Bad_Name", ".aasa.json", "b.example", "a.example", "more.example"])
    func doubt(name: String) throws {
        switch name {
        case "b.example":
            // A file takes the place of the folder.
            try sites.remove(name)
            try sites.folder.write("", to: "sites/b.example")
        case "a.example": try sites.folder.write("{}", to: "sites/a.example/.aasa.json")
        case ".aasa.json": try sites.folder.write("{}", to: "sites/.aasa.json")
        case "more.example":
            sites.configuration.limits.sites = 3
            try sites.write(SitesFolder.document, name)
        default: try sites.write(SitesFolder.document, name)
        }
        let known = Set(sites.sites.map(\.domain))
        try sites.load(only: [name])
        #expect(sites.changes.needsRetry)
        #expect(Set(sites.sites.map(\.domain)) == known)
        try sites.load()
        #expect(!sites.changes.needsRetry)
    }

    @Test("what was found that is about no site stays when a few sites are read")
    func otherFindings() throws {
        try sites.write(SitesFolder.document, "Bad")
        try sites.load()
        let before = sites.otherFindings
        #expect(before.count == 1 && sites.catalog.content.refusedEntries == 1)
        try sites.write(SitesFolder.document + " ", "a.example")
        try sites.load(only: ["a.example"])
        #expect(sites.otherFindings == before && sites.catalog.content.refusedEntries == 1)
        // There may be room for a site that was left out.
        try sites.remove("c.example")
        try sites.load(only: ["c.example"])
        #expect(sites.changes.needsRetry && sites.site("c.example") != nil)
    }

    @Test("what has changed is told, and only that")
    func changed() throws {
        try sites.load()
        try sites.write("{ ", "c.example")
        try sites.write("\u{FEFF}" + SitesFolder.links, "a.example", Self.links)
        try sites.load()
        #expect(told == ["a.example", "c.example"])
        #expect(
            sites.shown(sites.reported(of: "a.example").flatMap(\.findings)).map { $0.prefix(34) }
                == ["warning a.example/assetlinks.json:"])
        #expect(sites.reported(of: "c.example").map(\.isRefused) == [true])
        try sites.write(SitesFolder.document, "c.example")
        try sites.load()
        #expect(told.isEmpty)
        #expect(sites.site("c.example")?.state == .published)
    }

    @Test("a file that is missing twice is told once")
    func missing() throws {
        try sites.remove("b.example", "apple-app-site-association")
        try sites.load()
        #expect(told == ["b.example"])
        try sites.load()
        #expect(told.isEmpty)
        #expect(sites.site("b.example")?.state == .stale)
    }

    @Test("another '.aasa.json' means another check of the same bytes")
    func configuration() throws {
        try sites.folder.write(#"{"severity": {"byte-order-mark": "off"}}"#, to: "sites/.aasa.json")
        try sites.load()
        #expect(sites.site("b.example")?.findings.isEmpty == true)
        #expect(told.isEmpty)
        try sites.folder.write(#"{"severity": {"byte-order-mark": "error"}}"#, to: "sites/b.example/.aasa.json")
        try sites.load()
        #expect(sites.site("b.example")?.state == .stale)
        #expect(told == ["b.example"])
        // Both are still in force, and nothing is told twice.
        try sites.load()
        #expect(told.isEmpty)
        try sites.remove("b.example", ".aasa.json")
        try sites.load()
        #expect(sites.site("b.example")?.state == .published)
        #expect(sites.site("b.example")?.findings.isEmpty == true)
        try FileManager.default.removeItem(atPath: "\(sites.folder.path)/sites/.aasa.json")
        try sites.load()
        #expect(sites.site("b.example")?.findings.count == 1)
        #expect(told == ["b.example"])
    }

    @Test("entries that ignore findings of unchanged files are in use")
    func suppressions() throws {
        let entry = #"{"code": "byte-order-mark", "path": "*/apple-app-site-association", "reason": "known"}"#
        try sites.folder.write(#"{"ignore": [\#(entry)]}"#, to: "sites/.aasa.json")
        for _ in 0..<3 {
            try sites.load()
            #expect(sites.otherFindings.isEmpty)
            #expect(sites.site("b.example")?.findings.isEmpty == true)
        }
        try sites.write(SitesFolder.document, "b.example")
        try sites.load()
        #expect(sites.otherFindings.map { $0.diagnostic.code.rawValue } == ["unused-suppression"])
        try sites.load()
        #expect(sites.otherFindings.count == 1)
    }

    @Test("other limits mean another check, other terms another head")
    func terms() throws {
        let before = try #require(sites.site("a.example")?.file)
        sites.configuration.cacheMaxAge = 60
        try sites.load()
        let after = try #require(sites.site("a.example")?.file)
        #expect(after !== before && after.digest == before.digest && after.lastModified == before.lastModified)
        #expect(told.isEmpty)
        sites.configuration.limits.fileBytes = 20
        try sites.load()
        #expect(sites.site("a.example")?.state == .stale)
        #expect(sites.site("a.example")?.file === after)
        #expect(sites.site("a.example")?.otherFiles.first?.isStale == true)
        sites.configuration.limits.fileBytes = 1_000
        sites.configuration.cacheMaxAge = 61
        try sites.load()
        #expect(sites.site("a.example")?.hasRefusedFile == false)
        #expect(sites.site("a.example")?.file !== after)
    }

    @Test("a content type that changes holds for the last good file, too")
    func contentType() throws {
        sites.configuration.wellKnown = [ServerConfiguration.WellKnownFile(name: "x", contentType: "text/plain")]
        try sites.write("no JSON", "a.example", "x")
        try sites.load()
        #expect(sites.file("a.example", "x")?.isRefused == false)
        sites.configuration.wellKnown = [ServerConfiguration.WellKnownFile(name: "x", contentType: "application/json")]
        try sites.load()
        #expect(sites.file("a.example", "x")?.isStale == true)
        sites.configuration.wellKnown = []
        try sites.load()
        #expect(sites.file("a.example", "x") == nil)
    }

    @Test("a file that is written while it is read is read again, and what was before stays")
    func moving() throws {
        // Not text: to look at each character of that takes as long as to read it hundreds of times.
        let type = "application/octet-stream"
        sites.configuration.wellKnown = [ServerConfiguration.WellKnownFile(name: "big", contentType: type)]
        sites.configuration.limits.fileBytes = 16_000_000
        try sites.write(String(repeating: "a", count: 500_000), "a.example", "big")
        #expect(try !sites.load().needsRetry)
        let before = try #require(sites.file("a.example", "big")?.file)
        try sites.write(String(repeating: "b", count: 500_000), "a.example", "big")

        let path = sites.path("a.example", "big")
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0 && fsync(descriptor) == 0)
        defer { close(descriptor) }
        let writer = Writer { time in
            var times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: time, tv_nsec: 0)]
            utimensat(AT_FDCWD, path, &times, 0)
        }
        defer { writer.stop() }
        // The writer may not have its turn just then; then the file is as good as any.
        var wasSeen = false
        for _ in 0..<500 where !wasSeen {
            // Then the reader waits for the disk, and the writer has its turn even if both share a core.
            posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
            let served = sites.file("a.example", "big")?.file
            if try sites.load().needsRetry {
                wasSeen = true
                #expect(sites.file("a.example", "big")?.file === served)
            } else {
                #expect(sites.file("a.example", "big")?.file !== before)
            }
        }
        #expect(wasSeen)
        writer.stop()
        #expect(try !sites.load().needsRetry)
        #expect(sites.file("a.example", "big")?.file !== before)
    }
}

/// Does something over and over, on a thread of its own.
private final class Writer: Sendable {
    private let isStopped = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    init(_ work: @escaping @Sendable (Int) -> Void) {
        Thread { [self] in
            var time = 1_000_000
            while !isStopped.load(ordering: .relaxed) {
                time += 1
                work(time)
            }
            ended.signal()
        }.start()
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
        ended.wait()
        ended.signal()
    }
}
